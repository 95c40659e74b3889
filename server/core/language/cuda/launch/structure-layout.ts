import { itemBytes } from "../../../workload/item-bytes";
import type { ElementType } from "../../../workload/probe/observation";
import type { ParameterFacts } from "../../facts";
import { collapse } from "../../query";
import { dataTypeOf } from "../../spec-draft";
import type { SyntaxNode } from "../../tree";
import { structureMembers } from "../entry/structure-members";
import { elementTypeOf, namedElementType, structureBody } from "./element-types";

/** What stands at a byte of a structure that a kernel is passed. */
interface StructureMember {
  readonly name: string;
  readonly at: number;
  readonly isPointer: boolean;
  readonly isConst: boolean;
  /** Of a number; of what a pointer points to. */
  readonly element: ElementType;
  /** A number that has names of its own for its values. */
  readonly isEnumeration?: true;
  /** The number that it is where any other might be none that host code passes. */
  readonly value?: number;
  /** Of an address: bytes from row to row, where rows are so far apart whatever their length. */
  readonly pitch?: number;
}

export interface StructureLayout {
  readonly byteLength: number;
  readonly members: readonly StructureMember[];
}

/** A packed accessor of PyTorch: address, sizes and strides of a tensor, by value. */
export interface AccessorType {
  readonly rank: number;
  /** Bytes of a size, and of a stride. */
  readonly indexBytes: 4 | 8;
  /** The type of its elements as written. */
  readonly element: string;
  /** Sizes that it has room for, where those are more; how many it has stands behind the strides. */
  readonly slots?: number;
}

const addressBytes = 8;
const accessor = /\b(?:Generic)?PackedTensorAccessor(32|64)?\s*<\s*([\w:\s]+?)\s*,\s*(\d+)\s*(.*)>/;

const tensorInfo = /\bTensorInfo\s*<\s*([\w:\s]+?)\s*,\s*([\w:\s]+?)\s*>/;
/** Sizes that PyTorch's `TensorInfo` has room for. */
const infoSlots = 25;

/** The accessor that a type is, other names of types resolved; one of no certain rank is of a row. */
export function accessorType(type: string): AccessorType | undefined {
  const [, ofInfo = "", index = ""] = tensorInfo.exec(collapse(type)) ?? [];
  if (ofInfo !== "")
    return {
      ...{ rank: 1, slots: infoSlots, element: ofInfo },
      indexBytes: /\b(?:int|unsigned int|u?int32_t|unsigned)$/.test(index) ? 4 : 8,
    };
  const [, bits, element = "", rank = "", rest = ""] = accessor.exec(collapse(type)) ?? [];
  if (element === "") return undefined;
  const indexBytes = bits === "32" || /\b(?:int|int32_t)\b/.test(rest) ? 4 : 8;
  return { rank: Number(rank), indexBytes, element };
}

/**
 * Where the members of a structure of numbers and pointers lie, by C++'s rules, or as the toolkit's headers
 * have it. `roots`: the texts that define it and what it is made of, the first before the others. Members of
 * structures within it are named after both. Undefined for what is no such structure.
 */
export function structureLayout(
  type: string,
  roots: readonly SyntaxNode[],
  resolved: (type: string) => string,
): StructureLayout | undefined {
  return toolkitLayout(baseName(type)) ?? placedLayout(type, { roots, resolved }, []);
}

/** A vector of CUDA by value, as `dim3 tiles` or `float3 origin`: its members are named after it. */
export function vectorLayout(name: string, type: string): StructureLayout | undefined {
  const element = namedElementType(type);
  if (element === undefined || element.width < 2 || element.width > axes.length) return undefined;
  const bytes = itemBytes[element.dtype];
  return {
    byteLength: element.width * bytes,
    members: axes.slice(0, element.width).map((axis, index) => ({
      ...{ name: `${name}_${axis}`, at: index * bytes, isPointer: false, isConst: false },
      element: { dtype: element.dtype, width: 1 },
    })),
  };
}

interface Types {
  readonly roots: readonly SyntaxNode[];
  /** Other names of types resolved. */
  readonly resolved: (type: string) => string;
}

interface Placed extends StructureLayout {
  readonly alignment: number;
}

/** `within`: the structures that it is a part of. */
function placedLayout(type: string, types: Types, within: readonly string[]): Placed | undefined {
  const found = firstKnown(types.roots, (root) => structureMembers(type, root, "as-bytes"));
  if (found === undefined || within.includes(found.type)) return undefined;
  return placed(found.members, (member) => partOf(member, types, [...within, found.type]));
}

