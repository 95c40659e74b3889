import { invariant } from "../../../base/assert";
import { pcFlags } from "../../layout";
import { type LanePlace, placesOfBlock } from "../state/lane-places";
import type { LaunchState } from "../state/launch-state";
import { threadText } from "./findings";

/** Groups of threads that a message lists; the threads of further groups are counted. */
const mostListed = 4;

/** The threads that keep each other waiting, for a finding. */
interface Others {
  /** Parts of the message, each after a semicolon. */
  readonly text: string;
  /** The thread to name as the other party, preferably at another place than `own`. */
  readonly party: LanePlace | undefined;
}

/** Threads that wait for the same reason on the same line. */
type Group = readonly [LanePlace, ...LanePlace[]];

/** Collects where the threads of the resident blocks are. */
export class WaitingThreads {
  private readonly places: LanePlace[] = [];
  private threads = 0;
  private blocks = 0;

  constructor(private readonly own: LanePlace) {}

  /** Adds the threads of the current block. */
  add(state: LaunchState): void {
    const [x, y, z] = state.request.block;
    this.blocks += 1;
    this.threads += x * y * z;
    this.places.push(...placesOfBlock(state));
  }

  /** Describes all threads except the finding's own and those that are `isLike` it. */
  others(isLike: (place: LanePlace) => boolean = () => false): Others {
    const { own } = this;
    const groups = groupsOf(this.places.filter((place) => !isSameThread(place, own) && !isLike(place)));
    // Threads at other places explain more than those at the same place.
    const isElsewhere = ([place]: Group): boolean => place.at !== own.at;
    const sorted = [...groups.filter(isElsewhere), ...groups.filter((group) => !isElsewhere(group))];
    const more = sorted.slice(mostListed).reduce((sum, group) => sum + group.length, 0);
    const parts = [
      ...sorted.slice(0, mostListed).map((group) => groupText(group, own)),
      ...(more > 0 ? [`${more} more wait elsewhere`] : []),
      ...this.endedText(),
    ];
    return { party: sorted[0]?.[0], text: parts.map((part) => `; ${part}`).join("") };
  }

  private endedText(): readonly string[] {
    const ended = this.threads - this.places.length;
    if (ended === 0) return [];
    const blocks = this.blocks === 1 ? "this block" : "these blocks";
    return [ended === 1 ? `1 thread of ${blocks} has ended` : `${ended} threads of ${blocks} have ended`];
  }
}

/** Groups places by line and reason: the same barrier, the same allocation. */
function groupsOf(places: readonly LanePlace[]): readonly Group[] {
  const groups = new Map<string, [LanePlace, ...LanePlace[]]>();
  for (const place of places) {
    const { at, file, line, what } = place;
    const key = `${at & (pcFlags.barrier | pcFlags.gathering)} ${file}:${line} ${what?.replace(/0x.*/, "")}`;
    const group = groups.get(key);
    if (group) group.push(place);
    else groups.set(key, [place]);
  }
  return [...groups.values()];
}

function isSameThread(one: LanePlace, other: LanePlace): boolean {
  return one.thread.join() === other.thread.join() && one.block.join() === other.block.join();
}

function groupText(group: Group, own: LanePlace): string {
  const [first] = group;
  const name = threadText(first.thread, first.block);
  if (group.length === 1) return `${name} ${doing(first, own)}`;
  const [, who] = name.split(/^thread /);
  invariant(who !== undefined, "a thread's name begins with the word");
  return `${group.length} threads such as ${who} ${doing(first, own, group.length)}`;
}

/** `waits at barrier 1 on line 5`: what a thread does. The line is left out where it is `own`'s. */
export function doing(place: LanePlace, own: LanePlace, count = 1): string {
  const { line, file } = place;
  const verb = verbOf(place, count > 1);
  return line === undefined || (line === own.line && file === own.file) ? verb : `${verb} on line ${line}`;
}

function verbOf({ at, what, spins }: LanePlace, isPlural: boolean): string {
  const wait = isPlural ? "wait" : "waits";
  if (at & pcFlags.barrier) return `${wait} at ${what ?? "a barrier"}`;
  if (at & pcFlags.gathering) return `${wait} for lanes of ${isPlural ? "their" : "its"} warp`;
  if (spins) return what === undefined ? `${wait} in a loop` : `${wait} at ${what}`;
  return isPlural ? "are elsewhere" : "is elsewhere";
}
