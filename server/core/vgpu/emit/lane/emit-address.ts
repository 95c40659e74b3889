import { at } from "../../../base/known";
import { typeOf } from "../../opcodes/table";
import { types } from "../../ptx/types";
import { addressWindows } from "../../layout";
import { type PlainOpcode, type Wasm, op, shuffle, splat64 } from "../../wasm/code";
import type { LaneFamily, LaneFamilies } from "./emit-integer";
import { symbolAddress } from "../emitters/kernel-context";
import type { LaneEmitter } from "../emitters/lane-emitter";
import { isSharedSpace } from "../../ptx/spaces";
import { refuse } from "../../flatten/refusal";
import type { Parts } from "../emitters/values";
import { evenWords } from "../../wasm/shuffles";

/** What lies between the own addresses of a window and generic ones. */
function offsetOf(space: string): bigint {
  if (isSharedSpace(space)) return addressWindows.shared;
  return space === "local" ? addressWindows.local : 0n;
}

/**
 * cvta: between a window's own addresses and generic ones (PTX ISA section 9.7.9.20). Addresses of global
 * memory and of parameters are generic ones.
 */
const convertAddress: LaneFamily = (lane, instruction) => {
  const { space = "", direction } = instruction.matched.modifiers;
  const type = typeOf(instruction);
  if (type !== types.u64) return refuse(instruction);
  const [d, a] = instruction.operands;
  const value = lane.read(instruction, a, type);
  const window = offsetOf(space);
  const code: PlainOpcode = direction === "to" ? "i64x2.sub" : "i64x2.add";
  lane.write(
    instruction,
    d,
    type,
    window === 0n ? value : value.map((part) => op(code, part, splat64(window))),
  );
};

/** Lanes whose 64-bit number is less than `size` above `low`, as masks of two 64-bit lanes. */
function within(lane: LaneEmitter, parts: Parts, low: Wasm, size: number): Parts {
  return parts.map((part) => {
    const distance = lane.keep(op("i64x2.sub", part, low));
    return op(
      "v128.and",
      op("i64x2.ge_s", distance, splat64(0n)),
      op("i64x2.lt_s", distance, splat64(BigInt(size))),
    );
  });
}

/**
 * isspacep: does a generic address fall into a window (PTX ISA section 9.7.9.19). Constant variables lie in
 * our window of global memory without belonging to it. A kernel's parameters do belong to global memory, as
 * an H100 answers too.
 */
const isSpace: LaneFamily = (lane, instruction) => {
  const { space = "" } = instruction.matched.modifiers;
  const [d, a] = instruction.operands;
  const address = lane.keepAll(lane.read(instruction, a, types.u64));
  const inWindow = (window: bigint): Parts =>
    address.map((part) =>
      op("i64x2.eq", op("v128.and", part, splat64(-1n << 40n)), splat64(window & (-1n << 40n))),
    );
  const constants = (): Parts =>
    lane.kernel.constantVariables
      .map(({ name, size }) => within(lane, address, symbolAddress(lane.kernel, name, 0), size))
      .reduce<Parts>(
        (found, next) => lane.keepAll(found.map((part, index) => op("v128.or", part, at(next, index)))),
        [splat64(0n), splat64(0n)],
      );
  const spaces: Readonly<Record<string, () => Parts>> = {
    global: () => {
      const held = constants();
      const parameters = inWindow(addressWindows.parameter);
      return inWindow(addressWindows.global).map((part, index) =>
        op("v128.or", op("v128.andnot", part, at(held, index)), at(parameters, index)),
      );
    },
    const: constants,
    shared: () => inWindow(addressWindows.shared),
    "shared::cta": () => inWindow(addressWindows.shared),
    local: () => inWindow(addressWindows.local),
    param: () => inWindow(addressWindows.parameter),
    "param::entry": () => inWindow(addressWindows.parameter),
  };
  const [low = [], high = []] = spaces[space]?.() ?? refuse(instruction);
  lane.write(instruction, d, types.pred, [shuffle(low, high, evenWords)]);
};

/**
 * createpolicy: what a policy holds is nobody's business but the cache's, which is not modelled (PTX ISA
 * section 9.7.9.18).
 */
const createPolicy: LaneFamily = (lane, instruction) => {
  lane.write(instruction, instruction.operands[0], types.b64, [splat64(0n), splat64(0n)]);
};

export const addressFamilies = {
  "cache-policy": createPolicy,
  "convert-address": convertAddress,
  "is-space": isSpace,
} as const satisfies LaneFamilies;
