import type { Elements } from "../../../../core/workload/probe/judge-probe";
import type { ProbeSession } from "./probe-session";

/** What the search for the grid of a kernel starts from. */
export interface GridSearch {
  readonly session: ProbeSession;
  /** Names of the parameters that may be sizes. */
  readonly names: readonly string[];
  readonly elements: Elements;
  readonly dynamicSharedBytes: number;
}
