import { constantOf } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { isAssigned } from "../../../../language/cuda/body/scope";
import { calledFunctions } from "../../../../language/cuda/body/threads";
import { compact, enclosing, fieldText, isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { writtenOut } from "./written-out";

/** A literal without a suffix that the language reads as a double. */
const doubleLiteral = /^-?(?:(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)$/;
const functions = new Set([
  ...[
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "rsqrt",
    "cbrt",
    "pow",
    "sin",
    "cos",
    "tan",
  ],
  ...[
    "tanh",
    "sinh",
    "cosh",
    "asin",
    "acos",
    "atan",
    "atan2",
    "erf",
    "erfc",
    "hypot",
    "fmod",
    "round",
    "trunc",
    "rint",
    "copysign",
    "lgamma",
    "tgamma",
    "normcdf",
    "normcdfinv",
    "erfinv",
    "erfcx",
    "sincos",
    "sincospi",
    "sinpi",
    "cospi",
    "asinh",
    "acosh",
    "atanh",
    "fdim",
    "fma",
    "ldexp",
    "remainder",
    "nearbyint",
    "exp10",
    "fabs",
    "fmax",
    "fmin",
    "floor",
    "ceil",
  ],
]);
const loops = ["for_statement", "while_statement", "do_statement"];

/**
 * Computes in single precision where the data are of single precision: literals get their `f`, functions of
 * the library their single form, casts and locals the type of the data. The check tells whether the results
 * stay near enough.
 */
export const singlePrecision = defineRule("cuda-single-precision", (given, entry) => {
  const input = withDoubles(given);
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const helpers = ownHelpers(view);
  const places = [view.body, ...helpers].map(
    ({ startPosition, endPosition }) => [startPosition.row + 1, endPosition.row + 1] as const,
  );
  const [worst] = input.counters.lines
    .filter(({ file }) => file === input.file)
    .filter(({ line }) => places.some(([first, last]) => line >= first && line <= last))
    .sort((a, b) => b.fp64Instructions - a.fp64Instructions);
  if (worst === undefined || worst.fp64Instructions === 0)
    return not("no-evidence", "no line computes in double precision", view.line);
  const gain = gainOn(input, ["fp64", "issue"], threshold(entry, "gainFactor"));
  const held = doubleTensor(input, view) ?? meantAsDouble(view) ?? firstSum(view, helpers);
  if (held !== undefined) return held.because === "type" ? held : { ...held, gain };
  const edits = [view.body, ...helpers].flatMap((place) => [...narrowed(place), ...constantsIn(view, place)]);
  if (edits.length === 0)
    return {
      ...not("no-pattern", "the double precision does not stand in the kernel itself", worst.line),
      gain,
    };
  const facts = {
    ...{ file: input.file, line: worst.line, counter: "fp64Instructions" as const },
    ...{ value: worst.fp64Instructions, ideal: 0 },
  };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, facts),
    gain,
  };
});

/** The kernel with its macros and constants written out, where double precision stands in them. */
function withDoubles(input: RuleInput): RuleInput {
  const plain = writtenOut(input, doubleLiteral);
  const [before, after] = [cudaKernel(input), cudaKernel(plain)];
  if (isNot(before) || isNot(after)) return input;
  return narrowed(after.body).length > narrowed(before.body).length ? plain : input;
}

/** A tensor of doubles, by whatever name the kernel takes it. */
function doubleTensor({ spec }: RuleInput, { line }: KernelView): RuleHold | undefined {
  const all = Object.entries({ ...spec.inputs, ...spec.outputs });
  const name = all.find(([, { dtype }]) => dtype === "float64")?.[0];
  return name === undefined ? undefined : not("type", `${name} is of double precision itself`, line);
}

/** Data that are doubles, or a sum that is kept in one. */
function meantAsDouble(view: KernelView): RuleHold | undefined {
  const { kernel, body, model, line } = view;
  const parameter = kernel.facts.parameters.find(
    ({ type }) => /\bdouble\d?\b/.test(type) || /\bdouble\b/.test(model.types.get(type) ?? ""),
  );
  if (parameter !== undefined) return not("type", `${parameter.name} is of double precision itself`, line);
  return firstSum(view, [body]);
}

