import type { Outcome } from "../../../../../core/base/outcome";
import type { Elements, FittedBuffer } from "../../../../../core/workload/probe/judge-probe";
import type { ProbeContent, ProbeObservation } from "../../../../../core/workload/probe/observation";
import type { Setting } from "../../../../../core/workload/probe/settings";

/** What calls or launches again, with other contents in some buffer. */
export interface BoundTrials {
  readonly contents: Map<string, ProbeContent>;
  readonly once: (sizes: Setting) => Promise<Outcome<Pick<ProbeObservation, "buffers">, string>>;
}

/** What was seen before. */
export interface SeenBefore {
  readonly probes: {
    readonly settings: readonly Setting[];
    readonly observations: readonly Pick<ProbeObservation, "buffers">[];
  };
  readonly buffers: readonly FittedBuffer[];
  /** Names of the sizes. */
  readonly sizes: readonly string[];
  readonly elements: Elements;
  /** Buffers of which it is known what their values lead to. */
  readonly known: ReadonlySet<string>;
}
