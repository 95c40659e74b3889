import { barrierKinds } from "../compile/emit-barrier";
import { lanes, pcFlags, staticLayout, warpLayout, warpStates } from "../layout";
import { FaultError } from "./faults";
import type { Machine } from "./machine";
import type { KernelFinding, Triple } from "./types";

/** Instructions a warp runs before another warp of the block gets its turn. */
export const slice = 50_000;

export type BlockResult = "completed" | "budget" | "stopped";

export interface Limits {
  /** Warp-level instructions left for the whole launch. */
  remaining: number;
  readonly shouldStop: () => boolean;
  /** Warp that ran last, for naming the line where a budget ended. */
  lastWarp: number;
}

/** One warp's request at a barrier. */
interface Waiting {
  readonly warp: number;
  readonly id: number;
  readonly count: number;
  readonly kind: number;
}

/** Runs one block of threads to its end: warps in turn, barriers between them (PTX ISA section 9.7.13.1). */
export class BlockScheduler {
  private readonly waiting = new Map<number, Waiting>();
  private readonly running = new Set<number>();
  /** Threads that have arrived at a barrier without waiting for it (`barrier.arrive`). */
  private readonly arrived = new Map<number, number>();

  constructor(private readonly machine: Machine, private readonly limits: Limits) {}

  run(block: Triple): BlockResult {
    this.start(block);
    while (this.running.size > 0 || this.waiting.size > 0) {
      for (const warp of [...this.running]) {
        if (this.limits.remaining <= 0) return "budget";
        this.limits.lastWarp = warp;
        this.step(warp);
      }
      if (this.limits.shouldStop()) return "stopped";
      this.releaseBarriers();
    }
    return "completed";
  }

  private start(block: Triple): void {
    const { machine } = this;
    const { view, layout } = machine;
    block.forEach((value, axis) => view.setInt32(machine.base + staticLayout.ctaid + 4 * axis, value, true));
    machine.clearShared();
    const [width, height, depth] = machine.request.block;
    const threads = width * height * depth;
    for (let warp = 0; warp < layout.warpCount; warp += 1) {
      const at = machine.warpAt(warp);
      const count = Math.min(lanes, threads - warp * lanes);
      view.setInt32(at + warpLayout.live, count === lanes ? -1 : (1 << count) - 1, true);
      for (let lane = 0; lane < lanes; lane += 1) view.setInt32(at + warpLayout.lanePc + 4 * lane, lane < count ? 0 : pcFlags.exited, true);
      machine.resume(at);
      this.running.add(warp);
    }
  }

  private step(warp: number): void {
    const { machine, limits } = this;
    const gift = Math.min(slice, limits.remaining);
    machine.refuel(gift);
    const state = machine.run(machine.warpAt(warp));
    limits.remaining -= gift - machine.remainingFuel();
    if (state === warpStates.yielded) return;
    this.running.delete(warp);
    if (state === warpStates.barrier) this.arrive(warp);
    else if (state === warpStates.stuck) this.fail("illegal-shuffle-mask", warp, "a warp-wide instruction names lanes that never reach it");
  }

  /** A warp whose live lanes all wait at barriers. */
  private arrive(warp: number): void {
    const { view } = this.machine;
    const at = this.machine.warpAt(warp);
    const live = view.getInt32(at + warpLayout.live, true);
    const places = new Set<number>();
    for (let lane = 0; lane < lanes; lane += 1) {
      if ((live >>> lane) & 1) places.add(view.getInt32(at + warpLayout.lanePc + 4 * lane, true));
    }
    if (places.size > 1) this.fail("divergent-barrier", warp, "threads of one warp wait at different barriers");
    const read = (offset: number): number => view.getInt32(at + offset, true);
    const request = { warp, id: read(warpLayout.barrierId), count: read(warpLayout.barrierCount), kind: read(warpLayout.barrierKind) };
    if (request.id < 0 || request.id > 15) this.fail("divergent-barrier", warp, `barrier ${request.id} does not exist (0 to 15 do)`);
    if (request.count !== -1 && (request.count <= 0 || request.count % lanes !== 0)) {
      this.fail("divergent-barrier", warp, `a barrier's thread count has to be a multiple of 32, not ${request.count}`);
    }
    if (request.kind === barrierKinds.arrive) {
      this.arrived.set(request.id, (this.arrived.get(request.id) ?? 0) + lanes);
      this.release(warp);
    } else this.waiting.set(warp, request);
  }

