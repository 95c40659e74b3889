import { compact, enclosing, isInside, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { termOf } from "../../../../timing/bound";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput, type RuleProposal } from "../../rule";
import { defineRule, fillSentence, type RuleEntry } from "../../rule-table";
import { statementOf, tritonKernel, type TritonView } from "../kernel";
import { type CopiedView, copiedView, isRearranged } from "./copied-view";
import { type FlatLoad, flatLoads } from "./flat-index";
import { type Interleaved, interleavedOf, partLength, strideOf } from "./interleaved";
import { halvesRead } from "./halves";
import { type Constant, newConstants, placedEdits } from "./places";
import { rankOf } from "./rank";
import { repeatedDimensions, repeatedWhole } from "./repeated";

/**
 * Lets a kernel read a tensor where it lies, in which the host copies it into another order, or as often as
 * it is needed, in front of each launch: by its strides, or by places that are computed.
 */
export const readInPlace = defineRule("triton-read-in-place", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const [first, ...more] = passedCopies(view);
  const gain = Math.min(1, shareSaved(termOf(input.bound, "torch"), input.bound.nanoseconds));
  const halves = first === undefined ? halvesRead(view) : undefined;
  if (isNot(halves)) return { ...halves, gain };
  if (halves !== undefined) return proposalOf(input, entry, { ...halves, gain });
  if (first === undefined)
    return not(
      "no-pattern",
      "the host rearranges nothing that the kernel is launched with",
      view.launch.call,
    );
  const edits: TextEdit[] = [];
  const kept: RuleHold[] = [];
  const read: PassedCopy[] = [];
  for (const passed of [first, ...more]) {
    const found = editsOf(view, passed);
    if (isNot(found)) kept.push({ ...found, gain });
    else edits.push(...found);
    if (!isNot(found)) read.push(passed);
  }
  const [one] = read;
  if (one === undefined) return kept;
  return proposalOf(input, entry, { copy: one.copied.copy, edits, gain });
});

interface Read {
  /** The copy that is not made any more. */
  readonly copy: SyntaxNode;
  readonly edits: readonly TextEdit[];
  readonly gain: number;
}

function proposalOf(input: RuleInput, entry: RuleEntry, { copy: node, edits, gain }: Read): RuleProposal {
  const { lines } = input.counters;
  const sectors = lines.reduce(
    (sum, each) => sum + (each.file === input.file ? each.globalLoadSectors : 0),
    0,
  );
  const copy = compact(node);
  const facts = { file: input.file, line: lineOf(node), counter: "globalLoadSectors" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, merged(edits)),
    hypothesis: fillSentence(entry.hypothesis, { copy }),
    // The copy loads and stores each element once more.
    evidence: evidenceFor(entry, { ...facts, value: 3 * sectors, ideal: sectors }, { copy }),
    gain: Math.max(gain, 0.05),
  };
}

/** A copy with the parameter that it is passed for, and the name that it has in the launching function. */
interface PassedCopy {
  readonly copied: CopiedView;
  readonly parameter: string;
  readonly name: string;
}

function passedCopies(view: TritonView): readonly PassedCopy[] {
  const { launch, parameters } = view;
  const passed = [
    ...launch.positional.map((node, place) => ({ node, parameter: parameters[place]?.name })),
    ...[...launch.keywords].map(([parameter, node]) => ({ node, parameter })),
  ];
  return passed.flatMap(({ node, parameter }) => {
    const copied = parameter === undefined ? undefined : copiedView(view, node);
    return copied === undefined || parameter === undefined ? [] : [{ copied, parameter, name: node.text }];
  });
}

