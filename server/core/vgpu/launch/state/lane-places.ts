import { addressWindows, barrierKinds, lanes, pcFlags, warpLayout, warpTurns } from "../../layout";
import { codeAt, laneRequest } from "./barrier-requests";
import { callersText } from "./call-sites";
import { lineOfBlock } from "./block-state";
import type { LaunchState } from "./launch-state";
import type { OtherParty, Triple } from "./types";

/** Where a lane of the current block is. `warp`: linear address. */
export interface LanePlace {
  readonly warp: number;
  readonly lane: number;
  readonly block: Triple;
  readonly thread: Triple;
  /** Its next code block, with `pcFlags`. */
  readonly at: number;
  /** What it waits at, where that is known: `barrier 1`, `"flags"+0x4`. */
  readonly what?: string;
  /** True in a loop that waits for other threads. */
  readonly spins: boolean;
  readonly file?: string;
  readonly line?: number;
}

/** Numbers of the lanes in a bit mask. */
export function lanesOf(bits: number): readonly number[] {
  return Array.from({ length: lanes }, (_, lane) => lane).filter((lane) => ((bits >>> lane) & 1) === 1);
}

/** Where one lane is. */
export function placeOf(state: LaunchState, warp: number, lane: number): LanePlace {
  const at = nextOf(state, warp, lane);
  const code = codeAt(at);
  const what =
    at & pcFlags.barrier ? barrierText(state, warp, lane) : addressText(state, { warp, lane, code });
  return {
    warp,
    lane,
    block: state.coordinates,
    thread: state.threadOf(warp, lane),
    at,
    spins: (at & pcFlags.barrier) === 0 && state.kernel.code.waits.has(code),
    ...(what === undefined ? {} : { what }),
    ...lineOfBlock(state, code),
  };
}

/** What a message adds for a place in a called function: the call sites. */
export function callersOf(state: LaunchState, { at, warp, lane }: LanePlace): string {
  const {
    instructions: [first],
    last,
  } = state.kernel.code.blocks[codeAt(at)] ?? { instructions: [] };
  return callersText(state, last ?? first, { warp, lane });
}

/** Places of all threads of the current block that have not exited. */
export function placesOfBlock(state: LaunchState): readonly LanePlace[] {
  return Array.from({ length: state.plan.warpCount }, (_, index) => state.warpAt(index))
    .filter((warp) => state.view.getInt32(warp + warpLayout.turn, true) !== warpTurns.ended)
    .flatMap((warp) =>
      lanesOf(state.view.getInt32(warp + warpLayout.live, true)).map((lane) => placeOf(state, warp, lane)),
    );
}

/** File and line of a place, where they are known, as findings hold them. */
export function lineOf({ file, line }: LanePlace): Pick<LanePlace, "file" | "line"> {
  return { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
}

/** A place as the other party of a finding. */
export function partyOf(place: LanePlace): OtherParty {
  const { at, thread, block } = place;
  return { access: at & pcFlags.barrier ? "barrier" : "instruction", ...lineOf(place), block, thread };
}

/**
 * A lane's next code block. Running lanes share their warp's `pc`: `lanePc` is written at divergence and
 * waits.
 */
function nextOf({ view }: LaunchState, warp: number, lane: number): number {
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

function barrierText(state: LaunchState, warp: number, lane: number): string {
  const request = laneRequest(state, warp, lane);
  if (request && request.place.kind < barrierKinds.sync) return "the barrier of its cluster";
  return request ? `barrier ${request.id}` : "a barrier";
}

/** The address that a lane polls in a waiting loop. */
function addressText(
  state: LaunchState,
  { warp, lane, code }: { readonly warp: number; readonly lane: number; readonly code: number },
): string | undefined {
  const place = state.kernel.code.waits.get(code);
  if (!place) return undefined;
  const {
    address: { base, offset },
    slot,
    wide,
  } = place;
  if (base.kind === "place") {
    if (base.space === "global") return `"${base.symbol}"+0x${(base.offset + offset).toString(16)}`;
    const start = base.space === "dynamic-shared" ? state.kernel.code.dynamicSharedAt : 0;
    return base.space === "shared" || base.space === "dynamic-shared"
      ? sharedText(start + base.offset + offset)
      : undefined;
  }
  if (slot === undefined) return undefined;
  if (!wide) return sharedText((state.view.getUint32(warp + slot + 4 * lane, true) + offset) >>> 0);
  const value = BigInt.asUintN(64, state.view.getBigUint64(warp + slot + 8 * lane, true) + BigInt(offset));
  if (value >> 40n === addressWindows.shared >> 40n) return sharedText(Number(value - addressWindows.shared));
  const owner = state.request.memory.find(value);
  return owner && `"${owner.name}"+0x${(value - owner.address).toString(16)}`;
}

function sharedText(offset: number): string {
  return `shared+0x${offset.toString(16)}`;
}
