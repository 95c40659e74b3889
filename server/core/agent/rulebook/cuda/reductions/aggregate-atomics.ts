import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { localValues } from "../../../../language/cuda/body/scope";
import { variesWithThread } from "../../../../language/cuda/body/threads";
import { collapse, compact, fieldText, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import {
  editedText,
  editedTree,
  freshName,
  indentOf,
  insertBefore,
  replaceNode,
  type TextEdit,
} from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";
import { onlyExit } from "./early-exit";

const warp = 32;

/** `atomicAdd(address, value);` with an address that is the same for the whole block. */
interface SharedSum {
  readonly statement: SyntaxNode;
  /** As it is known at the end of the kernel too. */
  readonly address: string;
  readonly value: SyntaxNode;
  readonly type: string;
}

/** Adds in a register first: the lanes of a warp put their parts together, and one lane adds for all. */
export const aggregateAtomics = defineRule("cuda-aggregate-atomics", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const [call] = cudaAccesses(view.kernel).atomics;
  if (call === undefined) return not("no-pattern", "the kernel has no atomics on global memory", view.line);
  const counts = countsOf(input, call.node);
  const { globalAtomics, globalAtomicPasses: passes } = counts;
  const crowded = passes / Math.max(1, globalAtomics);
  if (crowded < threshold(entry, "ratio"))
    return not("no-evidence", "few lanes of a warp add at the same time", call.node);
  const gain = gainOn(input, ["atomics", "latency", "l2"], 1 - 1 / crowded);
  const edits = aggregated(input, view, call.node);
  if (isNot(edits)) return { ...edits, gain };
  const facts = {
    ...{ file: input.file, line: lineOf(call.node), counter: "globalAtomicPasses" as const },
    ...{ value: passes, ideal: Math.ceil(passes / warp) },
  };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, facts),
    gain,
  };
});

function aggregated(input: RuleInput, view: KernelView, call: SyntaxNode): readonly TextEdit[] | RuleHold {
  const sum = sharedSum(view, call);
  if (isNot(sum)) return sum;
  const block = rowOfThreads(input, view);
  if (isNot(block)) return block;
  if (block.sizes[0] % warp !== 0) return not("launch", "the block is not whole warps", view.line);
  const exit = onlyExit(view, sum.statement);
  return isNot(exit) ? exit : edits(view, sum, exit);
}

function sharedSum(view: KernelView, call: SyntaxNode): SharedSum | RuleHold {
  const [address, value, ...more] = partsOf(call.childForFieldName("arguments"));
  const statement = call.parent;
  if (fieldText(call, "function") !== "atomicAdd" || address === undefined || value === undefined)
    return not("no-pattern", "the atomic is no sum", call);
  if (statement?.type !== "expression_statement" || more.length > 0)
    return not("dependence", "what the atomic returns is used", call);
  const varies = (["x", "y", "z"] as const).some((axis) =>
    variesWithThread(view.model, view.body, axis)(address),
  );
  if (varies) return not("dependence", `${compact(address)} differs from thread to thread`, address);
  const { parameters } = view.kernel.facts;
  const names = address.descendantsOfType("identifier").map(({ text }) => text);
  const base = parameters.find(({ name, pointer }) => pointer && names.includes(name));
  const known = knownAtEnd(view, address);
  if (base === undefined) return not("dependence", `${compact(address)} is no element`, address);
  if (isNot(known)) return known;
  const type = collapse(base.type.replace(/\b(?:volatile|__restrict__|__restrict|restrict)\b|[*&]/g, " "));
  return { statement, address: known, value, type };
}

/** The address over names that are known at the end of the kernel: what locals of one value stand for. */
function knownAtEnd(view: KernelView, address: SyntaxNode): string | RuleHold {
  const { source, kernel, body, scope } = view;
  const own = new Set(localValues(body).map(({ name }) => name));
  const always = new Set([
    ...kernel.facts.parameters.map(({ name }) => name),
    "blockIdx",
    "gridDim",
    "blockDim",
  ]);
  const isKnown = ({ text }: SyntaxNode): boolean => always.has(text) && !own.has(text);
  const edits: TextEdit[] = [];
  for (const name of address.descendantsOfType("identifier").filter((each) => !isKnown(each))) {
    const meaning = scope.meaning(name.text);
    if (
      meaning === undefined ||
      typeof meaning === "string" ||
      !meaning.descendantsOfType("identifier").every(isKnown)
    )
      return not("dependence", `${name.text} is not known at the end of the kernel`, address);
    edits.push(replaceNode(name, isSimple(meaning) ? meaning.text : `(${meaning.text})`));
  }
  return editedText(source, { start: address.startIndex, end: address.endIndex }, edits);
}

function isSimple({ type }: SyntaxNode): boolean {
  return type === "identifier" || type === "field_expression";
}

function edits(view: KernelView, sum: SharedSum, exit: SyntaxNode | undefined): readonly TextEdit[] {
  const { source, body } = view;
  const [part, offset] = [freshName(source, "part"), freshName(source, "offset")];
  const first = partsOf(body)[0] ?? body;
  const indent = indentOf(source, first);
  const condition = fieldText(exit?.childForFieldName("condition"), "value");
  const tail = [
    ...(exit === undefined ? [] : ["}"]),
    `for (int ${offset} = 16; ${offset} > 0; ${offset} /= 2)`,
    `  ${part} += __shfl_xor_sync(0xffffffffu, ${part}, ${offset});`,
    `if (threadIdx.x % ${warp} == 0) atomicAdd(${sum.address}, ${part});`,
  ];
  const end = body.endIndex - 1;
  return [
    insertBefore(first, `${sum.type} ${part} = 0;\n${indent}`),
    ...(exit === undefined ? [] : [replaceNode(exit, `if (!(${condition})) {`)]),
    replaceNode(sum.statement, `${part} += ${sum.value.text};`),
    { start: end, end, text: `${indent}${tail.join(`\n${indent}`)}\n` },
  ];
}
