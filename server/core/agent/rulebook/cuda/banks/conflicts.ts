import { arraysOf, type KernelArray } from "../../../../language/cuda/body/arrays";
import { variesWithThread } from "../../../../language/cuda/body/threads";
import { enclosing, lineOf } from "../../../../language/query";
import { countsOf, evidenceFor, gainOn, shareSaved, wasteOf } from "../../evidence";
import {
  isNot,
  not,
  type Rule,
  type RuleAnswer,
  type RuleEvidence,
  type RuleHold,
  type RuleInput,
} from "../../rule";
import { defineRule, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView, scalarBytes } from "../kernel";
import { structureLayout } from "../structures/structure-layout";
import { type MemberTile, memberTiles } from "./member-tiles";

/** A shared array whose lanes meet in one bank, with the line that shows it. */
interface ConflictedArray {
  readonly array: KernelArray | MemberTile;
  readonly bytes: number;
  readonly evidence: RuleEvidence;
  readonly gain: number;
}

/** What a rewrite of a conflicted array works with. */
export interface ConflictPlace {
  readonly entry: RuleEntry;
  readonly view: KernelView;
  readonly found: ConflictedArray;
}

/** A rule that rewrites each shared array with bank conflicts. */
export function defineConflictRule(
  id: string,
  rewrite: (input: RuleInput, place: ConflictPlace) => RuleAnswer,
): Rule {
  return defineRule(id, (input, entry) => {
    const view = cudaKernel(input);
    if (isNot(view)) return view;
    return forConflicted(input, entry, { view, rewrite: (found) => rewrite(input, { entry, view, found }) });
  });
}

/** Asks a rule about each conflicted array; where there is no shared tile at all, that is the answer. */
function forConflicted(
  input: RuleInput,
  entry: RuleEntry,
  { view, rewrite }: { readonly view: KernelView; rewrite(found: ConflictedArray): RuleAnswer },
): readonly RuleAnswer[] {
  const own = arraysOf(view.body).filter(({ storage, sizes }) => storage === "shared" && sizes.length > 1);
  const tiles = [...own, ...memberTiles(view)];
  if (tiles.length === 0)
    return [not("no-pattern", "the kernel has no shared array of two or more dimensions", view.line)];
  return tiles.map((tile) => {
    const found = conflictOf(input, entry, { view, array: tile });
    return isNot(found) ? found : rewrite(found);
  });
}

/**
 * The worst line on which an access runs down a column (an index before the last varies with threadIdx.x) and
 * counters show bank conflicts; a guard's answer when there is none, or the array's layout may not change.
 */
function conflictOf(
  input: RuleInput,
  entry: RuleEntry,
  { view, array }: { readonly view: KernelView; readonly array: KernelArray | MemberTile },
): ConflictedArray | RuleHold {
  const { name } = array;
  const bytes = scalarBytes(view, array.type) ?? structureLayout(view, array.type)?.bytes;
  if (bytes === undefined) return not("type", `the size of ${array.type} is not known`, array.declaration);
  if (array.escape !== undefined)
    return not("aliasing", `${name} is used other than element by element`, array.escape);
  const varies = variesWithThread(view.model, view.body, "x");
  const down = array.accesses.filter(({ indices }) => indices.slice(0, -1).some((index) => varies(index)));
  // What a structure's own functions are called with is not followed: there the counters alone decide.
  const places =
    "estimate" in array
      ? [...array.accesses.map(({ node }) => node), ...array.objects]
      : down.map(({ node }) => node);
  const lines = places.map((node) => {
    const counts = countsOf(input, enclosing(node, "expression_statement", "declaration") ?? node);
    return { line: lineOf(node), value: counts.sharedWavefronts, ideal: counts.sharedWavefrontsIdeal };
  });
  const [worst] = lines.sort((a, b) => wasteOf(b.value, b.ideal) - wasteOf(a.value, a.ideal));
  if (worst === undefined)
    return not("no-pattern", `no warp runs down a column of ${name}`, array.declaration);
  if (wasteOf(worst.value, worst.ideal) < threshold(entry, "ratio"))
    return not("no-evidence", `${name} shows no bank conflicts where a warp runs down a column`, worst.line);
  const facts = { file: input.file, counter: "sharedWavefronts" as const, ...worst };
  const saved = shareSaved(worst.value - worst.ideal, input.counters.totals.sharedWavefronts);
  return {
    array,
    bytes,
    evidence: evidenceFor(entry, facts, { array: name }),
    gain: gainOn(input, ["shared"], saved),
  };
}
