import { itemBytes } from "../../../workload/item-bytes";
import type { ElementType } from "../../../workload/probe/observation";
import { collapse } from "../../query";
import { dataTypeOf } from "../../spec-draft";
import type { SyntaxNode } from "../../tree";
import { structureMembers } from "../entry/structure-members";
import { elementTypeOf, namedElementType } from "./element-types";

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
}

const addressBytes = 8;
const accessor = /\b(?:Generic)?PackedTensorAccessor(32|64)?\s*<\s*([\w:\s]+?)\s*,\s*(\d+)\s*(.*)>/;

/** The accessor that a type is, other names of types resolved. */
export function accessorType(type: string): AccessorType | undefined {
  const [, bits, element = "", rank = "", rest = ""] = accessor.exec(collapse(type)) ?? [];
  if (element === "") return undefined;
  const indexBytes = bits === "32" || /\b(?:int|int32_t)\b/.test(rest) ? 4 : 8;
  return { rank: Number(rank), indexBytes, element };
}

/**
 * Where the members of a structure of numbers and pointers lie, by C++'s rules. Undefined for what is no
 * such structure.
 */
export function structureLayout(
  type: string,
  root: SyntaxNode,
  resolved: (type: string) => string,
): StructureLayout | undefined {
  const found = structureMembers(type, root);
  if (found === undefined) return undefined;
  let end = 0;
  let alignment = 1;
  const members: StructureMember[] = [];
  for (const { name, type: written, pointer: isPointer, readOnly: isConst } of found.members) {
    const plain = resolved(written);
    const number = isPointer ? undefined : numberType(plain);
    const element = number ?? elementTypeOf(plain, root);
    const isEnumeration = !isPointer && number === undefined;
    if (!isPointer && element?.width !== 1) return undefined;
    if (element === undefined || plain.replace(/[^*]/g, "").length > 1) return undefined;
    const bytes = isPointer ? addressBytes : itemBytes[element.dtype];
    const at = Math.ceil(end / bytes) * bytes;
    members.push({ name, at, isPointer, isConst, element, ...(isEnumeration && { isEnumeration }) });
    end = at + bytes;
    alignment = Math.max(alignment, bytes);
  }
  return { byteLength: Math.ceil(end / alignment) * alignment, members };
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

const axes = ["x", "y", "z", "w"];

function numberType(type: string): ElementType | undefined {
  const dtype = dataTypeOf(type);
  return dtype === undefined ? undefined : { dtype, width: 1 };
}
