import { warpLayout } from "../../layout";
import { fenceOperand, infoBits, orderEvents, waysOf } from "../../library/races/race-words";
import { isTrackedSize } from "../../library/races/tracking";
import { type Wasm, get, i32, load, op, set, when } from "../../wasm/code";
import { isGathering } from "../../analyse/blocks";
import type { ProgramInstruction } from "../../flatten/program";
import type { MemorySite, WarpEmitter } from "../emitters/warp-emitter";

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
const phaseBarriers: Readonly<Record<string, number>> = {
  "phase-barrier-change": 0,
  "phase-barrier-arrive": waysOf.release,
  "phase-barrier-wait": waysOf.acquire,
  "phase-barrier-copies": waysOf.copies,
};

/** How an access synchronises; 0 when it does not. */
function synchronizes(
  instruction: ProgramInstruction,
  access: MemorySite["access"],
  semantics: string,
): number {
  const phase = phaseBarriers[instruction.matched.family];
  if (phase !== undefined) return semantics === "relaxed" ? 0 : phase;
  const acquires = semantics === "relaxed" || semantics === "release" ? waysOf.acquireLater : waysOf.acquire;
  if (access === "atomic")
    return instruction.matched.instruction.opcode === "red" ? waysOf.release : waysOf.release | acquires;
  if (!isStrong(instruction)) return 0;
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
  const isNarrow = (modifiers["scope"] ?? modifiers["scopeAfter"]) === "cta" && space !== "shared";
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
  const { instruction, index, mask, access, bytes, how } = watched;
  const { modifiers } = instruction.matched;
  const semantics = modifiers["semantics"] ?? modifiers["semanticsAfter"] ?? modifiers["weak"] ?? "";
  const ways = synchronizes(instruction, access, semantics);
  const flags = flagsOf(instruction, watched, ways);
  const meta = i32(Math.min(index, infoBits.siteMask) | flags);
  const isFirst = modifiers["operation"] === "exch" || modifiers["action"] === "init";
  if (access === "load" || (access === "atomic" && !isFirst)) emitTracking(warp, "check", watched);
  if (access !== "load") emitTracking(warp, "mark", watched);
  if (ways > 0) {
    if (instruction.matched.family === "phase-barrier-arrive") emitFence(warp, "cta");
    else if (["release", "acq_rel", "sc"].includes(semantics))
      emitFence(warp, modifiers["scope"] ?? modifiers["scopeAfter"], instruction.location);
    if (ways & waysOf.copies) warp.push(warp.call("race_releasing"));
    warp.push(warp.call("race_synchronize", warp.warp, mask, i32(ways)));
  }
  const isWhole = bytes === 4 || bytes === 8 || bytes === 16;
  if (access === "load") {
    warp.push(
      isWhole
        ? warp.call(`race_read_${bytes}`, warp.warp, mask, meta)
        : warp.call("race_read_lanes", warp.warp, i32(bytes), mask, mask, meta),
    );
    return undefined;
  }
  const isAtomic = (flags & infoBits.atomic) !== 0;
  const interval =
    how === "copy"
      ? warp.keep(warp.call("race_copy", warp.warp))
      : load("i32.load", warp.warp, warpLayout.interval);
  const lanes = warp.keep(
    isWhole
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
 * Warp-wide instructions that pass on values and guarantee no order of memory (CUDA C++ Programming Guide, on
 * warp vote, match, reduce and shuffle functions).
 */
const exchanging: ReadonlySet<string> = new Set(["shuffle", "vote", "match", "reduce-warp", "elect"]);

/**
 * Emits what an instruction means for the order of accesses, before it runs: warp-wide ones, fences, groups
 * of asynchronous copies.
 */
export function emitOrder(warp: WarpEmitter, instruction: ProgramInstruction, mask: Wasm): void {
  const {
    family,
    instruction: { opcode },
    modifiers,
  } = instruction.matched;
  if (family === "warp-sync")
    return warp.push(
      warp.call("race_meet", warp.warp, mask, warp.source(instruction, instruction.operands[0], "b32")),
    );
  if (exchanging.has(family)) return undefined;
  if (isGathering(instruction)) return warp.push(warp.call("race_tick", warp.warp));
  if (opcode === "membar" || opcode === "fence")
    return emitFence(warp, modifiers["level"] ?? modifiers["scope"], instruction.location);
  if (opcode !== "cp") return undefined;
  const [count] = instruction.operands;
  const tell = (event: number, operand: number): void =>
    warp.push(warp.call("race_tell", i32(event), warp.warp, i32(operand)));
  if (modifiers["kind"] === "commit_group") tell(orderEvents.commit, 0);
  if (modifiers["kind"] === "wait_all") tell(orderEvents.wait, -1);
  if (modifiers["kind"] === "wait_group")
    tell(orderEvents.wait, count?.kind === "integer" ? Number(count.value) : 0);
  return undefined;
}
