import type { Extents } from "../../core/workload/probe/observation";
import type { KernelSpec, ShapeCase } from "../../core/workload/spec";
import type { LaunchShape } from "../../core/timing/launch-profile";
import type { Target } from "../../core/timing/target";
import type { Verdict } from "../../core/judge/verdict";

/** A spec that was run once, with its smallest visible shape. */
export interface Preview {
  readonly spec: KernelSpec;
  readonly shape: ShapeCase;
  readonly verdict: Verdict;
  /** The launches that were counted. */
  readonly launches: readonly LaunchShape[];
  /** Where the spec states the whole launch: its extents and what the kernel touches on roomy buffers. */
  readonly grid?: Extents;
  readonly block?: Extents;
  readonly touched: readonly TouchedBuffer[];
}

/** What a launch touched of one buffer: elements [from, to). They may lie outside of the buffer. */
export interface TouchedBuffer {
  readonly name: string;
  /** As many as the spec says. */
  readonly elements: number;
  readonly read?: readonly [number, number];
  readonly written?: readonly [number, number];
}

export interface PreviewService {
  /**
   * Runs a spec whose text stands at `specPath`, with its smallest visible shape. Throws `spec-invalid` for a
   * text that is not right.
   */
  run(
    source: { readonly specPath: string; readonly text: string },
    options: { readonly target: Target; readonly signal: AbortSignal },
  ): Promise<Preview>;
}
