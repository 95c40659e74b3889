import { at } from "../../../../base/known";
import { typeOf } from "../../../opcodes/table";
import { type PtxType, isFloat, types } from "../../../ptx/types";
import { siteLayout, staticLayout } from "../../../layout";
import { globals } from "../../../library/library";
import { multiplyName } from "../../../library/matrix/matrix-shapes";
import { type Wasm, getGlobal, i32, i64, op } from "../../../wasm/code";
import { emitWatch } from "../emit-detectors";
import { elementsOf, requireWholeWarp } from "../emit-matrix";
import { recordAccess, type WarpFamily, type WarpFamilies } from "../emit-memory";
import type { ProgramInstruction, ProgramOperand } from "../../../flatten/program";
import { refuse } from "../../../flatten/refusal";
import type { WarpEmitter } from "../../emitters/warp-emitter";

/** Bytes of a row of A and of a column of B that one instruction multiplies, whatever their type. */
const innerBytes = 32;
const laneBytes = 4;
const registerBytes = 128;

function area(offset: number): Wasm {
  return op("i32.add", getGlobal(globals.static), i32(offset));
}

/** A matrix in shared memory, and where its fragments go. */
interface SharedMatrix {
  readonly instruction: ProgramInstruction;
  /** Linear address of the register with its descriptor. */
  readonly descriptor: Wasm;
  /** Rows lie along memory, not the inner dimension. */
  readonly across: boolean;
  readonly site: { readonly index: number; readonly bytes: number };
}

function sharedMatrix(
  warp: WarpEmitter,
  instruction: ProgramInstruction,
  operand: ProgramOperand | undefined,
  across: boolean,
): SharedMatrix {
  const bytes = across ? 2 : laneBytes;
  const index = warp.kernel.addSite({ instruction, space: "shared", access: "load", bytes });
  return {
    instruction,
    descriptor: warp.source(instruction, operand, types.b64),
    across,
    site: { index, bytes },
  };
}

/** Loads one register of a fragment, whose rows begin at `row`: in one access of a lane, or in two halves. */
function loadRegister(
  warp: WarpEmitter,
  matrix: SharedMatrix,
  { row, byte, register }: { readonly row: Wasm; readonly byte: number; readonly register: Wasm },
): void {
  const {
    instruction,
    descriptor,
    across,
    site: { index, bytes },
  } = matrix;
  const site = warp.siteAt(index, siteLayout.size);
  const mask = i32(-1);
  const place = (from: number): void => {
    warp.push(
      warp.call("group_addresses", descriptor, row, i32(from), i32(across ? 1 : 0)),
      warp.call("translate_shared", warp.warp, area(staticLayout.fragment), i64(0n), i32(bytes), mask, site),
      // Lanes that lie packed have no addresses of their own.
      op("drop"),
    );
    recordAccess(warp, "shared", { index, mask });
    if (warp.kernel.detectors)
      emitWatch(warp, {
        instruction,
        space: "shared",
        access: "load",
        bytes,
        index,
        site,
        base: i32(0),
        mask,
      });
  };
  if (!across) {
    place(byte);
    warp.push(warp.call("gather_32", register, i32(0), i32(0), mask));
    return;
  }
  const part = area(staticLayout.halves);
  for (const half of [0, 1]) {
    place(byte + 2 * half);
    warp.push(
      warp.call("gather_u16", part, i32(0), i32(0), mask),
      warp.call("insert_part", register, part, i32(16 * half)),
    );
  }
}

/** Where the signs of the numbers in a register stand. */
const signBits = new Map<PtxType, number>([
  [types.f16, 0x8000_8000 | 0],
  [types.bf16, 0x8000_8000 | 0],
  [types.tf32, 0x8000_0000 | 0],
  [types.e4m3, 0x8080_8080 | 0],
  [types.e5m2, 0x8080_8080 | 0],
]);

/** What stands behind the descriptor of B. */
interface Settings {
  readonly scale: ProgramOperand | undefined;
  readonly isNegative: boolean;
  readonly acrossA: boolean;
  readonly acrossB: boolean;
}

