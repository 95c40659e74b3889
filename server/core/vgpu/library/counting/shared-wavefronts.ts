import { siteLayout, stampsBeyond, staticLayout } from "../../layout";
import {
  type Wasm,
  branchIf,
  call,
  choose,
  fillMemory,
  get,
  getGlobal,
  i32,
  lane,
  load,
  loop,
  op,
  set,
  shuffle,
  splat32,
  store,
  tee,
  when,
} from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import { swappedLongs, swappedWords } from "../../wasm/shuffles";
import { type LibraryFunction, type LibraryTable, globals, wordLocals } from "../library";
import { accessKinds, addresses, base, count, countPasses } from "./site-counters";
import { forEachLane, laneAt } from "../lanes";

const wavefrontNames = ["rest", "lane", "word", "slot", "most", "bank", "left", "stamp", "stamps"] as const;

/** Locals of the count of wavefronts. */
type WavefrontLocals = Readonly<Record<(typeof wavefrontNames)[number], number>>;

/** Sets `stamp` to a number that no word of shared memory has been stamped with. */
function freshStamp({ stamp, stamps }: WavefrontLocals): Wasm {
  const field = (offset: number): Wasm => load("i32.load", base, offset);
  return [
    set(stamps, field(staticLayout.stamps)),
    when(op("i32.eqz", tee(stamp, op("i32.add", field(staticLayout.lastStamp), i32(1)))), [
      fillMemory(get(stamps), i32(0), op("i32.add", getGlobal(globals.sharedBytes), i32(stampsBeyond))),
      set(stamp, i32(1)),
    ]),
    store("i32.store", base, get(stamp), staticLayout.lastStamp),
  ];
}

/**
 * Sets `most` to the wavefronts of the lanes in `group`: the most distinct words that any one bank serves.
 * A stamp for each word of shared memory says whether it has been counted. Suppressed accesses go beyond
 * shared memory, and share one stamp.
 */
function wavefrontsOf(locals: WavefrontLocals, group: Wasm, bytes: Wasm): Wasm {
  const { rest, lane, word, slot, most, bank, left, stamp, stamps } = locals;
  return [
    freshStamp(locals),
    set(most, i32(0)),
    Array.from({ length: 4 }, (_, chunk) =>
      store("v128.store", base, splat32(0), staticLayout.banks + 16 * chunk),
    ),
    set(rest, group),
    forEachLane(rest, lane, [
      set(
        word,
        op(
          "i32.and",
          op("i32.sub", load("i32.load", laneAt(addresses, get(lane))), getGlobal(globals.shared)),
          i32(-4),
        ),
      ),
      set(left, bytes),
      loop(
        set(
          slot,
          op(
            "i32.add",
            get(stamps),
            op(
              "select",
              get(word),
              getGlobal(globals.sharedBytes),
              op("i32.lt_u", get(word), getGlobal(globals.sharedBytes)),
            ),
          ),
        ),
        when(op("i32.ne", load("i32.load", get(slot)), get(stamp)), [
          store("i32.store", get(slot), get(stamp)),
          set(
            bank,
            op(
              "i32.add",
              base,
              op("i32.shl", op("i32.and", op("i32.shr_u", get(word), i32(2)), i32(31)), i32(1)),
            ),
          ),
          set(slot, op("i32.add", load("i32.load16_u", get(bank), staticLayout.banks), i32(1))),
          store("i32.store16", get(bank), get(slot), staticLayout.banks),
          when(op("i32.gt_u", get(slot), get(most)), set(most, get(slot))),
        ]),
        set(word, op("i32.add", get(word), i32(4))),
        branchIf(0, op("i32.gt_s", tee(left, op("i32.sub", get(left), i32(4))), i32(0))),
      ),
    ]),
  ];
}

/**
 * Whether the lanes in [from, end) (multiples of four) touch words within a span of 32 words: then no bank
 * serves two.
 */
