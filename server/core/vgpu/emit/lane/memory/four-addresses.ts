import { at } from "../../../../base/known";
import { siteLayout, warpLayout } from "../../../layout";
import { globals } from "../../../library/library";
import { evenWords, oddWords } from "../../../wasm/shuffles";
import {
  type Wasm,
  get,
  getGlobal,
  i32,
  i64,
  lane,
  lanes32,
  load,
  op,
  set,
  shuffle,
  splat32,
  splat64,
} from "../../../wasm/code";
import type { LaneEmitter } from "../../emitters/lane-emitter";
import type { LoadGroup } from "../../emitters/load-group";
import { type Parts, widenMask } from "../../emitters/values";

interface Check {
  readonly group: LoadGroup;
  /** Device addresses that the group counts from: two vectors of longs, or one of words in shared memory. */
  readonly addresses: Parts;
  /** Bytes of each access. */
  readonly bytes: number;
  /** In local memory each lane has addresses of its own, which count from zero. */
  readonly space: "local" | "generic" | "other";
  /** Linear address of the record of the group's first load. */
  readonly site: Wasm;
  /** Local for the linear addresses of the group's first byte. */
  readonly linear: number;
}

interface Translation {
  /** Sets the linear addresses, as far as they have any. */
  readonly translate: Wasm;
  /**
   * Afterwards true when the bytes of some lane leave the window, or are not aligned; of some lane of the
   * mask if there is one.
   */
  isBad(mask?: Wasm): Wasm;
}

/** Code that brings the addresses of a group's loads in four lanes into linear memory. */
export function translateFour(lane: LaneEmitter, check: Check): Translation {
  if (check.space === "local") return translateLocal(lane, check);
  return check.addresses.length === 2 ? translateWide(lane, check) : translateNarrow(lane, check);
}

/** True when four linear addresses lie one behind the other at a distance. */
export function arePacked(linear: number, bytes: number): Wasm {
  return isZero(op("v128.xor", distances(linear), lanes32([0, bytes, 2 * bytes, 3 * bytes])));
}

/** True when four linear addresses are the same. */
export function areEqual(linear: number): Wasm {
  return isZero(distances(linear));
}

/** From the first lane's. */
function distances(linear: number): Wasm {
  return op("i32x4.sub", get(linear), op("i32x4.splat", lane("i32x4.extract_lane", 0, get(linear))));
}

function isZero(vector: Wasm): Wasm {
  return op("i32.eqz", op("v128.any_true", vector));
}

function withAlignment(isOutside: Wasm, offsets: number, { bytes }: Check, mask: Wasm | undefined): Wasm {
  if (bytes === 1) return isOutside;
  const rest = op("v128.and", get(offsets), op("i32x4.splat", i32(bytes - 1)));
  return op("i32.or", isOutside, op("v128.any_true", under(mask, rest)));
}

function under(mask: Wasm | undefined, vector: Wasm): Wasm {
  return mask === undefined ? vector : op("v128.and", vector, mask);
}

/** Addresses of 64 bits: the window is the one that the site has cached. */
function translateWide(emitter: LaneEmitter, check: Check): Translation {
  const { group, addresses, site, linear } = check;
  const [shift, room] = [emitter.locals.temporary("v128"), emitter.locals.temporary("v128")];
  const [low, high] = [emitter.locals.temporary("v128"), emitter.locals.temporary("v128")];
  const start = op("i64.sub", i64(BigInt(group.low)), load("i64.load", site, siteLayout.low));
  const left = op("i64.sub", load("i64.load", site, siteLayout.limit), i64(BigInt(group.span)));
  const words = shuffle(get(low), get(high), evenWords);
  const beyond = (offsets: number): Wasm =>
    op("v128.or", get(offsets), op("i64x2.sub", get(room), get(offsets)));
  return {
    translate: [
      set(shift, op("i64x2.splat", start)),
      set(room, op("i64x2.splat", left)),
      set(low, op("i64x2.add", at(addresses, 0), get(shift))),
      set(high, op("i64x2.add", at(addresses, 1), get(shift))),
      set(linear, op("i32x4.add", words, load("v128.load32_splat", site, siteLayout.linear))),
    ],
    isBad: (mask) => {
      const [lower, upper] = mask === undefined ? [] : widenMask(mask);
      const outside = op("v128.or", under(lower, beyond(low)), under(upper, beyond(high)));
      return withAlignment(op("i64x2.bitmask", outside), linear, check, mask);
    },
  };
}

/** Offsets of 32 bits in shared memory. */
function translateNarrow(emitter: LaneEmitter, check: Check): Translation {
  const { group, addresses, linear } = check;
  const offsets = emitter.locals.temporary("v128");
  const room = op("i32x4.splat", op("i32.sub", getGlobal(globals.sharedBytes), i32(group.span)));
  const start =
    group.low === 0 ? at(addresses, 0) : op("i32x4.add", at(addresses, 0), op("i32x4.splat", i32(group.low)));
  const outside = op("v128.or", get(offsets), op("i32x4.sub", room, get(offsets)));
  return {
    translate: [
      set(offsets, start),
      set(linear, op("i32x4.add", get(offsets), op("i32x4.splat", getGlobal(globals.shared)))),
    ],
    isBad: (mask) => withAlignment(op("i32x4.bitmask", under(mask, outside)), linear, check, mask),
  };
}

/** Offsets in the lanes' own memories, which lie one behind the other. */
function translateLocal(emitter: LaneEmitter, check: Check): Translation {
  const { group, linear } = check;
  const [offsets, beyond] = [emitter.locals.temporary("v128"), emitter.locals.temporary("v128")];
  const { narrow } = emitter;
  const { warp } = emitter.segment;
  const bytes = getGlobal(globals.localBytes);
  const first = op("i32.shr_u", op("i32.sub", narrow, warp), i32(2));
  const start = op("i32.add", load("i32.load", warp, warpLayout.localBase), op("i32.mul", first, bytes));
  const steps = op("i32x4.mul", op("i32x4.splat", bytes), lanes32([0, 1, 2, 3]));
  const room = op("i32x4.splat", op("i32.sub", bytes, i32(group.span)));
  const outside = op("v128.or", get(offsets), op("i32x4.sub", room, get(offsets)));
  return {
    translate: [
      localOffsets(emitter, check, { offsets, beyond }),
      set(linear, op("i32x4.add", get(offsets), op("i32x4.add", op("i32x4.splat", start), steps))),
      set(beyond, op("v128.or", get(beyond), outside)),
    ],
    isBad: (mask) => withAlignment(op("i32x4.bitmask", under(mask, get(beyond))), offsets, check, mask),
  };
}

/** Sets the lower halves of offsets, and a sign where an upper half is not zero. */
function localOffsets(
  emitter: LaneEmitter,
  { group, addresses }: Check,
  { offsets, beyond }: { readonly offsets: number; readonly beyond: number },
): Wasm {
  const [first = [], second] = addresses;
  if (second === undefined)
    return [set(offsets, op("i32x4.add", first, splat32(group.low))), set(beyond, splat32(0))];
  const [low, high] = [emitter.locals.temporary("v128"), emitter.locals.temporary("v128")];
  const behind = splat64(BigInt(group.low));
  return [
    set(low, op("i64x2.add", first, behind)),
    set(high, op("i64x2.add", second, behind)),
    set(offsets, shuffle(get(low), get(high), evenWords)),
    set(beyond, op("i32x4.ne", shuffle(get(low), get(high), oddWords), splat32(0))),
  ];
}
