import { collapse, lineOf, operands, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { evaluateSizeExpression } from "../../../../workload/size-expression";
import { editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import {
  constantEdits,
  gridFollows,
  isCallOf,
  languageCalls,
  launchConstant,
  type LaunchConstant,
  launchValue,
  maskOf,
  onlyAssignment,
  positional,
  secondDimension,
  servesLaunchOnly,
  statementOf,
  tritonKernel,
  type TritonView,
} from "../kernel";
import { dependencesOf } from "../spread/dependence";
import { libraryOf } from "../spread/dimension";
import { conversionIn } from "../products/operand-sources";
import { addressTerms } from "../spread/address";
import { constexprOf, parameterEdit } from "../spread/programs";

/** Additions to bins that the data choose are counted in the program, and added once for each bin. */
export const binsFirst = defineRule("triton-bins-first", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const [binned] = languageCalls(view, ["atomic_add"]).flatMap((call) => binnedBy(view, call) ?? []);
  if (binned === undefined) return not("no-pattern", "no additions go to bins that data choose", view.line);
  const { call, tensor } = binned;
  const { globalAtomicPasses: value } = countsOf(input, statementOf(call));
  const bins = lengthOf(input, tensor.text, binned.row !== undefined);
  const { block } = binned;
  const ideal = block === undefined || bins === undefined ? 0 : Math.ceil((value * bins) / block.value / 32);
  const gain = gainOn(input, ["atomics", "latency", "l2"], shareSaved(value - ideal, value));
  const facts = { file: input.file, line: lineOf(call), counter: "globalAtomicPasses" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal });
  const held = noBins(view, binned, {
    bins,
    most: threshold(entry, binned.counts ? "binsMost" : "sumsMost"),
  });
  if (held !== undefined) return { ...held, sentence: `${evidence.sentence}; ${held.sentence}`, gain };
  const edits = binEdits(view, binned);
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const longer = binned.counts ? longerBlock(view, block, threshold(entry, "elements")) : [];
  const hypothesis = fillSentence(entry.hypothesis, { tensor: tensor.text });
  return [...(longer.length === 0 ? [] : [longer]), []].map((more): RuleAnswer => ({
    kind: "proposal",
    tree: editedTree(input, [...edits, ...more]),
    hypothesis,
    evidence,
    gain,
  }));
});

interface Binned {
  readonly call: SyntaxNode;
  /** The pointer of the bins, and what the host passes for it. */
  readonly pointer: string;
  readonly tensor: SyntaxNode;
  /** Which bin, and what is added. */
  readonly index: SyntaxNode;
  readonly value: SyntaxNode;
  /** Where the program's row of bins begins, and how many bins a row has, in the host's words. */
  readonly row: { readonly base: SyntaxNode; readonly count: string } | undefined;
  /** True where 1 is added: the bins count. */
  readonly counts: boolean;
  readonly block: (LaunchConstant & { readonly parameter: string }) | undefined;
}

/** `tl.atomic_add(bins + label, …)` with a label that is loaded, in a row of bins or in the only one. */
function binnedBy(view: TritonView, call: SyntaxNode): Binned | undefined {
  const [written, value] = positional(call);
  if (written === undefined || value === undefined) return undefined;
  const terms = termsOf(view, written, 0);
  const [own, ...others] = terms.filter(({ text }) => isPointer(view, text));
  const tensor = own === undefined ? undefined : launchValue(view, own.text);
  if (own === undefined || tensor === undefined || others.length > 0) return undefined;
  const of = dependencesOf(view, (node) => {
    if (isCallOf(view, node, "load")) return { programs: true, lanes: true };
    return isCallOf(view, node, "arange") ? { programs: false, lanes: true } : undefined;
  });
  const rest = terms.filter(({ id }) => id !== own.id);
  const [index, ...more] = rest.filter((term) => of(term).programs);
  const base = rest.filter((term) => term.id !== index?.id);
  const row = base.length === 0 ? undefined : rowOf(view, base);
  if (index === undefined || more.length > 0 || base.some((term) => of(term).lanes)) return undefined;
  if (base.length > 0 && row === undefined) return undefined;
  return {
    ...{ call, pointer: own.text, tensor, index, value, row },
    counts: isOne(view, value) || isItsMask(view, call, value),
    block: blockOf(view),
  };
}

function isPointer({ parameters }: TritonView, text: string): boolean {
  return parameters.some(({ name, pointer }) => pointer && name === text);
}

/** The terms of an address, names of pointers followed. */
function termsOf(view: TritonView, node: SyntaxNode, depth: number): readonly SyntaxNode[] {
  return operands(node, "+").flatMap((term) => {
    const value = depth < 4 && term.type === "identifier" ? followed(view, term) : term;
    const inner = value.id === term.id ? [] : termsOf(view, value, depth + 1);
    return inner.some(({ text }) => isPointer(view, text)) ? inner : [term];
  });
}

/** `row * n`: where a row of bins begins, and how many there are in it. */
function rowOf(view: TritonView, [base, ...more]: readonly SyntaxNode[]): Binned["row"] {
  const factors = base === undefined || more.length > 0 ? [] : operands(base, "*");
  const [count, ...others] = factors.flatMap(({ text }) => launchValue(view, text) ?? []);
  if (base === undefined || count === undefined || others.length > 0 || factors.length < 2) return undefined;
  return { base, count: collapse(count.text) };
}

/** What a name is given once. */
function followed({ body }: TritonView, node: SyntaxNode): SyntaxNode {
  const named = node.type === "identifier" ? onlyAssignment(body, node.text) : undefined;
  return named?.childForFieldName("right") ?? node;
}

