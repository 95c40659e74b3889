import {
  type Elements,
  fitBuffers,
  type FittedBuffer,
  type Probes,
} from "../../../../core/workload/probe/judge-probe";
import type { Extents } from "../../../../core/workload/probe/observation";
import type { SettingOptions } from "../../../../core/workload/probe/settings";
import type { SizeExpression } from "../../../../core/workload/spec";
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
  /** How many elements buffers have whose sizes the kernel is passed. */
  readonly told?: ReadonlyMap<string, SizeExpression>;
  /** A buffer has four sizes or more. */
  readonly isTiny?: boolean;
  /** Names that say nothing of how many blocks there are, by the text. */
  readonly within?: ReadonlySet<string>;
}

/** Buffers by what was touched; of one whose sizes the kernel is passed it does not matter how far. */
export function fittedBuffers(
  { told, elements, spans }: Pick<GridSearch, "told" | "elements" | "spans">,
  probes: Probes,
  block: Extents,
): readonly FittedBuffer[] {
  return fitBuffers(probes, elements, coveredBy({ ...(spans && { spans }) }, block)).map((buffer) => {
    const extent = told?.get(buffer.name);
    return extent === undefined ? buffer : { ...buffer, extent, overrun: undefined };
  });
}

/** What a size may be divided by in what a launch touches: what a block covers. */
export function coveredBy({ spans }: Pick<GridSearch, "spans">, block: Extents): readonly number[] {
  return spans ?? [block[0]];
}

/** What the text says of the sizes of a search, as options of its settings. */
export function settingsOf({ strides, isTiny }: GridSearch): Pick<SettingOptions, "strides" | "isTiny"> {
  return { ...(strides && { strides }), ...(isTiny === undefined ? {} : { isTiny }) };
}
