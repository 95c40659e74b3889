import { calledFunctions, declaredName } from "../../../../language/cuda/body/threads";
import { collapse, fieldText, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { bitFunctions } from "./bit-functions";
import { bitLoops } from "./bit-loops";
import { bare, type BitWork, writtenOf } from "./bit-work";
import { ranOn } from "./run-statements";
import { samplesOf } from "./samples";
import { type Whole, wholeOf, type WholeType, wholeType } from "./whole-numbers";

/**
 * Takes an instruction for what functions and loops do with bits one by one: `__popc`, `__clz`, `__ffs`,
 * `__brev`. What they do is told by running them on numbers.
 */
export const bitInstructions = defineRule("cuda-bit-instructions", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const found = [...bitFunctionsCalled(view), ...bitLoops(view)];
  const [first] = found;
  if (first === undefined)
    return not("no-pattern", "nothing is made of bits that one instruction would make", view.line);
  const value = found.reduce((sum, { node }) => sum + countsOf(input, node).instructions, 0);
  const share = shareSaved(value, input.counters.totals.instructions);
  if (share < threshold(entry, "shareLeast"))
    return not("no-evidence", "little of what is issued is about bits", first.node);
  const saved = threshold(entry, "savedShare");
  const facts = {
    ...{ file: input.file, line: lineOf(first.node), counter: "instructions" as const },
    ...{ value, ideal: Math.round(value * (1 - saved)) },
  };
  const blanks = { text: first.text, words: first.words };
  return {
    kind: "proposal",
    tree: editedTree(
      input,
      found.flatMap(({ edits }) => edits),
    ),
    hypothesis: fillSentence(entry.hypothesis, blanks),
    evidence: evidenceFor(entry, facts, blanks),
    gain: gainOn(input, ["issue", "integer", "latency"], share * saved),
  };
});

/** Functions of one whole number that the kernel calls. */
function bitFunctionsCalled(view: KernelView): readonly BitWork[] {
  return calledFunctions(view.model, view.kernel).flatMap((definition) => bitWorkOf(view, definition) ?? []);
}

/** A function of one whole number. */
interface WholeFunction {
  readonly definition: SyntaxNode;
  readonly body: SyntaxNode;
  readonly parameter: string;
  readonly type: WholeType;
}

function wholeFunction(definition: SyntaxNode): WholeFunction | undefined {
  const body = definition.childForFieldName("body");
  const [parameter, ...others] = partsOf(definition.descendantsOfType("parameter_list")[0]);
  const name = parameter?.childForFieldName("declarator");
  const type = wholeType(collapse(fieldText(parameter, "type")));
  const result = wholeType(collapse(fieldText(definition, "type")));
  if (body === null || others.length > 0 || name?.type !== "identifier") return undefined;
  if (declaredName(definition) === undefined || definition.hasError || !result) return undefined;
  return type && { definition, body, parameter: name.text, type };
}

function bitWorkOf(view: KernelView, definition: SyntaxNode): BitWork | undefined {
  const own = wholeFunction(definition);
  if (own === undefined || isShort(own.body)) return undefined;
  const { body, parameter, type } = own;
  const statements = partsOf(body);
  const bits = type.bits === 64 ? 64 : 32;
  const runs = samplesOf(bits).map((sample) => {
    const given = wholeOf(sample, type);
    const ran = ranOn(statements, new Map([[parameter, given]]), (node) => view.scope.value(node));
    return { value: BigInt.asUintN(bits, given.value), made: ran?.result };
  });
  const found = bitFunctions.find(({ of }) =>
    runs.every(({ value, made }) => isSame(of(value, bits), made, value)),
  );
  if (found === undefined || runs.filter(({ made }) => made === undefined).length > 1) return undefined;
  const text = writtenOf(found, bits, parameter);
  const edits = [replaceNode(body, bodyWith(view, body, text))];
  return text === "" ? undefined : { node: definition, words: found.words, text, edits };
}

/** True for what is one short expression already. */
function isShort(body: SyntaxNode): boolean {
  const walks = body.descendantsOfType(["for_statement", "while_statement", "do_statement"]).length > 0;
  return !walks && body.descendantsOfType("binary_expression").length < 5;
}

/** Nothing is asked of zero where the code itself does not end on it. */
function isSame(wanted: bigint, made: Whole | undefined, value: bigint): boolean {
  return made === undefined ? value === 0n : wholeOf(wanted, made).value === made.value;
}

function bodyWith({ source }: KernelView, body: SyntaxNode, text: string): string {
  const value = bare(text);
  if (!body.text.includes("\n")) return `{ return ${value}; }`;
  const [first] = partsOf(body);
  const line = source.slice(source.lastIndexOf("\n", (first ?? body).startIndex) + 1);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  const last = /\n([ \t]*)\}$/.exec(body.text)?.[1] ?? "";
  return `{\n${indent}return ${value};\n${last}}`;
}
