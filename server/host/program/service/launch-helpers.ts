import { availableParallelism } from "node:os";
import { type MessagePort, MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import { invariant } from "../../../core/base/assert";
import { mustGet } from "../../../core/base/known";
import type { LaunchOutcome } from "../../../core/vgpu/index";
import { type HelperWork, helpLaunch, type LaunchTeam } from "../../spread/launch-spread";
import { LoadedModule, type ModuleCode } from "../device/loaded-module";

const mostHelpers = 7;

/** What a helping thread is started with. */
export interface HelperData {
  readonly port: MessagePort;
  /** A word for each helper, which becomes 1 when its answer is there. */
  readonly answered: Int32Array<SharedArrayBuffer>;
  readonly index: number;
}

/** A kernel's module is sent to a helper once for each device. */
type SentCode = Omit<ModuleCode, "source"> & Partial<Pick<ModuleCode, "source">>;

/** A part of a launch, or that the device has ended whose modules a helper holds. */
type HelperOrder = HelperWork<SentCode> | "forget";

/** A launch's part has ended; or why a helper could not run it, which is a bug. */
type HelperAnswer = { readonly outcome: LaunchOutcome } | { readonly failed: string };

interface Helper {
  readonly port: MessagePort;
  readonly modules: Set<number>;
}

/**
 * Threads of a device that help with long launches, started when one is long enough for the first time. The
 * device waits for them: its own thread answers nothing in the meantime. They end with it.
 */
export class LaunchHelpers implements LaunchTeam<ModuleCode, () => LaunchOutcome> {
  private readonly helpers: Helper[] = [];
  private readonly answered: Int32Array<SharedArrayBuffer>;

  /** `threadFile`: the bundle that a helper is started from. */
  constructor(
    private readonly threadFile: string,
    readonly size = Math.min(mostHelpers, availableParallelism() - 1),
  ) {
    this.answered = new Int32Array(new SharedArrayBuffer(4 * Math.max(1, size)));
  }

  help(index: number, work: HelperWork<ModuleCode>): () => LaunchOutcome {
    const { port, modules } = (this.helpers[index] ??= this.start(index));
    const { source, ...rest } = work.code;
    const code: SentCode = modules.has(rest.module) ? rest : { ...rest, source };
    modules.add(rest.module);
    Atomics.store(this.answered, index, 0);
    port.postMessage({ ...work, code } satisfies HelperOrder);
    return () => {
      // The notice of the answer before may come as late as this, and wake where there is none yet.
      while (Atomics.load(this.answered, index) === 0) Atomics.wait(this.answered, index, 0);
      const answer = receiveMessageOnPort(port)?.message as HelperAnswer | undefined;
      invariant(answer !== undefined, "a helper answers before it says so");
      if ("failed" in answer) throw new Error(`a helping thread failed: ${answer.failed}`);
      return answer.outcome;
    };
  }

  /** The device has ended: its modules are needed no more. */
  forget(): void {
    for (const { port, modules } of this.helpers) {
      modules.clear();
      port.postMessage("forget" satisfies HelperOrder);
    }
  }

  private start(index: number): Helper {
    const { port1: port, port2: theirs } = new MessageChannel();
    const workerData: HelperData = { port: theirs, answered: this.answered, index };
    const options = { workerData, transferList: [theirs], env: {}, stdout: true, stderr: true };
    new Worker(this.threadFile, options).unref();
    port.unref();
    return { port, modules: new Set() };
  }
}

/** The life of a helping thread: parts of launches, one after the other. */
export function serveLaunches({ port, answered, index }: HelperData): void {
  const modules = new Map<number, LoadedModule>();
  port.on("message", (order: HelperOrder) => {
    if (order === "forget") return modules.clear();
    port.postMessage(answerOf(order, modules));
    Atomics.store(answered, index, 1);
    Atomics.notify(answered, index);
  });
}

function answerOf(work: HelperWork<SentCode>, modules: Map<number, LoadedModule>): HelperAnswer {
  const { module, source, kernel, options } = work.code;
  try {
    if (source !== undefined) {
      const loaded = LoadedModule.again(source);
      invariant(loaded.ok, "a helper loads what the device has loaded");
      modules.set(module, loaded.value);
    }
    const compiled = mustGet(modules, module).compile(kernel, options);
    invariant(compiled.ok, "a helper compiles what the device has compiled");
    return { outcome: helpLaunch(compiled.value, work) };
  } catch (thrown) {
    return { failed: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
