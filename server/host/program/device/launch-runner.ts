import { readableName, formatName } from "../../../core/base/symbols/symbol-name";
import {
  type ChildWork,
  type CompiledKernel,
  type LaunchOutcome,
  launch as launchKernel,
  type LaunchRequest,
  sampledLaunch,
  type SampledOutcome,
} from "../../../core/vgpu/index";
import { fewestBlocks, type LaunchTeam, launchSpreadHere } from "../../spread/launch-spread";
import type { DeviceStore } from "./device-store";
import { type Follower, followOrders } from "./watch/child-work";
import type { DeviceLaunch } from "./launch-checks";
import { LaunchReplay } from "./repeats/launch-replay";
import type { LoadedModule, ModuleCode } from "./loaded-module";
import { SampledLaunches } from "./sampled-launches";
import type { WatchedByte } from "./watch/watched-byte";
import { type DeviceVoice, RepeatedLaunches } from "./repeats/repeated-launches";

export type { DeviceVoice } from "./repeats/repeated-launches";

/** Characters that wait for a synchronisation; a GPU keeps a million and forgets the oldest. */
const mostPrinted = 2 ** 26;

/** Threads of the host that help with long launches. */
export type DeviceTeam = LaunchTeam<ModuleCode, () => LaunchOutcome>;

/** A kernel and how it is to be run. */
interface RunnableKernel {
  readonly kernel: CompiledKernel;
  readonly module: LoadedModule;
  /** Blocks that the GPU holds at once. */
  readonly residents: number;
  readonly sanitize: boolean;
  /** What is touched is recorded. */
  readonly probes: boolean;
  readonly watched?: WatchedByte;
  /** Of a long launch a sample of blocks is counted. */
  readonly samples: boolean;
  /** What each instruction does is told, and how much of it. */
  readonly executed?: "whole" | "sampled";
  /** Warp-level instructions after which a launch counts as endless. */
  readonly launchBudget: number;
  /** The order in which blocks start; that of their numbers when left out. */
  readonly order?: "descending";
  /** Runs the launch before, where this one begins beside it. */
  readonly gridBefore?: () => void;
  /** Nothing is taken from earlier launches, and no other thread helps. */
  readonly isAlone: boolean;
}

interface RunnerOptions {
  readonly repeatLimit?: number;
  readonly team?: DeviceTeam;
  readonly ending?: SharedArrayBuffer;
}

/** Runs launches; those whose effect is known are not run again. */
export class LaunchRunner {
  private readonly replay: LaunchReplay;
  private readonly repeats: RepeatedLaunches;
  private readonly sampled = new SampledLaunches();
  private printed = "";
  private ordered: ChildWork[] = [];

  private readonly team: DeviceTeam | undefined;
  /** Asked between slices of work. */
  private readonly shouldStop: (() => boolean) | undefined;

  /**
   * `repeatLimit`: equal launches of a loop that are run; of further ones those that would change memory are
   * skipped. `ending`: see `DeviceOptions`.
   */
  constructor(
    private readonly store: DeviceStore,
    voice: DeviceVoice,
    { repeatLimit, team, ending }: RunnerOptions,
  ) {
    this.replay = new LaunchReplay(store);
    this.repeats = new RepeatedLaunches(voice, repeatLimit);
    this.team = team;
    this.shouldStop = ending && isSet(ending);
  }

  /** Launches of which a sample of blocks was counted. */
  get sampledLaunches(): number {
    return this.sampled.count;
  }

  /** `tell`: is told of a launch that was skipped. */
  run(
    launch: DeviceLaunch,
    how: RunnableKernel,
    tell: (message: string) => void,
  ): LaunchOutcome | SampledOutcome {
    const { kernel, sanitize, probes } = how;
    if (this.shouldStop?.() === true) return { kind: "stopped", warpInstructions: 0 };
    const key = keyOf(launch, how);
    const isChanged = this.replay.follow();
    const isRead = this.store.memory.changed.takeRead();
    if (how.samples) return this.replay.always(() => this.sample(launch, how));
    if (how.isAlone) return this.replay.always(() => this.execute(launch, how));
    if (how.executed === "sampled")
      return this.replay.always(() => sampledLaunch(kernel, this.requestOf(launch, how)));
    const name = formatName(readableName(launch.kernel));
    const turn = this.repeats.begin({ key, name, isChanged, isRead });
    // A detector's findings depend on what it has recorded of memory too; what instructions did is not kept.
    const replays = !sanitize && !probes && how.executed === undefined;
    if (turn === "over") {
      const known = replays ? this.replay.known(key, kernel) : undefined;
      const outcome = known ?? this.repeats.skip(name, tell);
      if (outcome) return outcome;
    }
    const run = (): LaunchOutcome => this.execute(launch, how);
    const outcome = replays ? this.replay.launch(key, kernel, run, turn === "last") : this.replay.always(run);
    this.repeats.end(outcome);
    return outcome;
  }

