import { lineOf } from "../../../../language/query";
import { arrayOf, readsApart } from "../../cuda/causes/constant-reads";
import { type DiagnosisEntry, limitIn } from "../entry";
import { type Finding, fraction, type Measured, pipes, shareOn } from "../measured";

/**
 * Constant memory that the lanes of a warp read at different places: it serves one address after the other.
 * No counter tells of it, so that the source does.
 */
export function constantDivergence(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { view, lines, totals } = measured;
  if (view === undefined) return [];
  const apart = readsApart(view);
  const counted = apart.flatMap((node) => {
    const line = lines.find((each) => each.line === lineOf(node));
    return line === undefined ? [] : [{ node, times: line.instructions / limitIn(entry, "each") }];
  });
  const [worst] = [...counted].sort((a, b) => b.times - a.times);
  if (worst === undefined) return [];
  const passes = limitIn(entry, "passes");
  const more = counted.reduce((sum, { times }) => sum + times * (passes - 1), 0);
  const share = shareOn(
    measured,
    [...pipes, "latency", "l1", "l2", "dram"],
    fraction(more, totals.instructions + more),
  );
  const array = arrayOf(worst.node);
  return [{ line: lineOf(worst.node), share, blanks: { array } }];
}
