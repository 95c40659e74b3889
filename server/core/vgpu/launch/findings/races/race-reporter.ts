import { at as elementAt } from "../../../../base/known";
import { linearAddress } from "../../../memory/device-memory";
import { shadowPlanes } from "../../../memory/device-shadow";
import { lanes } from "../../../layout";
import missingWords from "./race-words.json";
import { settledStoresOf } from "../../../analyse/settled/settled-stores";
import { firstCopy, infoBits, synchronizing, warpMask, whoMask } from "../../../library/races/race-words";
import { bitCount } from "../../../numbers";
import { callersText } from "../../state/call-sites";
import { type Cause, type FindingLog, sharedWordKey, tripleText, wordKey } from "../findings";
import type { LaunchState } from "../../state/launch-state";
import type { RaceOrder } from "../order";
import type { OtherParty } from "../../state/types";
import { readsHandedOver } from "./handed-over";
import {
  describe,
  isVolatile,
  type Party,
  type Place,
  placeText,
  scopeOf,
  tooSmall,
  tripleOf,
} from "./race-text";

/**
 * A conflict as generated code reports it: warp, linear address, info; interval and info of the other party.
 */
type ConflictNumbers = readonly [number, number, number, number, number];

const accesses = { load: "read", store: "write", atomic: "atomic" } as const;

/** Of an info, what a finding's cause depends on: neither the thread nor the bytes. */
const causeMask = infoBits.siteMask | infoBits.several | infoBits.strong | infoBits.atomic;

/** What earlier conflicts of the same two instructions came to: a cause, or that they are no race. */
type Known = { readonly cause: Cause | undefined } | "harmless";

/** Turns the conflicts that generated code finds into findings. */
export class RaceReporter {
  /** By allocation, then by the two infos and the distance. */
  private readonly known = new Map<string | undefined, Map<number, Map<number, Known>>>();

  constructor(
    private readonly state: LaunchState,
    private readonly order: RaceOrder,
    private readonly log: FindingLog,
  ) {}

  /**
   * Two accesses to a word conflict and neither happens before the other. Infos as in `infoBits`. A wrong
   * kernel has millions of conflicts, nearly all of the same few instructions: those are only counted.
   */
  report(conflict: ConflictNumbers): void {
    const [warp, at, info, otherInterval, otherInfo] = conflict;
    const byte = ((at & ~3) + firstByte(info & otherInfo)) >>> 0;
    const place = this.placeOf(byte);
    if (!place) return;
    const owner = this.order.blockOf(warp);
    const isCopy = otherInterval < 0 || otherInterval >= firstCopy >>> 0;
    const otherOwner = isCopy ? owner : this.order.stretches.ownerOf(otherInterval);
    // Whether these two are a race depends on more than their instructions.
    const isSingle = isCopy || (this.state.kernel.options.triton && owner === otherOwner);
    const key = isSingle ? undefined : this.keyOf(place, conflict, owner === otherOwner);
    const known = key?.of.get(key.other) ?? this.found(conflict, { place, owner, otherOwner, isCopy });
    if (known === "ordered") return;
    key?.of.set(key.other, known);
    if (known === "harmless") return;
    if (this.isOverAtOnce(conflict, owner !== otherOwner)) return;
    this.log.explain(place.allocation ? wordKey(byte) : sharedWordKey(owner, place.offset));
    if (known.cause) known.cause.count += 1;
  }

  /** A plain load, which a first-level cache may answer. */
  private isCached(info: number): boolean {
    const site = this.state.kernel.code.sites[info & infoBits.siteMask];
    if (site?.access !== "load" || (info & (infoBits.atomic | infoBits.strong)) !== 0) return false;
    return !["cg", "cv"].includes(site.instruction.matched.modifiers["cache"] ?? "");
  }