function editsOf(view: TritonView, passed: PassedCopy): readonly TextEdit[] | RuleHold {
  const { copied, name } = passed;
  const outputs = otherUses(view, passed);
  if (isNot(outputs)) return outputs;
  const { copy, viewed } = copied;
  const uncopied = { start: viewed.endIndex, end: copy.endIndex, text: "" };
  const strides = stridesOf(view.host, name);
  const numbers = new Set(strides.map((node) => compact(node.childForFieldName("arguments"))));
  if (viewed.id !== copy.id && !copied.reshaped && !isRearranged(viewed))
    return isOnlyRead(view, passed)
      ? [uncopied]
      : not("dependence", `the kernel stores to ${passed.parameter}`, copy);
  if (copied.reshaped && laterUses(view, passed).some((use) => !isPassed(view, use)))
    return not("fixed-elsewhere", `${name} is used for more than the launch`, copy);
  if (numbers.size > 1 && viewed.id !== copy.id) return [uncopied, ...outputs];
  const flat = flatLoads(view, passed.parameter);
  if (isNot(flat)) return flat;
  const gone = flat.pointers.flatMap((node) => removed(view.source, node));
  const interleaved = interleavedOf(copied);
  if (interleaved !== undefined) {
    const found = interleavedEdits(view, passed, { interleaved, flat: flat.loads, strides });
    return isNot(found) ? found : [...(found as readonly TextEdit[]), ...outputs, ...gone];
  }
  const ordered = strides.map((node) => replaceNode(node, orderedStride(name, node)));
  const whole = repeatedWhole(copied);
  const read =
    whole === undefined
      ? viewEdits(view, passed, flat.loads)
      : wholeEdits(view, passed, { whole, flat: flat.loads });
  return isNot(read) ? read : [...(read as readonly TextEdit[]), ...outputs, ...ordered, ...gone];
}

function isOnlyRead({ parameters }: TritonView, { parameter }: PassedCopy): boolean {
  return parameters.some(({ name, pointer, readOnly }) => name === parameter && pointer && readOnly);
}

/** A tensor that repeats as a whole, read without its repetitions. */
function wholeEdits(
  view: TritonView,
  passed: PassedCopy,
  { whole, flat }: { readonly whole: SyntaxNode; readonly flat: readonly FlatLoad[] },
): readonly TextEdit[] | RuleHold {
  const { copy, viewed } = passed.copied;
  const alone = isAlone(view, passed);
  if (!alone && viewed.id === copy.id)
    return not("fixed-elsewhere", `${passed.name} is used for more than the launch`, copy);
  const base = alone
    ? [replaceNode(copy, `${whole.text}.contiguous()`)]
    : [
        { start: whole.endIndex, end: whole.endIndex, text: ".contiguous()" },
        { start: viewed.endIndex, end: copy.endIndex, text: "" },
      ];
  return [...base, ...periodEdits(view, passed, { flat, alone })];
}

/** A view, read by the strides that it has. */
function viewEdits(
  view: TritonView,
  passed: PassedCopy,
  flat: readonly FlatLoad[],
): readonly TextEdit[] | RuleHold {
  const { copy, viewed, scope } = passed.copied;
  const rank = rankOf(scope, viewed);
  if (rank === undefined || rank < 2)
    return not("unreadable", `the number of dimensions of ${compact(viewed)} is not seen`, viewed);
  const uncopied = { start: viewed.endIndex, end: copy.endIndex, text: "" };
  return [uncopied, ...stridedEdits(view, passed, { flat, rank })];
}

interface InterleavedRead {
  readonly interleaved: Interleaved;
  readonly flat: readonly FlatLoad[];
  /** `NAME.stride(…)` in the launching function. */
  readonly strides: readonly SyntaxNode[];
}

