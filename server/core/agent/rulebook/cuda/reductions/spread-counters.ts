import { type ArrayAccess, arraysOf, type KernelArray } from "../../../../language/cuda/body/arrays";
import { enclosing, fieldText, isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView, scalarBytes } from "../kernel";

const warp = 32;

/** Counters of a block in shared memory, to which the lanes of a warp add in one statement of its body. */
interface Counters {
  readonly array: KernelArray;
  readonly size: number;
  /** How many counters stand for one. */
  readonly copies: number;
  /** The statement at the top of the body that holds all the additions. */
  readonly work: SyntaxNode;
  readonly additions: readonly Addition[];
}

/** `atomicAdd(&counts[index], value);`. */
interface Addition {
  readonly address: SyntaxNode;
  readonly value: SyntaxNode;
  readonly statement: SyntaxNode;
  readonly index: SyntaxNode;
}

/**
 * Lets the lanes of a warp add to counters of their own, side by side in the banks of shared memory, which
 * are put together behind the loop.
 */
export const spreadCounters = defineRule("cuda-spread-counters", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const arrays = arraysOf(view.body).filter(
    ({ storage, sizes }) => storage === "shared" && sizes.length === 1,
  );
  const counted = arrays.flatMap((array) => {
    const additions = additionsTo(view, array);
    return isNot(additions) || additions.length > 0 ? [{ array, additions }] : [];
  });
  if (counted.length === 0)
    return not("no-pattern", "no atomic adds to a shared array of one dimension", view.line);
  return counted.map(({ array, additions }) =>
    isNot(additions) ? additions : answer(input, entry, { view, array, additions }),
  );
});

interface Place {
  readonly view: KernelView;
  readonly array: KernelArray;
  readonly additions: readonly Addition[];
}

function answer(input: RuleInput, entry: RuleEntry, place: Place): RuleAnswer {
  const { view, array, additions } = place;
  const passes = (each: Addition): number => countsOf(input, each.statement).sharedAtomicPasses;
  const [worst] = [...additions].sort((a, b) => passes(b) - passes(a));
  if (worst === undefined) return not("no-pattern", `nothing is added to ${array.name}`, array.declaration);
  const { sharedAtomics: requests, sharedAtomicPasses: value } = countsOf(input, worst.statement);
  if (value < requests * threshold(entry, "ratio"))
    return not("no-evidence", "few lanes of a warp add to the same counter", worst.statement);
  const gain = gainOn(input, ["atomics", "latency"], 1 - requests / value);
  const found = countersOf(input, entry, place);
  if (isNot(found)) return { ...found, gain };
  if (addsOnes(view, array, worst))
    return not("no-evidence", "ones are added, which a GPU counts for a whole warp in one pass", worst.value);
  return {
    kind: "proposal",
    tree: editedTree(input, spread(view, found)),
    hypothesis: fillSentence(entry.hypothesis, { copies: found.copies, array: array.name }),
    evidence: evidenceFor(entry, {
      ...{ file: input.file, line: lineOf(worst.statement), counter: "sharedAtomicPasses" as const },
      ...{ value, ideal: requests },
    }),
    gain,
  };
}

/** The additions to an array inside of loops; a guard's answer where other atomics change it as well. */
function additionsTo(view: KernelView, { accesses, name }: KernelArray): readonly Addition[] | RuleHold {
  const found: Addition[] = [];
  for (const access of accesses) {
    const address = access.node.parent;
    if (address?.type !== "pointer_expression") continue;
    const addition = additionAt(access, address);
    if (addition === undefined)
      return not("dependence", `the address of ${name}[…] is used other than for a sum`, address);
    if (enclosing(address, "for_statement", "while_statement", "do_statement") !== undefined)
      found.push(addition);
  }
  return found;
}

function additionAt({ indices }: ArrayAccess, address: SyntaxNode): Addition | undefined {
  const call = address.parent?.parent;
  const statement = call?.parent;
  const given = partsOf(call?.childForFieldName("arguments"));
  const [index] = indices;
  const isSum = fieldText(call, "function") === "atomicAdd" && given[0]?.id === address.id;
  const [, value] = given;
  if (!isSum || given.length !== 2 || statement?.type !== "expression_statement") return undefined;
  return index && value && { address, value, statement, index };
}