  /** Whether a volatile read before the access is enough to order it behind that of another block. */
  private isOverAtOnce(
    [warp, , info, otherInterval, otherInfo]: ConflictNumbers,
    isOfBlocks: boolean,
  ): boolean {
    if (!isOfBlocks || this.isCached(info)) return false;
    const isStrong = (otherInfo & (infoBits.strong | infoBits.atomic)) !== 0;
    const from = ((otherInfo >>> infoBits.warpShift) & 31) + (isStrong ? synchronizing : 0);
    return this.order.isOver(warp, otherInterval >>> 0, from, true);
  }

  /** Where the outcome of conflicts of this kind is kept. */
  private keyOf(
    { allocation }: Place,
    [, , info, , otherInfo]: ConflictNumbers,
    isSame: boolean,
  ): { readonly of: Map<number, Known>; readonly other: number } {
    const ofAllocation = keptIn(this.known, allocation?.name, () => new Map<number, Map<number, Known>>());
    const isOfWarp = ((info ^ otherInfo) & warpMask) === 0;
    const distance = distanceOf(isSame, isOfWarp);
    return {
      of: keptIn(ofAllocation, info & causeMask, () => new Map<number, Known>()),
      other: ((otherInfo & causeMask) >>> 0) * 4 + distance,
    };
  }

  /**
   * The cause of a conflict, of which it is not counted yet. `ordered`: this one is none, as others of the
   * same instructions may be.
   */
  private found(
    conflict: ConflictNumbers,
    {
      place,
      owner,
      otherOwner,
      isCopy,
    }: {
      readonly place: Place;
      readonly owner: number;
      readonly otherOwner: number;
      readonly isCopy: boolean;
    },
  ): Known | "ordered" {
    const [warp, at, info, otherInterval, otherInfo] = conflict;
    const party = this.partyOf(info, owner, false);
    const other = this.partyOf(otherInfo, otherOwner, isCopy);
    const isShared = place.allocation === undefined;
    const isStale = (info & infoBits.several) !== 0;
    // A location that a block has released at may be a flag.
    const isBetweenBlocks = owner !== otherOwner && !this.order.synchronisation.releases.has(at);
    const isHandedOver = isBetweenBlocks && readsHandedOver(this.state, party, other);
    if (!isHandedOver && isHarmless(party, other, isShared)) return "harmless";
    if (this.isRedundant(at, info, { party, other })) return "harmless";
    if (!isStale && this.isSettled(party, other, place)) return "harmless";
    if (this.isReadBefore(party, other)) return "harmless";
    if (this.isOverAtOnce(conflict, owner !== otherOwner)) return "ordered";
    const kind = isShared ? "shared-race" : "global-race";
    const sides = [this.causeOf(party), this.causeOf(other)].sort().join(" / ");
    const messageOf = (): string => {
      const missing = isStale
        ? missingWords.readOnlyPath
        : this.missingBetween({ party, other, warp, interval: otherInterval });
      const lane = (info >>> infoBits.laneShift) & 31;
      const callers = callersText(this.state, party.site?.instruction, { warp, lane });
      return `${describe(party, other, { place: placeText(place), isShared, missing })}${party.inner}${callers}`;
    };
    const cause = this.log.causeOf(
      `${kind} ${sides} ${place.allocation?.name ?? ""}`,
      () => ({
        kind,
        message: messageOf(),
        ...party.line,
        block: party.block,
        thread: party.thread,
        address: (place.allocation?.address ?? 0n) + BigInt(place.offset),
        ...(place.allocation && { allocation: place.allocation.name }),
        other: otherParty(other),
      }),
      distanceBetween(party, other),
    );
    return { cause };
  }

