import type { AutotuneConfig, KernelFacts, ParameterFacts } from "../facts";
import { collapse, enclosing, fieldText, rangeOf } from "../query";
import type { SyntaxNode } from "../tree";
import { tritonNames, type TritonNames } from "./names";
import { pointerUses } from "./pointer-uses";

/** A kernel with the nodes behind its facts. */
export interface TritonKernel {
  readonly facts: KernelFacts;
  readonly definition: SyntaxNode;
  readonly body: SyntaxNode;
  readonly decorators: readonly SyntaxNode[];
}

/**
 * Functions marked `@triton.jit`, or made kernels by a call (`f = triton.jit(f)`), in source order. A helper
 * that only other kernels call is one as well; see
 * `launchedKernels`.
 */
function findJitFunctions(root: SyntaxNode): readonly TritonKernel[] {
  const names = tritonNames(root);
  const decorated = root.descendantsOfType("decorated_definition").map((whole) => ({
    whole,
    definition: whole.childForFieldName("definition"),
    decorators: whole.namedChildren
      .filter((child) => child.type === "decorator")
      .flatMap((child) => child.namedChildren[0] ?? []),
  }));
  return [...decorated, ...decoratedByCalls(root, names)]
    .sort((a, b) => a.whole.startIndex - b.whole.startIndex)
    .flatMap((found) => kernelOf(found, names) ?? []);
}

/** A function definition with what decorates it. */
interface Decorated {
  /** With its decorators, where they stand before it. */
  readonly whole: SyntaxNode;
  readonly definition: SyntaxNode | null;
  readonly decorators: readonly SyntaxNode[];
}

/** Functions that assignments to their own names decorate: `f = triton.autotune(…)(triton.jit(f))`. */
function decoratedByCalls(root: SyntaxNode, names: TritonNames): readonly Decorated[] {
  const found = new Map<string, SyntaxNode[]>();
  for (const assignment of root.descendantsOfType("assignment")) {
    const name = fieldText(assignment, "left");
    const applied = appliedTo(assignment.childForFieldName("right"), name);
    if (applied.length > 0) found.set(name, [...(found.get(name) ?? []), ...applied]);
  }
  const isJit = (decorators: readonly SyntaxNode[]): boolean =>
    decorators.some((decorator) => names.is(decoratorName(decorator), "jit"));
  if (![...found.values()].some(isJit)) return [];
  return root
    .descendantsOfType("function_definition")
    .filter(({ parent }) => parent?.type !== "decorated_definition")
    .flatMap((definition) => {
      const decorators = found.get(fieldText(definition, "name"));
      return decorators === undefined ? [] : [{ whole: definition, definition, decorators }];
    });
}

/** The functions in `a(b(name))`, outermost first; none where something else is passed. */
function appliedTo(expression: SyntaxNode | null, name: string): readonly SyntaxNode[] {
  const callee = expression?.type === "call" ? expression.childForFieldName("function") : null;
  const given = expression?.childForFieldName("arguments")?.namedChildren ?? [];
  const [only] = given;
  if (!callee || only === undefined || given.length > 1) return [];
  if (only.type === "identifier") return only.text === name ? [callee] : [];
  const inner = appliedTo(only, name);
  return inner.length === 0 ? [] : [callee, ...inner];
}

/**
 * The jit functions that are kernels: a function that returns a value, or that others of the file call as a
 * function, and that nobody launches, is a device function. A function that nobody calls stays, because its
 * launch may stand in another file.
 */
export function tritonKernels(root: SyntaxNode): readonly TritonKernel[] {
  const functions = findJitFunctions(root);
  if (functions.length === 0) return [];
  const returning = root
    .descendantsOfType("return_statement")
    .filter((statement) => statement.namedChildren.length > 0)
    .map((statement) => statement.startPosition.row);
  const returns = ({ bodyRange }: KernelFacts): boolean =>
    returning.some((row) => row >= bodyRange.start.line && row <= bodyRange.end.line);
  const known = new Set(functions.map(({ facts }) => facts.name));
  const called = new Set<string>();
  const launched = new Set<string>();
  for (const call of root.descendantsOfType("call")) {
    const callee = call.childForFieldName("function");
    if (callee?.type === "identifier" && known.has(callee.text)) called.add(callee.text);
    if (callee?.type === "subscript") launched.add(fieldText(callee, "value"));
  }
  return functions.filter(
    ({ facts }) => launched.has(facts.name) || (!called.has(facts.name) && !returns(facts)),
  );
}

/** Facts of the kernels alone. */
export function findKernels(root: SyntaxNode): readonly KernelFacts[] {
  return tritonKernels(root).map(({ facts }) => facts);
}

