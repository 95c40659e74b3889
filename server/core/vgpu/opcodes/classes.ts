import type { CounterName } from "../../timing/counters";
import data from "./classes.json";
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
export type InstructionClass = (typeof instructionClasses)[number];

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

const families: Readonly<Record<string, string>> = data.families;
/** Classes that depend on the type; `other` stands for all types that are not listed. */
const byType: Readonly<Record<string, Readonly<Record<string, string>>>> = data.classes;
const operations: Readonly<Record<string, number>> = data.operations;

function isClass(name: string | undefined): name is InstructionClass {
  return instructionClasses.some((known) => known === name);
}

/**
 * Class of an instruction; undefined when the data file lacks its family or type, which a test rules out for
 * all forms of the opcode table.
 */
export function findClass(family: string, type: string): InstructionClass | undefined {
  const named = families[family];
  if (isClass(named)) return named;
  const chosen = byType[named ?? ""];
  const found = chosen?.[type] ?? chosen?.["other"];
  return isClass(found) ? found : undefined;
}

/**
 * Class of an instruction. One that the data file does not know counts as control: it computes nothing that a
 * pipe is modelled for.
 */
export function classOf({ family, modifiers }: Matched): InstructionClass {
  return findClass(family, modifiers["type"] ?? "") ?? "control";
}

/** Floating-point operations of an instruction, by what it adds up to. */
export interface Flops {
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
  const { family, modifiers } = matched;
  const kind = classOf(matched);
  if (kind === "tensor") return matrixFlops(modifiers);
  const each = operations[family];
  if (each === undefined || (kind !== "fp16" && kind !== "fp32" && kind !== "fp64")) return undefined;
  return { counter: precisions[kind], operations: each * (modifiers["type"]?.endsWith("x2") ? 2 : 1) };
}

/**
 * m16n8k16 multiplies and adds 16 × 8 × 16 times, whatever its numbers are; m8n8k4 of halves makes four
 * products at once. A sparse A has half as many numbers: only what is multiplied counts, as the dense rate of
 * the tensor cores is what it is held against.
 */
function matrixFlops(modifiers: Matched["modifiers"]): Flops | undefined {
  const shape = /^m(\d+)n(\d+)k(\d+)$/.exec(modifiers["shape"] ?? "");
  if (!shape) return undefined;
  const [m, n, k] = shape.slice(1).map(Number) as [number, number, number];
  const products = modifiers["sparse"]
    ? 0.5
    : modifiers["shape"] === "m8n8k4" && modifiers["a"] === "f16"
      ? 4
      : 1;
  return { counter: "tensorFlops", operations: 2 * m * n * k * products };
}
