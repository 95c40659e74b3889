import { known } from "../../../base/known";
import { typeOf } from "../../opcodes/table";
import { types } from "../../ptx/types";
import { quadProduct } from "../../library/matrix/matrix-quads";
import { multiplyName, multiplyOperands } from "../../library/matrix/matrix-shapes";
import { faultCodes } from "../../library/memory/async";
import { type Wasm, call, i32, op, when } from "../../wasm/code";
import { type WarpFamily, translate, type WarpFamilies } from "./emit-memory";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import type { WarpEmitter } from "../emitters/warp-emitter";

/** Ends the launch when lanes of the warp are missing: the manual leaves such an instruction undefined. */
export function requireWholeWarp(warp: WarpEmitter, instruction: ProgramInstruction, mask: Wasm): void {
  const site = warp.kernel.addSite({ instruction, space: "generic", access: "load", bytes: 0 });
  warp.push(
    when(
      op("i32.ne", mask, i32(-1)),
      call(
        warp.kernel.importOf("fault"),
        i32(faultCodes.divergent),
        warp.warp,
        i32(site),
        op("i32.ctz", mask),
      ),
    ),
  );
}

/** Registers of a fragment. */
export function elementsOf(operand: ProgramOperand | undefined): readonly ProgramOperand[] {
  if (operand?.kind === "vector") return operand.elements;
  return operand ? [operand] : [];
}

const counts: Readonly<Record<string, number>> = { x1: 1, x2: 2, x4: 4 };

/**
 * What ldmatrix and stmatrix have in common: one, two or four matrices of 8 by 8 elements of 16 bits, one
 * register each.
 */
function moveMatrices(
  warp: WarpEmitter,
  instruction: ProgramInstruction,
  mask: Wasm,
  move: { readonly access: "load" | "store"; readonly each: (element: ProgramOperand) => Wasm },
): void {
  const { count = "x1", transpose, space } = instruction.matched.modifiers;
  const [list, address] = move.access === "load" ? instruction.operands : [...instruction.operands].reverse();
  const matrices = counts[count] ?? refuse(instruction);
  const elements = elementsOf(list);
  if (elements.length !== matrices) return refuse(instruction, `${elements.length} registers`);
  requireWholeWarp(warp, instruction, mask);
  // Only the first 8, 16 or 32 lanes give addresses of rows.
  const lanes = matrices === 4 ? mask : i32((1 << (8 * matrices)) - 1);
  translate(warp, {
    instruction,
    address,
    bytes: 16,
    access: move.access,
    mask: lanes,
    space: space === undefined ? "generic" : "shared",
  });
  elements.forEach((element, index) =>
    warp.push(
      warp.call(`${move.access}_matrix${transpose ? "_transposed" : ""}`, move.each(element), i32(8 * index)),
    ),
  );
}

/** ldmatrix (PTX ISA section 9.7.15.5.15). */
const loadMatrix: WarpFamily = (warp, instruction, mask) =>
  moveMatrices(warp, instruction, mask, {
    access: "load",
    each: (element) => warp.target(instruction, element),
  });

/** stmatrix (PTX ISA section 9.7.15.5.16): the reverse of ldmatrix. */
const storeMatrix: WarpFamily = (warp, instruction, mask) =>
  moveMatrices(warp, instruction, mask, {
    access: "store",
    each: (element) => warp.source(instruction, element, types.b32),
  });

/** movmatrix (PTX ISA section 9.7.15.5.17). */
const moveMatrix: WarpFamily = (warp, instruction, mask) => {
  const [d, a] = instruction.operands;
  requireWholeWarp(warp, instruction, mask);
  warp.push(warp.call("move_matrix", warp.target(instruction, d), warp.source(instruction, a, types.b32)));
};

/** Registers of D, A, B and C. */
interface Factors {
  readonly d: readonly ProgramOperand[];
  readonly a: readonly ProgramOperand[];
  readonly b: readonly ProgramOperand[];
  readonly c: readonly ProgramOperand[];
}

/**
 * Refuses a product that would write registers of D before it has read the same ones as others': those of C
 * at another place and, where `piecewise` says that parts of D are written before all of A and B are read,
 * those of A and B.
 */
export function refuseOverwriting(
  instruction: ProgramInstruction,
  { d, a, b, c }: Factors,
  piecewise: boolean,
): void {
  const isAt =
    (result: ProgramOperand) =>
    (source: ProgramOperand): boolean =>
      result.kind === "register" && source.kind === "register" && source.register === result.register;
  if (d.some((result, index) => c.some((source, at) => at !== index && isAt(result)(source))))
    refuse(instruction, "result in the registers of C, in another order");
  if (piecewise && d.some((result) => [...a, ...b].some(isAt(result))))
    refuse(instruction, "result in the registers of A or B");
}

/** The library's function for an mma, and how many registers D, A, B and C have. */
function productOf(instruction: ProgramInstruction): {
  readonly name: string;
  readonly counts: readonly number[];
} {
  const { modifiers } = instruction.matched;
  const quads = quadProduct(instruction.matched);
  if (quads) return quads;
  const shape = known(modifiers["shape"], "the shape of a matrix instruction");
  const name = multiplyName(shape, modifiers) ?? refuse(instruction);
  return { name, counts: multiplyOperands(name) };
}

/** mma.sync (PTX ISA section 9.7.15.5.14). */
const matrixMultiply: WarpFamily = (warp, instruction, mask) => {
  const { name, counts: expected } = productOf(instruction);
  const [d = [], a = [], b = [], c = []] = instruction.operands.map(elementsOf);
  refuseOverwriting(instruction, { d, a, b, c }, typeOf(instruction, "a") === types.f64);
  if ([d, a, b, c].some((list, index) => list.length !== expected[index]))
    return refuse(instruction, "a fragment of another size");
  requireWholeWarp(warp, instruction, mask);
  const type = typeOf(instruction, "a") === types.f64 ? types.b64 : types.b32;
  warp.push(
    warp.call(
      name,
      ...d.map((element) => warp.target(instruction, element)),
      ...[...a, ...b, ...c].map((element) => warp.source(instruction, element, type)),
    ),
  );
};

export const matrixFamilies = {
  "load-matrix": loadMatrix,
  "store-matrix": storeMatrix,
  "move-matrix": moveMatrix,
  "matrix-multiply": matrixMultiply,
} as const satisfies WarpFamilies;
