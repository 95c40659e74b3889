import { faultCodes } from "../../library/memory/async";
import { bulkReadEvents, waysOf } from "../../library/races/race-words";
import { laneAt } from "../../library/lanes";
import { types } from "../../ptx/types";
import {
  type Wasm,
  block,
  branch,
  branchIf,
  call,
  get,
  i32,
  load,
  loop,
  op,
  set,
  when,
} from "../../wasm/code";
import { type WarpFamilies, type WarpFamily, translate } from "./emit-memory";
import { isClusterSpace, isSharedSpace } from "../../ptx/spaces";
import type { ProgramInstruction } from "../../flatten/program";
import { tellBulkRead } from "./emit-detectors";
import { refuse } from "../../flatten/refusal";
import type { WarpEmitter } from "../emitters/warp-emitter";

/** Bytes that are copied at once, of which sizes and addresses are multiples. */
const pieceBytes = 16;

/**
 * How many bytes a counted piece stands for: a sector of global memory, and what shared memory takes in one
 * cycle.
 */
const countedBytes = { global: 32, shared: 128 } as const;

/** Ends the launch where a lane gives a size that is no multiple of 16. */
function requireWholePieces(
  warp: WarpEmitter,
  { instruction, sizes, mask }: { instruction: ProgramInstruction; sizes: Wasm; mask: Wasm },
): void {
  const site = warp.kernel.addSite({ instruction, space: "generic", access: "load", bytes: 0 });
  const lane = op("i32.ctz", mask);
  const rest = op("i32.and", load("i32.load", laneAt(sizes, lane)), i32(pieceBytes - 1));
  const fault = call(warp.kernel.importOf("fault"), i32(faultCodes.unevenCopy), warp.warp, i32(site), lane);
  warp.push(when(rest, fault));
}

/** What the detectors know a copy by: as the writer of shared memory, or as its reader. */
export function copyIds(
  warp: WarpEmitter,
  toShared: boolean,
): { readonly copy: Wasm | undefined; readonly read: Wasm | undefined } {
  if (!warp.kernel.detectors) return { copy: undefined, read: undefined };
  if (toShared) return { copy: warp.keep(warp.call("race_bulk", warp.warp)), read: undefined };
  const order = warp.kernel.importOf("order");
  const start = call(order, i32(bulkReadEvents.start), warp.warp, i32(0), i32(0));
  return { copy: undefined, read: warp.keep(start) };
}

/**
 * cp.async.bulk (PTX ISA section 9.7.9.25.4.1): any number of bytes to shared memory, from global memory or
 * to that of another block, whose end a barrier object counts, or to global memory. The copy happens at once,
 * piece by piece, which the manual allows: it may complete at any time before the wait.
 */
const copyBulk: WarpFamily = (warp, instruction, mask) => {
  const { modifiers } = instruction.matched;
  const [to, from, size, object] = instruction.operands;
  if (size === undefined) return refuse(instruction, "the size is missing");
  const toShared = modifiers["done"] === "mbarrier::complete_tx::bytes";
  const sizes = warp.keep(warp.source(instruction, size, types.u32));
  requireWholePieces(warp, { instruction, sizes, mask });
  const { copy, read } = copyIds(warp, toShared);
  const [at, lanes] = [warp.builder.local("i32"), warp.builder.local("i32")];
  const [behind, moving] = [op("i64.extend_i32_u", get(at)), get(lanes)];
  const countedIn = (space: "global" | "shared" | "generic"): { where: Wasm; bytes: number } => ({
    where: op(
      "i32.eqz",
      op("i32.and", get(at), i32((space === "global" ? countedBytes.global : countedBytes.shared) - 1)),
    ),
    bytes: space === "global" ? countedBytes.global : pieceBytes,
  });
  // A block of a cluster may copy into the memory of another one.
  const shared = isClusterSpace(modifiers["target"]) ? "generic" : "shared";
  const source = isSharedSpace(modifiers["origin"]) ? "shared" : "global";
  const [target, origin] = [toShared ? shared : "global", source] as const;
  const common = { instruction, bytes: pieceBytes, mask: moving };
  const before = warp.code.splice(0);
  translate(warp, {
    ...{ ...common, address: to, access: "store", space: target },
    piece: { behind, copy, counted: countedIn(target) },
  });
  warp.push(warp.call("save_targets"));
  translate(warp, {
    ...{ ...common, address: from, access: "load", space: origin },
    piece: { behind, copy: undefined, counted: countedIn(origin) },
  });
  if (read) tellBulkRead(warp, bulkReadEvents.piece, [moving, read]);
  warp.push(warp.call("copy_async_16", moving, moving));
  const piece = warp.code.splice(0);
  warp.push(
    before,
    set(at, i32(0)),
    block(
      loop(
        set(lanes, warp.call("lanes_reading", sizes, op("i32.add", get(at), i32(1)), i32(-1), mask)),
        branchIf(1, op("i32.eqz", moving)),
        piece,
        set(at, op("i32.add", get(at), i32(pieceBytes))),
        branch(0),
      ),
    ),
  );
  if (!toShared) return;
  translate(warp, {
    ...{ instruction, address: object, bytes: 8, access: "atomic", mask, space: shared },
    ways: waysOf.copies,
  });
  warp.push(warp.call("phase_complete", sizes, mask));
};

export const bulkFamilies = { "copy-bulk": copyBulk } as const satisfies WarpFamilies;
