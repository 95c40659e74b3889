import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { defaultGpu, type GpuModel } from "../../../core/timing/gpu-model";
import { formatName, readableName } from "../../../core/base/symbol-name";
import {
  launch as launchKernel,
  orderLostText,
  type CompiledKernel,
  type KernelFinding,
} from "../../../core/vgpu/index";
import { DeviceStore } from "./device-store";
import {
  blocksAtOnce,
  type DeviceLaunch,
  launchProblem,
  type ModelledGpu,
  residentBlocks,
} from "./launch-checks";
import { LaunchRecord } from "./launch-record";
import type { LoadedModule } from "./loaded-module";
import { type DeviceReport, FindingList, type ProgramFinding } from "./report";
import { statuses, statusOfFault, type DeviceProblem } from "./statuses";

export interface DeviceOptions {
  /** The modelled GPU: `sm_80`. */
  readonly architecture: string;
  readonly sanitize: boolean;
  readonly profile: boolean;
  /** Warp-level instructions after which a launch counts as endless. */
  readonly launchBudget: number;
}

/** A module and where its variables are. */
export interface AddedModule {
  readonly handle: bigint;
  readonly module: LoadedModule;
  readonly addresses: ReadonlyMap<string, bigint>;
}

/** Characters that wait for a synchronisation; a GPU keeps a million and forgets the oldest. */
const mostPrinted = 2 ** 26;

/**
 * One virtual GPU as a program sees it: memory, modules and launches, one after the other. Plain code without
 * a thread of its own; whoever drives it (a CUDA program's runtime, a Triton driver) speaks PROTOCOL.md.
 */
export class Device {
  readonly store: DeviceStore;
  readonly gpu: GpuModel;
  readonly record: LaunchRecord;
  /** What a thread has for its frames. A program may ask for more. */
  stackBytes = 16 * 1024;
  private readonly modelled: ModelledGpu;
  private readonly modules: LoadedModule[] = [];
  /**
   * `findings` are the program's bugs, when it is sanitized; `problems` is everything else that the user
   * should know.
   */
  private readonly told = { findings: new FindingList(), problems: new FindingList() };
  private broken: DeviceProblem | undefined;
  private printed = "";
  private launches = 0;

  constructor(readonly options: DeviceOptions) {
    this.gpu = defaultGpu(options.architecture);
    this.modelled = { architecture: options.architecture, multiprocessors: this.gpu.multiprocessors };
    this.record = new LaunchRecord(this.gpu);
    this.store = new DeviceStore(options.sanitize ? this.told.findings : undefined);
  }

  /** The fault that broke the context: every call is answered with it. */
  get problem(): DeviceProblem | undefined {
    return this.broken;
  }

  /** Takes the module, unless there was a problem with it, and gives its variables their places. */
  add(loaded: Outcome<LoadedModule, DeviceProblem>): Outcome<AddedModule, DeviceProblem> {
    if (!loaded.ok) return cannotLoad(this.told.problems, loaded.problem);
    try {
      const addresses = this.store.memory.loadModule(loaded.value.ptx);
      return succeed({ handle: BigInt(this.modules.push(loaded.value)), module: loaded.value, addresses });
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      return cannotLoad(this.told.problems, { status: statuses.memoryAllocation, message: thrown.message });
    }
  }

  /** Checks a launch and compiles its kernel. What it gives runs the kernel, to its end. */
  prepare(launch: DeviceLaunch): Outcome<() => void, DeviceProblem> {
    const module = this.modules[Number(launch.module) - 1];
    const facts = module?.kernels.get(launch.kernel);
    if (module === undefined || facts === undefined)
      return this.refuse(
        { status: statuses.invalidDeviceFunction, message: `there is no kernel ${launch.kernel}` },
        launch.where,
      );
    const problem = launchProblem(launch, facts, this.modelled);
    if (problem !== undefined) return this.refuse(problem, launch.where);
    const { profile, sanitize } = this.options;
    const compiled = module.compile(launch.kernel, {
      counters: profile || launch.counted,
      detectors: sanitize,
      triton: launch.triton,
      stackBytes: this.stackBytes,
    });
    if (!compiled.ok) {
      const { reason, file = "", line = 0 } = compiled.problem;
      const refused: ProgramFinding = {
        kind: "refused",
        message: refusal(launch, reason),
        file,
        line,
        where: launch.where,
        count: 1,
      };
      // What the kernel should have written is missing from here on.
      if (launch.breaksWhenRefused) this.breakWith(statuses.notSupported, refused);
      else this.told.problems.add(refused);
      return fail({ status: statuses.notSupported, message: placed({ message: reason, file, line }) });
    }
    return succeed(() => this.run(launch, compiled.value, module));
  }

  /** Blocks of a kernel that one multiprocessor holds at once. */
  occupancy(
    kernel: { readonly module: bigint; readonly name: string },
    shape: { readonly threads: number; readonly dynamicSharedBytes: number },
  ): Outcome<number, DeviceProblem> {
    const facts = this.modules[Number(kernel.module) - 1]?.kernels.get(kernel.name);
    if (facts === undefined)
      return fail({ status: statuses.invalidDeviceFunction, message: `there is no kernel ${kernel.name}` });
    return succeed(residentBlocks(facts, shape, this.modelled));
  }

  /** What kernels have printed since the last time. */
  takePrinted(): string {
    const text = this.printed;
    this.printed = "";
    return text;
  }

  /** Notes what the runtime has to say to the user about a place in host code. */
  tell(message: string, where: string): void {
    this.told.problems.add({ kind: "told", message, file: "", line: 0, where, count: 1 });
  }

  /** Frees everything that the program has allocated or made, and mends a broken context. */
  reset(): void {
    this.store.memory.images.clear();
    for (const address of this.store.allocated()) this.store.free(address, "");
    this.broken = undefined;
  }

