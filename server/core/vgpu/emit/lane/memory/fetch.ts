import { at } from "../../../../base/known";
import { type PtxType, isSigned } from "../../../ptx/types";
import {
  type MemoryOpcode,
  type Wasm,
  get,
  lane,
  laneMemory,
  load,
  op,
  set,
  shuffle,
} from "../../../wasm/code";
import { evenWords, firstLongs, oddWords, secondLongs, zippedWords } from "../../../wasm/shuffles";
import type { Parts } from "../../emitters/values";

/** What four lanes load: elements of one type, one after the other. */
export interface Shape {
  readonly type: PtxType;
  readonly count: number;
}

/** Linear address of one lane: a value that costs nothing to evaluate again, and a constant behind it. */
interface LanePlace {
  readonly address: Wasm;
  readonly offset: number;
}

type FourPlaces = readonly [LanePlace, LanePlace, LanePlace, LanePlace];

/** The elements of four lanes, after some code. */
export interface Fetched {
  readonly before: Wasm;
  readonly elements: readonly Parts[];
}

/** Local vectors in which lanes' whole accesses stand before they are sorted by elements. */
export const rooms = 4;

/** Vectors that an element takes: two for 64-bit lanes. */
export function partsOfElement({ type }: Shape): number {
  return type.bytes === 8 ? 2 : 1;
}

/** The elements of four lanes whose accesses lie one behind the other, from `base` on. */
export function fetchPacked(
  shape: Shape,
  { base, offset }: { readonly base: number; readonly offset: number },
  room: readonly number[],
): Fetched {
  const { type, count } = shape;
  const from = get(base);
  const stride = type.bytes * count;
  if (count > 1 || type.bytes === 1) return fetchEach(shape, places(from, offset, stride), room);
  if (type.bytes === 4) return plain([[load("v128.load", from, offset)]]);
  if (type.bytes === 2)
    return plain([[load(isSigned(type) ? "v128.load16x4_s" : "v128.load16x4_u", from, offset)]]);
  return plain([[load("v128.load", from, offset), load("v128.load", from, offset + 16)]]);
}

function plain(elements: readonly Parts[]): Fetched {
  return { before: [], elements };
}

/** The elements of four lanes that all read at `base`. */
export function fetchUniform(
  { type, count }: Shape,
  { base, offset }: { readonly base: number; readonly offset: number },
): Fetched {
  const elements = Array.from({ length: count }, (_, index) => {
    const behind = offset + index * type.bytes;
    if (type.bytes === 4) return [load("v128.load32_splat", get(base), behind)];
    if (type.bytes === 8) {
      const both = load("v128.load64_splat", get(base), behind);
      return [both, both];
    }
    return [op("i32x4.splat", load(smallLoad(type), get(base), behind))];
  });
  return plain(elements);
}

/** The elements of four lanes at the linear addresses in a vector. */
export function fetchScattered(shape: Shape, addresses: number, room: readonly number[]): Fetched {
  const one = (index: number): LanePlace => ({
    address: lane("i32x4.extract_lane", index, get(addresses)),
    offset: 0,
  });
  return fetchEach(shape, [one(0), one(1), one(2), one(3)], room);
}

function places(address: Wasm, offset: number, stride: number): FourPlaces {
  const one = (lane: number): LanePlace => ({ address, offset: offset + lane * stride });
  return [one(0), one(1), one(2), one(3)];
}

/** Lane by lane; vectors of 8 and 16 bytes as a whole, sorted by elements afterwards. */
function fetchEach({ type, count }: Shape, four: FourPlaces, room: readonly number[]): Fetched {
  const { bytes } = type;
  const [a = 0, b = 0] = room;
  if (bytes * count === 16 && bytes >= 4) {
    const before = four.map(({ address, offset }, index) =>
      set(at(room, index), load("v128.load", address, offset)),
    );
    return { before, elements: bytes === 8 ? sortedLongs(room) : sortedWords(room) };
  }
  if (bytes * count !== 8 || bytes < 4)
    return plain(Array.from({ length: count }, (_, index) => fetchElement(type, four, index * bytes)));
  const before = [set(a, pairOfLongs(four[0], four[1])), set(b, pairOfLongs(four[2], four[3]))];
  const [low, high] = [get(a), get(b)];
  if (count === 1) return { before, elements: [[low, high]] };
  return { before, elements: [evenWords, oddWords].map((pick) => [shuffle(low, high, pick)]) };
}

/** The first and the second longs of four lanes that have two each. */
function sortedLongs([a = 0, b = 0, c = 0, d = 0]: readonly number[]): readonly Parts[] {
  return [firstLongs, secondLongs].map((pick) => [
    shuffle(get(a), get(b), pick),
    shuffle(get(c), get(d), pick),
  ]);
}

/** The first to fourth words of four lanes that have four each. */
function sortedWords([a = 0, b = 0, c = 0, d = 0]: readonly number[]): readonly Parts[] {
  return [zippedWords.low, zippedWords.high].flatMap((zip) =>
    [firstLongs, secondLongs].map((pick) => [
      shuffle(shuffle(get(a), get(b), zip), shuffle(get(c), get(d), zip), pick),
    ]),
  );
}

function pairOfLongs(first: LanePlace, second: LanePlace): Wasm {
  const low = load("v128.load64_zero", first.address, first.offset);
  return laneMemory("v128.load64_lane", 1, [second.address, low], second.offset);
}

/** One element of each lane, `behind` bytes into its access. */
function fetchElement(type: PtxType, four: FourPlaces, behind: number): Parts {
  const [first, ...others] = four;
  if (type.bytes === 8) {
    const moved = four.map(({ address, offset }) => ({ address, offset: offset + behind }));
    const [a = first, b = first, c = first, d = first] = moved;
    return [pairOfLongs(a, b), pairOfLongs(c, d)];
  }
  if (type.bytes === 4) {
    const start = load("v128.load32_zero", first.address, first.offset + behind);
    return [
      others.reduce<Wasm>(
        (vector, { address, offset }, index) =>
          laneMemory("v128.load32_lane", index + 1, [address, vector], offset + behind),
        start,
      ),
    ];
  }
  const one = ({ address, offset }: LanePlace): Wasm => load(smallLoad(type), address, offset + behind);
  return [
    others.reduce<Wasm>(
      (vector, place, index) => lane("i32x4.replace_lane", index + 1, vector, one(place)),
      op("i32x4.splat", one(first)),
    ),
  ];
}

/** Load of an element of 8 or 16 bits, widened by its sign. */
function smallLoad(type: PtxType): MemoryOpcode {
  if (type.bytes === 1) return isSigned(type) ? "i32.load8_s" : "i32.load8_u";
  return isSigned(type) ? "i32.load16_s" : "i32.load16_u";
}
