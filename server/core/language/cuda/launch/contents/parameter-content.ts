import type { ElementType } from "../../../../workload/probe/observation";
import type { DataType } from "../../../../workload/spec";
import type { ParameterFacts } from "../../../facts";
import { dataTypeOf } from "../../../spec-draft";
import type { SyntaxNode } from "../../../tree";
import { elementTypeOf, plainName, readElementTypeOf } from "../element-types";
import {
  type AccessorType,
  accessorType,
  firstKnown,
  type StructureLayout,
  structureLayout,
  vectorLayout,
} from "../structure-layout";
import { reachedText } from "./reached-text";
import { isOneStructure } from "./whole-structures";

/** What a text says about a parameter, as far as a launch needs it. */
export interface LaunchParameter {
  readonly name: string;
  /** As written. */
  readonly type: string;
  readonly isPointer: boolean;
  readonly isConst: boolean;
  /** What a pointer's elements are. */
  readonly element?: ElementType;
  /** The dtype of a number. */
  readonly dtype?: DataType;
  /** The number that a launch in the text passes. */
  readonly passed?: number;
  /** A whole number that is the end of a range of values; see `valueEnds`. */
  readonly end?: number;
  /** A whole number that chooses one of a few ways; see `chosenWays`. */
  readonly way?: number;
  /** A structure of numbers and pointers that is passed by value; of a pointer, one with pointers in it. */
  readonly structure?: StructureLayout;
  /** Of a pointer to what is only read: where numbers of several types lie in each element. */
  readonly record?: StructureLayout;
  /** An accessor that is passed by value; `element` is then what its tensor is made of. */
  readonly accessor?: AccessorType;
  /** The elements are rows, each behind an address of its own in a table. */
  readonly isOfRows?: true;
  /** Position of the template parameter in its type. */
  readonly typeArgument?: number;
}

function pointedContent(
  { name, type, readOnly }: Pick<ParameterFacts, "name" | "type" | "readOnly">,
  { roots, resolved, text, code }: TypeTexts,
): Partial<LaunchParameter> {
  const plain = elementOf(type, roots, readOnly ? readElementTypeOf : elementTypeOf);
  const whole = structureLayout(plainName(type), roots, resolved);
  if (whole?.members.some(isCount) === true) {
    const reached = reachedText(code, roots);
    const words = { code, reached, text, type: plainName(type) };
    if (isOneStructure(name, words)) return { structure: whole };
  }
  const layout = readOnly || plain.element === undefined ? whole : undefined;
  const hasAddress = layout?.members.some(({ isPointer }) => isPointer) === true;
  if (layout !== undefined && hasAddress && plain.element === undefined) return { structure: layout };
  return layout !== undefined && readOnly && isRecord(layout, text) ? { record: layout } : plain;
}

interface TypeTexts {
  readonly roots: readonly SyntaxNode[];
  readonly resolved: (type: string) => string;
  readonly text: string;
  /** Of the kernel. */
  readonly code: string;
}

/** Whether a member is a whole number, which may be a size. */
function isCount({ isPointer, element }: StructureLayout["members"][number]): boolean {
  return !isPointer && element.width === 1 && /^u?int(?:32|64)$/.test(element.dtype);
}

/**
 * Whether numbers of several types lie in a structure, and the text uses whole ones among them: bits of
 * floats would be no indices and no lengths.
 */
function isRecord({ members }: StructureLayout, text: string): boolean {
  if (members.some(({ isPointer, element }) => isPointer || element.width !== 1)) return false;
  if (new Set(members.map(({ element }) => element.dtype)).size < 2) return false;
  const whole = members.filter(({ element }) => /^u?int(?:32|64)$/.test(element.dtype));
  return whole.some(({ name }) => new RegExp(`(?:\\.|->)\\s*${name}\\b`).test(text));
}

/** What a parameter of a type, other names resolved, is made of. */
export function contentOf(
  { name, pointer, readOnly }: ParameterFacts,
  type: string,
  texts: TypeTexts,
): Partial<LaunchParameter> {
  const { roots, resolved } = texts;
  // Of a table of addresses it is what they lead to that may be written.
  const [, rows] = /^([^*]*)\*[^*]*\*[^*]*$/.exec(type) ?? [];
  if (pointer && rows !== undefined)
    return { isOfRows: true, isConst: /\bconst\b/.test(rows), ...elementOf(rows, roots) };
  if (pointer) return pointedContent({ name, readOnly, type }, texts);
  const accessor = accessorType(type);
  if (accessor !== undefined)
    return { accessor, isConst: /\bconst\b/.test(accessor.element), ...elementOf(accessor.element, roots) };
  const dtype = dataTypeOf(type);
  if (dtype !== undefined) return { dtype };
  if (type.includes("&")) return {};
  const vector = vectorLayout(name, type);
  if (vector !== undefined) return { structure: vector };
  const structure = structureLayout(type, roots, resolved);
  return structure === undefined ? {} : { structure };
}

function elementOf(
  type: string,
  roots: readonly SyntaxNode[],
  typeOf: (type: string, root: SyntaxNode) => ElementType | undefined = elementTypeOf,
): Partial<LaunchParameter> {
  const element = firstKnown(roots, (root) => typeOf(type, root));
  return element === undefined ? {} : { element };
}
