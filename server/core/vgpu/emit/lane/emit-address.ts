import { at } from "../../../base/known";
import { typeOf } from "../../opcodes/table";
import { types } from "../../ptx/types";
import { addressWindows, clusterStride } from "../../layout";
import { type PlainOpcode, type Wasm, i32, op, shuffle, splat32, splat64 } from "../../wasm/code";
import type { LaneFamily, LaneFamilies } from "./emit-integer";
import { symbolAddress } from "../emitters/kernel-context";
import type { LaneEmitter } from "../emitters/lane-emitter";
import { isClusterSpace, isSharedSpace } from "../../ptx/spaces";
import type { ProgramInstruction } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import type { Parts } from "../emitters/values";
import { evenWords } from "../../wasm/shuffles";

/** What lies between the own addresses of a window and generic ones. */
function offsetOf(space: string): bigint {
  if (isSharedSpace(space) || isClusterSpace(space)) return addressWindows.shared;
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

const rankShift = Math.log2(clusterStride);

/** Four lanes of the rank that the block has in its cluster. */
function ownRank(lane: LaneEmitter, instruction: ProgramInstruction): Wasm {
  return at(lane.read(instruction, { kind: "special", name: "%cluster_ctarank" }, types.u32), 0);
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
  const ownShared = (): Parts => {
    const behind = op("i32x4.shl", op("i32x4.add", ownRank(lane, instruction), splat32(1)), i32(rankShift));
    const mapped = lane.keep(behind);
    const starts = [op("i64x2.extend_low_i32x4_u", mapped), op("i64x2.extend_high_i32x4_u", mapped)];
    const plain = within(lane, address, splat64(addressWindows.shared), clusterStride);
    return plain.map((part, index) => {
      const start = op("i64x2.add", at(starts, index), splat64(addressWindows.shared));
      return op("v128.or", part, at(within(lane, [at(address, index)], start, clusterStride), 0));
    });
  };
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
    shared: ownShared,
    "shared::cta": ownShared,
    "shared::cluster": () => inWindow(addressWindows.shared),
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

/** mapa: the address in the shared memory of another block of the cluster (PTX ISA section 9.7.9.23). */
const mapAddress: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const wide = type === types.u64;
  const [d, a, b] = instruction.operands;
  const [rank = []] = lane.read(instruction, b, types.u32);
  const above = lane.keep(op("i32x4.shl", op("i32x4.add", rank, splat32(1)), i32(rankShift)));
  const ranks = wide
    ? [op("i64x2.extend_low_i32x4_u", above), op("i64x2.extend_high_i32x4_u", above)]
    : [above];
  const ofRank = 0xff * clusterStride;
  const mask = wide ? splat64(~BigInt(ofRank)) : splat32(~ofRank);
  const parts = lane.read(instruction, a, type);
  lane.write(
    instruction,
    d,
    type,
    parts.map((part, index) => op("v128.or", op("v128.and", part, mask), at(ranks, index))),
  );
};

/** getctarank: the rank of the block whose shared memory holds an address (PTX ISA section 9.7.9.24). */
const addressRank: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a] = instruction.operands;
  const [low = [], high] = lane.read(instruction, a, type);
  const words = high === undefined ? low : shuffle(low, high, evenWords);
  const rank = lane.keep(op("i32x4.shr_u", words, i32(rankShift)));
  const own = ownRank(lane, instruction);
  const mapped = op("i32x4.sub", rank, splat32(1));
  lane.write(instruction, d, types.u32, [
    op("v128.bitselect", own, mapped, op("i32x4.eq", rank, splat32(0))),
  ]);
};

export const addressFamilies = {
  "map-address": mapAddress,
  "address-rank": addressRank,
  "cache-policy": createPolicy,
  "convert-address": convertAddress,
  "is-space": isSpace,
} as const satisfies LaneFamilies;