/** A tensor of which each part repeats, read without the repetitions. */
function interleavedEdits(
  view: TritonView,
  passed: PassedCopy,
  { interleaved, flat, strides }: InterleavedRead,
): readonly TextEdit[] | RuleHold {
  const { copied, name, parameter } = passed;
  const { copy, scope } = copied;
  const other = laterUses(view, passed).find(
    (use) => !isPassed(view, use) && use.parent?.childForFieldName("attribute")?.text !== "stride",
  );
  if (other !== undefined || scope.id !== view.host.id)
    return not("fixed-elsewhere", `${name} is used for more than the launch`, other ?? copy);
  const asked = strides.map((node) => strideOf(name, node, interleaved));
  if (asked.includes(undefined))
    return not("unreadable", `which dimension of ${name} a stride is of is not seen`, copy);
  const length = `${parameter}_length`;
  const times = `${parameter}_times`;
  const constants = [
    { name: length, value: partLength(name, interleaved) },
    { name: times, value: interleaved.times },
  ];
  return [
    replaceNode(copy, `${interleaved.base.text}.contiguous()`),
    ...strides.map((node, place) => replaceNode(node, asked[place] ?? node.text)),
    ...placedEdits(
      view,
      passed,
      flat,
      (at) => `${at} // (${length} * ${times}) * ${length} + ${at} % ${length}`,
    ),
    ...newConstants(view, constants),
  ];
}

/** True where nobody asks for the shape of the copy: it is made for the launch, and passed to it. */
function isAlone({ host }: TritonView, { copied, name }: PassedCopy): boolean {
  const isOwn = copied.scope.id === host.id;
  const here = usesOf(copied.scope, copied.name ?? "").length;
  return here === (copied.name === undefined ? 0 : 2) && (isOwn || usesOf(host, name).length === 2);
}

const asked =
  /^(?:shape|stride|numel|size|device|dtype|ndim|dim|is_contiguous|element_size|is_cuda|nelement)$/;

/** Uses of the copy behind the place where it is made. */
function laterUses({ host }: TritonView, { copied, name }: PassedCopy): readonly SyntaxNode[] {
  const { scope, copy } = copied;
  const own = copied.name === undefined ? [] : usesOf(scope, copied.name);
  const later = own.filter((use) => use.startIndex > copy.endIndex);
  return [...later, ...(scope.id === host.id ? [] : usesOf(host, name))];
}

/** Edits of what is made like the copy; a guard's answer where the copy is used for more. */
function otherUses(view: TritonView, passed: PassedCopy): readonly TextEdit[] | RuleHold {
  const edits: TextEdit[] = [];
  for (const use of laterUses(view, passed)) {
    if (asksShape(use) || isPassed(view, use)) continue;
    if (!isModel(use)) return not("fixed-elsewhere", `${use.text} is used for more than the launch`, use);
    const text = ", memory_format=torch.contiguous_format";
    edits.push({ start: use.endIndex, end: use.endIndex, text });
  }
  return edits;
}

/** `x.shape`, `x.stride(0)` and the like. */
function asksShape({ parent }: SyntaxNode): boolean {
  return parent?.type === "attribute" && asked.test(parent.childForFieldName("attribute")?.text ?? "");
}

/** True for a parameter of the launching function, and for what is handed to it and to the launch. */
function isPassed(view: TritonView, use: SyntaxNode): boolean {
  if (enclosing(use, "parameters") !== undefined) return true;
  const isArgument = /^(?:argument_list|keyword_argument)$/.test(use.parent?.type ?? "");
  return isArgument && (isInside(use, view.launch.call) || passesOn(view, use));
}

/** `torch.empty_like(x)`: memory in the order of `x`. */
function isModel({ parent }: SyntaxNode): boolean {
  const made = parent?.type === "argument_list" ? parent.parent : undefined;
  const like = /^torch\.(?:empty|zeros|ones)_like$/.test(compact(made?.childForFieldName("function")));
  return like && !/memory_format/.test(made?.text ?? "");
}

/** True where the name is handed to the launching function. */
function passesOn({ host }: TritonView, use: SyntaxNode): boolean {
  const callee = enclosing(use, "call")?.childForFieldName("function")?.text ?? "";
  return callee.split(".").at(-1) === host.childForFieldName("name")?.text;
}

