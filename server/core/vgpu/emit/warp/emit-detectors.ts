import { isClusterSpace } from "../../ptx/spaces";
import { types } from "../../ptx/types";
import { warpLayout } from "../../layout";
import { bulkReadEvents, fenceOperand, infoBits, orderEvents, waysOf } from "../../library/races/race-words";
import { isTrackedSize } from "../../library/races/tracking";
import { type Wasm, call, get, i32, load, op, set, when } from "../../wasm/code";
import type { Traits } from "../../opcodes/families";
import type { ProgramInstruction } from "../../flatten/program";
import type { MemorySite } from "../emitters/memory-site";
import type { WarpEmitter } from "../emitters/warp-emitter";

/** An access whose addresses stand in the scratch vector. */
export interface WatchedAccess extends MemorySite {
  /** Number of the site and linear address of its record. */
  readonly index: number;
  readonly site: Wasm;
  /** Linear address of the first lane's bytes when the lanes lie packed, else 0. */
  readonly base: Wasm;
  readonly mask: Wasm;
  /**
   * The store looks at its values itself before a conflict counts: see `emitScatter`. So does an asynchronous
   * copy, which is in order only once waited for.
   */
  readonly how?: "values" | "copy" | undefined;
  /** How it synchronises, where its instruction does not say so; see `waysOf`. */
  readonly ways?: number | undefined;
  /** Id of the bulk copy that it is a part of. */
  readonly copy?: Wasm | undefined;
}

/**
 * A store's lanes that are in conflict with other accesses, until it is known whether they change anything.
 * The interval is the one it was recorded under.
 */
export interface Conflict {
  readonly lanes: Wasm;
  readonly changed: number;
  readonly bytes: number;
  readonly meta: Wasm;
  readonly interval: Wasm;
}

/** Whether an access takes part in synchronisation (PTX ISA section 8.4, strong operations). */
function isStrong({ matched }: ProgramInstruction): boolean {
  return ["volatile", "relaxed", "acquire", "release"].includes(matched.modifiers["weak"] ?? "");
}

/** Emits a fence's part: what the warp did is known to those who synchronise with it later. */
function emitFence(warp: WarpEmitter, scope: string | undefined, location = -1): void {
  warp.push(
    warp.call("race_tell", i32(orderEvents.fence), warp.warp, i32(fenceOperand(scope !== "cta", location))),
    warp.call("race_step", warp.warp),
  );
}

/**
 * How barrier objects synchronise (PTX ISA section 9.7.13.15): by default an arrival releases, and a test
 * acquires.
 */
const phaseWays: Readonly<Record<NonNullable<Traits["phase"]>, number>> = {
  change: 0,
  arrive: waysOf.release,
  wait: waysOf.acquire,
  copies: waysOf.copies,
};

/** How an access synchronises; 0 when it does not. */
function synchronizes(
  instruction: ProgramInstruction,
  access: MemorySite["access"],
  semantics: string,
): number {
  const { phase, result } = instruction.matched.traits;
  if (phase !== undefined) return semantics === "relaxed" ? 0 : phaseWays[phase];
  const acquires = semantics === "relaxed" || semantics === "release" ? waysOf.acquireLater : waysOf.acquire;
  if (access === "atomic") return result ? waysOf.release | acquires : waysOf.release;
  if (!isStrong(instruction)) return 0;
  if (access === "load" && semantics === "volatile") return waysOf.acquireStrongly;
  return access === "load" ? acquires : waysOf.release;
}

/**
 * The flags of an access. An atomic for its own block alone is no atomic to other blocks, so that its
 * conflicts with others are looked at.
 */
function flagsOf(
  { matched: { modifiers } }: ProgramInstruction,
  { access, space }: MemorySite,
  ways: number,
): number {
  const isNarrow = modifiers["scope"] === "cta" && space !== "shared";
  if (access === "atomic" && !isNarrow) return infoBits.atomic;
  return ways > 0 ? infoBits.strong : 0;
}