function isNarrow(
  builder: FunctionBuilder,
  { from, end, bytes }: { from: Wasm; end: Wasm; bytes: Wasm },
): Wasm {
  const [low, high] = [builder.local("v128"), builder.local("v128")];
  const { at, last } = wordLocals(builder, "at", "last");
  const fold = (local: number, name: "i32x4.min_u" | "i32x4.max_u"): Wasm =>
    [swappedLongs, swappedWords].map((order) =>
      set(local, op(name, get(local), shuffle(get(local), get(local), order))),
    );
  const wordOf = (address: Wasm): Wasm =>
    op("i32.shr_u", op("i32.sub", address, getGlobal(globals.shared)), i32(2));
  const first = (local: number): Wasm => lane("i32x4.extract_lane", 0, get(local));
  return [
    set(at, laneAt(addresses, from)),
    set(last, laneAt(addresses, end)),
    set(low, load("v128.load", get(at))),
    set(high, get(low)),
    loop(
      set(low, op("i32x4.min_u", get(low), load("v128.load", get(at)))),
      set(high, op("i32x4.max_u", get(high), load("v128.load", get(at)))),
      branchIf(0, op("i32.lt_u", tee(at, op("i32.add", get(at), i32(16))), get(last))),
    ),
    fold(low, "i32x4.min_u"),
    fold(high, "i32x4.max_u"),
    op(
      "i32.lt_u",
      op("i32.sub", wordOf(op("i32.add", first(high), op("i32.sub", bytes, i32(1)))), wordOf(first(low))),
      i32(32),
    ),
  ];
}

/** Lanes that one wavefront can serve: 32 for words of up to 4 bytes, 16 for 8 bytes, 8 for 16 bytes. */
function groupWidth(bytes: Wasm): Wasm {
  return op(
    "select",
    i32(32),
    op("select", i32(16), i32(8), op("i32.eq", bytes, i32(8))),
    op("i32.le_u", bytes, i32(4)),
  );
}

/** Counts the wavefronts of the lanes in `group`, and keeps the most that one group has needed. */
function countGroup(site: Wasm, locals: WavefrontLocals, { group, isConflictFree, bytes }: LaneGroup): Wasm {
  return [
    set(locals.most, i32(1)),
    when(op("i32.eqz", isConflictFree), wavefrontsOf(locals, group, bytes)),
    count(site, siteLayout.wavefronts, get(locals.most)),
    count(site, siteLayout.wavefrontsIdeal, i32(1)),
    when(
      op("i32.gt_u", get(locals.most), load("i32.load", site, siteLayout.ways)),
      store("i32.store", site, get(locals.most), siteLayout.ways),
    ),
  ];
}

/** Lanes whose accesses go together. */
interface LaneGroup {
  /** Bit mask of those of them that are active. */
  readonly group: Wasm;
  /** Quick test: nonzero only if one wavefront is enough. */
  readonly isConflictFree: Wasm;
  readonly bytes: Wasm;
}

/**
 * count_shared(site, bytes, mask, kind): wavefronts through 32 banks of 4 bytes; lanes that access the same
 * word share it. Accesses of 8 bytes go by half warps and those of 16 by quarters. The ideal is one wavefront
 * for each such group with active lanes; the ways are the wavefronts of the worst group.
 */
const countShared: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: (context) => {
    const {
      builder,
      parameters: [site = [], bytes = [], mask = [], kind = []],
    } = context;
    const locals = wordLocals(builder, ...wavefrontNames);
    const { width, group, from, whole } = wordLocals(builder, "width", "group", "from", "whole");
    const isConflictFree = choose(
      "i32",
      op("i32.eq", get(group), get(whole)),
      isNarrow(builder, { from: get(from), end: op("i32.add", get(from), get(width)), bytes }),
      i32(0),
    );
    return [
      when(op("i32.eqz", mask), op("return")),
      count(site, siteLayout.sharedRequests, i32(1)),
      count(site, siteLayout.sharedBytes, op("i32.mul", op("i32.popcnt", mask), bytes)),
      when(
        op("i32.eq", kind, i32(accessKinds.atomic)),
        countPasses(site, locals.word, call(context.require("contention"), mask), {
          sum: siteLayout.sharedPasses,
          worst: siteLayout.sharedWorst,
        }),
      ),
      set(width, groupWidth(bytes)),
      set(from, i32(0)),
      loop(
        set(whole, op("i32.shl", op("i32.shr_u", i32(-1), op("i32.sub", i32(32), get(width))), get(from))),
        set(group, op("i32.and", mask, get(whole))),
        when(get(group), countGroup(site, locals, { group: get(group), isConflictFree, bytes })),
        branchIf(0, op("i32.lt_u", tee(from, op("i32.add", get(from), get(width))), i32(32))),
      ),
    ];
  },
};

export const wavefrontLibrary: LibraryTable = { count_shared: countShared };