/** `1`, `tl.full(…, 1, …)`, a name of one of them. */
function isOne(view: TritonView, value: SyntaxNode): boolean {
  const [term, ...others] = addressTerms(view, value);
  if (term === undefined || others.length > 0) return false;
  const filled = isCallOf(view, term, "full") ? positional(term)[1] : term;
  return isCallOf(view, term, "ones") || /^1(?:\.0*)?$/.test(filled?.text ?? "");
}

/** `tl.atomic_add(…, good.to(tl.int32), mask=good)` adds 1 wherever it adds. */
function isItsMask(view: TritonView, call: SyntaxNode, value: SyntaxNode): boolean {
  const asked = conversionIn(value);
  const mask = maskOf(view, call);
  return (
    asked !== undefined &&
    mask !== undefined &&
    operands(mask, "&").some(({ text }) => text === asked.of.text)
  );
}

/** The length of the program's only block. */
function blockOf(view: TritonView): Binned["block"] {
  const spans = new Set(languageCalls(view, ["arange"]).map((span) => positional(span)[1]?.text ?? ""));
  const [parameter] = spans;
  const constant = parameter === undefined || spans.size > 1 ? undefined : launchConstant(view, parameter);
  return constant && parameter !== undefined ? { ...constant, parameter } : undefined;
}

/** How many bins there are at the sizes of the counters, where the spec says it. */
function lengthOf({ spec, sizes }: RuleInput, tensor: string, ofRow: boolean): number | undefined {
  const shape = (spec.outputs[tensor] ?? spec.inputs[tensor])?.shape ?? soleOutput(spec.outputs);
  return shape?.slice(ofRow ? -1 : 0).reduce<number | undefined>((product, extent) => {
    const length =
      typeof extent === "number"
        ? { ok: true as const, value: extent }
        : evaluateSizeExpression(extent, sizes);
    return product === undefined || !length.ok ? undefined : product * length.value;
  }, 1);
}

function soleOutput(outputs: RuleInput["spec"]["outputs"]) {
  const [only, ...others] = Object.values(outputs);
  return others.length === 0 ? only?.shape : undefined;
}

function noBins(
  view: TritonView,
  { call, tensor }: Binned,
  { bins, most }: { readonly bins: number | undefined; readonly most: number },
): RuleHold | undefined {
  if (call.parent?.type !== "expression_statement")
    return not("dependence", "what the atomic returns is used", call);
  const tile = secondDimension(view);
  if (tile !== undefined) return not("no-rewrite", "the kernel works on tiles of two dimensions", tile);
  if (tensor.type !== "identifier") return not("launch", `${collapse(tensor.text)} is no name`, tensor);
  if (bins === undefined) return not("limit", "how many bins there are is not known", call);
  return bins > most ? not("limit", `${bins} bins are more than ${most}`, call) : undefined;
}

function binEdits(view: TritonView, binned: Binned): readonly TextEdit[] | RuleHold {
  const { call, pointer, tensor, row } = binned;
  const { source } = view;
  const start = row === undefined ? pointer : `${pointer} + ${collapse(row.base.text)}`;
  const each = row?.count ?? `${tensor.text}.numel()`;
  const library = libraryOf(view);
  const [bins, length, count] = ["bins", "BINS", "n_bins"].map((name) => freshName(source, name)) as [
    string,
    string,
    string,
  ];
  const declared = parameterEdit(view, `${count}, ${length}: ${constexprOf(view)}`);
  const last = partsOf(view.launch.call.childForFieldName("arguments")).at(-1);
  if (isNot(declared)) return declared;
  if (last === undefined) return not("launch", "the launch passes nothing", view.launch.call);
  const indent = indentOf(source, call);
  const total = binned.counts ? countsText(view, binned, length) : sumsText(view, binned, bins);
  const callee = call.childForFieldName("function")?.text ?? "";
  const text = [
    `${bins} = ${library}arange(0, ${length})`,
    `${callee}(${start} + ${bins}, ${total}.to(${pointer}.dtype.element_ty), mask=${bins} < ${count})`,
  ];
  const passed = `, ${count}=${each}, ${length}=triton.next_power_of_2(${each})`;
  return [
    replaceNode(call, text.join(`\n${indent}`)),
    declared,
    { start: last.endIndex, end: last.endIndex, text: passed },
  ];
}

/** `tl.histogram(label, BINS, mask=…)`. */
function countsText(view: TritonView, { call, index }: Binned, length: string): string {
  const library = libraryOf(view);
  const mask = maskOf(view, call);
  const label = /^\w+$/.test(index.text) ? index.text : `(${collapse(index.text)})`;
  const masked = mask === undefined ? "" : `, mask=${collapse(mask.text)}`;
  return `${library}histogram(${label}.to(${library}int32), ${length}${masked})`;
}

/** The values of each bin, summed. */
function sumsText(view: TritonView, { call, index, value }: Binned, bins: string): string {
  const library = libraryOf(view);
  const mask = maskOf(view, call);
  const down = (node: SyntaxNode): string =>
    /^\w+$/.test(node.text) ? `${node.text}[:, None]` : `(${collapse(node.text)})[:, None]`;
  const own = `${down(index)} == ${bins}[None, :]`;
  const chosen = mask === undefined ? own : `(${own}) & ${down(mask)}`;
  return `${library}sum(${library}where(${chosen}, ${down(value)}, 0), axis=0)`;
}

/** More elements for each program, which then adds to the bins less often. */
function longerBlock(view: TritonView, block: Binned["block"], elements: number): readonly TextEdit[] {
  if (block === undefined || block.value >= elements) return [];
  const free = block.local === undefined || servesLaunchOnly(view, block.local);
  return free && gridFollows(view, block.parameter, block.local) ? constantEdits(block, elements) : [];
}