/** Emits the check or the note of which bytes hold something. */
function emitTracking(
  warp: WarpEmitter,
  what: "check" | "mark",
  { site, base, mask, bytes }: WatchedAccess,
): void {
  const parts = isTrackedSize(bytes) ? [base, mask] : [i32(bytes), mask];
  const name = `${what}_written_${isTrackedSize(bytes) ? bytes : "lanes"}`;
  warp.push(what === "mark" ? warp.call(name, ...parts) : warp.call(name, warp.warp, site, ...parts));
}

/**
 * Emits what the detectors do with an access whose addresses have been translated: reads of bytes that hold
 * nothing, and races. Gives the conflicts of a store that looks at its values.
 */
export function emitWatch(warp: WarpEmitter, watched: WatchedAccess): Conflict | undefined {
  const { instruction, index, access } = watched;
  const { modifiers } = instruction.matched;
  const semantics = modifiers["semantics"] ?? modifiers["weak"] ?? "";
  const ways = watched.ways ?? synchronizes(instruction, access, semantics);
  const flags = flagsOf(instruction, watched, ways);
  const meta = i32(Math.min(index, infoBits.siteMask) | flags);
  const isFirst = modifiers["operation"] === "exch" || modifiers["action"] === "init";
  if (access === "load" || (access === "atomic" && !isFirst)) emitTracking(warp, "check", watched);
  if (access !== "load") emitTracking(warp, "mark", watched);
  if (ways > 0) emitSynchronization(warp, watched, { semantics, ways });
  if (access !== "load")
    return emitChange(warp, watched, { meta, isAtomic: (flags & infoBits.atomic) !== 0 });
  emitRead(warp, watched, meta);
  const unseen = unseenBy(watched);
  if (unseen !== undefined) warp.push(warp.call(unseen, warp.warp, i32(watched.bytes), watched.mask, meta));
  return undefined;
}

/** What looks for words that a read need not see, though they were written before it. */
function unseenBy({ instruction: { matched }, space }: WatchedAccess): string | undefined {
  if (matched.modifiers["nc"] !== undefined) return "race_stale";
  return matched.traits.proxy === "async" && space === "shared" ? "race_proxy" : undefined;
}

/** Emits what an access that takes part in synchronisation tells and learns. */
function emitSynchronization(
  warp: WarpEmitter,
  { instruction, mask }: WatchedAccess,
  { semantics, ways }: { readonly semantics: string; readonly ways: number },
): void {
  const { traits, modifiers } = instruction.matched;
  if (traits.phase === "arrive")
    emitFence(warp, isClusterSpace(modifiers["space"]) ? "cluster" : (modifiers["scope"] ?? "cta"));
  else if (["release", "acq_rel", "sc"].includes(semantics))
    emitFence(warp, modifiers["scope"], instruction.location);
  if (ways & waysOf.copies) warp.push(warp.call("race_releasing"));
  warp.push(warp.call("race_synchronize", warp.warp, mask, i32(ways)));
}

/** Sizes for which the race detector has functions of their own. */
function isWholeSize(bytes: number): boolean {
  return bytes === 4 || bytes === 8 || bytes === 16;
}

function emitRead(warp: WarpEmitter, { mask, bytes }: WatchedAccess, meta: Wasm): void {
  warp.push(
    isWholeSize(bytes)
      ? warp.call(`race_read_${bytes}`, warp.warp, mask, meta)
      : warp.call("race_read_lanes", warp.warp, i32(bytes), mask, mask, meta),
  );
}

/** Emits the record of a store or an atomic; gives the conflicts of a store that looks at its values. */
function emitChange(
  warp: WarpEmitter,
  { mask, bytes, how, copy }: WatchedAccess,
  { meta, isAtomic }: { readonly meta: Wasm; readonly isAtomic: boolean },
): Conflict | undefined {
  const own = load("i32.load", warp.warp, warpLayout.interval);
  const interval = how === "copy" ? warp.keep(warp.call("race_copy", warp.warp)) : (copy ?? own);
  const lanes = warp.keep(
    isWholeSize(bytes)
      ? warp.call(`race_${isAtomic ? "update" : "write"}_${bytes}`, warp.warp, mask, meta, interval)
      : warp.call("race_write_lanes", warp.warp, i32(bytes), mask, meta, interval),
  );
  if (how === undefined) {
    warp.push(when(lanes, warp.call("race_confirm", warp.warp, lanes, i32(bytes), meta)));
    return undefined;
  }
  const changed = warp.builder.local("i32");
  warp.push(set(changed, i32(0)));
  return { lanes, changed, bytes, meta, interval };
}

