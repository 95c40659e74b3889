import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { defaultGpu, type GpuModel } from "../../../core/timing/gpu-model";
import { formatName, readableName } from "../../../core/base/symbols/symbol-name";
import {
  noteStored,
  orderLostText,
  type CompiledKernel,
  type CompileOptions,
  type LaunchOutcome,
  type SampledOutcome,
} from "../../../core/vgpu/index";
import { statuses } from "../protocol/messages";
import { DeviceContext, placed, placeless, reported } from "./context";
import { DeviceStore } from "./device-store";
import {
  blocksAtOnce,
  type DeviceLaunch,
  launchProblem,
  type ModelledGpu,
  residentBlocks,
} from "./launch-checks";
import { LaunchRecord } from "./launch-record";
import { type DeviceTeam, type DeviceVoice, LaunchRunner } from "./launch-runner";
import { sampleOf } from "./sampled-launches";
import { LaunchWatch, type WatchOptions } from "./watch/launch-watch";
import type { LoadedModule } from "./loaded-module";
import type { DeviceReport } from "./report";
import { statusOfFault, type DeviceProblem } from "./statuses";

export interface DeviceOptions extends WatchOptions {
  /** The modelled GPU: `sm_80`. */
  readonly architecture: string;
  readonly sanitize: boolean;
  readonly profile: boolean;
  /** Warp-level instructions after which a launch counts as endless. */
  readonly launchBudget: number;
  /** Equal launches of a loop that are run; further ones that change memory are skipped. */
  readonly repeatLimit?: number;
  /** What is touched is recorded, and launches end after so many warp-level instructions in all. */
  readonly probe?: { readonly instructionBudget: number };
  /** The order in which the blocks of launches start; that of their numbers when left out. */
  readonly blocks?: "descending";
  /** Dependent launches that may begin before the one before them has ended do so. */
  readonly overlaps?: boolean;
  /** As a GPU computes when left out. */
  readonly arithmetic?: CompileOptions["arithmetic"];
  /** With `profile`: launches are simulated, too. */
  readonly simulates?: boolean;
  /** With `profile`: what each instruction of the launches did is kept; see `EntryCase`. */
  readonly executed?: "whole" | "sampled";
  /**
   * Warp-level instructions of launches after which only some are counted and watched; see
   * `watch/thorough-launches.ts`. All are when left out.
   */
  readonly thoroughInstructions?: number;
  /** Modules are replaced by code that is told later: their loading waits for it. */
  readonly awaitsCode?: boolean;
  /** A word of 32 bits; launches that still run when it is no longer 0 are stopped. */
  readonly ending?: SharedArrayBuffer;
}

/** A module and where its variables are. */
export interface AddedModule {
  readonly handle: bigint;
  readonly module: LoadedModule;
  readonly addresses: ReadonlyMap<string, bigint>;
}

/**
 * One virtual GPU as a program sees it: memory, modules and launches, one after the other. Plain code without
 * a thread of its own; whoever drives it (a CUDA program's runtime, a Triton driver) speaks PROTOCOL.md.
 */
export class Device {
  readonly store: DeviceStore;
  readonly gpu: GpuModel;
  record: LaunchRecord;
  context: DeviceContext;
  /** What a thread has for its frames. A program may ask for more. */
  stackBytes = 16 * 1024;
  private readonly watch: LaunchWatch;
  private readonly modules: LoadedModule[] = [];
  private readonly runner: LaunchRunner;
  private launches = 0;

  constructor(
    public options: DeviceOptions,
    voice: DeviceVoice,
    /** Threads that help with long launches; without them each runs on the device's own. */
    team?: DeviceTeam,
  ) {
    this.gpu = defaultGpu(options.architecture);
    this.record = new LaunchRecord(this.gpu, options);
    this.context = new DeviceContext(options.sanitize);
    this.store = new DeviceStore(
      options.sanitize ? this.context.findings : undefined,
      team !== undefined && team.size > 0,
    );
    this.runner = new LaunchRunner(this.store, voice, {
      ...(options.repeatLimit === undefined ? {} : { repeatLimit: options.repeatLimit }),
      ...(options.ending && { ending: options.ending }),
      ...(team && this.store.isShared ? { team } : {}),
    });
    this.watch = new LaunchWatch(options, this.store, () => voice.worked());
  }

  private get modelled(): ModelledGpu {
    return { architecture: this.options.architecture, multiprocessors: this.gpu.multiprocessors };
  }

  /** Takes the module, unless there was a problem with it, and gives its variables their places. */
  add(loaded: Outcome<LoadedModule, DeviceProblem>): Outcome<AddedModule, DeviceProblem> {
    if (!loaded.ok) return this.context.refuseModule(loaded.problem);
    try {
      const addresses = this.store.memory.loadModule(loaded.value.ptx);
      return succeed({ handle: BigInt(this.modules.push(loaded.value)), module: loaded.value, addresses });
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      return this.context.refuseModule({ status: statuses.memoryAllocation, message: thrown.message });
    }
  }

