import { i32, op } from "../wasm/code";
import { type WarpFamily, translate } from "./emit-memory";
import { refuse } from "./refusal";

/**
 * cp.async (PTX ISA section 9.7.9.25.3): 4, 8 or 16 bytes from global to shared memory. The copy happens at once, which the manual allows: it
 * may complete at any time before the wait. A source size of 0 writes zeroes and reads nothing.
 */
const copyAsync: WarpFamily = (warp, instruction, mask) => {
  const [to, from, size, ...rest] = instruction.operands;
  if (size?.kind !== "integer") return refuse(instruction, "the size is no number");
  const bytes = Number(size.value);
  const allowed = instruction.matched.modifiers["cache"] === "cg" ? [16] : [4, 8, 16];
  if (!allowed.includes(bytes)) return refuse(instruction, `${bytes} bytes`);
  const hinted = instruction.matched.modifiers["hint"] !== undefined;
  const [limit] = hinted && rest.length === 1 ? [] : rest;
  if (limit !== undefined && warp.isPredicate(limit)) return refuse(instruction, "form with ignore-src");
  const sizes = limit === undefined ? undefined : warp.source(instruction, limit, "u32");
  const reads = sizes === undefined ? mask : warp.keep(op("i32.and", mask, warp.call("whole_or_nothing", sizes, i32(bytes), mask, warp.warp,
    i32(warp.kernel.addSite({ instruction, space: "global", access: "load", bytes })))));
  translate(warp, { instruction, address: to, bytes, access: "store", mask, space: "shared" });
  warp.push(warp.call("save_targets"));
  translate(warp, { instruction, address: from, bytes, access: "load", mask: reads, space: "global" });
  warp.push(warp.call(`copy_async_${bytes}`, mask, reads));
};

export const asyncFamilies: Readonly<Record<string, WarpFamily>> = { "copy-async": copyAsync };

