import { isOfWholeWarp } from "../../flatten/program";
import { pcFlags, warpLayout } from "../../layout";
import { fullName } from "../../opcodes/table";
import { FaultError } from "./faults";
import { threadText, tripleText } from "./findings";
import { type LanePlace, callersOf, codeAt, lanesOf, partyOf, placeOf } from "../machine/lane-places";
import type { Machine } from "../machine/machine";
import type { KernelFinding } from "../machine/types";
import { WaitingThreads, doing } from "./waiting-threads";

/** A warp's lane that waits, one that keeps it waiting if there is one, and what is wrong with that. */
interface Stuck {
  readonly kind: KernelFinding["kind"];
  readonly here: LanePlace;
  readonly other?: LanePlace | undefined;
  /** What follows "thread (0,0,0) of block (0,0,0) ". */
  readonly what: string;
}

function fail(machine: Machine, { kind, here, other, what }: Stuck): never {
  const { thread, file, line } = here;
  const place = { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
  const party = other && partyOf(other);
  throw new FaultError({
    kind,
    message: `${titles[kind] ?? kind}: ${threadText(thread, machine.coordinates)} ${what}${callersOf(machine, here)}`,
    ...place,
    block: machine.coordinates,
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
 * Lanes of one warp wait at a barrier while others of it are elsewhere (PTX ISA section 9.7.13.1: all threads
 * of a warp have to come).
 */
export function failApart(machine: Machine, warp: number): never {
  const { view } = machine;
  const [active, live] = [
    view.getInt32(warp + warpLayout.active, true),
    view.getInt32(warp + warpLayout.live, true),
  ];
  const [lane = 0] = lanesOf(active);
  const [apart = 0] = lanesOf(live & ~active);
  const [here, other] = [placeOf(machine, warp, lane), placeOf(machine, warp, apart)];
  fail(machine, {
    kind: "divergent-barrier",
    here,
    other,
    what: `waits at a barrier apart from thread ${tripleText(other.thread)} of its warp, which ${doing(other, here)}`,
  });
}

/** A barrier's own operands are wrong. */
export function failOperands(machine: Machine, warp: number, what: string): never {
  const [lane = 0] = lanesOf(machine.view.getInt32(warp + warpLayout.active, true));
  fail(machine, { kind: "divergent-barrier", here: placeOf(machine, warp, lane), what });
}

/** Nothing can run any more: a warp waits at a barrier that others do not reach. */
export function failUnreached(
  machine: Machine,
  {
    warp,
    id,
    present,
    expected,
  }: { readonly warp: number; readonly id: number; readonly present: number; readonly expected: number },
): never {
  const here = placeOf(machine, warp, lanesOf(machine.view.getInt32(warp + warpLayout.live, true))[0] ?? 0);
  const waiting = new WaitingThreads(here);
  waiting.add(machine);
  const { party, text } = waiting.others(
    ({ at, what }) => (at & pcFlags.barrier) !== 0 && what === here.what,
  );
  const [x, y, z] = machine.request.block;
  const why = text === "" ? `; the block has ${x * y * z} threads` : text;
  fail(machine, {
    kind: "barrier-deadlock",
    here,
    other: party,
    what: `waits at barrier ${id} for ${expected} threads, of which ${present} come${why}`,
  });
}

/**
 * Lanes wait for lanes that their member mask names, or that their instruction is for, and that never come
 * (PTX ISA section 9.7.9.6).
 */
export function failGathering(machine: Machine, warp: number): never {
  const places = lanesOf(machine.view.getInt32(warp + warpLayout.live, true)).map((lane) =>
    placeOf(machine, warp, lane),
  );
  const here = places.find(({ at }) => at & pcFlags.gathering) ?? places[0] ?? placeOf(machine, warp, 0);
  const other = places.find(({ at }) => at !== here.at);
  const [instruction] = machine.kernel.code.blocks[codeAt(here.at)]?.instructions ?? [];
  const name = instruction ? fullName(instruction.matched.instruction) : "a warp-wide instruction";
  const who = other ? `: thread ${tripleText(other.thread)} ${doing(other, here)}` : "";
  if (instruction && isOfWholeWarp(instruction))
    fail(machine, {
      kind: "divergent-warp-instruction",
      here,
      other,
      what: `waits in ${name} for the other lanes of its warp, which never come${who}`,
    });
  fail(machine, {
    kind: "illegal-shuffle-mask",
    here,
    other,
    what: `waits in ${name} for lanes that its mask names and that never come${who}`,
  });
}
