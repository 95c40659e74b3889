import type { Elements } from "../../../../core/workload/probe/judge-probe";
import type { Extents } from "../../../../core/workload/probe/observation";
import type { SettingOptions } from "../../../../core/workload/probe/settings";
import type { ProbeSession } from "./probe-session";

/** What the search for the grid of a kernel starts from. */
export interface GridSearch {
  readonly session: ProbeSession;
  /** Names of the parameters that may be sizes. */
  readonly names: readonly string[];
  readonly elements: Elements;
  readonly dynamicSharedBytes: number;
  /** What one block may cover along an axis, where that is not what it has threads for. */
  readonly spans?: readonly number[];
  /** Names that are strides, by the text. */
  readonly strides?: ReadonlySet<string>;
  /** Names that say nothing of how many blocks there are, by the text. */
  readonly within?: ReadonlySet<string>;
}

/** What a size may be divided by in what a launch touches: what a block covers. */
export function coveredBy({ spans }: Pick<GridSearch, "spans">, block: Extents): readonly number[] {
  return spans ?? [block[0]];
}

/** The strides of a search, as an option of its settings. */
export function stridesOf({ strides }: GridSearch): Pick<SettingOptions, "strides"> {
  return strides === undefined ? {} : { strides };
}