function settingsOf(instruction: ProgramInstruction, isFragment: boolean): Settings {
  const [, , , scale, ...rest] = instruction.operands;
  const numbers = rest.map((operand) =>
    operand.kind === "integer" ? Number(operand.value) : refuse(instruction, "a setting that is no number"),
  );
  const [signA = 1, signB = 1, ...turns] = numbers;
  const [acrossA = 0, acrossB = 0] = isFragment ? [0, ...turns] : turns;
  return { scale, isNegative: signA * signB < 0, acrossA: acrossA === 1, acrossB: acrossB === 1 };
}

/** The four registers of A: those that the instruction names, or loaded from shared memory. */
function leftSide(
  warp: WarpEmitter,
  instruction: ProgramInstruction,
  { isNegative, acrossA }: Settings,
): readonly Wasm[] {
  const [, operand] = instruction.operands;
  const registers = [0, 1, 2, 3].map((index) => area(staticLayout.groupLeft + registerBytes * index));
  if (operand?.kind === "vector") {
    const given = elementsOf(operand).map((element) => warp.source(instruction, element, types.b32));
    if (given.length !== registers.length) return refuse(instruction, "a fragment of another size");
    if (!isNegative) return given;
    given.forEach((each, index) => warp.push(warp.call("copy_register", at(registers, index), each)));
  } else {
    const matrix = sharedMatrix(warp, instruction, operand, acrossA);
    const first = warp.keep(warp.call("group_row", warp.warp));
    registers.forEach((register, index) =>
      loadRegister(warp, matrix, {
        row: op("i32.add", first, i32(8 * (index % 2))),
        byte: (innerBytes / 2) * Math.floor(index / 2),
        register,
      }),
    );
  }
  if (isNegative) {
    const flipped = signBits.get(typeOf(instruction, "a")) ?? refuse(instruction, "a sign of whole numbers");
    for (const register of registers) warp.push(warp.call("flip_bits", register, i32(flipped)));
  }
  return registers;
}

/**
 * wgmma.mma_async (PTX ISA section 9.7.15.5.2): each warp of a warpgroup multiplies 16 rows of A with B,
 * eight columns at a time. It is done at once, which the manual allows: it may complete at any time before
 * the wait.
 */
const multiplyGroup: WarpFamily = (warp, instruction, mask) => {
  const { modifiers } = instruction.matched;
  const { shape = "" } = modifiers;
  const [, columns = 0, depth = 0] = shape.split(/[nk]/).map((part) => Number(part.replace("m", "")));
  const result = typeOf(instruction, "d");
  const name =
    multiplyName(`m16n8k${depth}`, { ...modifiers, c: modifiers.d ?? result.name }) ?? refuse(instruction);
  const d = elementsOf(instruction.operands[0]);
  const perTile = result.bits === 16 ? 2 : 4;
  if (d.length !== (columns / 8) * perTile) return refuse(instruction, "a fragment of another size");
  requireWholeWarp(warp, instruction, mask);
  const settings = settingsOf(instruction, instruction.operands[1]?.kind === "vector");
  if (settings.isNegative && !isFloat(result)) return refuse(instruction, "a sign of whole numbers");
  const { scale } = settings;
  const targets = d.map((element) => warp.target(instruction, element));
  if (scale !== undefined) {
    const kept = warp.keep(warp.call("lane_bits", warp.source(instruction, scale, types.pred)));
    for (const target of targets) warp.push(warp.call("clear_unless", target, kept));
  }
  const a = leftSide(warp, instruction, settings);
  const matrix = sharedMatrix(warp, instruction, instruction.operands[2], settings.acrossB);
  const b = [0, 1].map((index) => area(staticLayout.groupRight + registerBytes * index));
  for (let tile = 0; tile < columns / 8; tile += 1) {
    b.forEach((register, index) =>
      loadRegister(warp, matrix, { row: i32(8 * tile), byte: (innerBytes / 2) * index, register }),
    );
    const sums = targets.slice(perTile * tile, perTile * (tile + 1));
    warp.push(warp.call(name, ...sums, ...a, ...b, ...sums));
  }
};

export const groupFamilies = { "multiply-group": multiplyGroup } as const satisfies WarpFamilies;
