import { entry } from "../../../base/known";
import type { SizeExpression } from "../../spec";
import type { Sample } from "../sample";

/** The number that indices hold in a search: it leads into the row behind so many others. */
export const plainIndex = 3;
/** Rows of more sizes are none that anyone writes. */
const mostFactors = 4;
/** Samples that a row has to suit: of fewer one suits by chance. */
const leastSamples = 3;

/**
 * Whole rows, one for each number up to that of the search, of which the last is touched in part in every
 * sample: the pages of a cache, which a table leads into. A row is a product of sizes; undefined where none
 * suits.
 */
export function fitLastRow(samples: readonly Sample[]): SizeExpression | undefined {
  const [first] = samples;
  if (first === undefined || samples.length < leastSamples) return undefined;
  const rows = plainIndex + 1;
  for (let count = 1; count <= mostFactors; count += 1) {
    const suiting = [...chosen(Object.keys(first.sizes), count)].filter((names) =>
      samples.every(({ sizes, value }) => {
        const row = names.reduce((product, name) => product * entry(sizes, name), 1);
        return row > 1 && Math.ceil(value / row) === rows;
      }),
    );
    // The least that covers all.
    const [least] = suiting.toSorted((one, other) => rowOf(one, first) - rowOf(other, first));
    if (least !== undefined) return [rows, ...least].join(" * ");
  }
  return undefined;
}

function rowOf(names: readonly string[], { sizes }: Sample): number {
  return names.reduce((product, name) => product * entry(sizes, name), 1);
}

/** All choices of so many names, in their order. */
function* chosen(names: readonly string[], count: number): Generator<readonly string[]> {
  if (count === 0) yield [];
  else
    for (const [index, name] of names.entries())
      for (const others of chosen(names.slice(index + 1), count - 1)) yield [name, ...others];
}
