import { staticLayout } from "../../layout";
import { globals } from "../../library/library";
import { type Wasm, getGlobal, i32, load, op } from "../../wasm/code";
import { trash } from "../emitters/addresses";
import type { WarpFamily, WarpFamilies } from "./emit-memory";
import { typeOf } from "../../opcodes/table";
import { isSigned, types } from "../../ptx/types";
import { type ProgramInstruction, type ProgramOperand, isOfWholeWarp } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import type { WarpEmitter } from "../emitters/warp-emitter";

/** True for the old form of an exchange without .sync, which takes the lanes that are there. */
export function namesNoLanes({ matched: { traits, modifiers } }: ProgramInstruction): boolean {
  return traits.gathers === "exchange" && !modifiers["sync"];
}

/**
 * The operand that names the lanes taking part; for instructions of the whole warp a constant of all lanes.
 */
export function memberMask(instruction: ProgramInstruction): ProgramOperand | undefined {
  if (isOfWholeWarp(instruction)) return { kind: "integer", value: 0xffff_ffffn };
  if (namesNoLanes(instruction)) return { kind: "integer", value: 0n };
  return instruction.operands.at(-1);
}

const shuffleModes: Readonly<Record<string, number>> = { up: 0, down: 1, bfly: 2, idx: 3 };
const voteModes: Readonly<Record<string, number>> = { all: 0, any: 1, uni: 2, ballot: 3 };

function pairOf(
  warp: WarpEmitter,
  instruction: ProgramInstruction,
): { readonly value: Wasm; readonly predicate: Wasm } {
  const [d] = instruction.operands;
  const [value, predicate] = d?.kind === "pair" ? [d.first, d.second] : [d, undefined];
  return {
    value: warp.target(instruction, value),
    predicate: predicate ? warp.target(instruction, predicate) : trash(),
  };
}

/** shfl (PTX ISA section 9.7.9.6). */
const shuffle: WarpFamily = (warp, instruction, mask) => {
  const [, a, b, c] = instruction.operands;
  const { value, predicate } = pairOf(warp, instruction);
  const mode = shuffleModes[instruction.matched.modifiers["mode"] ?? ""] ?? refuse(instruction);
  if (warp.kernel.detectors) {
    const site = warp.kernel.addSite({ instruction, space: "generic", access: "load", bytes: 0 });
    warp.push(
      warp.call(
        "shuffle_undefined",
        warp.warp,
        i32(site),
        warp.source(instruction, b, types.b32),
        warp.source(instruction, c, types.b32),
        mask,
        i32(mode),
      ),
    );
  }
  warp.push(
    warp.call(
      "shuffle",
      value,
      predicate,
      warp.source(instruction, a, types.b32),
      warp.source(instruction, b, types.b32),
      warp.source(instruction, c, types.b32),
      mask,
      i32(mode),
    ),
  );
};

/** vote.sync (PTX ISA section 9.7.13.9). */
const vote: WarpFamily = (warp, instruction, mask) => {
  const [d, a, members] = instruction.operands;
  const negated = a?.kind === "negated";
  const register: ProgramOperand | undefined =
    a?.kind === "negated" ? { kind: "register", register: a.register } : a;
  const bits = warp.call("lane_bits", warp.source(instruction, register, types.pred));
  const mode = voteModes[instruction.matched.modifiers["mode"] ?? ""] ?? refuse(instruction);
  warp.push(
    warp.call(
      "vote",
      warp.target(instruction, d),
      negated ? op("i32.xor", bits, i32(-1)) : bits,
      warp.source(instruction, members, types.b32),
      mask,
      i32(mode),
    ),
  );
};

/** match.sync (PTX ISA section 9.7.13.10). */
const match: WarpFamily = (warp, instruction, mask) => {
  const { mode } = instruction.matched.modifiers;
  const type = typeOf(instruction);
  const [, a, members] = instruction.operands;
  const { value, predicate } = pairOf(warp, instruction);
  const [values, masks] = [warp.source(instruction, a, type), warp.source(instruction, members, types.b32)];
  const size = type === types.b64 ? "64" : "32";
  if (mode === "any") warp.push(warp.call(`match_any_${size}`, value, values, masks, mask));
  else warp.push(warp.call(`match_all_${size}`, value, predicate, values, masks, mask));
};

/** redux.sync (PTX ISA section 9.7.13.12). */
const reduceWarp: WarpFamily = (warp, instruction, mask) => {
  const { operation = "add" } = instruction.matched.modifiers;
  const sign = isSigned(typeOf(instruction)) ? "s" : "u";
  const [d, a, members] = instruction.operands;
  const name =
    operation === "min" || operation === "max" ? `redux_${operation}_${sign}` : `redux_${operation}`;
  warp.push(
    warp.call(
      name,
      warp.target(instruction, d),
      warp.source(instruction, a, types.b32),
      warp.source(instruction, members, types.b32),
      mask,
    ),
  );
};

/**
 * activemask: lanes whose guard is false are none of the active ones (PTX ISA section 9.7.13.11). Lanes may
 * come apart without a reason in the program: where the launch asks for it each half of them sees its own.
 */
const activeMask: WarpFamily = (warp, instruction, mask) => {
  const target = warp.target(instruction, instruction.operands[0]);
  const together = load("i32.load", getGlobal(globals.static), staticLayout.together);
  const one = warp.keep(op("i32.and", mask, together));
  const other = warp.keep(op("i32.and", mask, op("i32.xor", together, i32(-1))));
  warp.push(warp.call("fill_lanes", target, one, one), warp.call("fill_lanes", target, other, other));
};

/** elect.sync (PTX ISA section 9.7.13.14). */
const elect: WarpFamily = (warp, instruction, mask) => {
  const { value, predicate } = pairOf(warp, instruction);
  warp.push(
    warp.call("elect", value, predicate, warp.source(instruction, instruction.operands[1], types.b32), mask),
  );
};

export const exchangeFamilies = {
  shuffle,
  vote,
  match,
  elect,
  "reduce-warp": reduceWarp,
  "active-mask": activeMask,
} as const satisfies WarpFamilies;