  report(): Omit<DeviceReport, "timed"> {
    return {
      findings: this.told.findings.list(),
      problems: this.told.problems.list(),
      kernels: this.record.list(),
      launches: this.launches,
    };
  }

  private refuse(
    problem: DeviceProblem,
    where: string,
  ): { readonly ok: false; readonly problem: DeviceProblem } {
    const finding: ProgramFinding = {
      kind: "invalid-launch",
      message: `invalid launch: ${problem.message}`,
      file: "",
      line: 0,
      where,
      count: 1,
    };
    (this.options.sanitize ? this.told.findings : this.told.problems).add(finding);
    return fail(problem);
  }

  private run(launch: DeviceLaunch, kernel: CompiledKernel, module: LoadedModule): void {
    this.launches += 1;
    const { memory } = this.store;
    const outcome = launchKernel(kernel, {
      grid: launch.grid,
      block: launch.block,
      dynamicSharedBytes: launch.dynamicSharedBytes,
      memory,
      instructionBudget: this.options.launchBudget,
      cooperative: launch.cooperative,
      print: (text) => {
        if (this.printed.length < mostPrinted) this.printed += text;
      },
      residentBlocks: blocksAtOnce(launch, module.kernels.get(launch.kernel), this.modelled),
      faults: this.options.sanitize ? "report" : "end",
      arguments: kernel.parameters.map(({ offset, size }) => ({
        kind: "bytes",
        value: launch.parameters.subarray(offset, offset + size),
      })),
    });
    const found = "findings" in outcome ? outcome.findings : [];
    if (this.options.sanitize)
      for (const finding of found) this.told.findings.add(this.plain(finding, launch.where));
    if ("isOrderLost" in outcome)
      this.tell(orderLostText(formatName(readableName(launch.kernel))), launch.where);
    switch (outcome.kind) {
      case "completed":
        if (outcome.counters)
          this.record.add(launch, {
            module,
            counters: outcome.counters,
            footprintBytes: footprint(this.store, kernel, launch),
          });
        return;
      case "fault":
        return this.breakWith(statusOfFault(outcome.finding), this.plain(outcome.finding, launch.where));
      case "budget-exceeded": {
        const message = `endless: ${formatName(readableName(launch.kernel))} did not end within ${this.options.launchBudget.toLocaleString("en-US")} warp instructions; --launch-budget sets another limit`;
        return this.breakWith(statuses.launchTimeout, {
          kind: "endless",
          message,
          file: outcome.file ?? "",
          line: outcome.line ?? 0,
          where: launch.where,
          count: 1,
        });
      }
      case "refused":
        return this.breakWith(statuses.notSupported, {
          kind: "refused",
          message: refusal(launch, outcome.reason),
          file: "",
          line: 0,
          where: launch.where,
          count: 1,
        });
      case "stopped":
        return this.breakWith(statuses.launchFailure, {
          kind: "stopped",
          message: "the launch was stopped",
          file: "",
          line: 0,
          where: launch.where,
          count: 1,
        });
    }
  }

  private breakWith(status: number, finding: ProgramFinding): void {
    this.broken = { status, message: placed(finding) };
    // What the virtual GPU cannot do is no bug of the program's.
    (this.options.sanitize && finding.kind !== "refused" ? this.told.findings : this.told.problems).add(
      finding,
    );
  }

  private plain(finding: KernelFinding, where: string): ProgramFinding {
    const { kind, count, file = "", line = 0, allocation, other } = finding;
    // Launches count for themselves; ours is the count of all of them.
    const message = finding.message.replace(new RegExp(`; ${count} times$`), "");
    const origin = allocation === undefined ? undefined : this.store.originOf(allocation);
    const freedAt = kind === "use-after-free" ? origin?.freedAt : undefined;
    return {
      kind,
      message,
      file,
      line,
      where,
      count,
      ...(allocation === undefined ? {} : { allocation: { name: allocation, where: origin?.where ?? "" } }),
      ...(other
        ? {
            other: {
              what: `other ${other.access}`,
              file: other.file ?? "",
              line: other.line ?? 0,
              where: "",
            },
          }
        : {}),
      ...(freedAt === undefined ? {} : { other: { what: "freed", file: "", line: 0, where: freedAt } }),
    };
  }
}

/** What a compiler made is legal: that its kernels do not run is no bug of the program's. */
function cannotLoad(
  problems: FindingList,
  problem: DeviceProblem,
): { readonly ok: false; readonly problem: DeviceProblem } {
  problems.add({
    kind: "refused",
    message: `the virtual GPU cannot run the program's kernels: ${problem.message}`,
    file: "",
    line: 0,
    where: "",
    count: 1,
  });
  return fail(problem);
}

/** Bytes of the allocations that a kernel's parameters point into. */
function footprint(store: DeviceStore, kernel: CompiledKernel, { parameters }: DeviceLaunch): number {
  const view = new DataView(parameters.buffer, parameters.byteOffset, parameters.byteLength);
  const addresses = kernel.parameters.flatMap(({ offset, size }) =>
    Array.from({ length: Math.floor(size / 8) }, (_, word) => view.getBigUint64(offset + 8 * word, true)),
  );
  return [...new Set(addresses)].reduce((sum, address) => sum + store.sizeAt(address), 0);
}

function refusal({ kernel }: DeviceLaunch, reason: string): string {
  return `the virtual GPU cannot run ${formatName(readableName(kernel))}: ${reason.replace(/^refused: /, "")}`;
}

/** What the program is told of trouble in device code: with its place, when there is one. */
function placed({ message, file, line }: Pick<ProgramFinding, "message" | "file" | "line">): string {
  return file === "" ? message : `${file}:${line}: ${message}`;
}
