import { fieldText } from "../../query";
import { itemBytes } from "../../../workload/item-bytes";
import type { ElementType } from "../../../workload/probe/observation";
import { dataTypeOf } from "../../spec-draft";
import type { SyntaxNode } from "../../tree";
import { constantValue, fileConstants } from "../constants";

const vectors =
  /^(u?char|u?short|u?int|u?long|u?longlong|float|double|half|__half|__nv_bfloat16|nv_bfloat16)([1-4])(?:_16a)?$/;
const vectorScalars: Readonly<Record<string, string>> = {
  uchar: "unsigned char",
  ushort: "unsigned short",
  uint: "unsigned",
  ulong: "unsigned long",
  longlong: "long long",
  ulonglong: "unsigned long long",
};
const others: Readonly<Record<string, ElementType>> = {
  half2: { dtype: "float16", width: 2 },
  __half2: { dtype: "float16", width: 2 },
  __nv_bfloat162: { dtype: "bfloat16", width: 2 },
  nv_bfloat162: { dtype: "bfloat16", width: 2 },
  cuFloatComplex: { dtype: "float32", width: 2 },
  cuComplex: { dtype: "float32", width: 2 },
  cufftComplex: { dtype: "float32", width: 2 },
  cuDoubleComplex: { dtype: "float64", width: 2 },
  dim3: { dtype: "uint32", width: 3 },
};

/**
 * What an element of a C++ type is made of: scalars, vectors (`float4`), enumerations and structures whose
 * fields all have one type. Undefined for others. `type`: as written, other names of types resolved.
 * `within`: the structures that it is a part of.
 */
export function elementTypeOf(
  type: string,
  root: SyntaxNode,
  within: readonly string[] = [],
): ElementType | undefined {
  const part = partOf(type, root, within);
  return part && { dtype: part.dtype, width: part.width };
}

/** What a field is made of. */
interface Part extends ElementType {
  /** It begins at a multiple of so many bytes. */
  readonly alignment: number;
}

function partOf(type: string, root: SyntaxNode, within: readonly string[]): Part | undefined {
  const plain = plainName(type);
  const named = namedElementType(type);
  if (named !== undefined) return { ...named, alignment: alignmentOf(named) };
  const isEnum = root
    .descendantsOfType("enum_specifier")
    .some((node) => node.childForFieldName("name")?.text === plain);
  if (isEnum) return { dtype: "int32", width: 1, alignment: itemBytes.int32 };
  if (within.includes(plain)) return undefined;
  const meant = aliasedType(plain, root);
  const inside = [...within, plain];
  return meant === undefined ? structureOf(plain, root, inside) : partOf(meant, root, inside);
}

/** The most that vectors are aligned to. */
const mostAlignment = 16;

/** Vectors of two and four elements lie at multiples of their size, up to 16 bytes; others of an element. */
function alignmentOf({ dtype, width }: ElementType): number {
  const bytes = itemBytes[dtype];
  return width === 2 || width === 4 ? Math.min(mostAlignment, width * bytes) : bytes;
}

/** What another name of a type stands for: `typedef unsigned long long u64`, `using Word = unsigned`. */
function aliasedType(name: string, root: SyntaxNode): string | undefined {
  if (structureBody(name, root) !== null) return undefined;
  const typedef = root
    .descendantsOfType("type_definition")
    .find((node) => node.childForFieldName("declarator")?.text === name);
  const alias = root
    .descendantsOfType("alias_declaration")
    .find((node) => node.childForFieldName("name")?.text === name);
  const [meant] = [typedef, alias].flatMap((node) => (node === undefined ? [] : fieldText(node, "type")));
  return meant === undefined || plainName(meant) === name ? undefined : meant;
}

/**
 * The same of what is only read: a structure of fields of several types, all of one size, counts as so many
 * elements of its first floating one, so that as many whole structures are there as are touched. What is
 * written is compared by its type and has to have one.
 */
export function readElementTypeOf(type: string, root: SyntaxNode): ElementType | undefined {
  const element = elementTypeOf(type, root);
  if (element !== undefined) return element;
  const parts = partsOfStructure(plainName(type), root, [plainName(type)]);
  const [first] = parts ?? [];
  if (parts === undefined || first === undefined) return undefined;
  if (parts.some(({ dtype }) => itemBytes[dtype] !== itemBytes[first.dtype])) return undefined;
  const { dtype } = parts.find((part) => part.dtype.includes("float")) ?? first;
  const { bytes } = placed(parts, statedAlignment(plainName(type), root));
  return { dtype, width: bytes / itemBytes[dtype] };
}

/**
 * The same of what is written: a structure of whole numbers of several sizes counts as so many of the
 * smallest, which are compared bit by bit.
 */
export function writtenElementTypeOf(type: string, root: SyntaxNode): ElementType | undefined {
  const element = elementTypeOf(type, root);
  if (element !== undefined) return element;
  const parts = partsOfStructure(plainName(type), root, [plainName(type)]) ?? [];
  if (parts.length === 0 || parts.some(({ dtype }) => !/^u?int/.test(dtype))) return undefined;
  const least = Math.min(...parts.map(({ dtype }) => itemBytes[dtype]));
  const { bytes } = placed(parts, statedAlignment(plainName(type), root));
  const dtype = unsigned[least];
  return dtype && { dtype, width: bytes / least };
}