/**
 * One element of a store: the lanes in conflict are noted if they change memory. A store of what is there
 * already is no race.
 */
export function emitScatter(
  warp: WarpEmitter,
  conflict: Conflict | undefined,
  name: string,
  parts: { source: Wasm; base: Wasm; element: number; mask: Wasm },
): void {
  const { source, base, element, mask } = parts;
  const plain = warp.call(name, source, base, i32(element), mask);
  if (!conflict) return warp.push(plain);
  const noting = op(
    "i32.or",
    get(conflict.changed),
    warp.call(`noting_${name}`, source, i32(element), mask, conflict.lanes),
  );
  warp.push(when(conflict.lanes, set(conflict.changed, noting), plain));
}

/** The end of a store that looks at its values. */
export function emitConfirm(warp: WarpEmitter, conflict: Conflict | undefined): void {
  if (!conflict) return;
  const { lanes, changed, bytes, meta, interval } = conflict;
  warp.push(
    when(lanes, [
      warp.call("race_confirm", warp.warp, get(changed), i32(bytes), meta),
      warp.call(
        "race_agree",
        warp.warp,
        op("i32.and", lanes, op("i32.xor", get(changed), i32(-1))),
        i32(bytes),
        meta,
        interval,
      ),
    ]),
  );
}

/**
 * Emits what an instruction means for the order of accesses, before it runs. Votes, matches, reductions and
 * shuffles pass on values and guarantee no order of memory (CUDA C++ Programming Guide, on these functions).
 */
export function emitOrder(warp: WarpEmitter, instruction: ProgramInstruction, mask: Wasm): void {
  const { traits, modifiers } = instruction.matched;
  switch (traits.gathers) {
    case "order":
      return warp.push(
        warp.call("race_meet", warp.warp, mask, warp.source(instruction, instruction.operands[0], types.b32)),
      );
    case "whole-warp":
      return warp.push(warp.call("race_tick", warp.warp));
    case "exchange":
      return undefined;
    case undefined:
  }
  if (traits.orders === "fence") {
    if (modifiers["kind"] === "async")
      warp.push(warp.call("race_tell", i32(orderEvents.proxy), warp.warp, i32(0)));
    return emitFence(warp, modifiers["level"] ?? modifiers["scope"], instruction.location);
  }
  return traits.orders === "copies" ? emitCopyGroup(warp, instruction, mask) : undefined;
}

/** Emits the end of a group of asynchronous copies, or the wait for groups. */
function emitCopyGroup(
  warp: WarpEmitter,
  { matched, operands: [count] }: ProgramInstruction,
  mask: Wasm,
): void {
  const tell = (event: number, operand: number): void =>
    warp.push(warp.call("race_tell", i32(event), warp.warp, i32(operand)));
  const { bulk, kind } = matched.modifiers;
  const remaining = count?.kind === "integer" ? Number(count.value) : 0;
  if (bulk !== undefined) {
    const event = kind === "commit_group" ? bulkReadEvents.commit : bulkReadEvents.wait;
    return tellBulkRead(warp, event, [mask, i32(remaining)]);
  }
  if (kind === "commit_group") tell(orderEvents.commit, 0);
  else if (kind === "wait_all") tell(orderEvents.wait, -1);
  else tell(orderEvents.wait, remaining);
}

/** Emits an event of `bulkReadEvents` without a result, of the lanes and with the operand that it names. */
export function tellBulkRead(
  warp: WarpEmitter,
  event: number,
  [lanes, operand]: readonly [Wasm, Wasm],
): void {
  warp.push(call(warp.kernel.importOf("order"), i32(event), warp.warp, lanes, operand), op("drop"));
}