  /** What kernels have printed since the last time. */
  takePrinted(): string {
    const text = this.printed;
    this.printed = "";
    return text;
  }

  /** Does what the last launch has ordered; nothing when a fault has broken the context. */
  follow(parent: DeviceLaunch, module: LoadedModule, by: Follower): void {
    const { ordered } = this;
    this.ordered = [];
    followOrders(parent, ordered, { ...by, store: this.store, factsOf: (name) => module.kernels.get(name) });
  }

  private sample(launch: DeviceLaunch, how: RunnableKernel): LaunchOutcome | SampledOutcome {
    const { kernel } = how;
    const request = this.requestOf(launch, how);
    const whole = (instructionBudget: number): LaunchOutcome =>
      launchKernel(kernel, { ...request, instructionBudget });
    return this.sampled.run(`${launch.module} ${launch.kernel}`, { kernel, whole, request });
  }

  /** With the team's help where that cannot change the result. */
  private execute(launch: DeviceLaunch, how: RunnableKernel): LaunchOutcome {
    const { kernel, module } = how;
    const request = this.requestOf(launch, how);
    const [width, height, depth] = launch.grid;
    const isJoint = launch.cooperative || (launch.cluster ?? kernel.cluster) !== undefined;
    const isSpread = kernel.code.spread && !isJoint && width * height * depth >= fewestBlocks;
    const isAlone = how.isAlone || how.order === "descending" || how.executed !== undefined;
    if (!this.team || !isSpread || isAlone) return launchKernel(kernel, request);
    const { grid, block, dynamicSharedBytes, memory, instructionBudget, tellsTouched } = request;
    const { arguments: values, shouldStop } = request;
    const code = {
      module: module.number,
      source: module.source,
      kernel: launch.kernel,
      options: kernel.options,
    };
    const launched = { grid, block, dynamicSharedBytes, arguments: values };
    const plain = {
      ...{ ...launched, memory, instructionBudget },
      ...(tellsTouched === true && { tellsTouched }),
      ...(shouldStop && { shouldStop }),
    };
    return launchSpreadHere({ kernel, code, request: plain }, this.team);
  }

  private requestOf(launch: DeviceLaunch, how: RunnableKernel): LaunchRequest {
    const { grid, block, dynamicSharedBytes, cooperative, parameters } = launch;
    const { kernel, residents, sanitize, launchBudget, order, executed, watched, gridBefore } = how;
    return {
      grid,
      block,
      dynamicSharedBytes,
      memory: this.store.memory,
      instructionBudget: launchBudget,
      cooperative,
      ...(launch.cluster && { cluster: launch.cluster }),
      tellsTouched: true,
      ...(order && { order }),
      ...(executed && { executed: true }),
      ...(gridBefore && { gridBefore }),
      ...(this.shouldStop && { shouldStop: this.shouldStop }),
      print: (text) => {
        if (this.printed.length < mostPrinted) this.printed += text;
      },
      follow: (work) => {
        this.ordered.push(work);
      },
      residentBlocks: residents,
      faults: sanitize ? "report" : "end",
      ...(this.store.ledger ? { ledger: this.store.ledger } : {}),
      ...(watched && { watched: watched.place }),
      arguments: kernel.parameters.map(({ offset, size }) => ({
        kind: "bytes",
        value: parameters.subarray(offset, offset + size),
      })),
    };
  }
}

/** Equal for launches that do the same to the same memory. */
function keyOf(launch: DeviceLaunch, { kernel: { options }, order }: RunnableKernel): string {
  const { module, kernel, grid, block, dynamicSharedBytes, cooperative, cluster, parameters } = launch;
  return JSON.stringify([
    Number(module),
    kernel,
    grid,
    block,
    dynamicSharedBytes,
    cooperative,
    cluster,
    options,
    order === "descending",
    Buffer.from(parameters).toString("base64"),
  ]);
}

function isSet(word: SharedArrayBuffer): () => boolean {
  const words = new Int32Array(word);
  return () => Atomics.load(words, 0) !== 0;
}