  /**
   * Triton may load an element redundantly but store it once; the storing thread loaded it with the same
   * instruction. Elements that share a word have one recorded reader; the neighbouring thread loaded the
   * neighbouring element. The pause before the store (`analyse/pauses.ts`) models how close together a GPU
   * runs these threads.
   */
  private isRedundant(
    at: number,
    info: number,
    { party, other }: { readonly party: Party; readonly other: Party },
  ): boolean {
    const {
      kernel: { options },
      scratch,
      view,
    } = this.state;
    if (
      !options.triton ||
      party.owner !== other.owner ||
      other.site?.access !== "load" ||
      other.isStrong ||
      other.isCopy
    )
      return false;
    const kept = (plane: number): number => view.getInt32((at & ~3) + scratch.shadow * plane, true);
    const readerInfo = kept(shadowPlanes.readerInfo);
    const isOwn =
      threadAtWord(readerInfo) === threadAtWord(info) &&
      this.order.stretches.ownerOf(kept(shadowPlanes.reader)) === other.owner;
    return isOwn && this.state.kernel.code.sites[readerInfo & infoBits.siteMask] === other.site;
  }

  /**
   * What a lane of Triton's code stores behind the load of another lane of its warp: the lanes go on
   * together, and a warp's loads and stores reach memory in their order. The other way round a load may not
   * see it.
   */
  private isReadBefore(party: Party, other: Party): boolean {
    const isOfWarp = party.owner === other.owner && party.warp === other.warp;
    const { triton } = this.state.kernel.options;
    return triton === true && isOfWarp && !other.isCopy && other.site?.access === "load";
  }

  /** One reads what the other stores, and whichever of the two values it gets makes no difference. */
  private isSettled({ site }: Party, { site: other, isCopy }: Party, { allocation }: Place): boolean {
    if (!site || !other || !allocation || isCopy || site.access === other.access) return false;
    const { kernel, view, base } = this.state;
    const [load, store] = site.access === "load" ? [site, other] : [other, site];
    const { blocks, parametersAt, parameterBytes } = kernel.code;
    return settledStoresOf(blocks).isSettled(load.instruction, store.instruction, {
      parameters: new DataView(view.buffer, base + parametersAt, parameterBytes),
      ...{ from: allocation.address, to: allocation.address + BigInt(allocation.bytes) },
    });
  }

  /** Undefined for local memory and for the sink of suppressed accesses. */
  private placeOf(linear: number): Place | undefined {
    const { memory } = this.state.request;
    const offset = this.state.sharedOffset(linear);
    if (offset !== undefined) return { offset, allocation: undefined };
    const allocation = memory
      .allocations()
      .find(
        ({ address, bytes }) => linear >= linearAddress(address) && linear < linearAddress(address) + bytes,
      );
    return allocation && { offset: linear - linearAddress(allocation.address), allocation };
  }

  /** What would order the two accesses, or why what is there does not. */
  private missingBetween({
    party,
    other,
    warp,
    interval,
  }: {
    readonly party: Party;
    readonly other: Party;
    readonly warp: number;
    readonly interval: number;
  }): string {
    if (isScopeTooSmall(party, other)) return `but ${tooSmall(party, other)} (scope cta); use scope gpu`;
    const isOrdered = this.order.isOver(warp, interval >>> 0, other.warp);
    if (isByAsyncProxy(party) && !other.isCopy && isOrdered) return missingWords.proxyFence;
    const barriers = this.state.kernel.options.triton ? missingWords.triton : missingWords.cuda;
    const missing = elementAt(barriers, distanceBetween(party, other));
    if (party.owner === other.owner || other.isCopy) return missing;
    const of = { other: other.owner, warp: other.warp, interval: interval >>> 0 };
    if (this.order.lacksFence(warp, of)) return missingWords.volatileRead;
    const location = this.order.narrowRelease(warp, of);
    const line = location === undefined ? undefined : this.state.kernel.code.lines.of(location);
    return line === undefined
      ? missing
      : `${missing}: what is released on line ${line.line}${line.file === party.line?.file ? "" : ` of ${line.file}`} reaches its own block only (scope cta); use scope gpu`;
  }