  /** Opens every barrier that all expected threads have reached. When nothing can run any more, the block is stuck. */
  private releaseBarriers(): void {
    let opened = false;
    for (const id of new Set([...this.waiting.values()].map((request) => request.id))) {
      const group = [...this.waiting.values()].filter((request) => request.id === id);
      const count = group[0]?.count ?? -1;
      const present = group.length * lanes + (this.arrived.get(id) ?? 0);
      // Without a count all threads of the block that have not exited take part.
      const expected = count === -1 ? (this.running.size + this.waiting.size) * lanes : count;
      if (present < expected) continue;
      opened = true;
      this.arrived.delete(id);
      this.reduce(group);
      for (const { warp } of group) this.release(warp);
    }
    if (opened || this.running.size > 0) return;
    const [stuck] = this.waiting.values();
    if (stuck) this.fail("barrier-deadlock", stuck.warp, `barrier ${stuck.id} is never reached by all its threads`);
  }

  /** Results of barrier reductions over the predicates of all participating threads. */
  private reduce(group: readonly Waiting[]): void {
    const [first] = group;
    if (!first || first.kind < barrierKinds.and) return;
    const { view } = this.machine;
    const read = (warp: number, offset: number): number => view.getInt32(this.machine.warpAt(warp) + offset, true);
    const bits = group.map(({ warp }) => ({ set: read(warp, warpLayout.barrierBits), live: read(warp, warpLayout.live) }));
    const popcount = (value: number): number => value.toString(2).replace(/[^1]/g, "").length;
    const total = bits.reduce((sum, { set }) => sum + popcount(set >>> 0), 0);
    const all = bits.every(({ set, live }) => (set & live) === live);
    const value = first.kind === barrierKinds.popc ? total : (first.kind === barrierKinds.and ? all : total > 0) ? -1 : 0;
    for (const { warp } of group) {
      const result = read(warp, warpLayout.barrierResult);
      const live = read(warp, warpLayout.live);
      for (let lane = 0; lane < lanes; lane += 1) if ((live >>> lane) & 1) view.setInt32(result + 4 * lane, value, true);
    }
  }

  private release(warp: number): void {
    const { machine } = this;
    const { view } = machine;
    const at = machine.warpAt(warp);
    for (let lane = 0; lane < lanes; lane += 1) {
      const place = at + warpLayout.lanePc + 4 * lane;
      const value = view.getInt32(place, true);
      if (value !== pcFlags.exited) view.setInt32(place, value & ~pcFlags.barrier, true);
    }
    machine.resume(at);
    this.waiting.delete(warp);
    this.running.add(warp);
  }

  private fail(kind: KernelFinding["kind"], warp: number, message: string): never {
    const { machine } = this;
    const { view } = machine;
    const at = machine.warpAt(warp);
    const live = view.getInt32(at + warpLayout.live, true);
    const lane = 31 - Math.clz32(live & -live);
    const place = view.getInt32(at + warpLayout.lanePc + 4 * lane, true) & ~(pcFlags.barrier | pcFlags.gathering);
    const line = lineOfBlock(machine, kind === "illegal-shuffle-mask" ? place : place - 1);
    const read = (axis: number): number => view.getInt32(machine.base + staticLayout.ctaid + 4 * axis, true);
    const block: Triple = [read(0), read(1), read(2)];
    throw new FaultError({ kind, message, ...line, block, thread: machine.threadOf(at, Math.max(0, lane)) });
  }
}

/** Source line of a code block's end, or of its first instruction that has one. */
export function lineOfBlock(machine: Machine, index: number): { readonly file?: string; readonly line?: number } {
  const { blocks, lines } = machine.kernel.code;
  const block = blocks[index];
  if (!block) return {};
  const instructions = [...(block.last ? [block.last] : []), ...block.instructions];
  for (const { location } of instructions) {
    const line = lines.of(location);
    if (line) return line;
  }
  return {};
}
