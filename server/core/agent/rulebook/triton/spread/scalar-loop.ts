import { lineOf, partsOf, usesOf } from "../../../../language/query";
import { editedText, editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import {
  isCallOf,
  languageCalls,
  launchValue,
  positional,
  statementOf,
  tritonKernel,
  type TritonView,
} from "../kernel";
import { importsWhole } from "../multiprocessors";
import { type Dependences, dependencesOf } from "./dependence";
import { libraryOf, maskedBy, statementAround } from "./dimension";
import { type ElementLoop, elementLoops, type ShiftedValue } from "./element-loops";
import { decidedBy, keepsDimensions } from "./guards";
import { constexprOf, parameterEdit } from "./programs";

/** A loop that works on one element in each turn becomes one that works on a block of them. */
export const scalarLoop = defineRule("triton-scalar-loop", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const blocks = languageCalls(view, ["arange", "make_block_ptr", "make_tensor_descriptor"]);
  if (blocks.length > 0) return not("no-pattern", "the program works on blocks of elements", view.line);
  const load = view.body
    .descendantsOfType(["for_statement", "while_statement"])
    .flatMap((loop) => languageCalls(view, ["load"], loop))[0];
  if (load === undefined) return not("no-pattern", "no loop loads single elements", view.line);
  const { globalLoadRequests: value } = countsOf(input, statementOf(load));
  const gain = gainOn(input, ["latency", "issue", "l2"], threshold(entry, "share"));
  const facts = { file: input.file, line: lineOf(load), counter: "globalLoadRequests" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal: Math.ceil(value / 32) });
  const edits = blockEdits(view);
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, {});
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

interface Blocks {
  readonly view: TritonView;
  readonly of: Dependences;
  /** The length of a block, in the kernel's words. */
  readonly length: string;
  readonly live: string;
}

function blockEdits(view: TritonView): readonly TextEdit[] | RuleHold {
  const kept = keepsDimensions(view);
  if (kept !== undefined) return kept;
  const loops = elementLoops(view);
  if ("kind" in loops) return loops;
  const variables = new Set(loops.map(({ variable }) => variable));
  const sums = new Set(loops.flatMap((loop) => loop.sums.map(({ name }) => name)));
  const shifted = new Set(loops.flatMap((loop) => loop.shifted.map(({ name }) => name)));
  const of = dependencesOf(view, (node) => {
    if (node.type === "identifier" && shifted.has(node.text)) return { programs: false, lanes: true };
    if (node.type !== "identifier" || !(variables.has(node.text) || sums.has(node.text))) return undefined;
    return { programs: false, lanes: variables.has(node.text) };
  });
  const heads = loops.map(({ loop }) => loop);
  const decided = decidedBy(view, of, { along: "lanes", except: heads });
  if (decided !== undefined) return decided;
  const sized = lengthEdits(view, loops);
  if (isNot(sized)) return sized;
  const blocks = { view, of, length: sized.length, live: freshName(view.source, "live") };
  const edits = loops.map((loop) => loopEdits(blocks, loop));
  const held = edits.find(isNot);
  if (held !== undefined) return held;
  return [...sized.edits, ...edits.flatMap((each) => (isNot(each) ? [] : each))];
}

interface Sized {
  readonly length: string;
  readonly edits: readonly TextEdit[];
}

/** As long as the row where the launch says how long that is, and no longer than 1024. */
function lengthEdits(view: TritonView, loops: readonly ElementLoop[]): Sized | RuleHold {
  const [end] = loops.map((loop) => loop.end);
  const same = loops.every((loop) => loop.end.text === end?.text);
  const passed = same && end?.type === "identifier" ? launchValue(view, end.text) : undefined;
  const known = passed !== undefined && view.parameters.some(({ name }) => name === end?.text);
  const last = partsOf(view.launch.call.childForFieldName("arguments")).at(-1);
  if (!known || last === undefined || !importsWhole(view.source, "triton"))
    return { length: "128", edits: [] };
  const length = freshName(view.source, "BLOCK");
  const declared = parameterEdit(view, `${length}: ${constexprOf(view)}`);
  if (isNot(declared)) return declared;
  const text = `, ${length}=min(1024, triton.next_power_of_2(${passed.text}))`;
  return { length, edits: [declared, { start: last.endIndex, end: last.endIndex, text }] };
}

