import { formText } from "../../../../language/cuda/body/forms";
import type { CountedLoop } from "../../../../language/cuda/body/loops";
import { changes } from "../../../../language/cuda/body/scope";
import { compact, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { formIn, type KernelView } from "../kernel";

/**
 * The arrays that a loop stores to, of which each turn touches an element of its own and no other; a guard's
 * answer where turns may touch what others store.
 */
export function storedElements(
  view: KernelView,
  { body, variable }: CountedLoop,
): ReadonlySet<string> | RuleHold {
  const stored = new Map<string, string>();
  for (const { target, act } of changes(body)) {
    if (target.type === "identifier") continue;
    const element = elementOf(target);
    const place = element && placeOf(view, element.indices, variable);
    if (element === undefined || place === undefined)
      return not("dependence", `turns may store the same ${compact(target)}`, act);
    const known = stored.get(element.array) ?? place;
    if (known !== place) return not("dependence", `a turn stores two elements of ${element.array}`, act);
    stored.set(element.array, place);
  }
  for (const [array, place] of stored)
    for (const use of usesOf(body, array)) {
      const around = chainAround(use);
      const element = around && elementOf(around);
      if (element === undefined || placeOf(view, element.indices, variable) !== place)
        return not("dependence", `${array} is touched at another element too`, use);
    }
  return new Set(stored.keys());
}

interface Element {
  readonly array: string;
  readonly indices: readonly SyntaxNode[];
}

/** `array[i]`, `array[i][j]`, `array[i].member`. */
function elementOf(target: SyntaxNode): Element | undefined {
  const indices: SyntaxNode[] = [];
  let node: SyntaxNode | null = target;
  while (node !== null && node.type !== "identifier") {
    if (node.type === "subscript_expression") {
      const [index, ...more] = node.childForFieldName("indices")?.namedChildren ?? [];
      if (index === undefined || more.length > 0) return undefined;
      indices.unshift(index);
    } else if (node.type !== "field_expression") return undefined;
    node = node.childForFieldName("argument");
  }
  return node === null || indices.length === 0 ? undefined : { array: node.text, indices };
}

/** Where an element lies, if that is another place in each turn of the loop. */
function placeOf(view: KernelView, indices: readonly SyntaxNode[], variable: string): string | undefined {
  const name = new RegExp(`\\b${variable}\\b`);
  const forms = indices.map((index) => formIn(view, index));
  const moving = forms.filter((form) => [...form.keys()].some((key) => name.test(key)));
  const affine = moving.every((form) => [...form.keys()].every((key) => key === variable || !name.test(key)));
  return moving.length === 1 && affine ? forms.map(formText).join("][") : undefined;
}

/** All subscripts and members behind the name of an array. */
function chainAround(use: SyntaxNode): SyntaxNode | undefined {
  let node = use;
  for (let parent = node.parent; parent !== null; parent = node.parent) {
    const isArgument = parent.childForFieldName("argument")?.id === node.id;
    if (!isArgument || !["subscript_expression", "field_expression"].includes(parent.type)) break;
    node = parent;
  }
  return node.id === use.id ? undefined : node;
}
