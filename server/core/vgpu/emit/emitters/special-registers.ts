import { mustGet } from "../../../base/known";
import { modelledGpu } from "../../modelled-gpu";
import { staticLayout, warpLayout } from "../../layout";
import { globals } from "../../library/library";
import { type PtxType, isWide, types } from "../../ptx/types";
import { type Wasm, call, getGlobal, i64, load, op, shuffle, splat32 } from "../../wasm/code";
import { isClock } from "../../analyse/clocks";
import type { KernelContext } from "./kernel-context";
import type { ProgramInstruction } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import { type Parts, normalize } from "./values";

/** The lane segment that reads a special register. */
interface SpecialReader {
  readonly kernel: KernelContext;
  /** Address of this group of four lanes in the warp's 32-bit registers and vectors. */
  readonly narrow: Wasm;
  /** Evaluates now; the result can be used any number of times. */
  keep(value: Wasm): Wasm;
}

/** Four lanes of a special register (PTX ISA section 10). */
export function specialParts(
  lane: SpecialReader,
  instruction: ProgramInstruction,
  name: string,
  type: PtxType,
): Parts {
  if (isClock(name)) return clockParts(lane, instruction, name, type);
  const fromWarp = specialVectors.get(name);
  const value =
    fromWarp !== undefined ? load("v128.load", lane.narrow, fromWarp) : uniformSpecial(instruction, name);
  if (!isWide(type)) return [normalize(value, type, types.u32)];
  const kept = lane.keep(value);
  return [op("i64x2.extend_low_i32x4_u", kept), op("i64x2.extend_high_i32x4_u", kept)];
}

/**
 * Clocks count instructions, the same for all lanes. The time of the whole block has been spent at its start.
 */
function clockParts(
  lane: SpecialReader,
  instruction: ProgramInstruction,
  name: string,
  type: PtxType,
): Parts {
  const now = op(
    "i64.sub",
    call(lane.kernel.importOf("clock")),
    i64(BigInt(mustGet(lane.kernel.timesLeft, instruction))),
  );
  const value = lane.keep(op("i64x2.splat", name.endsWith("_hi") ? op("i64.shr_u", now, i64(32n)) : now));
  return isWide(type)
    ? [value, value]
    : [shuffle(value, value, [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3])];
}

function uniformSpecial(instruction: ProgramInstruction, name: string): Wasm {
  const fromStatic = specialScalars.get(name);
  if (fromStatic !== undefined) return load("v128.load32_splat", getGlobal(globals.static), fromStatic);
  const fromCluster = clusterScalar(name);
  if (fromCluster !== undefined) return op("i32x4.splat", fromCluster);
  const constant = specialConstants.get(name) ?? (unknowable.test(name) ? 0 : undefined);
  return constant !== undefined ? splat32(constant) : refuse(instruction, name);
}

/** What follows from the place of a block in the grid and the size of its cluster (PTX ISA section 10). */
function clusterScalar(name: string): Wasm | undefined {
  const word = (offset: number, axis: number): Wasm =>
    load("i32.load", getGlobal(globals.static), offset + 4 * axis);
  const size = (axis: number): Wasm => word(staticLayout.clusterSize, axis);
  const within = (axis: number): Wasm => op("i32.rem_u", word(staticLayout.ctaid, axis), size(axis));
  const of = (kind: string): number => ["x", "y", "z"].findIndex((axis) => name === `%${kind}.${axis}`);
  if (name === "%cluster_nctarank") return op("i32.mul", size(0), op("i32.mul", size(1), size(2)));
  if (name === "%cluster_ctarank") {
    const rows = op("i32.add", within(1), op("i32.mul", size(1), within(2)));
    return op("i32.add", within(0), op("i32.mul", size(0), rows));
  }
  if (of("cluster_ctaid") >= 0) return within(of("cluster_ctaid"));
  if (of("clusterid") >= 0)
    return op("i32.div_u", word(staticLayout.ctaid, of("clusterid")), size(of("clusterid")));
  if (of("nclusterid") < 0) return undefined;
  return op("i32.div_u", word(staticLayout.nctaid, of("nclusterid")), size(of("nclusterid")));
}

const specialVectors: ReadonlyMap<string, number> = new Map([
  ["%tid.x", warpLayout.tidX],
  ["%tid.y", warpLayout.tidY],
  ["%tid.z", warpLayout.tidZ],
  ["%laneid", warpLayout.laneId],
  ["%warpid", warpLayout.warpId],
  ["%lanemask_eq", warpLayout.laneMaskEqual],
  ["%lanemask_lt", warpLayout.laneMaskLess],
  ["%lanemask_le", warpLayout.laneMaskLessEqual],
  ["%lanemask_gt", warpLayout.laneMaskGreater],
  ["%lanemask_ge", warpLayout.laneMaskGreaterEqual],
]);

const specialScalars: ReadonlyMap<string, number> = new Map([
  ["%ntid.x", staticLayout.ntid],
  ["%ntid.y", staticLayout.ntid + 4],
  ["%ntid.z", staticLayout.ntid + 8],
  ["%nctaid.x", staticLayout.nctaid],
  ["%nctaid.y", staticLayout.nctaid + 4],
  ["%nctaid.z", staticLayout.nctaid + 8],
  ["%ctaid.x", staticLayout.ctaid],
  ["%ctaid.y", staticLayout.ctaid + 4],
  ["%ctaid.z", staticLayout.ctaid + 8],
  ["%nwarpid", staticLayout.warpCount],
  ["%smid", staticLayout.multiprocessor],
  // What cooperative_groups.h reads to find the workspace of grid-wide barriers: the high half first.
  ["%envreg1", staticLayout.workspace + 4],
  ["%envreg2", staticLayout.workspace],
  ["%is_explicit_cluster", staticLayout.explicitCluster],
  ["%cluster_nctaid.x", staticLayout.clusterSize],
  ["%cluster_nctaid.y", staticLayout.clusterSize + 4],
  ["%cluster_nctaid.z", staticLayout.clusterSize + 8],
  ["%aggr_smem_size", staticLayout.totalShared],
  ["%dynamic_smem_size", staticLayout.dynamicShared],
  ["%total_smem_size", staticLayout.totalShared],
]);

const specialConstants: ReadonlyMap<string, number> = new Map([
  ["WARP_SZ", 32],
  ["%nsmid", modelledGpu.multiprocessors],
  ["%gridid", 0],
  ["%current_graph_exec", 0],
  ...["tid", "ctaid", "clusterid", "cluster_ctaid"].map((name) => [`%${name}.w`, 0] as const),
  ...["ntid", "nctaid", "nclusterid", "cluster_nctaid"].map((name) => [`%${name}.w`, 1] as const),
]);

/**
 * What the driver sets and the performance monitors count: nothing here (PTX ISA sections 10.22 to 10.26).
 */
const unknowable = /^%(?:envreg(?:[0-9]|[12][0-9]|3[01])|pm[0-7](?:_64)?)$/;