  /** Checks a launch and compiles its kernel. What it gives runs the kernel, to its end. */
  prepare(launch: DeviceLaunch): Outcome<() => void, DeviceProblem> {
    if (launch.programmatic !== true) this.context.held.settle();
    const module = this.modules[Number(launch.module) - 1];
    const facts = module?.kernels.get(launch.kernel);
    if (module === undefined || facts === undefined)
      return this.context.refuseLaunch(noKernel(launch.kernel), launch.where);
    const problem = launchProblem(launch, facts, this.modelled);
    if (problem !== undefined) return this.context.refuseLaunch(problem, launch.where);
    const isThorough = this.record.thorough.isNext(launch);
    const { profile, sanitize, arithmetic } = isThorough ? this.options : plainly(this.options);
    const compiled = module.compile(launch.kernel, {
      counters: profile || launch.counted,
      detectors: sanitize,
      accesses: recordsAccesses(this.options),
      triton: launch.triton,
      stackBytes: this.stackBytes,
      spread: this.store.isShared,
      sharedMemory: this.store.isShared,
      ...(arithmetic && { arithmetic }),
    });
    if (!compiled.ok) return cannotCompile(this.context, launch, compiled.problem);
    const residents = blocksAtOnce(launch, facts, this.modelled);
    return succeed(() => this.run(launch, { kernel: compiled.value, module, residents, isThorough }));
  }

  /** Blocks of a kernel that one multiprocessor holds at once. */
  occupancy(
    kernel: { readonly module: bigint; readonly name: string },
    shape: { readonly threads: number; readonly dynamicSharedBytes: number },
  ): Outcome<number, DeviceProblem> {
    const facts = this.modules[Number(kernel.module) - 1]?.kernels.get(kernel.name);
    return facts === undefined
      ? fail(noKernel(kernel.name))
      : succeed(residentBlocks(facts, shape, this.modelled));
  }

  /** Begins to report anew, with other detectors and counters. Memory and modules stay. */
  begin(
    mode: Pick<
      DeviceOptions,
      "sanitize" | "profile" | "probe" | "blocks" | "executed" | "arithmetic" | "overlaps"
    >,
  ): void {
    this.options = { ...this.options, ...mode };
    this.record = new LaunchRecord(this.gpu, this.options);
    this.context = new DeviceContext(mode.sanitize);
    this.store.findings = mode.sanitize ? this.context.findings : undefined;
    this.launches = 0;
  }

  /** Launches of which a sample of blocks was counted. */
  get sampledLaunches(): number {
    return this.runner.sampledLaunches;
  }

  /** What kernels have printed since the last time. */
  takePrinted(): string {
    return this.runner.takePrinted();
  }

  /** Frees everything that the program has allocated or made, and mends a broken context. */
  reset(): void {
    this.store.memory.images.clear();
    for (const address of this.store.allocated()) this.store.free(address, "");
    this.context.mend();
  }

  report(): Omit<DeviceReport, "timed"> {
    return {
      findings: this.context.findings.list(),
      problems: [...this.context.problems.list(), ...this.record.thorough.told().map(placeless)],
      kernels: this.record.list(),
      launches: this.launches,
      ...this.watch.report(),
    };
  }

  private run(launch: DeviceLaunch, prepared: PreparedKernel): void {
    this.launches += 1;
    this.record.note(launch);
    this.store.log?.settle(launch);
    const ended = this.watch.begin(launch, prepared.kernel);
    if (ended === undefined) return;
    const { held } = this.context;
    const before = held.take();
    const run = (): void => this.perform(launch, { ...prepared, ended, ...(before && { before }) });
    if (this.options.overlaps === true && held.takes(launch, prepared.kernel)) held.hold(run);
    else run();
  }

  private perform(launch: DeviceLaunch, { ended, before, ...prepared }: BegunKernel): void {
    const options = prepared.isThorough ? this.options : plainly(this.options);
    const { probe, launchBudget, sanitize, profile, blocks, executed, watchedByte } = options;
    const isWatched = profile || sanitize || probe !== undefined;
    const samples = launch.counted && launch.sampled && !isWatched;
    const left = probe === undefined ? launchBudget : probe.instructionBudget - this.record.warpInstructions;
    const kept = profile ? this.record.keeps(launch, executed) : undefined;
    const how = {
      ...prepared,
      sanitize,
      probes: recordsAccesses(this.options),
      ...(watchedByte && { watched: watchedByte }),
      samples,
      launchBudget: Math.max(0, left),
      ...(blocks && { order: blocks }),
      ...(kept && { executed: kept }),
      ...(before && { gridBefore: before }),
      isAlone: this.options.overlaps === true,
    };
    const limited = (message: string): void => this.context.tell(message, launch.where, "limited");
    const outcome = this.runner.run(launch, how, limited);
    if (before) this.context.held.pass(before);
    const warpInstructions = "warpInstructions" in outcome ? outcome.warpInstructions : 0;
    this.record.warpInstructions += warpInstructions;
    const isCounted = outcome.kind === "completed" && ended(outcome);
    this.conclude(outcome, launch, { ...prepared, isCounted, launchBudget: how.launchBudget });
    this.runner.follow(launch, prepared.module, {
      context: this.context,
      launch: (child) => {
        const ready = this.prepare(child);
        if (ready.ok) ready.value();
      },
    });
  }