function kernelOf(
  { whole, definition, decorators }: Decorated,
  names: TritonNames,
): TritonKernel | undefined {
  const nameNode = definition?.childForFieldName("name");
  const body = definition?.childForFieldName("body");
  if (definition?.type !== "function_definition" || !nameNode || !body) return undefined;
  if (!decorators.some((decorator) => names.is(decoratorName(decorator), "jit"))) return undefined;
  const facts: KernelFacts = {
    name: nameNode.text,
    qualifiedName: [...classesOf(definition), nameNode.text].join("."),
    dialect: "triton",
    nameRange: rangeOf(nameNode),
    range: rangeOf(whole),
    bodyRange: rangeOf(body),
    parameters: parametersOf(definition, body, names),
    templateParameters: [],
    externC: false,
    autotune: decorators
      .filter((decorator) => names.is(decoratorName(decorator), "autotune"))
      .flatMap((decorator) => configsOf(decorator, names)),
    heuristics: Object.assign(
      {},
      ...decorators.filter((decorator) => names.is(decoratorName(decorator), "heuristics")).map(heuristicsOf),
    ) as Record<string, string>,
    damaged: whole.hasError,
  };
  return { facts, definition, body, decorators };
}

function decoratorName(decorator: SyntaxNode | null): SyntaxNode | null {
  return decorator?.type === "call" ? decorator.childForFieldName("function") : decorator;
}

function classesOf(node: SyntaxNode): readonly string[] {
  const owner = enclosing(node, "class_definition");
  return owner === undefined ? [] : [...classesOf(owner), fieldText(owner, "name")];
}

function parametersOf(
  definition: SyntaxNode,
  body: SyntaxNode,
  names: TritonNames,
): readonly ParameterFacts[] {
  const nodes = definition.childForFieldName("parameters")?.namedChildren ?? [];
  const plain = nodes.map(plainParameter).filter((parameter) => parameter !== undefined);
  const uses = pointerUses(
    body,
    plain
      .filter((parameter) => !parameter.constexpr && !scalarAnnotation.test(parameter.type))
      .map((parameter) => parameter.name),
    names.canonical,
  );
  return plain.map((parameter) => ({
    ...parameter,
    pointer: uses.loaded.has(parameter.name) || uses.stored.has(parameter.name),
    readOnly: uses.loaded.has(parameter.name) && !uses.stored.has(parameter.name),
  }));
}

const scalarAnnotation = /^(int|float|bool)$/;

function plainParameter(node: SyntaxNode): ParameterFacts | undefined {
  const nameNode =
    node.type === "identifier" ? node : (node.childForFieldName("name") ?? node.namedChildren[0]);
  if (
    !["identifier", "typed_parameter", "default_parameter", "typed_default_parameter"].includes(node.type) ||
    nameNode?.type !== "identifier"
  )
    return undefined;
  const type = collapse(fieldText(node, "type"));
  const value = node.childForFieldName("value");
  return {
    name: nameNode.text,
    type,
    pointer: false,
    readOnly: false,
    constexpr: /(^|\.)constexpr$/.test(type.replace(/^["']|["']$/g, "")),
    ...(value === null ? {} : { defaultValue: collapse(value.text) }),
  };
}

function configsOf(decorator: SyntaxNode | null, names: TritonNames): readonly AutotuneConfig[] {
  const calls = decorator?.descendantsOfType("call") ?? [];
  return calls
    .filter((call) => names.is(call.childForFieldName("function"), "Config"))
    .map((call) => {
      const given = call.childForFieldName("arguments")?.namedChildren ?? [];
      const keywords = given.filter((child) => child.type === "keyword_argument");
      const named = keywords
        .find((child) => child.childForFieldName("name")?.text === "kwargs")
        ?.childForFieldName("value");
      const values = named ?? given.find((child) => child.type === "dictionary");
      const options = keywords
        .filter((child) => child.childForFieldName("name")?.text !== "kwargs")
        .map((child) => [fieldText(child, "name"), collapse(fieldText(child, "value"))]);
      return {
        values: dictionaryOf(values ?? undefined),
        options: Object.fromEntries(options) as Record<string, string>,
        range: rangeOf(call),
      };
    });
}

function heuristicsOf(decorator: SyntaxNode | null): Readonly<Record<string, string>> {
  return dictionaryOf(decorator?.descendantsOfType("dictionary")[0]);
}

function dictionaryOf(dictionary: SyntaxNode | undefined): Readonly<Record<string, string>> {
  const pairs = (dictionary?.namedChildren ?? []).filter((child) => child.type === "pair");
  return Object.fromEntries(
    pairs.map((pair) => [
      pair.childForFieldName("key")?.descendantsOfType("string_content")[0]?.text ??
        collapse(fieldText(pair, "key")),
      collapse(fieldText(pair, "value")),
    ]),
  );
}