  private partyOf(info: number, owner: number, isCopy: boolean): Party {
    const {
      kernel: { code },
      request: { grid, block },
    } = this.state;
    const index = info & infoBits.siteMask;
    const site = index === infoBits.siteMask ? undefined : code.sites[index];
    const warp = (info >>> infoBits.warpShift) & 31;
    const thread = warp * lanes + ((info >>> infoBits.laneShift) & 31);
    return {
      site,
      warp,
      owner,
      isCopy,
      isStrong: (info & (infoBits.atomic | infoBits.strong)) !== 0,
      block: tripleOf(owner, grid),
      thread: tripleOf(thread, block),
      line: site && code.lines.of(site.instruction.location),
      inner: site ? code.lines.inner(site.instruction.location) : "",
    };
  }

  private causeOf({ site, line }: Party): string {
    return `${site?.access ?? ""} ${line ? `${line.file}:${line.line}` : (site?.instruction.ptxLine ?? 0)}`;
  }
}

/** The thread with the element at the word's start, if neighbouring threads have neighbouring elements. */
function threadAtWord(info: number): number {
  const bytes = bitCount((info >>> infoBits.bytesShift) & 15) || 1;
  return ((info & whoMask) >>> infoBits.laneShift) - firstByte(info) / bytes;
}

function firstByte(info: number): number {
  return Math.max(0, 31 - Math.clz32((info >>> infoBits.bytesShift) & -(info >>> infoBits.bytesShift) & 15));
}

/** Both accesses are strong, but one has the scope of its own block only. */
function isScopeTooSmall(party: Party, other: Party): boolean {
  return (
    party.isStrong &&
    other.isStrong &&
    party.owner !== other.owner &&
    (scopeOf(party) === "cta" || scopeOf(other) === "cta")
  );
}

/** Two copies of one thread to one place: the read that follows reports the missing wait. */
function isRepeatedCopy(party: Party, other: Party): boolean {
  const isCopy = party.site?.instruction.matched.traits.access === "copy";
  const isTarget = other.isCopy && other.site?.access !== "load";
  return isTarget && isCopy && tripleText(party.thread) === tripleText(other.thread);
}

function isByAsyncProxy({ site }: Party): boolean {
  return site?.instruction.matched.traits.proxy === "async";
}

/** A plain load that gives compare-and-swap its first guess: the swap itself checks it. */
function isFirstGuess(swap: Party, load: Party): boolean {
  const isSwap = swap.site?.instruction.matched.modifiers["operation"] === "cas";
  return isSwap && load.site?.access === "load";
}

/**
 * Conflicts that are not races. Two strong accesses whose scopes include each other are morally strong (PTX
 * ISA section 8.5); except volatile ones of a warp's lanes to shared memory, on which warp-synchronous code
 * from before independent thread scheduling relies.
 */
function isHarmless(party: Party, other: Party, isShared: boolean): boolean {
  if (party.isStrong && other.isStrong) {
    if (isScopeTooSmall(party, other)) return false;
    const isWithinWarp = party.owner === other.owner && party.warp === other.warp;
    return !(isShared && isWithinWarp && isVolatile(party) && isVolatile(other));
  }
  return isRepeatedCopy(party, other) || isFirstGuess(party, other) || isFirstGuess(other, party);
}

/**
 * 0 within a warp, 1 within a block, 2 between blocks. What orders the farthest pair orders all of a cause.
 */
function distanceBetween(party: Party, other: Party): 0 | 1 | 2 {
  return distanceOf(party.owner === other.owner, party.warp === other.warp);
}

function distanceOf(isSameBlock: boolean, isSameWarp: boolean): 0 | 1 | 2 {
  if (!isSameBlock) return 2;
  return isSameWarp ? 0 : 1;
}

/** The value that a map has under a key, made where there is none. */
function keptIn<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function otherParty({ site, line, block, thread }: Party): OtherParty {
  return { access: accesses[site?.access ?? "load"], ...line, block, thread };
}
