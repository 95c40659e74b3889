import { invariant } from "../../base/assert";
import type { CounterName } from "../../timing/counters";
import { type PtxType, isFloat, types } from "../ptx/types";
import type { Traits } from "./families";
import type { Matched } from "./table";

/** What an instruction mostly occupies on the GPU. Every instruction has exactly one class. */
export const instructionClasses = [
  "fp32",
  "fp64",
  "fp16",
  "integer",
  "move",
  "conversion",
  "special",
  "tensor",
  "memory",
  "warp",
  "control",
] as const;
type InstructionClass = (typeof instructionClasses)[number];

/** The counter of each class. */
export const classCounters: Readonly<Record<InstructionClass, CounterName>> = {
  fp32: "fp32Instructions",
  fp64: "fp64Instructions",
  fp16: "fp16Instructions",
  integer: "integerInstructions",
  move: "moveInstructions",
  conversion: "conversionInstructions",
  special: "specialInstructions",
  tensor: "tensorInstructions",
  memory: "memoryInstructions",
  warp: "warpInstructions",
  control: "controlInstructions",
};

const floatClasses = new Map<PtxType, InstructionClass>([
  [types.f32, "fp32"],
  [types.f32x2, "fp32"],
  [types.f64, "fp64"],
]);

/** Classes that depend on the type, by what table.json says of the family. */
const rules: Readonly<Record<string, (type: PtxType) => InstructionClass | undefined>> = {
  float: (type) => floatClasses.get(type),
  comparison: (type) => (isFloat(type) && type.bits === 16 ? "fp16" : (floatClasses.get(type) ?? "integer")),
};

function isClass(name: string): name is InstructionClass {
  return instructionClasses.some((known) => known === name);
}

/**
 * Class of the instructions of a family that have a type; undefined when the table has no class for them,
 * which a test rules out for all forms of the opcode table.
 */
export function findClass(traits: Traits, type: PtxType | undefined): InstructionClass | undefined {
  if (isClass(traits.class)) return traits.class;
  return type && rules[traits.class]?.(type);
}

/** Class of an instruction. */
export function classOf({ family, traits, types: named }: Matched): InstructionClass {
  const found = findClass(traits, named.type);
  invariant(found, `table.json gives the family ${family} a class for each type`);
  return found;
}

/** Floating-point operations of an instruction, by what it adds up to. */
interface Flops {
  readonly counter: "fp16Flops" | "fp32Flops" | "fp64Flops" | "tensorFlops";
  /** Of each active lane; of the whole warp for matrix instructions. */
  readonly operations: number;
}

const precisions = { fp16: "fp16Flops", fp32: "fp32Flops", fp64: "fp64Flops" } as const;

/**
 * Additions and multiplications; a fused multiply-add is two, packed halves count each. Undefined for all
 * else.
 */
export function flopsOf(matched: Matched): Flops | undefined {
  const { traits, types: named } = matched;
  const kind = classOf(matched);
  if (kind === "tensor") return matrixFlops(matched);
  const each = traits.operations;
  if (each === undefined || (kind !== "fp16" && kind !== "fp32" && kind !== "fp64")) return undefined;
  return { counter: precisions[kind], operations: each * (named.type?.count ?? 1) };
}

/**
 * m16n8k16 multiplies and adds 16 × 8 × 16 times, whatever its numbers are; m8n8k4 of halves makes four
 * products at once. A sparse A has half as many numbers: only what is multiplied counts, as the dense rate of
 * the tensor cores is what it is held against.
 */
function matrixFlops({ modifiers, types: named }: Matched): Flops | undefined {
  const shape = /^m(\d+)n(\d+)k(\d+)$/.exec(modifiers["shape"] ?? "");
  if (!shape) return undefined;
  const [m, n, k] = shape.slice(1).map(Number) as [number, number, number];
  const isQuads = modifiers["shape"] === "m8n8k4" && named.a === types.f16;
  const products = isQuads ? 4 : 1;
  // Each of the four warps of a warpgroup runs an instruction of 64 rows.
  const rows = m === 64 ? 16 : m;
  return { counter: "tensorFlops", operations: 2 * rows * n * k * (modifiers["sparse"] ? 0.5 : products) };
}
