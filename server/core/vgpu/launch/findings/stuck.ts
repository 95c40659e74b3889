import { at } from "../../../base/known";
import { isOfWholeWarp } from "../../flatten/program";
import { pcFlags, warpLayout } from "../../layout";
import { fullName } from "../../opcodes/table";
import { FaultError } from "./faults";
import { threadText, tripleText } from "./findings";
import { codeAt } from "../state/barrier-requests";
import { type LanePlace, callersOf, lanesOf, lineOf, partyOf, placeOf } from "../state/lane-places";
import type { LaunchState } from "../state/launch-state";
import type { KernelFinding } from "../state/types";
import { WaitingThreads, doing } from "./waiting-threads";

/** A lane that waits, and what is wrong with that. */
interface Stuck {
  readonly kind: KernelFinding["kind"];
  readonly here: LanePlace;
  /** The lane that it waits for, where there is one. */
  readonly other?: LanePlace | undefined;
  /** The message after "thread (0,0,0) of block (0,0,0) ". */
  readonly what: string;
}

function fail(state: LaunchState, { kind, here, other, what }: Stuck): never {
  const { thread } = here;
  const party = other && partyOf(other);
  throw new FaultError({
    kind,
    message: `${titles[kind] ?? kind}: ${threadText(thread, state.coordinates)} ${what}${callersOf(state, here)}`,
    ...lineOf(here),
    block: state.coordinates,
    thread,
    ...(party ? { other: party } : {}),
  });
}

const titles: Readonly<Record<string, string>> = {
  "divergent-barrier": "divergent barrier",
  "barrier-deadlock": "barrier deadlock",
  "illegal-shuffle-mask": "illegal mask",
  "divergent-warp-instruction": "divergent warp instruction",
};

/**
 * Fails: some lanes of a warp wait at a barrier while others are elsewhere. All threads of a warp have to
 * reach it (PTX ISA section 9.7.13.1).
 */
export function failApart(state: LaunchState, warp: number): never {
  const { view } = state;
  const [active, live] = [
    view.getInt32(warp + warpLayout.active, true),
    view.getInt32(warp + warpLayout.live, true),
  ];
  const [lane = 0] = lanesOf(active);
  const [apart = 0] = lanesOf(live & ~active);
  const [here, other] = [placeOf(state, warp, lane), placeOf(state, warp, apart)];
  fail(state, {
    kind: "divergent-barrier",
    here,
    other,
    what: `waits at a barrier apart from thread ${tripleText(other.thread)} of its warp, which ${doing(other, here)}`,
  });
}

/** Fails: the operands of a barrier are invalid. */
export function failOperands(state: LaunchState, warp: number, what: string): never {
  const [lane = 0] = lanesOf(state.view.getInt32(warp + warpLayout.active, true));
  fail(state, { kind: "divergent-barrier", here: placeOf(state, warp, lane), what });
}

/** Fails: nothing can run, since a warp waits at a barrier that other threads never reach. */
export function failUnreached(
  state: LaunchState,
  {
    warp,
    id,
    present,
    expected,
  }: { readonly warp: number; readonly id: number; readonly present: number; readonly expected: number },
): never {
  const here = placeOf(state, warp, at(lanesOf(state.view.getInt32(warp + warpLayout.live, true)), 0));
  const waiting = new WaitingThreads(here);
  waiting.add(state);
  const { party, text } = waiting.others(
    ({ at, what }) => (at & pcFlags.barrier) !== 0 && what === here.what,
  );
  const [x, y, z] = state.request.block;
  const why = text === "" ? `; the block has ${x * y * z} threads` : text;
  fail(state, {
    kind: "barrier-deadlock",
    here,
    other: party,
    what: `waits at barrier ${id} for ${expected} threads, of which ${present} come${why}`,
  });
}

/**
 * Fails: lanes wait at a warp-wide instruction for lanes that it needs, by its member mask or by definition,
 * and that never reach it (PTX ISA section 9.7.9.6).
 */
export function failGathering(state: LaunchState, warp: number): never {
  const places = lanesOf(state.view.getInt32(warp + warpLayout.live, true)).map((lane) =>
    placeOf(state, warp, lane),
  );
  const here = places.find(({ at }) => at & pcFlags.gathering) ?? places[0] ?? placeOf(state, warp, 0);
  const other = places.find(({ at }) => at !== here.at);
  const [instruction] = state.kernel.code.blocks[codeAt(here.at)]?.instructions ?? [];
  const name = instruction ? fullName(instruction.matched.instruction) : "a warp-wide instruction";
  const who = other ? `: thread ${tripleText(other.thread)} ${doing(other, here)}` : "";
  if (instruction && isOfWholeWarp(instruction))
    fail(state, {
      kind: "divergent-warp-instruction",
      here,
      other,
      what: `waits in ${name} for the other lanes of its warp, which never come${who}`,
    });
  fail(state, {
    kind: "illegal-shuffle-mask",
    here,
    other,
    what: `waits in ${name} for lanes that its mask names and that never come${who}`,
  });
}
