import { at } from "../../../../base/known";
import { siteLayout } from "../../../layout";
import { globals } from "../../../library/library";
import { evenWords } from "../../../wasm/shuffles";
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
} from "../../../wasm/code";
import type { LaneEmitter } from "../../emitters/lane-emitter";
import type { LoadGroup } from "../../emitters/load-group";
import type { Parts } from "../../emitters/values";

interface Check {
  readonly group: LoadGroup;
  /** Device addresses that the group counts from: two vectors of longs, or one of words in shared memory. */
  readonly addresses: Parts;
  /** Bytes of each access. */
  readonly bytes: number;
  /** Linear address of the record of the group's first load. */
  readonly site: Wasm;
  /** Local for the linear addresses of the group's first byte. */
  readonly linear: number;
}

interface Translation {
  /** Sets the linear addresses, as far as they have any. */
  readonly translate: Wasm;
  /** Afterwards true when some lane's bytes leave the window, or are not aligned. */
  readonly isBad: Wasm;
}

/** Code that brings the addresses of a group's loads in four lanes into linear memory. */
export function translateFour(lane: LaneEmitter, check: Check): Translation {
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

function isMisaligned(linear: number, bytes: number): Wasm {
  return op("v128.any_true", op("v128.and", get(linear), op("i32x4.splat", i32(bytes - 1))));
}

function withAlignment(isOutside: Wasm, { linear, bytes }: Check): Wasm {
  return bytes === 1 ? isOutside : op("i32.or", isOutside, isMisaligned(linear, bytes));
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
    isBad: withAlignment(op("i64x2.bitmask", op("v128.or", beyond(low), beyond(high))), check),
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
    isBad: withAlignment(op("i32x4.bitmask", outside), check),
  };
}
