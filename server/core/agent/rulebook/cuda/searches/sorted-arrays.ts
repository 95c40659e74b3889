import { changes } from "../../../../language/cuda/body/scope";
import { compact, enclosing, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, freshName, replaceNode } from "../../edits";
import type { RuleInput } from "../../rule";
import type { KernelView } from "../kernel";
import { saidAscending } from "../../../../workload/comments/stated-order";
import { addsUp, saysSorted } from "./linear-search";
import type { PlaceSearch } from "./place-search";

/** Whether its name, comments, the numbers it is made of or the kernel spec say that an array ascends. */
export function isSorted(input: RuleInput, view: KernelView, array: string): boolean {
  const name = sourceOf(view, array);
  const isStated = isStatedSorted(input, view, array);
  return (
    isStated || isDrawnSorted(input, name) || [name, array].some((each) => saysSorted(view.source, each))
  );
}

/** Whether somebody says of this very array that it ascends. */
export function isStatedSorted(input: RuleInput, view: KernelView, array: string): boolean {
  const name = sourceOf(view, array);
  const isInferred = input.spec.origins?.[`inputs.${name}.distribution`] === "inferred";
  if (!isInferred && isDrawnSorted(input, name)) return true;
  const names = [name, array];
  return saidAscending(view.source, names).size > 0 || names.some(addsUp) || hasAscendingNumbers(view, name);
}

/** Whether the array is drawn in ascending order for the checks. */
function isDrawnSorted({ spec }: RuleInput, name: string): boolean {
  const distribution = spec.inputs[name]?.distribution;
  if (distribution === undefined || typeof distribution === "string") return distribution === "sorted";
  return distribution.kind === "offsets" || (distribution.kind === "range" && distribution.sorted === true);
}

/** The array that an array of the kernel is a copy of, element by element, from its own beginning. */
function sourceOf({ body }: KernelView, array: string): string {
  const stores = changes(body).filter(({ target }) => elementName(target) === array);
  const sources = stores.map(({ act, target }) => {
    const right = act.childForFieldName("right");
    const isSame = right !== null && indexText(right) === indexText(target) && compact(act).includes("]=");
    return isSame ? elementName(right) : undefined;
  });
  const [source, ...others] = new Set(sources);
  return source !== undefined && others.length === 0 ? source : array;
}

function elementName(node: SyntaxNode): string | undefined {
  return node.type === "subscript_expression" ? compact(node.childForFieldName("argument")) : undefined;
}

/** The array that a target is an element of, or a member of one. */
function storedTo(target: SyntaxNode): string | undefined {
  const object = target.type === "field_expression" ? target.childForFieldName("argument") : target;
  return object === null ? undefined : elementName(object);
}

function indexText(node: SyntaxNode): string {
  return compact(node.childForFieldName("indices"));
}

/** Whether an array of the file is given numbers that ascend. */
function hasAscendingNumbers({ model }: KernelView, array: string): boolean {
  const lists = model.root.descendantsOfType("init_declarator").flatMap((each) => {
    const name = each.childForFieldName("declarator")?.descendantsOfType("identifier")[0]?.text;
    const value = each.childForFieldName("value");
    return name === array && value?.type === "initializer_list" ? [value] : [];
  });
  const [list, ...more] = lists;
  if (list === undefined || more.length > 0) return false;
  const numbers = partsOf(list).map(({ text }) => Number(text.replace(/[fFuUlL]+$/, "")));
  return (
    numbers.length > 1 && numbers.every((each, place) => place === 0 || each >= (numbers[place - 1] ?? each))
  );
}

/** Code in front of a kernel that sees whether an array ascends, and the name of what it found. */
interface SortedCheck {
  readonly name: string;
  readonly text: string;
}

/**
 * The threads of a block look at the array together, once. Undefined where it is no array that a kernel is
 * handed, or where the elements that the search looks at are not known when the kernel begins.
 */
export function sortedCheck(view: KernelView, search: PlaceSearch): SortedCheck | undefined {
  const { kernel, body, source } = view;
  const name = sourceOf(view, search.name);
  const parameter = kernel.facts.parameters.find((each) => each.name === name && each.pointer);
  const member = search.compared.array.slice(search.name.length);
  const isStored = changes(body).some(({ target }) => storedTo(target) === name);
  if (parameter === undefined || isStored) return undefined;
  const { start, bound, variable, isUp, isInclusive } = search;
  if (start === undefined) return undefined;
  const steady = [start, bound, search.compared.index].every((node) => isSteady(view, node, variable));
  if (!steady || enclosing(search.loop, "lambda_expression") !== undefined) return undefined;
  const [first, last] = isUp
    ? [start.text, isInclusive ? `(${bound.text})` : `(${bound.text}) - 1`]
    : [isInclusive ? bound.text : `(${bound.text}) + 1`, `(${start.text})`];
  const [held, place] = [freshName(source, `${name}Ascends`), freshName(source, "place")];
  const { index } = search.compared;
  const at = (number: string): string => {
    const uses = usesOf(index, variable).map((use) => replaceNode(use, number));
    return `${name}[${editedText(source, { start: index.startIndex, end: index.endIndex }, uses)}]${member}`;
  };
  const within = `${place} < (long long)${last}`;
  const lines = [
    "",
    `  bool ${held} = true;`,
    `  for (long long ${place} = (long long)(${first}) + threadIdx.x; ${within}; ${place} += blockDim.x)`,
    `    ${held} = ${held} && ${at(place)} <= ${at(`(${place} + 1)`)};`,
    `  ${held} = __syncthreads_and(${held});`,
  ];
  return { name: held, text: lines.join("\n") };
}

/** Whether an expression is the same for all threads and the whole kernel. */
function isSteady({ kernel, body, model, scope }: KernelView, node: SyntaxNode, variable: string): boolean {
  const changed = new Set(changes(body).map(({ target }) => compact(target)));
  const scalars = new Set(kernel.facts.parameters.filter(({ pointer }) => !pointer).map(({ name }) => name));
  const names = [node, ...node.descendantsOfType("identifier")].filter(({ type }) => type === "identifier");
  const isPlain = /^[\w\s()+\-*/]*$/.test(node.text);
  const isKnown = ({ text }: SyntaxNode): boolean =>
    text === variable ||
    (!changed.has(text) && scalars.has(text)) ||
    (model.constants.has(text) && scope.meaning(text) !== undefined);
  return isPlain && names.every(isKnown);
}
