import { subscriptIndex } from "../../../../language/cuda/body/arrays";
import { comparisonOf } from "../../../../language/cuda/body/loops";
import { changes, isPure, localValues } from "../../../../language/cuda/body/scope";
import { variesWithThread } from "../../../../language/cuda/body/threads";
import { compact, enclosing, fieldText, isInside, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor, gainOnHidden } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { threadsCooperate } from "../elements/element-work";
import { cudaKernel, type KernelView } from "../kernel";
import { greatest } from "./greatest";
import { isLoaded, loadedNames } from "./loaded-names";

const wide =
  /^(?:const |unsigned |signed )*(?:long|long long|size_t|ptrdiff_t|(?:std::)?u?int64_t)(?: int)?$/;

/** True for a whole number of 64 bits, by whatever name. */
function isWide({ model }: KernelView, type: string): boolean {
  const plain = type.replace(/\bconst\b/g, "").trim();
  return wide.test(model.types.get(plain) ?? type);
}

/**
 * Gives a kernel whose indices have 64 bits a path with 32 bits for sizes that fit well; larger ones keep the
 * path as it is.
 */
export const narrowIndex = defineRule("cuda-narrow-index", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const along = (["x", "y", "z"] as const).map((axis) => variesWithThread(view.model, view.body, axis));
  const varies = (node: SyntaxNode): boolean => along.some((each) => each(node));
  const all = view.body
    .descendantsOfType("declaration")
    .filter((node) => isWide(view, fieldText(node, "type")) && isIndex(view, node));
  const declarations = all.filter((node) => node.descendantsOfType("init_declarator").some(varies));
  const sizes = all.filter((node) => !declarations.includes(node) && isKnownSize(view, node));
  const [first] = declarations;
  if (first === undefined) return not("no-pattern", "no index has 64 bits", view.line);
  const value = input.counters.totals.instructions;
  const gain = gainOnHidden(input, threshold(entry, "share"));
  const most = threshold(entry, "most");
  const edit = twoPaths(view, { declarations, sizes }, most);
  if (isNot(edit)) return { ...edit, gain };
  const names = declarations.flatMap((node) => localValues(node).map(({ name }) => name)).join(", ");
  const facts = { file: input.file, line: lineOf(first), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, [edit]),
    hypothesis: fillSentence(entry.hypothesis, { names, most }),
    evidence: evidenceFor(entry, { ...facts, value, ideal: Math.ceil(value / 2) }),
    gain,
  };
});

interface Wide {
  /** Indices of threads. */
  readonly declarations: readonly SyntaxNode[];
  /** Sizes that are made of the parameters. */
  readonly sizes: readonly SyntaxNode[];
}

/** True for locals that are all made of the parameters alone; a loop's variable has to end by them, too. */
function isKnownSize(view: KernelView, declaration: SyntaxNode): boolean {
  const own = localValues(declaration);
  const all = declaration.childrenForFieldName("declarator").length;
  const isKnown = (node: SyntaxNode): boolean => atStart(view, node) !== undefined;
  if (own.length === 0 || own.length < all || !own.every(({ value }) => isKnown(value))) return false;
  const ends = loopEnds(view, declaration);
  return ends === undefined || (ends.length > 0 && ends.every(isKnown));
}

/** What the variables of a loop's head are compared with; undefined for any other declaration. */
function loopEnds({ body }: KernelView, declaration: SyntaxNode): readonly SyntaxNode[] | undefined {
  if (declaration.parent?.type !== "for_statement") return undefined;
  return endsOf(
    body,
    localValues(declaration).map(({ name }) => name),
  );
}