/**
 * `atomicAdd(&counts[index], 1)` whose old value nobody wants: the machine code counts the lanes with one
 * address (ATOMS.POPC.INC). On an H100 it takes as long with one counter as with 4,096
 * (test/cases/orderings/parts-h100.json), where to add 3 takes eight times as long with one.
 */
function addsOnes(view: KernelView, { type }: KernelArray, { value }: Addition): boolean {
  const data = type.replace(/\b(?:volatile|const)\b/g, "").trim();
  const isWord = /^(?:u?int(?:32_t)?|unsigned(?: int)?)$/.test(data);
  return isWord && view.scope.value(value) === 1;
}

function countersOf(
  input: RuleInput,
  entry: RuleEntry,
  { view, array, additions }: Place,
): Counters | RuleHold {
  const { body } = view;
  const size = view.scope.value(array.sizes[0] ?? array.declaration);
  const bytes = scalarBytes(view, array.type);
  if (size === undefined || bytes === undefined)
    return not("limit", `the size of ${array.name} is no constant`, array.declaration);
  const most = threshold(entry, "sharedBytesMost") / (size * bytes);
  const copies = Math.min(warp, 2 ** Math.floor(Math.log2(Math.max(1, most))));
  if (copies < threshold(entry, "copiesLeast"))
    return not("limit", `${size} counters are too many to have several of each`, array.declaration);
  const work = partsOf(body).find((node) => additions.every(({ address }) => isInside(address, node)));
  if (work === undefined)
    return not("no-pattern", `${array.name} is added to in several loops`, array.declaration);
  const [leaving] = body.descendantsOfType("return_statement");
  if (leaving !== undefined)
    return not("dependence", "a thread may leave before the block comes together", leaving);
  const other = array.accesses.find(
    ({ node }) => isInside(node, work) && !additions.some(({ address }) => isInside(node, address)),
  );
  if (other !== undefined) return not("dependence", `${array.name} is used beside the sums`, other.node);
  const uses = usesOf(body, array.name).filter((use) => !isInside(use, array.declaration));
  const loose = uses.find((use) => !array.accesses.some(({ node }) => isInside(use, node)));
  if (loose !== undefined)
    return not("aliasing", `${array.name} is used other than element by element`, loose);
  return { array, size, copies, work, additions };
}

function spread({ source }: KernelView, found: Counters): readonly TextEdit[] {
  const { array, size, copies, work, additions } = found;
  const { name, type } = array;
  const [own, place, one, sum] = [`${name}OfLane`, "place", "copy", "sum"].map((wanted) =>
    freshName(source, wanted),
  );
  const indent = indentOf(source, work);
  const thread = "threadIdx.y * blockDim.x + threadIdx.x";
  const walk = (end: number): string =>
    `for (int ${place} = ${thread}; ${place} < ${end}; ${place} += blockDim.x * blockDim.y)`;
  const before = [
    `__shared__ ${type} ${own}[${size * copies}];`,
    `${walk(size * copies)} ${own}[${place}] = 0;`,
    "__syncthreads();",
  ];
  const after = [
    "__syncthreads();",
    `${walk(size)} {`,
    `  ${type} ${sum} = 0;`,
    `  for (int ${one} = 0; ${one} < ${copies}; ++${one})`,
    `    ${sum} += ${own}[${place} * ${copies} + (${place} + ${one}) % ${copies}];`,
    `  ${name}[${place}] += ${sum};`,
    "}",
  ];
  return [
    insertBefore(work, before.map((line) => `${line}\n${indent}`).join("")),
    ...additions.map(({ address, index }) =>
      replaceNode(address, `&${own}[(${index.text}) * ${copies} + (${thread}) % ${copies}]`),
    ),
    { start: work.endIndex, end: work.endIndex, text: after.map((line) => `\n${indent}${line}`).join("") },
  ];
}