  /** Takes over what a launch has found and counted; what ended it breaks the context. */
  private conclude(
    outcome: LaunchOutcome | SampledOutcome,
    launch: DeviceLaunch,
    prepared: CountedKernel,
  ): void {
    const { where } = launch;
    const name = formatName(readableName(launch.kernel));
    if (this.options.sanitize && "findings" in outcome)
      for (const finding of outcome.findings) this.context.findings.add(reported(finding, where, this.store));
    if ("isOrderLost" in outcome) this.context.tell(orderLostText(name), where);
    switch (outcome.kind) {
      case "completed":
        return count(this, outcome, launch, prepared);
      case "fault": {
        const finding = reported(outcome.finding, where, this.store);
        return this.context.breakWith(statusOfFault(outcome.finding), finding);
      }
      case "budget-exceeded": {
        const budget = prepared.launchBudget.toLocaleString("en-US");
        const isProbe = this.options.probe !== undefined;
        // A probe is short work: what it gives up on may well end.
        const message = isProbe
          ? `${name} did not end within the ${budget} warp instructions of a probe`
          : `endless: ${name} did not end within ${budget} warp instructions; --launch-budget sets another limit`;
        const { file = "", line = 0 } = outcome;
        return this.context.breakWith(statuses.launchTimeout, {
          kind: "endless",
          message,
          file,
          line,
          where,
        });
      }
      case "refused": {
        const message = refusal(launch, outcome.reason);
        return this.context.breakWith(statuses.notSupported, { kind: "refused", message, where });
      }
      case "stopped":
        return this.context.breakWith(statuses.launchFailure, {
          kind: "stopped",
          message: "the launch was stopped",
          where,
        });
    }
  }
}

interface CountedKernel extends PreparedKernel {
  /** The launch does what no earlier one did. */
  readonly isCounted: boolean;
  /** Warp-level instructions that it had. */
  readonly launchBudget: number;
}

/** Takes over what a launch has counted, or what others like it have where it only ran. */
function count(
  { record, store, options }: Pick<Device, "record" | "store" | "options">,
  outcome: Extract<LaunchOutcome | SampledOutcome, { kind: "completed" }>,
  launch: DeviceLaunch,
  { kernel, module, isCounted, isThorough }: CountedKernel,
): void {
  const { warpInstructions, touched } = outcome;
  if (options.sanitize && !isThorough) noteStored(store.memory, touched?.written ?? store.allocated());
  if (outcome.counters) record.thorough.learn(launch, outcome.counters, warpInstructions);
  const counters = outcome.counters ?? record.thorough.countersOf(launch, warpInstructions);
  if (!counters || !isCounted) return;
  const footprintBytes = footprint(store, kernel, launch);
  record.add(launch, { module, counters, ...sampleOf(outcome), footprintBytes });
}

/** As a launch runs that is neither counted nor watched. */
function plainly(options: DeviceOptions): DeviceOptions {
  return { ...options, profile: false, sanitize: false };
}

/** Whether launches are asked what they touch. */
function recordsAccesses({ probe, watchedByte }: DeviceOptions): boolean {
  return probe !== undefined || watchedByte !== undefined;
}

/** A kernel that is ready to run. `residents`: blocks that the GPU holds at once. */
interface PreparedKernel {
  readonly kernel: CompiledKernel;
  readonly module: LoadedModule;
  readonly residents: number;
  /** It is counted and watched where that is asked for. */
  readonly isThorough: boolean;
}

/** A launch that has been noted, and is to be run. */
interface BegunKernel extends PreparedKernel {
  readonly ended: NonNullable<ReturnType<LaunchWatch["begin"]>>;
  /** Runs the launch before, beside which this one begins. */
  readonly before?: () => void;
}

interface Refusal {
  readonly reason: string;
  readonly file?: string;
  readonly line?: number;
}

function cannotCompile(
  context: DeviceContext,
  launch: DeviceLaunch,
  { reason, file = "", line = 0 }: Refusal,
): Outcome<never, DeviceProblem> {
  const refused = { kind: "refused", message: refusal(launch, reason), file, line, where: launch.where };
  // What the kernel should have written is missing from here on.
  if (launch.breaksWhenRefused) context.breakWith(statuses.notSupported, refused);
  else context.problems.add({ ...refused, count: 1 });
  return fail({ status: statuses.notSupported, message: placed({ message: reason, file, line }) });
}

function noKernel(name: string): DeviceProblem {
  return { status: statuses.invalidDeviceFunction, message: `there is no kernel ${name}` };
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