/** The body twice: with indices of 32 bits under a condition on the sizes, and as it is. */
function twoPaths(view: KernelView, wideOnes: Wide, most: number): TextEdit | RuleHold {
  const { body, source, kernel } = view;
  const { declarations } = wideOnes;
  const held = threadsCooperate(view, { sums: true });
  if (held !== undefined) return held;
  const names = declarations.flatMap((node) => localValues(node).map(({ name }) => name));
  const place = loadedPlace(view, [...declarations, ...wideOnes.sizes]);
  if (place !== undefined)
    return not("limit", "an index is made of a value from memory, which no condition keeps small", place);
  const ends = endsOf(body, names);
  const [bare] = ends;
  if (bare === undefined) return not("no-pattern", "no condition keeps the index below a size", body);
  const sizes = kernel.facts.parameters.filter(({ type, pointer }) => !pointer && isWide(view, type));
  const known = ends.map((end) => atStart(view, end));
  const unknown = ends.find((_, place) => known[place] === undefined);
  if (unknown !== undefined) return not("limit", `${compact(unknown)} is not known at the start`, unknown);
  const products = wideOnes.sizes
    .flatMap((node) => loopEnds(view, node) ?? localValues(node).map(({ value }) => value))
    .flatMap((value) => atStart(view, value) ?? []);
  const limits = [...sizes.map(({ name }) => name), ...products, ...known.flatMap((text) => text ?? [])];
  const greatestProducts = productsOf(view, [...names, ...sizes.map(({ name }) => name)]);
  if (isNot(greatestProducts)) return greatestProducts;
  const conditions = [
    ...[...new Set(limits)].map((text) => `static_cast<unsigned long long>(${text}) <= ${most}`),
    ...greatestProducts.map((text) => `${text} <= ${mostProduct}`),
  ];
  const short = new Map(sizes.map(({ name }) => [name, freshName(source, `${name}Narrow`)] as const));
  const range = { start: body.startIndex, end: body.endIndex };
  const narrow = editedText(source, range, narrowed(view, [...declarations, ...wideOnes.sizes], short));
  const indent = indentOf(source, body.namedChildren[0] ?? body);
  const heads = [...short].map(([name, other]) => `const unsigned int ${other} = ${name};`);
  const lines = [
    "{",
    `${indent}if (${conditions.join(" && ")}) {`,
    ...heads.map((line) => `${indent}  ${line}`),
    `${indent}  ${narrow}`,
    `${indent}} else ${body.text}`,
    "}",
  ];
  return { ...range, text: lines.join("\n") };
}

/** What a product may come to with 32 bits, and still be added to. */
const mostProduct = 2 ** 31 - 1;

/**
 * The most that products of narrowed numbers come to, in indices and in what indices are made of; a guard's
 * answer where nothing says it.
 */
function productsOf(view: KernelView, narrow: readonly string[]): readonly string[] | RuleHold {
  const { body } = view;
  const locals = localValues(body);
  const ends = new Map(
    locals.flatMap(({ name }) => {
      const [end] = endsOf(body, [name]).flatMap((node) => atStart(view, node) ?? []);
      return end === undefined ? [] : [[name, end] as const];
    }),
  );
  const values = [
    ...locals.filter(({ name }) => narrow.includes(name) && !ends.has(name)).map(({ value }) => value),
    ...body.descendantsOfType("subscript_expression").flatMap((node) => subscriptIndex(node) ?? []),
  ];
  const products = values.filter(
    (value) =>
      [value, ...value.descendantsOfType("binary_expression")].some(
        (node) => fieldText(node, "operator") === "*",
      ) && narrow.some((name) => usesOf(value, name).length > 0),
  );
  const found = products.map((node) => ({ node, text: greatest(view, node, ends) }));
  const open = found.find(({ text }) => text === undefined);
  if (open !== undefined)
    return not("limit", `how large ${compact(open.node)} becomes is not known at the start`, open.node);
  const limits = [...ends.values(), ...narrow].map((text) => `static_cast<unsigned long long>(${text})`);
  // A sum of a few numbers that have conditions of their own needs none.
  const isSmall = (text: string): boolean =>
    /^[()+ \d]*$/.test(limits.reduce((rest, limit) => rest.replaceAll(limit, "1"), text));
  return [...new Set(found.flatMap(({ text }) => text ?? []))].filter((text) => !isSmall(text));
}

