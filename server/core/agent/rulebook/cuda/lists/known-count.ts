import { arraysOf } from "../../../../language/cuda/body/arrays";
import { countedLoops } from "../../../../language/cuda/body/loops";
import { isAssigned } from "../../../../language/cuda/body/scope";
import { calledFunctions, declaredName } from "../../../../language/cuda/body/threads";
import { compact, fieldText, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, type TextEdit } from "../../edits";
import { evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { passedNumber } from "../launch/passed-argument";
import { headOf } from "../launch/steps/join-steps";
import { unrollEdit } from "./unrolled-loops";

/**
 * A path of the kernel for the count of elements that every launch at hand passes: where it is a constant,
 * loops over a thread's arrays unroll and the arrays become registers. Any other count takes the old path.
 */
export const knownCount = defineRule("cuda-known-count", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const functions = calledFunctions(view.model, view.kernel);
  const [first] = [view.body, ...functions].flatMap((part) =>
    arraysOf(part).filter(({ storage }) => storage === "local"),
  );
  if (first === undefined) return not("no-pattern", "no thread has an array of its own", view.line);
  const value = input.counters.totals.localRequests;
  if (value === 0) return not("no-evidence", "nothing goes to local memory", view.line);
  const gain = gainOn(input, ["l1", "l2", "issue", "latency"], threshold(entry, "share"));
  const counts = countsOf(input, view, threshold(entry, "countMost"));
  const edits = isNot(counts) ? counts : withPath(view, counts);
  if (isNot(edits)) return { ...edits, gain };
  const told = (isNot(counts) ? [] : counts).map(({ name, number }) => `${name} = ${number}`).join(" and ");
  const facts = { file: input.file, line: lineOf(first.declaration), counter: "localRequests" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { counts: told }),
    evidence: evidenceFor(entry, { ...facts, value, ideal: 0 }),
    gain,
  };
});

/** A parameter of the kernel that ends loops, and what it is at every launch that is known. */
interface Count {
  readonly name: string;
  readonly type: string;
  readonly number: number;
}

const whole = /^(?:unsigned(?: int)?|int|long long|size_t|u?int(?:32|64)_t)$/;

function countsOf(input: RuleInput, view: KernelView, most: number): readonly Count[] | RuleHold {
  const { kernel, body } = view;
  const counts = kernel.facts.parameters.flatMap(({ name, type, pointer }, position) => {
    const plain = type.replace(/\bconst\b/g, "").trim();
    if (pointer || !whole.test(plain) || isAssigned(body, name)) return [];
    if (!endsLoops(view, body, name, [])) return [];
    const numbers = input.spec.shapes.map((shape) => passedNumber(input, view, position, shape));
    const [number, ...others] = new Set(numbers);
    const isOne = number !== undefined && others.length === 0 && number > 0 && number <= most;
    return isOne ? [{ name, type: plain, number }] : [];
  });
  return counts.length > 0
    ? counts
    : not("launch", "no count that ends loops is the same small number at every launch", view.line);
}

/** True for a name that ends a counted loop of a function, or of one that it is handed to. */
function endsLoops(view: KernelView, part: SyntaxNode, name: string, open: readonly string[]): boolean {
  if (countedLoops(part).some(({ bound }) => compact(bound) === name)) return true;
  const definitions = calledFunctions(view.model, view.kernel, [part]);
  return part.descendantsOfType("call_expression").some((call) => {
    const callee = fieldText(call, "function").split("::").at(-1) ?? "";
    const definition = definitions.find((each) => declaredName(each) === callee);
    const inner = definition?.childForFieldName("body");
    if (definition === undefined || !inner || open.includes(callee)) return false;
    const names = partsOf(definition.descendantsOfType("parameter_list")[0]).map(
      (each) => each.descendantsOfType("identifier").at(-1)?.text ?? "",
    );
    const places = partsOf(call.childForFieldName("arguments")).flatMap((given, place) =>
      compact(given) === name ? [names[place] ?? ""] : [],
    );
    return places.some((each) => each !== "" && endsLoops(view, inner, each, [...open, callee]));
  });
}

/** The kernel's body as a function with the counts as template arguments, called for them and for others. */
function withPath(view: KernelView, counts: readonly Count[]): readonly TextEdit[] | RuleHold {
  const { kernel, body, source } = view;
  const { definition, facts } = kernel;
  if (facts.templateParameters.length > 0) return not("no-rewrite", "the kernel is a template", definition);
  const head = headOf(definition, facts.name);
  if (head === undefined)
    return not("no-rewrite", "the kernel's head has more than its name and its bounds", definition);
  if (/__shared__/.test(body.text))
    return not("limit", "each path of the kernel would have its own shared memory", body);
  const list = partsOf(head.list);
  const names = list.map((each) => each.descendantsOfType("identifier").at(-1)?.text ?? "");
  if (names.includes("")) return not("no-rewrite", "a parameter of the kernel has no name", head.list);
  const path = freshName(source, `${facts.name}For`);
  const own = counts.map(({ name, type, number }) => ({
    ...{ name, type, number },
    known: freshName(source, `${name}Known`),
    given: freshName(source, `${name}Given`),
  }));
  const renamed = list.map((each, place) => {
    const count = own.find(({ name }) => name === names[place]);
    return count === undefined ? each.text : each.text.replace(/(\w+)\s*$/, count.given);
  });
  const parameters = own.map(({ type, known }) => `${type} ${known}`).join(", ");
  const locals = own.map(
    ({ name, type, known, given }) => `\n  const ${type} ${name} = ${known} > 0 ? ${known} : ${given};`,
  );
  const passed = names.join(", ");
  const isKnown = own.map(({ name, number }) => `${name} == ${number}`).join(" && ");
  const calls = [
    ` {`,
    `  if (${isKnown}) ${path}<${own.map(({ number }) => number).join(", ")}>(${passed});`,
    `  else ${path}<${own.map(() => 0).join(", ")}>(${passed});`,
    "}",
  ].join("\n");
  const start = source.slice(definition.startIndex, head.list.endIndex);
  return [
    {
      start: definition.startIndex,
      end: body.startIndex + 1,
      text: `template <${parameters}>\nstatic __device__ __forceinline__ void ${path}(${renamed.join(", ")}) {${locals.join("")}`,
    },
    ...loopsOver(view, counts).flatMap((loop) => unrollEdit(source, loop) ?? []),
    { start: definition.endIndex, end: definition.endIndex, text: `\n\n${start}${calls}` },
  ];
}

/** Loops up to a count over arrays of a thread, which the compiler does not always unroll itself. */
function loopsOver({ body }: KernelView, counts: readonly Count[]): readonly SyntaxNode[] {
  const arrays = arraysOf(body).filter(({ storage }) => storage === "local");
  return countedLoops(body)
    .filter(({ bound }) => counts.some(({ name }) => name === compact(bound)))
    .filter((loop) => arrays.some(({ name }) => usesOf(loop.body, name).length > 0))
    .map(({ loop }) => loop);
}