/** `NAME.stride(0)` in the launching function. */
function stridesOf(host: SyntaxNode, name: string): readonly SyntaxNode[] {
  return host
    .descendantsOfType("call")
    .filter((call) => compact(call.childForFieldName("function")) === `${name}.stride`);
}

/** What the copy's stride was: the number of elements of all later dimensions. */
function orderedStride(name: string, call: SyntaxNode): string {
  const dimension = compact(call.childForFieldName("arguments")).slice(1, -1);
  if (dimension === "-1") return "1";
  const later = /^-?\d+$/.test(dimension) ? String(Number(dimension) + 1) : `${dimension} + 1`;
  return `${name}.shape[${later}:].numel()`;
}

/** The places of a tensor that repeats as a whole: the rest of a division by its length. */
function periodEdits(
  view: TritonView,
  { parameter, name, copied }: PassedCopy,
  { flat, alone }: { readonly flat: readonly FlatLoad[]; readonly alone: boolean },
): readonly TextEdit[] {
  const length = `${parameter}_length`;
  const whole = repeatedWhole(copied);
  const known = copied.scope.id === view.host.id ? `${whole?.text ?? name}.numel()` : undefined;
  const value = alone ? `${name}.numel()` : (known ?? `${name}.shape[1:].numel()`);
  return [
    ...flat.map(({ address, place }) =>
      replaceNode(address, `${parameter} + ${/^\w+$/.test(place) ? place : `(${place})`} % ${length}`),
    ),
    ...newConstants(view, [{ name: length, value }]),
  ];
}

/** The places of a view: the number along each of its dimensions, times its stride. */
function stridedEdits(
  view: TritonView,
  passed: PassedCopy,
  { flat, rank }: { readonly flat: readonly FlatLoad[]; readonly rank: number },
): readonly TextEdit[] {
  const { copied, parameter, name } = passed;
  const repeated = repeatedDimensions(copied);
  const dimensions = Array.from({ length: rank }, (_, place) => place).filter(
    (place) => !repeated.has(place),
  );
  const constants: Constant[] = [];
  const constant = (word: string, value: string): string => {
    const made = `${parameter}_${word}`;
    if (!constants.some((each) => each.name === made)) constants.push({ name: made, value });
    return made;
  };
  const termOf = (at: string, place: number): string => {
    const later = constantOfLater(place);
    const inner = later === undefined ? at : `${at} // ${constant(`inner${place}`, later)}`;
    const number = place === 0 ? inner : `${inner} % ${constant(`size${place}`, `${name}.shape[${place}]`)}`;
    return `${number} * ${constant(`stride${place}`, `${name}.stride(${place})`)}`;
  };
  const constantOfLater = (place: number): string | undefined => {
    if (place === rank - 1) return undefined;
    return place === rank - 2 ? `${name}.shape[${rank - 1}]` : `${name}.shape[${place + 1}:].numel()`;
  };
  const edits = placedEdits(view, passed, flat, (at) =>
    dimensions.map((each) => termOf(at, each)).join(" + "),
  );
  return [...edits, ...newConstants(view, constants)];
}

/** Takes a statement away with its line. */
function removed(source: string, act: SyntaxNode): readonly TextEdit[] {
  const statement = statementOf(act);
  const start = source.lastIndexOf("\n", statement.startIndex) + 1;
  const end = source.indexOf("\n", statement.endIndex) + 1;
  return end === 0 ? [] : [{ start, end, text: "" }];
}

/** Edits that insert at one place, as one. */
function merged(edits: readonly TextEdit[]): readonly TextEdit[] {
  const found = new Map<string, TextEdit>();
  for (const edit of edits) {
    const key = `${edit.start}:${edit.end}`;
    const before = found.get(key);
    const isInsertion = edit.start === edit.end;
    found.set(key, before && isInsertion ? { ...edit, text: before.text + edit.text } : edit);
  }
  return [...found.values()];
}
