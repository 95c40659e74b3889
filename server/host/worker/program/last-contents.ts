import { at } from "../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { readableName } from "../../../core/base/symbols/symbol-name";
import { symbolParameters } from "../../../core/base/symbols/symbol-parameters";
import type { LastContent } from "../../../core/ports/entry-programs";
import type { LaunchSpec } from "../../../core/workload/spec";

/** One allocation in two runs of a program. */
export interface ContentPair {
  /** The output of the spec that it was for the kernel. */
  readonly output: string;
  readonly before: LastContent;
  readonly now: LastContent;
  /** Of sums without rounding: what they are where each is rounded. */
  readonly rounded?: Uint8Array;
}

/** What is compared of two runs. */
export interface Matched {
  readonly pairs: readonly ContentPair[];
  /** Only what the program itself reads of what kernels leave, whichever kernel it was. */
  readonly shownAlone: boolean;
}

/** The kernel that is judged, and how its spec launches it. */
interface Judged {
  readonly kernel: string;
  readonly launch: LaunchSpec;
  /** Bytes of its outputs. */
  readonly sizes: ReadonlySet<number>;
}

/**
 * What can be compared of two runs: the allocations that the kernel changed in the first one. Where the
 * second has not all of them any more, or leaves one alone, because a kernel hands on by itself what went by
 * way of memory, it is what the program copies to the host. The problem says what cannot be matched.
 */
export function matchContents(
  before: readonly LastContent[],
  now: readonly LastContent[],
  judged: Judged,
): Outcome<Matched, string> {
  const all = matchChanged(before, now, judged);
  const isWhole = all.ok && all.value.every((pair) => pair.now.writers.length > 0);
  const shown = isWhole ? undefined : matchShown(before, now, judged);
  if (shown !== undefined) return succeed({ pairs: shown, shownAlone: true });
  return all.ok ? succeed({ pairs: all.value, shownAlone: false }) : all;
}

/**
 * What the program copied to the host in both runs. Undefined where the runs cannot be compared by that:
 * other numbers or sizes, or other bytes in an array of another type than the kernel's own.
 */
function matchShown(
  before: readonly LastContent[],
  now: readonly LastContent[],
  judged: Judged,
): readonly ContentPair[] | undefined {
  const [old, present] = [shownOf(before), shownOf(now)];
  const own = ownResult(before, judged);
  if (own === undefined || old.length !== present.length) return undefined;
  const pairs: ContentPair[] = [];
  for (const [index, first] of old.entries()) {
    const output = outputOf(first, judged) ?? own.output;
    const pair = { output, before: first, now: at(present, index) };
    if (!canCompare(pair, own.result, judged)) return undefined;
    if (first.content.byteLength === own.result.content.byteLength) pairs.push(pair);
  }
  return pairs.length === 0 ? undefined : pairs;
}

function shownOf(contents: readonly LastContent[]): readonly LastContent[] {
  return contents.flatMap((each) => (each.shown === undefined ? [] : { ...each, content: each.shown }));
}

/** The first that the kernel changed; undefined where it leaves a result that nobody takes further. */
function ownResult(contents: readonly LastContent[], judged: Judged) {
  const changed = contents.filter((each) => outputOf(each, judged) !== undefined);
  if (!changed.every(({ shown, isPassedOn }) => shown !== undefined || isPassedOn)) return undefined;
  const [result] = changed;
  const output = result && outputOf(result, judged);
  return result === undefined || output === undefined ? undefined : { result, output };
}

/** Equal bytes can be, and others where they are as many and of the same type as the kernel's own result. */
function canCompare({ before, now }: ContentPair, own: LastContent, judged: Judged): boolean {
  if (Buffer.compare(before.content, now.content) === 0) return true;
  const { byteLength } = own.content;
  if (before.content.byteLength !== byteLength || now.content.byteLength !== byteLength) return false;
  return outputOf(before, judged) !== undefined || isOfType(before, typesOf(own));
}

/** True where all kernels that changed it hold it for elements of the types. */
function isOfType(content: LastContent, types: ReadonlySet<string>): boolean {
  const own = typesOf(content);
  return own.size === 1 && types.size === 1 && [...own].every((type) => type !== "" && types.has(type));
}

/** What the parameters point to that an allocation was changed by; "" where a symbol does not say. */
function typesOf({ writers }: LastContent): ReadonlySet<string> {
  return new Set(
    writers.map(({ kernel, parameter }) =>
      (symbolParameters(kernel)?.[parameter] ?? "").replace(/\s*\*$/, ""),
    ),
  );
}

/** Of allocations of one size the n-th ones of both runs belong together. */
function matchChanged(
  before: readonly LastContent[],
  now: readonly LastContent[],
  judged: Judged,
): Outcome<readonly ContentPair[], string> {
  const pairs: ContentPair[] = [];
  for (const [size, old] of bySize(before)) {
    if (!judged.sizes.has(size)) continue;
    const outputs = old.map((each) => outputOf(each, judged));
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
  { kernel, launch }: Pick<Judged, "kernel" | "launch">,
): string | undefined {
  const own = kernel.split("::").at(-1);
  for (const writer of writers) {
    if (readableName(writer.kernel).name !== own) continue;
    const argument = launch.arguments[writer.parameter];
    if (typeof argument === "string") return argument;
    if (argument !== undefined && "buffer" in argument) return argument.buffer;
  }
  return undefined;
}