/** Turns so few that what they change is no long sum, whose rounding would add up. */
const fewTurns = 16;

/** A sum that is kept in double precision. */
function firstSum(view: KernelView, bodies: readonly SyntaxNode[]): RuleHold | undefined {
  const [summed] = bodies.flatMap((body) => {
    const short = new Set(countedLoops(body).flatMap((each) => (isShort(view, each) ? [each.loop.id] : [])));
    const long = body.descendantsOfType(loops).filter(({ id }) => !short.has(id));
    return doubleLocals(body).filter(({ name }) => long.some((loop) => isAssigned(loop, name)));
  });
  return (
    summed &&
    not("dependence", `${summed.name} sums in double precision, which may be meant so`, summed.declaration)
  );
}

function isShort(view: KernelView, { start, bound, comparison, step }: CountedLoop): boolean {
  const [first, last] = [start, bound].map((node) => constantOf(formIn(view, node)));
  const isUpwards = /^<=?$/.test(comparison) && step.operator.startsWith("+");
  return isUpwards && first !== undefined && last !== undefined && last - first <= fewTurns;
}

/** Functions of the file that this kernel calls, and no other one. */
export function ownHelpers({ model, kernel }: KernelView): readonly SyntaxNode[] {
  const others = model.kernels.filter(({ definition }) => definition.id !== kernel.definition.id);
  const shared = new Set(others.flatMap((other) => calledFunctions(model, other).map(({ id }) => id)));
  return calledFunctions(model, kernel).filter(({ id }) => !shared.has(id));
}

function doubleLocals(body: SyntaxNode) {
  return body.descendantsOfType("declaration").flatMap((declaration) => {
    if (declaration.childForFieldName("type")?.text !== "double") return [];
    return declaration.childrenForFieldName("declarator").flatMap((declarator) => {
      const name = declarator.childForFieldName("declarator") ?? declarator;
      return name.type === "identifier" ? [{ name: name.text, declaration }] : [];
    });
  });
}

/** Constants of the file that are doubles, as floats where they are computed with. */
function constantsIn({ model }: KernelView, place: SyntaxNode): readonly TextEdit[] {
  const names = new Set(
    model.root
      .descendantsOfType("declaration")
      .filter(
        (node) =>
          fieldText(node, "type") === "double" && enclosing(node, "function_definition") === undefined,
      )
      .flatMap((node) => node.childrenForFieldName("declarator"))
      .flatMap((node) => (node.childForFieldName("value") === null ? [] : fieldText(node, "declarator"))),
  );
  const own = new Set(
    place.descendantsOfType("init_declarator").map((node) => fieldText(node, "declarator")),
  );
  return place
    .descendantsOfType("identifier")
    .filter((node) => names.has(node.text) && !own.has(node.text) && node.parent?.type !== "init_declarator")
    .filter((node) => model.constants.has(node.text) && node.parent?.type !== "qualified_identifier")
    .map((node) => replaceNode(node, `static_cast<float>(${node.text})`));
}

function narrowed(body: SyntaxNode): readonly TextEdit[] {
  const literals = body.descendantsOfType("number_literal").filter(({ text }) => doubleLiteral.test(text));
  const calls = body.descendantsOfType("call_expression").flatMap((call) => {
    const callee = call.childForFieldName("function");
    return callee !== null && functions.has(callee.text) ? [callee] : [];
  });
  const types = body
    .descendantsOfType("primitive_type")
    .filter(({ text }) => text === "double")
    .filter(
      (node) =>
        body.type === "function_definition" ||
        enclosing(node, "declaration", "cast_expression", "call_expression") !== undefined,
    );
  return [
    ...literals.map((node) => replaceNode(node, `${node.text}f`)),
    ...calls.map((node) => replaceNode(node, `${node.text}f`)),
    ...types
      .filter((node) => !calls.some((call) => isInside(node, call)) && partsOf(node).length === 0)
      .map((node) => replaceNode(node, compact(node).replace("double", "float"))),
  ];
}
