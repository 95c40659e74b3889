import { at as element } from "../../../../base/known";
import { types } from "../../../ptx/types";
import { staticLayout } from "../../../layout";
import { laneAt } from "../../../library/lanes";
import { addressVector, globals } from "../../../library/library";
import { bulkReadEvents, waysOf } from "../../../library/races/race-words";
import {
  type Wasm,
  block,
  branch,
  branchIf,
  call,
  get,
  getGlobal,
  i32,
  i64,
  load,
  loop,
  op,
  set,
  when,
} from "../../../wasm/code";
import { tellBulkRead } from "../emit-detectors";
import { copyIds } from "../emit-bulk";
import { elementsOf } from "../emit-matrix";
import { type WarpFamilies, type WarpFamily, translate } from "../emit-memory";
import type { ProgramInstruction, ProgramOperand } from "../../../flatten/program";
import { refuse } from "../../../flatten/refusal";
import type { WarpEmitter } from "../../emitters/warp-emitter";

const area = (offset: number): Wasm => op("i32.add", getGlobal(globals.static), i32(offset));
const pieceBytes = 16;
const mostRanks = 16;

/** `[map, {x, y}]`, and the operands of the other side. */
interface TensorOperands {
  readonly map: ProgramOperand;
  readonly coordinates: readonly ProgramOperand[];
  readonly shared: ProgramOperand;
  readonly barrier: ProgramOperand | undefined;
  readonly ranks: ProgramOperand | undefined;
}

function operandsOf(instruction: ProgramInstruction, toShared: boolean): TensorOperands {
  const { modifiers } = instruction.matched;
  const [first, second, barrier, ranks] = instruction.operands;
  const [tensor, shared] = toShared ? [second, first] : [first, second];
  if (tensor?.kind !== "address" || tensor.base.kind !== "list")
    return refuse(instruction, "the tensor is missing");
  const [map, list] = tensor.base.elements;
  const coordinates = elementsOf(list);
  if (map === undefined || coordinates.length !== Number(modifiers.dimensions?.slice(0, 1)))
    return refuse(instruction, "another number of coordinates");
  if (shared === undefined || (toShared && barrier === undefined))
    return refuse(instruction, "an address is missing");
  return {
    map,
    coordinates,
    shared,
    barrier: toShared ? barrier : undefined,
    ranks: modifiers.multicast ? ranks : undefined,
  };
}

/** A vector with the addresses that an operand names, behind its offset. */
function addressesOf(warp: WarpEmitter, instruction: ProgramInstruction, operand: ProgramOperand): Wasm {
  if (operand.kind !== "address" || operand.offset !== 0)
    return refuse(instruction, "an address with an offset");
  return warp.source(instruction, operand.base, types.u32);
}

/** What the emitted loops share. */
interface Copying {
  readonly warp: WarpEmitter;
  readonly instruction: ProgramInstruction;
  readonly operands: TensorOperands;
  readonly toShared: boolean;
  readonly ids: ReturnType<typeof copyIds>;
}

/** The two sides of a piece, or of one byte of it. */
function sides(
  { warp, instruction, operands, toShared, ids }: Copying,
  { bytes, behind, shared, global }: { bytes: number; behind: Wasm; shared: Wasm; global: Wasm },
): { readonly target: () => void; readonly origin: () => void } {
  const narrow = toShared ? "translate_cluster" : "translate_shared";
  const common = { instruction, bytes } as const;
  const piece = (copy: Wasm | undefined): NonNullable<Parameters<typeof translate>[1]["piece"]> => ({
    behind,
    copy,
    counted: { where: i32(bytes === pieceBytes ? 1 : 0), bytes },
  });
  const inShared = (access: "load" | "store"): void => {
    translate(warp, {
      ...{
        ...common,
        address: operands.shared,
        access,
        mask: shared,
        space: toShared ? "generic" : "shared",
      },
      piece: piece(access === "store" ? ids.copy : undefined),
      found: { pointer: area(staticLayout.tensorShared), name: narrow },
    });
    if (access === "load" && ids.read) tellBulkRead(warp, bulkReadEvents.piece, [shared, ids.read]);
  };
  const inGlobal = (access: "load" | "store"): void => {
    translate(warp, {
      ...{ ...common, address: operands.shared, access, mask: global, space: "global" },
      piece: piece(undefined),
      found: { pointer: area(staticLayout.tensorGlobal), name: "translate_wide" },
    });
  };
  return toShared
    ? { target: () => inShared("store"), origin: () => inGlobal("load") }
    : { target: () => inGlobal("store"), origin: () => inShared("load") };
}

