import { type Wasm, i32, op } from "../wasm/code";
import { type WarpFamily, translate } from "./emit-memory";
import type { ProgramInstruction, ProgramOperand } from "./program";
import { refuse } from "./refusal";
import type { WarpEmitter } from "./warp-emitter";

interface Limit {
  readonly instruction: ProgramInstruction;
  /** The source's size in bytes, or a predicate that is true where the source is to be ignored. */
  readonly limit: ProgramOperand;
  readonly bytes: number;
  readonly mask: Wasm;
}

/** Lanes whose source is read. */
function readingLanes(warp: WarpEmitter, { instruction, limit, bytes, mask }: Limit): Wasm {
  if (limit.kind === "negated") return warp.call("lane_bits", warp.source(instruction, { kind: "register", register: limit.register }, "pred"));
  if (warp.isPredicate(limit)) return op("i32.xor", warp.call("lane_bits", warp.source(instruction, limit, "pred")), i32(-1));
  return warp.call("whole_or_nothing", warp.source(instruction, limit, "u32"), i32(bytes), mask, warp.warp,
    i32(warp.kernel.addSite({ instruction, space: "global", access: "load", bytes })));
}

/**
 * cp.async (PTX ISA section 9.7.9.25.3): 4, 8 or 16 bytes from global to shared memory. The copy happens at once, which the manual allows: it
 * may complete at any time before the wait. A source size of 0, or a true ignore-src, writes zeroes
 * and reads nothing.
 */
const copyAsync: WarpFamily = (warp, instruction, mask) => {
  const [to, from, size, ...rest] = instruction.operands;
  if (size?.kind !== "integer") return refuse(instruction, "the size is no number");
  const bytes = Number(size.value);
  const allowed = instruction.matched.modifiers["cache"] === "cg" ? [16] : [4, 8, 16];
  if (!allowed.includes(bytes)) return refuse(instruction, `${bytes} bytes`);
  const hinted = instruction.matched.modifiers["hint"] !== undefined;
  const [limit] = hinted && rest.length === 1 ? [] : rest;
  const reads = limit === undefined ? mask : warp.keep(op("i32.and", mask, readingLanes(warp, { instruction, limit, bytes, mask })));
  translate(warp, { instruction, address: to, bytes, access: "store", mask, space: "shared", how: "copy" });
  warp.push(warp.call("save_targets"));
  translate(warp, { instruction, address: from, bytes, access: "load", mask: reads, space: "global" });
  warp.push(warp.call(`copy_async_${bytes}`, mask, reads));
};

export const asyncFamilies: Readonly<Record<string, WarpFamily>> = { "copy-async": copyAsync };