/** The parts one after the other; undefined where one of them is. */
function placed<Member>(
  members: readonly Member[],
  part: (member: Member) => Placed | undefined,
): Placed | undefined {
  let end = 0;
  let alignment = 1;
  const all: StructureMember[] = [];
  for (const member of members) {
    const own = part(member);
    if (own === undefined) return undefined;
    const at = roundUp(end, own.alignment);
    all.push(...own.members.map((each) => ({ ...each, at: at + each.at })));
    end = at + own.byteLength;
    alignment = Math.max(alignment, own.alignment);
  }
  return { byteLength: roundUp(end, alignment), members: all, alignment };
}

/** One member: a number, a pointer, a vector or a structure of its own; in a table numbers are its places. */
function partOf(member: ParameterFacts, types: Types, within: readonly string[]): Placed | undefined {
  const part = plainPart(member, types, within);
  if (part === undefined || member.defaultValue === undefined) return part;
  const value = Number(member.defaultValue);
  const members = part.members.map((each) =>
    each.isPointer || each.element.dtype.includes("float") ? each : { ...each, value: each.value ?? value },
  );
  return { ...part, members };
}

function plainPart(member: ParameterFacts, types: Types, within: readonly string[]): Placed | undefined {
  const { name } = member;
  const plain = types.resolved(member.type);
  if (member.pointer) return addressPart(member, plain, types);
  const vector = vectorLayout(name, plain);
  if (vector !== undefined) return { ...vector, alignment: vectorAlignment(vector) };
  const dtype = dataTypeOf(plain);
  if (dtype !== undefined) return wordPart(name, { element: { dtype, width: 1 } });
  const element = elementIn(types, plain);
  if (element?.width === 1 && !isStructure(plain, types))
    return wordPart(name, { element, isEnumeration: true });
  const own = toolkitLayout(baseName(plain)) ?? placedLayout(plain, types, within);
  return own && { ...own, members: own.members.map((each) => ({ ...each, name: `${name}_${each.name}` })) };
}

/** What an address leads to may be of any type: the kernel casts it. An address of addresses is refused. */
function addressPart(
  { name, readOnly: isConst }: ParameterFacts,
  type: string,
  types: Types,
): Placed | undefined {
  if (type.replace(/[^*]/g, "").length > 1) return undefined;
  const element = elementIn(types, type) ?? (/\bvoid\b/.test(type) ? anyElement : undefined);
  return element && wordPart(name, { isPointer: true, isConst, element });
}

function wordPart(name: string, facts: Pick<StructureMember, "element"> & Partial<StructureMember>): Placed {
  const bytes = facts.isPointer === true ? addressBytes : itemBytes[facts.element.dtype];
  const member = { name, at: 0, isPointer: false, isConst: false, ...facts };
  return { byteLength: bytes, alignment: bytes, members: [member] };
}

function elementIn({ roots }: Types, type: string): ElementType | undefined {
  return firstKnown(roots, (root) => elementTypeOf(type, root));
}

const anyElement: ElementType = { dtype: "float32", width: 1 };

/** Structures of the toolkit's headers that host code fills in: words of eight bytes, of them one address. */
const toolkitStructures: Readonly<Record<string, readonly string[]>> = {
  cudaPitchedPtr: ["*ptr", "pitch", "xsize", "ysize"],
  cudaExtent: ["width", "height", "depth"],
  cudaPos: ["x", "y", "z"],
};

/**
 * Rows lie so many bytes apart: a multiple of 512, as the driver has it, and more than the rows of a probe
 * take.
 */
const pitchBytes = 4096;

function toolkitLayout(type: string): Placed | undefined {
  const words = toolkitStructures[type];
  return words && placed(words, toolkitWord);
}

function toolkitWord(word: string): Placed {
  if (word.startsWith("*"))
    return wordPart(word.slice(1), { isPointer: true, element: anyElement, pitch: pitchBytes });
  const element: ElementType = { dtype: "int64", width: 1 };
  return wordPart(word, { element, ...(word === "pitch" && { value: pitchBytes }) });
}

function isStructure(type: string, { roots }: Types): boolean {
  return roots.some((root) => structureBody(baseName(type), root) !== null);
}

/** What the first text that knows it says. */
export function firstKnown<Found>(
  roots: readonly SyntaxNode[],
  ask: (root: SyntaxNode) => Found | undefined,
): Found | undefined {
  for (const root of roots) {
    const found = ask(root);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Vectors of two and four elements lie at multiples of their size, up to 16 bytes; `dim3` does not. */
function vectorAlignment({ byteLength, members }: StructureLayout): number {
  const each = byteLength / members.length;
  return members.length === 3 ? each : Math.min(byteLength, 16);
}

function baseName(type: string): string {
  return type.replace(/\b(?:const|volatile|struct|class)\b|[*&]/g, " ").trim();
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}

const axes = ["x", "y", "z", "w"];
