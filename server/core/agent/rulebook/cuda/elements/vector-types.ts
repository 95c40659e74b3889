import { freshName } from "../../edits";
import { type KernelView, scalarBytes } from "../kernel";
import type { ElementStream } from "./element-streams";

/** How elements of one type are moved several at once. */
export interface VectorType {
  /** The type of one access: `float4`, or a structure that the rewrite declares. */
  readonly vector: string;
  /** Elements of one access. */
  readonly lanes: number;
  /** Bytes of one access. */
  readonly bytes: number;
  /** Element type, where the vector has no components of that type and is read through a pointer. */
  readonly packed: string | undefined;
  /** Element type of the structure that is declared for accesses of this array. */
  readonly element?: string;
}

const four = (vector: string, bytes: number): VectorType => ({ vector, lanes: 4, bytes, packed: undefined });
const two = (vector: string): VectorType => ({ vector, lanes: 2, bytes: 16, packed: undefined });
const halves = (packed: string): VectorType => ({ vector: "uint2", lanes: 4, bytes: 8, packed });
const pairs = (packed: string): VectorType => ({ vector: "uint4", lanes: 4, bytes: 16, packed });
const wide = (packed: string): VectorType => ({ vector: "uint4", lanes: 2, bytes: 16, packed });

const vectors: Readonly<Record<string, VectorType>> = {
  float: four("float4", 16),
  int: four("int4", 16),
  int32_t: four("int4", 16),
  unsigned: four("uint4", 16),
  "unsigned int": four("uint4", 16),
  uint: four("uint4", 16),
  uint32_t: four("uint4", 16),
  short: four("short4", 8),
  int16_t: four("short4", 8),
  "unsigned short": four("ushort4", 8),
  uint16_t: four("ushort4", 8),
  "signed char": four("char4", 4),
  int8_t: four("char4", 4),
  "unsigned char": four("uchar4", 4),
  uint8_t: four("uchar4", 4),
  double: two("double2"),
  "long long": two("longlong2"),
  int64_t: two("longlong2"),
  "unsigned long long": two("ulonglong2"),
  uint64_t: two("ulonglong2"),
  half: halves("half"),
  __half: halves("__half"),
  __nv_bfloat16: halves("__nv_bfloat16"),
  half2: pairs("half2"),
  __half2: pairs("__half2"),
  __nv_bfloat162: pairs("__nv_bfloat162"),
  char4: pairs("char4"),
  uchar4: pairs("uchar4"),
  short2: pairs("short2"),
  ushort2: pairs("ushort2"),
  float2: wide("float2"),
  int2: wide("int2"),
  uint2: wide("uint2"),
  short4: wide("short4"),
  ushort4: wide("ushort4"),
};

/** The vector type of an element type as written, other names followed; undefined when there is none. */
export function vectorTypeOf(view: KernelView, type: string): VectorType | undefined {
  const plain = plainType(type).replace(/^std::/, "");
  return vectors[view.model.types.get(plain) ?? plain];
}

function plainType(type: string): string {
  return type
    .replace(/\b(const|volatile|__restrict__|__restrict|restrict)\b|[*&]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Bytes of the widest access. */
const widest = 16;

/**
 * Structures with the elements of as many indices each, for streams whose types have no vector of that
 * length: types of a template, or of different sizes. Undefined where a size is not known.
 */
export function packsOf(
  view: KernelView,
  streams: ReadonlyMap<string, ElementStream>,
): ReadonlyMap<string, VectorType> | undefined {
  const sizes = [...streams].map(([key, stream]) => ({
    ...{ key, ...stream },
    bytes: scalarBytes(view, plainType(stream.type)),
  }));
  const known = sizes.flatMap((one) => (one.bytes === undefined ? [] : [{ ...one, bytes: one.bytes }]));
  const indices = ([16, 8, 4, 2, 1] as const).find((count) =>
    known.every(({ bytes, each }) => bytes * each * count <= widest),
  );
  const single = indices === 1 && known.every(({ each }) => each === 1);
  if (known.length < sizes.length || indices === undefined || single) return undefined;
  return new Map(
    known.map(({ key, array, type, bytes, each }, place) => {
      const again = known.slice(0, place).filter((other) => other.array === array).length;
      const wish = `${array.charAt(0).toUpperCase()}${array.slice(1)}Pack${again === 0 ? "" : again + 1}`;
      const vector = freshName(view.source, wish);
      const lanes = indices * each;
      return [key, { vector, lanes, bytes: bytes * lanes, packed: undefined, element: plainType(type) }];
    }),
  );
}

/** The declaration of the structure that an access moves; undefined where the type is CUDA's own. */
export function packDeclaration({ vector, lanes, element }: VectorType): string | undefined {
  return element === undefined
    ? undefined
    : `struct alignas(sizeof(${element}) * ${lanes}) ${vector} { ${element} at[${lanes}]; };`;
}

/** Element `lane` of a vector variable. */
export function componentOf(
  { packed, element }: VectorType,
  variable: string,
  lane: number | string,
): string {
  if (element !== undefined) return `${variable}.at[${lane}]`;
  return packed === undefined
    ? `${variable}.${"xyzw".charAt(Number(lane))}`
    : `reinterpret_cast<${packed}*>(&${variable})[${lane}]`;
}