/** Emits the copy of up to 32 pieces: whole ones at once, of others the bytes inside the tensor. */
function copyPieces(copying: Copying, found: Wasm, whole: Wasm): void {
  const { warp, toShared } = copying;
  const all = toShared ? found : whole;
  const pieces = sides(copying, { bytes: pieceBytes, behind: i64(0n), shared: all, global: whole });
  pieces.target();
  warp.push(warp.call("save_targets"));
  pieces.origin();
  // What lies outside of the tensor is zero.
  warp.push(warp.call("copy_async_16", all, whole));
  const byte = warp.builder.local("i32");
  const some = warp.builder.local("i32");
  const before = warp.code.splice(0);
  const behind = op("i64.extend_i32_u", get(byte));
  const bytes = sides(copying, { bytes: 1, behind, shared: get(some), global: get(some) });
  const part = area(staticLayout.halves);
  bytes.origin();
  warp.push(warp.call("gather_u8", part, i32(0), i32(0), get(some)));
  bytes.target();
  warp.push(warp.call("scatter_8", part, i32(0), i32(0), get(some)));
  const each = warp.code.splice(0);
  warp.push(
    before,
    when(op("i32.ne", found, whole), [
      set(byte, i32(0)),
      loop(
        set(some, warp.call("lanes_with_bit", area(staticLayout.tensorInside), get(byte), found)),
        when(get(some), each),
        set(byte, op("i32.add", get(byte), i32(1))),
        branchIf(0, op("i32.lt_u", get(byte), i32(pieceBytes))),
      ),
    ]),
  );
}

/** Emits the copies of one lane to one block, and tells the barrier there. */
function copyBox(copying: Copying, { lane, rank, site }: { lane: Wasm; rank: Wasm; site: number }): void {
  const { warp, instruction, operands, toShared } = copying;
  const { builder } = warp;
  const [first, found, whole, both] = [...["i32", "i32", "i32"], "i64"].map((type) =>
    builder.local(type as "i32" | "i64"),
  ) as [number, number, number, number];
  const vector = (operand: ProgramOperand | undefined): Wasm =>
    operand === undefined ? i32(0) : addressesOf(warp, instruction, operand);
  const coordinates = Array.from({ length: 5 }, (_, axis) =>
    axis < operands.coordinates.length
      ? warp.source(instruction, element(operands.coordinates, axis), types.s32)
      : i32(0),
  );
  const asked = call(
    warp.kernel.importOf("tensor"),
    ...[warp.warp, i32(site), lane, get(first), rank],
    ...[vector(operands.shared), vector(operands.barrier), ...coordinates],
  );
  const before = warp.code.splice(0);
  copyPieces(copying, get(found), get(whole));
  const piece = warp.code.splice(0);
  warp.push(
    before,
    set(first, i32(0)),
    block(
      loop(
        set(both, asked),
        set(found, op("i32.wrap_i64", get(both))),
        set(whole, op("i32.wrap_i64", op("i64.shr_u", get(both), i64(32n)))),
        branchIf(1, op("i32.eqz", get(found))),
        piece,
        set(first, op("i32.add", get(first), op("i32.popcnt", get(found)))),
        branch(0),
      ),
    ),
  );
  if (!toShared) return;
  const mask = op("i32.shl", i32(1), lane);
  translate(warp, {
    ...{ instruction, address: operands.barrier, bytes: 8, access: "atomic", mask, space: "generic" },
    found: { pointer: area(staticLayout.tensorBarriers), name: "translate_cluster" },
    ways: waysOf.copies,
  });
  warp.push(warp.call("phase_complete", area(staticLayout.tensorBytes), mask));
}

/**
 * cp.async.bulk.tensor (PTX ISA section 9.7.9.27.1.2): a box of a tensor that a map describes, from global to
 * shared memory, of several blocks too, or back. It is done at once, which the manual allows.
 */
const copyTensor: WarpFamily = (warp, instruction, mask) => {
  const toShared = instruction.matched.modifiers["done"] === "mbarrier::complete_tx::bytes";
  const operands = operandsOf(instruction, toShared);
  const { map, ranks } = operands;
  const address = { kind: "address", base: map, offset: 0 } as const;
  const found = { pointer: warp.source(instruction, map, types.u64), name: "translate_generic" };
  translate(warp, { instruction, address, bytes: 64, access: "load", mask, space: "generic", found });
  warp.push(warp.call("copy_register", area(staticLayout.tensorMaps), addressVector));
  const copying: Copying = { warp, instruction, operands, toShared, ids: copyIds(warp, toShared) };
  const site = warp.kernel.addSite({ instruction, space: "generic", access: "load", bytes: 0 });
  const [rest, lane, rank] = [
    warp.builder.local("i32"),
    warp.builder.local("i32"),
    warp.builder.local("i32"),
  ];
  const before = warp.code.splice(0);
  copyBox(copying, { lane: get(lane), rank: ranks ? get(rank) : i32(-1), site });
  const box = warp.code.splice(0);
  const wanted = ranks
    ? load("i32.load16_u", laneAt(warp.source(instruction, ranks, types.u16), get(lane)))
    : undefined;
  const boxes = wanted
    ? [
        set(rank, i32(0)),
        loop(
          when(op("i32.and", op("i32.shr_u", wanted, get(rank)), i32(1)), box),
          set(rank, op("i32.add", get(rank), i32(1))),
          branchIf(0, op("i32.lt_u", get(rank), i32(mostRanks))),
        ),
      ]
    : box;
  warp.push(
    before,
    set(rest, mask),
    block(
      loop(
        branchIf(1, op("i32.eqz", get(rest))),
        set(lane, op("i32.ctz", get(rest))),
        set(rest, op("i32.and", get(rest), op("i32.sub", get(rest), i32(1)))),
        boxes,
        branch(0),
      ),
    ),
  );
};

export const tensorFamilies = { "copy-tensor": copyTensor } as const satisfies WarpFamilies;
