import { mustGet } from "../../../../base/known";
import { invariant } from "../../../../base/assert";
import {
  type Wasm,
  call,
  get,
  i32,
  lane as extract,
  load,
  op,
  set,
  splat32,
  splat64,
  when,
} from "../../../wasm/code";
import { trash } from "../../emitters/addresses";
import type { LaneEmitter } from "../../emitters/lane-emitter";
import type { LoadGroup } from "../../emitters/load-group";
import type { Parts } from "../../emitters/values";
import { type Fetched, fetchPacked, fetchScattered, fetchUniform, rooms, type Shape } from "./fetch";
import { areEqual, arePacked, translateFour } from "./four-addresses";

/**
 * How the addresses of a group in four lanes lie: one behind the other; all the same; anywhere inside one
 * window; not known to be inside of any.
 */
const patterns = { unknown: 0, scattered: 1, uniform: 2, packed: 3 } as const;

/** Library functions that find addresses lane by lane. */
const quads = { local: "quad_local", generic: "quad_generic", other: "quad_addresses" } as const;

/** Bytes of a line of the processor's cache. */
const lineBytes = 64;

/** One load of four lanes, while its code is composed. */
export interface LaneLoad {
  readonly group: LoadGroup;
  readonly shape: Shape;
  readonly addresses: Parts;
  /** Constant offset from these. */
  readonly offset: number;
  readonly bytes: number;
  /** In memory that each lane has for itself, or in any. */
  readonly space: "local" | "generic" | "other";
  readonly site: Wasm;
  /** The lanes that load; undefined when all do. */
  readonly mask: Wasm | undefined;
}

/** Code for what was fetched. */
type Assign = (fetched: Fetched) => Wasm;

/** A load that is checked for itself. */
export function fetchAlone(lane: LaneEmitter, one: LaneLoad, assign: Assign): Wasm {
  const { group, shape, bytes, mask } = one;
  const [linear, base] = [lane.locals.temporary("v128"), lane.locals.temporary("i32")];
  const room = roomOf(lane);
  const { translate, isBad } = translateFour(lane, { ...one, linear });
  invariant(group.low === one.offset, "a group of one begins where it does");
  return [
    translate,
    when(
      isBad(),
      mask ? when(isBad(mask), locate(lane, one, linear), leaveOut(linear, mask)) : locate(lane, one, linear),
    ),
    when(
      arePacked(linear, bytes),
      [
        set(base, extract("i32x4.extract_lane", 0, get(linear))),
        isNarrow(one) ? [] : touchNeighbour(base),
        assign(fetchPacked(shape, { base, offset: 0 }, room)),
      ],
      assign(fetchScattered(shape, linear, room)),
    ),
  ];
}

/** True for shared memory, whose addresses have 32 bits. */
function isNarrow({ addresses }: LaneLoad): boolean {
  return addresses.length === 1;
}

/**
 * Reads a word of the other one of two neighbouring lines of the cache, so that the processor fetches both at
 * once: the next lanes will most likely want it.
 */
function touchNeighbour(base: number): Wasm {
  return [load("i32.load", op("i32.xor", get(base), i32(lineBytes))), op("drop")];
}

function roomOf(lane: LaneEmitter): readonly number[] {
  return Array.from({ length: rooms }, () => lane.locals.temporary("v128"));
}

/** Pushes the check of a group. What it finds stays until the segment ends. */
export function checkGroup(lane: LaneEmitter, one: LaneLoad): void {
  const { group, bytes, mask } = one;
  const found = {
    pattern: lane.locals.lasting("i32"),
    base: lane.locals.lasting("i32"),
    linear: lane.locals.lasting("v128"),
  };
  lane.checked.set(group, found);
  const { translate, isBad } = translateFour(lane, { ...one, linear: found.linear });
  const { scattered, uniform, packed, unknown } = patterns;
  const doubtful = mask ? op("select", i32(unknown), i32(scattered), isBad(mask)) : i32(unknown);
  const other = op("select", i32(uniform), i32(scattered), areEqual(found.linear));
  lane.code.push([
    translate,
    set(found.base, extract("i32x4.extract_lane", 0, get(found.linear))),
    when(
      isBad(),
      set(found.pattern, doubtful),
      set(found.pattern, op("select", i32(packed), other, arePacked(found.linear, bytes))),
    ),
  ]);
}

/** A load whose group was checked before its first member. */
export function fetchMember(lane: LaneEmitter, one: LaneLoad, assign: Assign): Wasm {
  const { shape, group, mask } = one;
  const { pattern, base, linear } = mustGet(lane.checked, group);
  const offset = one.offset - group.low;
  invariant(offset >= 0, "no load of a group lies before its first byte");
  const room = roomOf(lane);
  const place = lane.locals.temporary("v128");
  const is = (name: keyof typeof patterns): Wasm => op("i32.eq", get(pattern), i32(patterns[name]));
  return when(
    is("packed"),
    assign(fetchPacked(shape, { base, offset }, room)),
    when(is("uniform"), assign(fetchUniform(shape, { base, offset })), [
      when(
        is("scattered"),
        [
          set(place, offset === 0 ? get(linear) : op("i32x4.add", get(linear), splat32(offset))),
          mask ? leaveOut(place, mask) : [],
        ],
        locate(lane, one, place),
      ),
      assign(fetchScattered(shape, place, room)),
    ]),
  );
}

/** Lanes that do not load get a place of zeroes: what stands in their registers may be no address. */
function leaveOut(place: number, mask: Wasm): Wasm {
  return set(place, op("v128.bitselect", get(place), op("i32x4.splat", trash()), mask));
}

/** Sets the linear addresses of a load lane by lane: the host may have to be asked for some. */
function locate(lane: LaneEmitter, one: LaneLoad, place: number): Wasm {
  const { addresses, offset, bytes, mask, site, space } = one;
  const [low = [], high] = addresses;
  const bits = mask ? op("i32x4.bitmask", mask) : i32(15);
  const found = (first: Wasm, second: Wasm): Wasm =>
    set(
      place,
      call(
        lane.kernel.require(quads[space]),
        ...[lane.segment.warp, lane.narrow, first, second, i32(bytes), bits, site],
      ),
    );
  const behind = splat64(BigInt(offset));
  if (high !== undefined) return found(op("i64x2.add", low, behind), op("i64x2.add", high, behind));
  return [
    set(place, op("i32x4.add", low, splat32(offset))),
    found(op("i64x2.extend_low_i32x4_u", get(place)), op("i64x2.extend_high_i32x4_u", get(place))),
  ];
}
