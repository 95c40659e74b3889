import { addressWindows, lanes, pcFlags, warpLayout, warpTurns } from "../../layout";
import { laneRequest } from "./barrier-requests";
import { callersText } from "./call-sites";
import { lineOfBlock } from "./block-state";
import type { Machine } from "./machine";
import type { OtherParty, Triple } from "./types";

const marks = pcFlags.barrier | pcFlags.gathering | pcFlags.parked;

/**
 * The block of code in which a lane is, by where it goes on: one at a barrier goes on in the block behind it.
 */
export function codeAt(at: number): number {
  return at & pcFlags.barrier ? (at & ~marks) - 1 : at & ~marks;
}

/** Where a lane (of a warp, by linear address) of the block of threads at work is. */
export interface LanePlace {
  readonly warp: number;
  readonly lane: number;
  readonly block: Triple;
  readonly thread: Triple;
  /** Block of code that it runs next, with `pcFlags`. */
  readonly at: number;
  /** What it waits at, as far as that can be said: `barrier 1`, `"flags"+0x4`. */
  readonly what?: string;
  /** It waits in a loop. */
  readonly spins: boolean;
  readonly file?: string;
  readonly line?: number;
}

/** Numbers of the lanes in a bit mask. */
export function lanesOf(bits: number): readonly number[] {
  return Array.from({ length: lanes }, (_, lane) => lane).filter((lane) => ((bits >>> lane) & 1) === 1);
}

/** Where one lane is. */
export function placeOf(machine: Machine, warp: number, lane: number): LanePlace {
  const at = nextOf(machine, warp, lane);
  const code = codeAt(at);
  const what =
    at & pcFlags.barrier ? barrierText(machine, warp, lane) : addressText(machine, { warp, lane, code });
  return {
    warp,
    lane,
    block: machine.coordinates,
    thread: machine.threadOf(warp, lane),
    at,
    spins: (at & pcFlags.barrier) === 0 && machine.kernel.code.waits.has(code),
    ...(what === undefined ? {} : { what }),
    ...lineOfBlock(machine, code),
  };
}

/** What a message adds when the place lies in a function that is called. */
export function callersOf(machine: Machine, { at, warp, lane }: LanePlace): string {
  const {
    instructions: [first],
    last,
  } = machine.kernel.code.blocks[codeAt(at)] ?? { instructions: [] };
  return callersText(machine, last ?? first, { warp, lane });
}

/** Places of all threads of the block at work that have not ended. */
export function placesOfBlock(machine: Machine): readonly LanePlace[] {
  return Array.from({ length: machine.layout.warpCount }, (_, index) => machine.warpAt(index))
    .filter((warp) => machine.view.getInt32(warp + warpLayout.turn, true) !== warpTurns.ended)
    .flatMap((warp) =>
      lanesOf(machine.view.getInt32(warp + warpLayout.live, true)).map((lane) =>
        placeOf(machine, warp, lane),
      ),
    );
}

/** The other party of a finding. */
export function partyOf({ at, thread, block, file, line }: LanePlace): OtherParty {
  return {
    access: at & pcFlags.barrier ? "barrier" : "instruction",
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    block,
    thread,
  };
}

/** Lanes that run write down where they go on only when they part or wait. */
function nextOf({ view }: Machine, warp: number, lane: number): number {
  const [turn, active] = [
    view.getInt32(warp + warpLayout.turn, true),
    view.getInt32(warp + warpLayout.active, true),
  ];
  const own = view.getInt32(warp + warpLayout.lanePc + 4 * lane, true);
  const runs =
    turn === warpTurns.runs &&
    ((active >>> lane) & 1) === 1 &&
    (own & (pcFlags.barrier | pcFlags.gathering)) === 0;
  return runs ? view.getInt32(warp + warpLayout.pc, true) : own;
}

function barrierText(machine: Machine, warp: number, lane: number): string {
  const request = laneRequest(machine, warp, lane);
  return request ? `barrier ${request.id}` : "a barrier";
}

/** The address that a lane looks at while it waits in a loop. */
function addressText(
  machine: Machine,
  { warp, lane, code }: { readonly warp: number; readonly lane: number; readonly code: number },
): string | undefined {
  const place = machine.kernel.code.waits.get(code);
  if (!place) return undefined;
  const {
    address: { base, offset },
    slot,
    wide,
  } = place;
  if (base.kind === "place") {
    if (base.space === "global") return `"${base.symbol}"+0x${(base.offset + offset).toString(16)}`;
    const start = base.space === "dynamic-shared" ? machine.kernel.code.dynamicSharedAt : 0;
    return base.space === "shared" || base.space === "dynamic-shared"
      ? sharedText(start + base.offset + offset)
      : undefined;
  }
  if (slot === undefined) return undefined;
  if (!wide) return sharedText((machine.view.getUint32(warp + slot + 4 * lane, true) + offset) >>> 0);
  const value = BigInt.asUintN(64, machine.view.getBigUint64(warp + slot + 8 * lane, true) + BigInt(offset));
  if (value >> 40n === addressWindows.shared >> 40n) return sharedText(Number(value - addressWindows.shared));
  const owner = machine.request.memory.find(value);
  return owner && `"${owner.name}"+0x${(value - owner.address).toString(16)}`;
}

function sharedText(offset: number): string {
  return `shared+0x${offset.toString(16)}`;
}
