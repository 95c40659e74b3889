import { entry } from "../../base/known";
import type { SizeExpression } from "../spec";
import { fitExtent } from "./fit";
import type { Extents } from "./observation";
import type { Sample } from "./sample";

/** An extent that only a guard which lets one thread too many through explains. */
export interface Overrun {
  /** The extent that the other threads have need of. */
  readonly extent: SizeExpression;
  /** The threads that go farther, in words. */
  readonly by: string;
}

const axisNames = ["x", "y", "z"];
const isPlain = /^\w+(?: \* \w+)*$/;

/**
 * Whether the last element is touched by a thread whose number is the size itself, as with `if (i <= n)`: of
 * n threads the last is n - 1. `places`: who touched the last element of each sample. Row offsets, of which
 * thread n - 1 reads `p[i + 1]`, are none. An element behind a whole matrix is always one.
 */
export function findOverrun(samples: readonly Sample[], places: readonly Extents[]): Overrun | undefined {
  const [first] = samples;
  const fitted = fitExtent(samples);
  if (first === undefined || fitted === undefined || typeof fitted === "number" || isPlain.test(fitted))
    return undefined;
  for (const [axis, letter] of axisNames.entries())
    for (const name of Object.keys(first.sizes)) {
      if (!samples.every(({ sizes }, index) => places[index]?.[axis as 0 | 1 | 2] === sizes[name])) continue;
      const raised = samples.map(({ sizes, value }) => ({
        sizes: { ...sizes, [name]: entry(sizes, name) + 1 },
        value,
      }));
      const extent = fitExtent(raised);
      if (typeof extent === "string" && isPlain.test(extent))
        return { extent, by: `thread ${name} along ${letter} alone, as under a guard "<= ${name}"` };
    }
  const behind = /^(\w+(?: \* \w+)+) \+ 1$/.exec(fitted)?.[1];
  return behind === undefined
    ? undefined
    : { extent: behind, by: "threads that go one element behind the last row" };
}

/**
 * A buffer that is touched one element farther than a bound that a mask includes is taken to end at the
 * bound: which thread goes farther says nothing where a program's threads share its elements.
 */
export function withMaskOverruns<
  Buffer extends { readonly extent: SizeExpression | undefined; readonly overrun: Overrun | undefined },
>(buffers: readonly Buffer[], inclusive: ReadonlySet<string>): readonly Buffer[] {
  return buffers.map((buffer) => {
    const bound = /^(\w+) \+ 1$/.exec(String(buffer.extent))?.[1];
    if (bound === undefined || !inclusive.has(bound)) return buffer;
    return { ...buffer, overrun: { extent: bound, by: `the mask "<= ${bound}" alone` } };
  });
}
