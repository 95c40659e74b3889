import type { SaidLaunch } from "../../../../core/language/cuda/launch/sizes/said-launch";
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
  /** Names of sizes that are less than others, by the text. */
  readonly lesser?: ReadonlySet<string>;
  /** How many elements buffers have whose sizes the kernel is passed. */
  readonly told?: ReadonlyMap<string, SizeExpression>;
  /** A buffer has four sizes or more. */
  readonly isTiny?: boolean;
  /** Sizes that the kernel divides by a constant, by the text. */
  readonly parts?: SettingOptions["parts"];
  /** What the text computes of sizes; see `sizeTerms`. */
  readonly terms?: readonly string[];
  /** Launches that comments tell. */
  readonly said?: readonly SaidLaunch[];
  /** Names that say nothing of how many blocks there are, by the text. */
  readonly within?: ReadonlySet<string>;
}

/** Buffers by what was touched; of one whose sizes the kernel is passed it does not matter how far. */
export function fittedBuffers(
  {
    told,
    elements,
    spans,
    parts,
    terms = [],
  }: Pick<GridSearch, "told" | "elements" | "spans" | "parts" | "terms">,
  probes: Probes,
  block: Extents,
): readonly FittedBuffer[] {
  const divide = coveredBy({ ...(spans && { spans }), ...(parts && { parts }) }, block);
  return fitBuffers(probes, elements, { divide, terms }).map((buffer) => {
    const extent = told?.get(buffer.name);
    const whole = extent === undefined ? buffer : { ...buffer, extent, overrun: undefined };
    return isOfTurns(whole, parts) ? { ...whole, coverage: 1, readCoverage: 1 } : whole;
  });
}

/** Whether a buffer has a part for each turn, of which a launch touches one: `ring[(t % 64) * n + i]`. */
function isOfTurns({ extent }: FittedBuffer, parts: GridSearch["parts"] = new Map()): boolean {
  const turns = [...parts.values()].filter(({ rest }) => rest < 0);
  return turns.some(({ of }) => String(extent).startsWith(`${of} * `));
}

/** What a size may be divided by in what a launch touches: what a block covers, and what the text says. */
export function coveredBy(
  { spans, parts = new Map() }: Pick<GridSearch, "spans" | "parts">,
  block: Extents,
): readonly number[] {
  const told = [...parts.values()].map(({ of }) => of);
  return [...(spans ?? [block[0]]), ...told];
}

/** What the text says of the sizes of a search, as options of its settings. */
export function settingsOf({
  session,
  strides,
  lesser,
  isTiny,
  parts,
}: GridSearch): Pick<SettingOptions, "strides" | "lesser" | "isTiny" | "parts" | "tied" | "relations"> {
  return {
    ...{ tied: session.tied, relations: session.relations },
    ...(strides && { strides }),
    ...(lesser && { lesser }),
    ...(isTiny === undefined ? {} : { isTiny }),
    ...(parts && { parts }),
  };
}