const unsigned: Readonly<Record<number, ElementType["dtype"]>> = {
  1: "uint8",
  2: "uint16",
  4: "uint32",
  8: "uint64",
};

/** Structures of a source whose fields all have one type, by name. */
export function plainStructures(root: SyntaxNode): ReadonlyMap<string, ElementType> {
  const named = root
    .descendantsOfType(["struct_specifier", "type_definition"])
    .flatMap((node) => node.childForFieldName("name") ?? node.childForFieldName("declarator") ?? [])
    .map(({ text }) => text);
  return new Map(
    [...new Set(named)].flatMap((name) => {
      const element = structureOf(name, root, [name]);
      return element === undefined ? [] : [[name, element] as const];
    }),
  );
}

/** The same for types that need no definition: scalars, vectors and what CUDA's headers define. */
export function namedElementType(type: string): ElementType | undefined {
  const dtype = dataTypeOf(type);
  if (dtype !== undefined) return { dtype, width: 1 };
  const plain = plainName(type);
  const known = others[plain];
  if (known !== undefined) return known;
  const [, scalar, width] = vectors.exec(plain) ?? [];
  if (scalar === undefined) return undefined;
  const part = dataTypeOf(vectorScalars[scalar] ?? scalar);
  return part === undefined ? undefined : { dtype: part, width: Number(width) };
}

/** A type's name without qualifiers, stars and brackets. */
export function plainName(type: string): string {
  return type
    .replace(/\b(const|volatile|__restrict__|__restrict|restrict|struct|enum|class)\b|[*&]|\[[^\]]*\]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * A structure of fields of one type, with what lies between them and behind the last as further elements;
 * undefined when there are several types or an unknown one.
 */
function structureOf(name: string, root: SyntaxNode, within: readonly string[]): Part | undefined {
  const parts = partsOfStructure(name, root, within);
  const [first] = parts ?? [];
  if (parts === undefined || first === undefined || parts.some(({ dtype }) => dtype !== first.dtype))
    return undefined;
  const { bytes, alignment } = placed(parts, statedAlignment(name, root));
  return { dtype: first.dtype, width: bytes / itemBytes[first.dtype], alignment };
}

/** How long fields are, one behind the other, each at a multiple of its alignment, and the whole at its. */
function placed(
  parts: readonly Part[],
  stated: number,
): { readonly bytes: number; readonly alignment: number } {
  const upTo = (bytes: number, step: number): number => step * Math.ceil(bytes / step);
  const end = parts.reduce(
    (sofar, { dtype, width, alignment }) => upTo(sofar, alignment) + width * itemBytes[dtype],
    0,
  );
  const alignment = Math.max(stated, ...parts.map((part) => part.alignment));
  return { bytes: upTo(end, alignment), alignment };
}

/** What `struct alignas(16) T` asks for; 1 where nothing is asked. */
function statedAlignment(name: string, root: SyntaxNode): number {
  const body = structureBody(name, root);
  const head = body?.parent?.text.slice(0, body.startIndex - body.parent.startIndex) ?? "";
  return Number(/\balignas\s*\(\s*(\d+)\s*\)/.exec(head)?.[1] ?? 1);
}

/** What each field of a structure is made of; undefined where that is not known of all. */
function partsOfStructure(
  name: string,
  root: SyntaxNode,
  within: readonly string[],
): readonly Part[] | undefined {
  const body = structureBody(name, root);
  if (body === null) return undefined;
  const constants = fileConstants(root);
  const fields = body.namedChildren.filter((child) => child.type === "field_declaration" && !isMethod(child));
  const parts = fields.map((field) => {
    const count = field
      .childrenForFieldName("declarator")
      .reduce((sum, declarator) => sum + itemsOf(declarator.text, constants), 0);
    // A pointer may be one to the structure itself.
    const part = Number.isNaN(count) ? undefined : partOf(fieldText(field, "type"), root, within);
    return part && { ...part, width: part.width * count };
  });
  const known = parts.flatMap((part) => part ?? []);
  return known.length === parts.length ? known : undefined;
}

/** A function that is only declared: `Pair operator+(const Pair&) const;`. */
function isMethod(field: SyntaxNode): boolean {
  const declarator = field.childForFieldName("declarator");
  const plain = declarator?.type === "reference_declarator" ? declarator.namedChildren[0] : declarator;
  return plain?.type === "function_declarator" && !plain.text.startsWith("(");
}

/** Where the members of a structure stand; null where the text has no such structure. */
export function structureBody(qualified: string, root: SyntaxNode): SyntaxNode | null {
  const name = qualified.replace(/^[\w:]*::/, "");
  const structures = root.descendantsOfType(["struct_specifier", "class_specifier"]);
  const found = structures.find((node) => node.childForFieldName("name")?.text === name);
  if (found !== undefined) return found.childForFieldName("body");
  const typedef = root
    .descendantsOfType("type_definition")
    .find((node) => node.childForFieldName("declarator")?.text === name);
  return typedef?.childForFieldName("type")?.childForFieldName("body") ?? null;
}

/** Elements of a declarator: 12 of `m[3][4]`; NaN where a length is unknown. */
function itemsOf(declarator: string, constants: ReturnType<typeof fileConstants>): number {
  if (declarator.includes("*")) return Number.NaN;
  return [...declarator.matchAll(/\[([^\]]*)\]/g)].reduce(
    (product, [, length = ""]) => product * (constantValue(length, constants) ?? Number.NaN),
    1,
  );
}
