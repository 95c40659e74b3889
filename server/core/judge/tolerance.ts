import type { DataType, Tolerance } from "../workload/spec";
import table from "./tolerance.json";

/** What the oracle is told about one output. */
interface OutputTolerance extends Tolerance {
  /**
   * True when the spec states it: then it is used as it is. Otherwise `absolute` is relative to the size of
   * the output, see docs/model.md.
   */
  readonly stated: boolean;
}

/**
 * The tolerance of an output: the spec's own, else the table's by dtype. The table's absolute part is scaled
 * by the root mean square of the expected values when they are compared, so that a small output is not
 * drowned in it; integers and bool are exact.
 */
export function toleranceFor(dtype: DataType, stated: Tolerance | undefined): OutputTolerance {
  if (stated !== undefined) return { ...stated, stated: true };
  return { ...table[dtype], stated: false };
}
