import { itemBytes } from "../../../workload/item-bytes";
import type { ElementType } from "../../../workload/probe/observation";
import type { DataType } from "../../../workload/spec";
import type { SyntaxNode } from "../../tree";
import type { ConstantVariable } from "../constant-variables";
import { elementTypeOf, plainName } from "../launch/element-types";
import { structureLayout, vectorLayout } from "../launch/structure-layout";
import { constantsLeft } from "./constants-left";

/** A `__constant__` variable that a host function leaves as it is, and what can be made up for it. */
export type EntryConstant = {
  readonly name: string;
  /** As code outside of all namespaces names it. */
  readonly variable: string;
} & (
  | {
      readonly kind: "table";
      readonly element: ElementType;
      /** Whole numbers that may be places: any others than zeros may lead nowhere. */
      readonly isOpen: boolean;
    }
  /** A number, or a structure of numbers, which may be sizes. */
  | { readonly kind: "numbers"; readonly byteLength: number; readonly parts: readonly ConstantPart[] }
);

/** A number in a constant. */
interface ConstantPart {
  readonly name: string;
  readonly at: number;
  readonly dtype: DataType;
  /** The parameter of the host function that it most likely is as well. */
  readonly as?: string;
  /** It has names of its own for its values. */
  readonly isEnumeration?: true;
}

/** The constants that a host function leaves, and the names of those of which nothing can be made up. */
export interface LeftConstants {
  readonly constants: readonly EntryConstant[];
  readonly unknown: readonly string[];
}

interface Called {
  /** The host function, without its namespaces. */
  readonly name: string;
  /** Names of all its parameters, and of those that are whole numbers. */
  readonly parameters: readonly string[];
  readonly sizes: readonly string[];
}

interface Types {
  /** All sources as one text. */
  readonly root: SyntaxNode;
  /** Other names of types. */
  readonly types: ReadonlyMap<string, string>;
}

/** What a host function leaves for others to fill. */
export function entryConstants(called: Called, types: Types): LeftConstants {
  const left = constantsLeft(types.root.text, called.name);
  const read = left.map((variable) => constantOf(variable, called, types));
  const unknown = left.filter((_, index) => read[index] === undefined).map(({ name }) => name);
  return {
    constants: withSharedSizes(
      read.flatMap((each) => each ?? []),
      called,
    ),
    unknown,
  };
}

function constantOf(
  { name, type, isArray, scopes }: ConstantVariable,
  { parameters }: Called,
  { root, types }: Types,
): EntryConstant | undefined {
  const resolved = (written: string): string =>
    written.replace(/\b[A-Za-z_]\w*\b/g, (word) => types.get(word) ?? word);
  const plain = plainName(resolved(type));
  // An input of that name is another one.
  if (type.includes("*") || parameters.includes(name)) return undefined;
  const common = { name, variable: [...scopes, name].join("::") };
  const element = elementTypeOf(plain, root);
  if (element !== undefined && isOfValues(element, isArray))
    return { ...common, kind: "table", element, isOpen: false };
  if (isArray) return element && { ...common, kind: "table", element, isOpen: true };
  if (element?.width === 1)
    return {
      ...common,
      kind: "numbers",
      byteLength: itemBytes[element.dtype],
      parts: [{ name: freeName(name, parameters), at: 0, dtype: element.dtype }],
    };
  const layout = vectorLayout(name, plain) ?? structureLayout(plain, [root], resolved);
  if (layout === undefined || layout.members.some(({ isPointer }) => isPointer)) return undefined;
  const parts = layout.members.map(({ name: member, at, element: { dtype }, isEnumeration }) => {
    const whole = member.startsWith(`${name}_`) ? member : `${name}_${member}`;
    return { name: freeName(whole, parameters), at, dtype, ...(isEnumeration && { isEnumeration }) };
  });
  return { ...common, kind: "numbers", byteLength: layout.byteLength, parts };
}

/** Floats, and tables of bytes or of vectors: colours, weights, letters. */
function isOfValues({ dtype, width }: ElementType, isArray: boolean): boolean {
  if (dtype === "bool") return false;
  return dtype.includes("float") || (isArray && (itemBytes[dtype] === 1 || width > 1));
}

function freeName(name: string, taken: readonly string[]): string {
  return taken.includes(name) ? `${name}_constant` : name;
}

/** Words before and behind a name that say where a variable stands. */
const affixes = /^(?:c|d|k|g|s|dev|device|const|constant|gpu|cuda)_|_(?:c|d|k|dev|const|constant)$/g;

/** A name by what it means: `d_lens_width` and `imageWidth` end in `width`. */
function meaning(name: string): string {
  const spaced = name.replace(/^[kcdg](?=[A-Z])/, "").replace(/(?<=[a-z])(?=[A-Z])/g, "_");
  return spaced.toLowerCase().replace(affixes, "");
}

/**
 * Numbers that are parameters of the host function as well: those of the same name; and where there is one
 * number and one size, these.
 */
function withSharedSizes(constants: readonly EntryConstant[], { sizes }: Called): readonly EntryConstant[] {
  const numbers = constants.flatMap((each) => (each.kind === "numbers" ? each.parts : [])).filter(isWhole);
  const named = new Map(
    numbers.flatMap(({ name }) => {
      const own = meaning(name);
      const same = sizes.filter((size) => own === meaning(size) || own.endsWith(`_${meaning(size)}`));
      const [longest] = [...same].sort((a, b) => b.length - a.length);
      return longest === undefined ? [] : [[name, longest] as const];
    }),
  );
  const [only, size] = [numbers[0], sizes[0]];
  if (named.size === 0 && numbers.length === 1 && sizes.length === 1 && only && size !== undefined)
    named.set(only.name, size);
  return constants.map((each) => {
    if (each.kind !== "numbers") return each;
    const parts = each.parts.map((part) => {
      const as = named.get(part.name);
      return as === undefined ? part : { ...part, as };
    });
    return { ...each, parts };
  });
}

function isWhole({ dtype, isEnumeration }: ConstantPart): boolean {
  return /^u?int/.test(dtype) && isEnumeration !== true;
}
