import { staticLayout } from "../layout";
import { globals } from "../library/library";
import { type Wasm, getGlobal, i32, op } from "../wasm/code";
import { type WarpFamily, load, store } from "./emit-memory";
import type { ProgramInstruction, ProgramOperand } from "./program";
import { refuse } from "./refusal";
import type { WarpEmitter } from "./warp-emitter";

/** Where the membership mask stands among the operands of a gathering instruction; undefined: all lanes of the warp take part. */
export function memberMask(instruction: ProgramInstruction): ProgramOperand | undefined {
  const { family } = instruction.matched;
  if (family === "load-matrix" || family === "matrix-multiply") return { kind: "integer", value: 0xffff_ffffn };
  if (family === "shuffle" && !instruction.matched.modifiers["sync"]) return { kind: "integer", value: 0n };
  return instruction.operands.at(-1);
}

const modes: Readonly<Record<string, number>> = { up: 0, down: 1, bfly: 2, idx: 3 };

const shuffle: WarpFamily = (warp, instruction, mask) => {
  const [d, a, b, c] = instruction.operands;
  const [value, predicate] = d?.kind === "pair" ? [d.first, d.second] : [d, undefined];
  const predicateAt = predicate ? warp.target(instruction, predicate) : trash();
  const mode = modes[instruction.matched.modifiers["mode"] ?? ""] ?? refuse(instruction);
  warp.push(warp.call("shuffle", warp.target(instruction, value), predicateAt, warp.source(instruction, a, "b32"),
    warp.source(instruction, b, "b32"), warp.source(instruction, c, "b32"), mask, i32(mode)));
};

export function trash(): Wasm {
  return op("i32.add", getGlobal(globals.static), i32(staticLayout.trash));
}

const nothing: WarpFamily = () => undefined;

/** Emitters of the warp-wide families of the opcode table. */
export const warpFamilies: Readonly<Record<string, WarpFamily>> = {
  load, store, shuffle, nothing,
  "warp-sync": nothing,
};

export type { WarpEmitter };