/** A narrowed number that is made of what is loaded, or reckoned with it: nothing keeps that small. */
function loadedPlace(view: KernelView, declarations: readonly SyntaxNode[]): SyntaxNode | undefined {
  const { body, kernel } = view;
  const loaded = loadedNames(body);
  const own = declarations.flatMap((node) => localValues(node));
  const wideSizes = kernel.facts.parameters.filter(({ type, pointer }) => !pointer && isWide(view, type));
  const short = [...own, ...wideSizes].map(({ name }) => name);
  const isShort = (node: SyntaxNode | null): boolean =>
    node !== null && short.some((name) => node.text === name || usesOf(node, name).length > 0);
  const mixed = body.descendantsOfType("binary_expression").filter((node) => {
    if (!/^(?:[-+*]|<<)$/.test(fieldText(node, "operator"))) return false;
    const sides = [node.childForFieldName("left"), node.childForFieldName("right")];
    return sides.some(
      (side, place) => side !== null && isLoaded(side, loaded) && isShort(sides[1 - place] ?? null),
    );
  });
  const made = own.find(({ value }) => isLoaded(value, loaded));
  return made?.value ?? mixed.find((node) => isOfIndex(view, node));
}

/** True for arithmetic in an index, of a pointer, or of a whole number. */
function isOfIndex({ model }: KernelView, node: SyntaxNode): boolean {
  if (enclosing(node, "subscript_expression", "pointer_expression") !== undefined) return true;
  const declaration = enclosing(node, "declaration");
  const type = fieldText(declaration, "type");
  const isFloat = /\b(?:float|double|half|__half\d?|__nv_bfloat16\d?|float\d|double\d)\b/;
  const isPointer = declaration?.descendantsOfType("pointer_declarator").length !== 0;
  return declaration !== undefined && (isPointer || !isFloat.test(model.types.get(type) ?? type));
}

/** An expression over the parameters alone, locals of one value followed; undefined for any other. */
function atStart(view: KernelView, end: SyntaxNode): string | undefined {
  const { kernel, scope, source } = view;
  const edits: TextEdit[] = [];
  for (const name of end.descendantsOfType("identifier")) {
    if (kernel.facts.parameters.some((parameter) => parameter.name === name.text)) continue;
    const meaning = scope.meaning(name.text);
    const text = typeof meaning === "object" && isPure(meaning) ? atStart(view, meaning) : undefined;
    if (text === undefined) return undefined;
    edits.push(replaceNode(name, `(${text})`));
  }
  return editedText(source, { start: end.startIndex, end: end.endIndex }, edits);
}

/** What the indices are compared with. */
function endsOf(body: SyntaxNode, names: readonly string[]): readonly SyntaxNode[] {
  return body.descendantsOfType("binary_expression").flatMap((node) => {
    const bounds = names.flatMap((name) => comparisonOf(node, name)?.bound ?? []);
    return bounds.filter(isPure);
  });
}

/** True for a number that is made of no data and changes in the head of a loop alone. */
function isIndex({ body }: KernelView, declaration: SyntaxNode): boolean {
  const reads = declaration.descendantsOfType(["subscript_expression", "pointer_expression"]).length > 0;
  const updates = body.descendantsOfType("for_statement").map((loop) => loop.childForFieldName("update")?.id);
  const names = localValues(declaration).map(({ name }) => name);
  const changed = changes(body).some(
    ({ act, target }) => names.includes(target.text) && !updates.includes(act.id),
  );
  return !reads && !changed;
}

/**
 * Wide types of the indices and of casts beside them become `unsigned int`, wide parameters their short
 * copies; arithmetic on data stays as it is.
 */
function narrowed(
  view: KernelView,
  declarations: readonly SyntaxNode[],
  short: ReadonlyMap<string, string>,
): readonly TextEdit[] {
  const { body } = view;
  const updates = body
    .descendantsOfType("for_statement")
    .flatMap((loop) => loop.childForFieldName("update") ?? []);
  const subscripts = body
    .descendantsOfType("subscript_expression")
    .flatMap((node) => node.childForFieldName("indices") ?? []);
  const places = [...declarations, ...updates, ...subscripts];
  const casts = body
    .descendantsOfType("cast_expression")
    .filter((cast) => places.some((place) => isInside(cast, place)));
  const types = [...declarations, ...casts]
    .flatMap((node) => node.childForFieldName("type") ?? [])
    .filter(({ text }) => isWide(view, text))
    .map((node) => replaceNode(node, "unsigned int"));
  const uses = [...short].flatMap(([name, other]) =>
    usesOf(body, name).map((node) => replaceNode(node, other)),
  );
  return [...types, ...uses];
}
