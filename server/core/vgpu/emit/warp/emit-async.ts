import { types } from "../../ptx/types";
import { siteLayout, staticLayout } from "../../layout";
import { globals } from "../../library/library";
import { type Wasm, getGlobal, i32, i64, op, set, when } from "../../wasm/code";
import { type Conflict, emitConfirm } from "./emit-detectors";
import { type WarpFamily, store, translate, translateWatched, type WarpFamilies } from "./emit-memory";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import { vectorElements } from "../emitters/memory-site";
import { typeOf } from "../../opcodes/table";
import type { WarpEmitter } from "../emitters/warp-emitter";

interface Copy {
  readonly instruction: ProgramInstruction;
  readonly from: ProgramOperand | undefined;
  readonly bytes: number;
  readonly mask: Wasm;
}

/**
 * Emits the copies of lanes that read all or nothing. Where lanes of a warp copy the same to one place, as
 * `cooperative_groups::memcpy_async` does with what is left over, that is no race: lanes in conflict copy
 * after the others, so that it shows whether they change anything.
 */
function copyWhole(
  warp: WarpEmitter,
  {
    bytes,
    mask,
    reads,
    parts,
    conflict,
  }: { bytes: number; mask: Wasm; reads: Wasm; parts: Wasm; conflict: Conflict | undefined },
): void {
  const copy = (lanes: Wasm): Wasm => warp.call(`copy_async_${bytes}`, lanes, reads);
  if (!conflict) return warp.push(copy(mask));
  const { lanes, changed, interval } = conflict;
  warp.push(
    when(
      lanes,
      [
        copy(op("i32.and", mask, op("i32.xor", lanes, i32(-1)))),
        set(
          changed,
          op(
            "i32.or",
            op("i32.and", lanes, parts),
            warp.call(`copies_differ_${bytes}`, lanes, reads, interval),
          ),
        ),
        copy(lanes),
        warp.call("restore_targets"),
      ],
      copy(mask),
    ),
  );
  emitConfirm(warp, conflict);
}

/** Lanes that read nothing because of their ignore-src predicate. */
function ignoredLanes(warp: WarpEmitter, instruction: ProgramInstruction, limit: ProgramOperand): Wasm {
  if (limit.kind === "negated")
    return op(
      "i32.xor",
      warp.call(
        "lane_bits",
        warp.source(instruction, { kind: "register", register: limit.register }, types.pred),
      ),
      i32(-1),
    );
  return warp.call("lane_bits", warp.source(instruction, limit, types.pred));
}

/** Copies less than `bytes` in the lanes whose size says so: only the bytes that are read have to exist. */
function copyPart(warp: WarpEmitter, copy: Copy, sizes: Wasm): void {
  const { instruction, from, bytes, mask } = copy;
  if (from?.kind !== "address") return refuse(instruction, "the address is missing");
  const some = warp.keep(warp.call("lanes_reading", sizes, i32(1), i32(bytes), mask));
  const before = warp.code.splice(0);
  translate(warp, { instruction, address: from, bytes: 1, access: "load", mask: some, space: "global" });
  // The last byte belongs to the same allocation as the first one: guard bands are longer than a copy.
  const last = op("i32.add", getGlobal(globals.static), i32(staticLayout.fragment));
  warp.push(
    warp.call("last_addresses", warp.source(instruction, from.base, types.u64), sizes),
    warp.call(
      "translate_wide",
      warp.warp,
      last,
      i64(BigInt(from.offset)),
      i32(1),
      some,
      warp.siteAt(
        warp.kernel.addSite({ instruction, space: "global", access: "load", bytes: 1 }),
        siteLayout.size,
      ),
    ),
    op("drop"),
    warp.call(`copy_part_${bytes}`, sizes, some),
  );
  const inner = warp.code.splice(0);
  warp.push(before, when(some, inner));
}

/**
 * cp.async (PTX ISA section 9.7.9.25.3.1): 4, 8 or 16 bytes from global to shared memory. The copy happens at
 * once, which the manual allows: it may complete at any time before the wait. A source size below that, or a
 * true ignore-src, fills the rest with zeroes and does not read it.
 */
const copyAsync: WarpFamily = (warp, instruction, mask) => {
  const [to, from, size, ...rest] = instruction.operands;
  if (size?.kind !== "integer") return refuse(instruction, "the size is no number");
  const bytes = Number(size.value);
  const allowed = instruction.matched.modifiers["cache"] === "cg" ? [16] : [4, 8, 16];
  if (!allowed.includes(bytes)) return refuse(instruction, `${bytes} bytes`);
  const hinted = instruction.matched.modifiers["hint"] !== undefined;
  const [limit] = hinted && rest.length === 1 ? [] : rest;
  const isPredicate = limit !== undefined && warp.isPredicate(limit);
  const sizes =
    limit === undefined || isPredicate ? undefined : warp.keep(warp.source(instruction, limit, types.u32));
  const reads =
    limit === undefined
      ? mask
      : warp.keep(
          sizes
            ? warp.call("lanes_reading", sizes, i32(bytes), i32(-1), mask)
            : op("i32.and", mask, op("i32.xor", ignoredLanes(warp, instruction, limit), i32(-1))),
        );
  const parts = sizes ? warp.keep(warp.call("lanes_reading", sizes, i32(1), i32(bytes), mask)) : i32(0);
  const { conflict } = translateWatched(warp, {
    instruction,
    address: to,
    bytes,
    access: "store",
    mask,
    space: "shared",
    how: "copy",
  });
  warp.push(warp.call("save_targets"));
  translate(warp, { instruction, address: from, bytes, access: "load", mask: reads, space: "global" });
  copyWhole(warp, { bytes, mask, reads, parts, conflict });
  if (sizes) copyPart(warp, { instruction, from, bytes, mask }, sizes);
};

/**
 * st.async (PTX ISA section 9.7.9.12): a store to the shared memory of another block, whose end a barrier
 * object there counts.
 */
const storeAsync: WarpFamily = (warp, instruction, mask) => {
  const [, value, barrier] = instruction.operands;
  const bytes = vectorElements(value).length * typeOf(instruction).bytes;
  store(warp, instruction, mask);
  translate(warp, { instruction, address: barrier, bytes: 8, access: "atomic", mask, space: "generic" });
  const told = { kind: "integer", value: BigInt(bytes) } as const;
  warp.push(warp.call("phase_complete", warp.source(instruction, told, types.u32), mask));
};

export const asyncFamilies = {
  "copy-async": copyAsync,
  "store-async": storeAsync,
} as const satisfies WarpFamilies;