function loopEdits(blocks: Blocks, loop: ElementLoop): readonly TextEdit[] | RuleHold {
  const accesses = accessEdits(blocks, loop);
  if ("kind" in accesses) return accesses;
  const uncounted = loop.sums.find(({ value }) => !blocks.of(value).lanes);
  if (uncounted !== undefined)
    return not("no-rewrite", `${uncounted.name} counts the turns of the loop`, uncounted.value);
  const sums = loop.sums.flatMap((sum) => sumEdits(blocks, sum));
  const shifts = loop.shifted.flatMap((shifted) => shiftedEdits(blocks, loop, shifted));
  return [...headEdits(blocks, loop), ...accesses, ...sums, ...shifts];
}

/** `for i in range(n)` → `for start in range(0, n, BLOCK)`, and what `i` is then. */
function headEdits({ view, length, live }: Blocks, loop: ElementLoop): readonly TextEdit[] {
  const { body, variable, start, end, step } = loop;
  const library = libraryOf(view);
  const [first] = partsOf(body);
  if (first === undefined) return [];
  const indent = indentOf(view.source, first);
  const from = freshName(view.source, step === undefined ? "start" : "at");
  const [begin, name] = step === undefined ? [from, variable] : [variable, from];
  const lines = `${name} = ${begin} + ${library}arange(0, ${length})\n${indent}${live} = ${name} < ${end.text}`;
  const inserted = { start: first.startIndex, end: first.startIndex, text: `${lines}\n${indent}` };
  if (step !== undefined) {
    const uses = usesOf(body, variable).filter(
      (use) => use.startIndex < (statementAround(step)?.startIndex ?? 0),
    );
    return [inserted, replaceNode(step, length), ...uses.map((use) => replaceNode(use, name))];
  }
  const [left, range] = [loop.loop.childForFieldName("left"), loop.loop.childForFieldName("right")];
  const given = range?.childForFieldName("arguments");
  if (!left || !given) return [];
  return [inserted, replaceNode(left, from), replaceNode(given, `(${start}, ${end.text}, ${length})`)];
}

/** The value of the turn before, from its own place; in front of the first turn what was there before. */
function shiftedEdits(
  { view, live }: Blocks,
  { body, variable, start }: ElementLoop,
  { name, statement, value }: ShiftedValue,
): readonly TextEdit[] {
  const { source } = view;
  const [first] = partsOf(body);
  if (first === undefined) return [];
  const library = libraryOf(view);
  const earlier = freshName(source, `${name}_turn`);
  const later = `${variable} > ${start}`;
  const masks = languageCalls(view, ["load"], value).flatMap((load) =>
    maskedBy(view, load, `${live} & (${later})`),
  );
  const back = usesOf(value, variable).map((use) => replaceNode(use, `(${variable} - 1)`));
  const text = editedText(source, { start: value.startIndex, end: value.endIndex }, [...masks, ...back]);
  const indent = indentOf(source, first);
  const uses = usesOf(body, name).filter((use) => use.endIndex <= statement.startIndex);
  return [
    {
      start: first.startIndex,
      end: first.startIndex,
      text: `${earlier} = ${library}where(${later}, ${text}, ${name})\n${indent}`,
    },
    ...uses.map((use) => replaceNode(use, earlier)),
    { start: source.lastIndexOf("\n", statement.startIndex), end: statement.endIndex, text: "" },
  ];
}

function accessEdits({ view, of, live }: Blocks, { body }: ElementLoop): readonly TextEdit[] | RuleHold {
  const calls = body.descendantsOfType("call");
  const edits: TextEdit[] = [];
  for (const call of calls) {
    const loads = isCallOf(view, call, "load");
    const stores =
      isCallOf(view, call, "store") || /\.atomic_\w+$/.test(call.childForFieldName("function")?.text ?? "");
    const [address] = loads || stores ? positional(call) : [];
    if (address === undefined) continue;
    if (of(address).lanes) edits.push(...maskedBy(view, call, live));
    else if (stores) return not("dependence", "all turns of the loop store to the same place", call);
  }
  return edits;
}

const neutral = { sum: "0", max: 'float("-inf")', min: 'float("inf")' } as const;

/** `s += x` → `s += tl.sum(tl.where(live, x, 0), axis=0)`. */
function sumEdits(
  { view, live }: Blocks,
  { value, reduction }: ElementLoop["sums"][number],
): readonly TextEdit[] {
  const library = libraryOf(view);
  return [
    {
      start: value.startIndex,
      end: value.startIndex,
      text: `${library}${reduction}(${library}where(${live}, `,
    },
    { start: value.endIndex, end: value.endIndex, text: `, ${neutral[reduction]}), axis=0)` },
  ];
}
