import { exactArithmetic } from "../../exact-arithmetic";
import { Sanitizer } from "../findings/sanitizer";
import { notesTouched, type TouchedAllocations } from "../state/touched";
import { initializeLaunch } from "../state/initialize";
import type { LaunchState } from "../state/launch-state";
import { renumberReuse } from "../state/reuse-area";
import { VirtualClock } from "../state/virtual-clock";
import { AccessRecorder } from "../units/access-recorder";
import { SurfaceUnit } from "../units/surface-unit";
import { SystemCalls } from "../units/system-calls";
import { TensorUnit } from "../units/tensor-unit";
import { TextureUnit } from "../units/texture-unit";
import { ClusterBarrier } from "./cluster-barrier";
import { Fuel } from "./fuel";

/** A kernel's WebAssembly instance on the working memory of a launch. */
export class Machine {
  /** Runs the current range of blocks until something needs the host: one of `blockStates`. */
  readonly runBlocks: () => number;
  /** Restores a warp's active lanes after the host has opened its barrier. `warp`: linear address. */
  readonly resume: (warp: number) => void;
  readonly fuel = new Fuel();
  readonly clock = new VirtualClock(() => this.fuel.executed);
  readonly sanitizer: Sanitizer;
  readonly cluster: ClusterBarrier;
  /** Set for kernels that are compiled with `accesses`. */
  readonly recorder: AccessRecorder | undefined;

  constructor(readonly state: LaunchState) {
    this.sanitizer = new Sanitizer(state);
    this.cluster = new ClusterBarrier(state, this.sanitizer);
    this.recorder = state.kernel.options.accesses === true ? new AccessRecorder(state) : undefined;
    const { exports } = new WebAssembly.Instance(state.kernel.code.module, { host: this.imports() });
    this.runBlocks = exports["run_blocks"] as () => number;
    this.resume = exports["resume_warp"] as (warp: number) => void;
    initializeLaunch(state);
    this.sanitizer.start();
  }

  /** What the launch has touched, where the request asks for it and all of it is noted. */
  toldTouched(): { readonly touched?: TouchedAllocations } {
    const { request, kernel } = this.state;
    return request.tellsTouched === true && notesTouched(kernel) ? { touched: this.sanitizer.touched } : {};
  }

  private imports(): Record<string, WebAssembly.ImportValue> {
    const { state, sanitizer } = this;
    const { kernel, request, plan, base, scratch } = state;
    const constant = (value: number): WebAssembly.Global => new WebAssembly.Global({ value: "i32" }, value);
    return {
      memory: request.memory.memory,
      ...sanitizer.imports(),
      access: this.recorder?.note ?? nothing,
      exact: (operation: number, rounding: number, width: number, ...values: [number, number, number]) =>
        exactArithmetic(operation, rounding, width, ...values),
      clock: () => this.clock.read(),
      static: constant(base),
      shared: state.sharedGlobal,
      sharedBytes: constant(plan.sharedBytes),
      localBytes: constant(kernel.localBytes),
      sites: constant(base + plan.sites),
      blocks: constant(base + plan.blocks),
      shadow: constant(scratch.shadow),
      fuel: this.fuel.global,
      system: new SystemCalls(state, sanitizer).entry,
      texture: new TextureUnit(state, sanitizer).fetch,
      tensor: new TensorUnit(state, sanitizer).pieces,
      surface: new SurfaceUnit(state, sanitizer).locate,
      reuse: constant(base + plan.reuse),
      renumber: () => renumberReuse(request.memory.memory.buffer, base + plan.reuse, plan.reuseArea),
    };
  }
}

/** Stands in for a function that the code of a kernel does not call. */
function nothing(): void {}
