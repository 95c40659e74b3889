import { pcFlags } from "../../layout";
import { threadText } from "./findings";
import { type LanePlace, placesOfBlock } from "../machine/lane-places";
import type { Machine } from "../machine/machine";

/** Places that a message lists; more are counted. */
const mostListed = 4;

/** The threads that keep each other waiting, as a finding tells of them. */
export interface Others {
  /** What follows in the message, each part with a semicolon in front. */
  readonly text: string;
  /** The one to name first: at another place than `own` if there is one. */
  readonly party: LanePlace | undefined;
}

/** Collects where the threads of the blocks at hand are. */
export class WaitingThreads {
  private readonly places: LanePlace[] = [];
  private threads = 0;
  private blocks = 0;

  constructor(private readonly own: LanePlace) {}

  /** Adds the threads of the block at work. */
  add(machine: Machine): void {
    const [x, y, z] = machine.request.block;
    this.blocks += 1;
    this.threads += x * y * z;
    this.places.push(...placesOfBlock(machine));
  }

  /** All but the thread that the finding is about, and all that `isLike` it in what matters. */
  others(isLike: (place: LanePlace) => boolean = () => false): Others {
    const { own } = this;
    const rest = this.places.filter((place) => !isSame(place, own) && !isLike(place));
    const groups = grouped(rest);
    // Those at other places tell more than those that do the same.
    const isElsewhere = ([place]: readonly LanePlace[]): boolean =>
      place !== undefined && place.at !== own.at;
    const sorted = [...groups.filter(isElsewhere), ...groups.filter((group) => !isElsewhere(group))];
    const listed = sorted.slice(0, mostListed).map((group) => groupText(group, own));
    const more = sorted.slice(mostListed).reduce((sum, group) => sum + group.length, 0);
    const ended = this.threads - this.places.length;
    return {
      party: sorted[0]?.[0],
      text: [
        ...listed,
        ...(more > 0 ? [`${more} more wait elsewhere`] : []),
        ...(ended > 0
          ? [
              `${ended === 1 ? "1 thread" : `${ended} threads`} of ${this.blocks === 1 ? "this block" : "these blocks"} ${ended === 1 ? "has" : "have"} ended`,
            ]
          : []),
      ]
        .map((part) => `; ${part}`)
        .join(""),
    };
  }
}

/** Those that do the same on the same line, at the same barrier or in the same allocation. */
function grouped(places: readonly LanePlace[]): readonly (readonly LanePlace[])[] {
  const groups = new Map<string, LanePlace[]>();
  for (const place of places) {
    const { at, file, line, what } = place;
    const key = `${at & (pcFlags.barrier | pcFlags.gathering)} ${file}:${line} ${what?.replace(/0x.*/, "")}`;
    const group = groups.get(key);
    if (group) group.push(place);
    else groups.set(key, [place]);
  }
  return [...groups.values()];
}

function isSame(one: LanePlace, other: LanePlace): boolean {
  return one.thread.join() === other.thread.join() && one.block.join() === other.block.join();
}

function groupText(group: readonly LanePlace[], own: LanePlace): string {
  const [first = own] = group;
  const who =
    group.length === 1
      ? threadText(first.thread, first.block)
      : `${group.length} threads such as ${threadText(first.thread, first.block).replace(/^thread /, "")}`;
  return `${who} ${doing(first, own, group.length)}`;
}

/**
 * `waits at barrier 1 on line 5`: what a thread that is not at the place of another one does; the line is
 * left out where it is the same.
 */
export function doing({ at, what, spins, line, file }: LanePlace, own: LanePlace, count = 1): string {
  const wait = count === 1 ? "waits" : "wait";
  const verb =
    at & pcFlags.barrier
      ? `${wait} at ${what ?? "a barrier"}`
      : at & pcFlags.gathering
        ? `${wait} for lanes of ${count === 1 ? "its" : "their"} warp`
        : spins
          ? `${wait} ${what === undefined ? "in a loop" : `at ${what}`}`
          : `${count === 1 ? "is" : "are"} elsewhere`;
  return line === undefined || (line === own.line && file === own.file) ? verb : `${verb} on line ${line}`;
}
