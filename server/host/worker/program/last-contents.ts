import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { readableName } from "../../../core/base/symbols/symbol-name";
import type { LastContent } from "../../../core/ports/entry-programs";
import type { LaunchSpec } from "../../../core/workload/spec";

/** One allocation in two runs of a program. */
export interface ContentPair {
  /** The output of the spec that it was for the kernel. */
  readonly output: string;
  readonly before: LastContent;
  readonly now: LastContent;
}

/**
 * The allocations that the kernel changed in the first run, beside those of the second: of allocations of one
 * size the n-th ones belong together. The problem says which cannot be matched.
 */
export function matchContents(
  before: readonly LastContent[],
  now: readonly LastContent[],
  { kernel, launch }: { readonly kernel: string; readonly launch: LaunchSpec },
): Outcome<readonly ContentPair[], string> {
  const pairs: ContentPair[] = [];
  for (const [size, old] of bySize(before)) {
    const outputs = old.map((each) => outputOf(each, kernel, launch));
    if (outputs.every((output) => output === undefined)) continue;
    const other = bySize(now).get(size) ?? [];
    if (other.length !== old.length)
      return fail(
        `it allocates ${other.length} times ${size} bytes, the original ${old.length} times, so that what its kernels leave cannot be compared`,
      );
    for (const [index, first] of old.entries()) {
      const [output, second] = [outputs[index], other[index]];
      if (output !== undefined && second !== undefined) pairs.push({ output, before: first, now: second });
    }
  }
  return succeed(pairs);
}

function bySize(contents: readonly LastContent[]): ReadonlyMap<number, readonly LastContent[]> {
  const sizes = new Map<number, readonly LastContent[]>();
  for (const each of contents) {
    const size = each.content.byteLength;
    sizes.set(size, [...(sizes.get(size) ?? []), each]);
  }
  return sizes;
}

/** The spec's output that an allocation was when the kernel changed it. */
function outputOf(
  { writers }: LastContent,
  kernel: string,
  { arguments: given }: LaunchSpec,
): string | undefined {
  const own = kernel.split("::").at(-1);
  for (const writer of writers) {
    if (readableName(writer.kernel).name !== own) continue;
    const argument = given[writer.parameter];
    if (typeof argument === "string") return argument;
    if (argument !== undefined && "buffer" in argument) return argument.buffer;
  }
  return undefined;
}
