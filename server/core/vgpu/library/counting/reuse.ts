import { firstClassBits, reuseClasses } from "../../../timing/reuse";
import { reuseLayout, siteLayout } from "../../layout";
import {
  type Wasm,
  block,
  branch,
  branchIf,
  call,
  choose,
  get,
  getGlobal,
  i32,
  i64,
  lane,
  load,
  loop,
  op,
  set,
  store,
  tee,
  when,
} from "../../wasm/code";
import { type LibraryFunction, type LibraryTable, globals, wordLocals } from "../library";

const area = getGlobal(globals.reuse);
const field = (offset: number): Wasm => load("i32.load", area, offset);
const entryAt = (sector: Wasm): Wasm =>
  op("i32.add", field(reuseLayout.entries), op("i32.shl", sector, i32(2)));
const groupBits = 10;
const regionBits = 16;

/** Address of the i64 word that holds a slot's bit. */
const wordAt = (slot: Wasm): Wasm =>
  op("i32.add", field(reuseLayout.bits), op("i32.shl", op("i32.shr_u", slot, i32(6)), i32(3)));

/** count_words(from, to): set bits of the slots [from, to), word by word. */
const countWords: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: ["i32"] },
  build: ({ builder, parameters: [from = [], to = []] }) => {
    const [sum, at, last] = [builder.local("i64"), builder.local("i32"), builder.local("i32")];
    const rest = op("i64.extend_i32_u", op("i32.and", to, i32(63)));
    return [
      when(op("i32.ge_u", from, to), [i32(0), op("return")]),
      set(at, wordAt(from)),
      set(last, wordAt(to)),
      // Subtract the bits below `from` here; the last word adds only those below `to`.
      set(
        sum,
        op(
          "i64.sub",
          i64(0n),
          op(
            "i64.popcnt",
            op(
              "i64.and",
              load("i64.load", get(at)),
              op(
                "i64.sub",
                op("i64.shl", i64(1n), op("i64.extend_i32_u", op("i32.and", from, i32(63)))),
                i64(1n),
              ),
            ),
          ),
        ),
      ),
      block(
        loop(
          branchIf(1, op("i32.ge_u", get(at), get(last))),
          set(sum, op("i64.add", get(sum), op("i64.popcnt", load("i64.load", get(at))))),
          set(at, op("i32.add", get(at), i32(8))),
          branch(0),
        ),
      ),
      op(
        "i32.wrap_i64",
        op(
          "i64.add",
          get(sum),
          op(
            "i64.popcnt",
            op("i64.and", load("i64.load", get(last)), op("i64.sub", op("i64.shl", i64(1n), rest), i64(1n))),
          ),
        ),
      ),
    ];
  },
};

/** sum_counts(base, from, to): sum of the entries [from, to) of an array of 32-bit counts. */
const sumCounts: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: ["i32"] },
  build: ({ builder, parameters: [base = [], from = [], to = []] }) => {
    const [sum, at, end] = [builder.local("i32"), builder.local("i32"), builder.local("i32")];
    const four = builder.local("v128");
    const each = [0, 1, 2, 3].map((index) => lane("i32x4.extract_lane", index, get(four)));
    return [
      set(at, op("i32.add", base, op("i32.shl", from, i32(2)))),
      set(end, op("i32.add", base, op("i32.shl", to, i32(2)))),
      block(
        loop(
          branchIf(1, op("i32.gt_u", op("i32.add", get(at), i32(16)), get(end))),
          set(four, op("i32x4.add", get(four), load("v128.load", get(at)))),
          set(at, op("i32.add", get(at), i32(16))),
          branch(0),
        ),
      ),
      set(
        sum,
        each.reduce((left, right) => op("i32.add", left, right)),
      ),
      block(
        loop(
          branchIf(1, op("i32.ge_u", get(at), get(end))),
          set(sum, op("i32.add", get(sum), load("i32.load", get(at)))),
          set(at, op("i32.add", get(at), i32(4))),
          branch(0),
        ),
      ),
      get(sum),
    ];
  },
};

/**
 * live_slots(from, to): set bits in [from, to): by words at both ends, by groups further in, by whole regions
 * in the middle.
 */
const liveSlots: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: ["i32"] },
  build: (context) => {
    const {
      builder,
      parameters: [from = [], to = []],
    } = context;
    const words = (a: Wasm, b: Wasm): Wasm => call(context.require("count_words"), a, b);
    const sums = (which: number, a: Wasm, b: Wasm): Wasm =>
      call(context.require("sum_counts"), field(which), a, b);
    const { g0, g1, r0, r1 } = wordLocals(builder, "g0", "g1", "r0", "r1");
    const perRegion = regionBits - groupBits;
    return [
      // The first whole group and the one that `to` lies in.
      set(g0, op("i32.shr_u", op("i32.add", from, i32((1 << groupBits) - 1)), i32(groupBits))),
      set(g1, op("i32.shr_u", to, i32(groupBits))),
      when(op("i32.ge_u", get(g0), get(g1)), [words(from, to), op("return")]),
      set(r0, op("i32.shr_u", op("i32.add", get(g0), i32((1 << perRegion) - 1)), i32(perRegion))),
      set(r1, op("i32.shr_u", get(g1), i32(perRegion))),
      op(
        "i32.add",
        words(from, op("i32.shl", get(g0), i32(groupBits))),
        words(op("i32.shl", get(g1), i32(groupBits)), to),
      ),
      choose(
        "i32",
        op("i32.ge_u", get(r0), get(r1)),
        sums(reuseLayout.groups, get(g0), get(g1)),
        op(
          "i32.add",
          sums(reuseLayout.regions, get(r0), get(r1)),
          op(
            "i32.add",
            sums(reuseLayout.groups, get(g0), op("i32.shl", get(r0), i32(perRegion))),
            sums(reuseLayout.groups, op("i32.shl", get(r1), i32(perRegion)), get(g1)),
          ),
        ),
      ),
      op("i32.add"),
    ];
  },
};

/** Sets (1) or clears (-1) a slot's bit, and updates the counts of its group and region. */
function markSlot(slot: Wasm, step: 1 | -1): Wasm {
  const bit = op("i64.shl", i64(1n), op("i64.extend_i32_u", op("i32.and", slot, i32(63))));
  const count = (which: number, bits: number): Wasm => {
    const at = op("i32.add", field(which), op("i32.shl", op("i32.shr_u", slot, i32(bits)), i32(2)));
    return store("i32.store", at, op("i32.add", load("i32.load", at), i32(step)));
  };
  return [
    store("i64.store", wordAt(slot), op("i64.xor", load("i64.load", wordAt(slot)), bit)),
    count(reuseLayout.groups, groupBits),
    count(reuseLayout.regions, regionBits),
  ];
}

function increment(at: Wasm, offset = 0): Wasm {
  return store("i64.store", at, op("i64.add", load("i64.load", at, offset), i64(1n)), offset);
}

/** Class of a reuse distance: the number of bits above the first class. */
function distanceClass(distance: Wasm, scratch: number): Wasm {
  return op("i32.sub", i32(32), op("i32.clz", op("i32.shr_u", tee(scratch, distance), i32(firstClassBits))));
}

/** Whether a touch was made by the block that runs now. */
function isInSameBlock(touch: Wasm): Wasm {
  return op("i32.gt_u", touch, field(reuseLayout.blockStart));
}

/** Address of a site's counter for a class of reuse distances. */
function classCounter(site: Wasm, kind: Wasm, isSameBlock: Wasm): Wasm {
  const first = op("select", i32(siteLayout.reuseSame), i32(siteLayout.reuseOthers), isSameBlock);
  return op("i32.add", site, op("i32.add", first, op("i32.shl", kind, i32(3))));
}

/**
 * touch_sector(site, sector, is store): counts the reuse distance of this access, which is the number of
 * other sectors touched since the last access to this one, and makes it the last one. A store is a first
 * touch when the sector agreed with DRAM until now.
 */
const touchSector: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: [] },
  build: (context) => {
    const {
      builder,
      imported,
      parameters: [site = [], sector = [], isStore = []],
    } = context;
    const { entry, old, last, kind } = wordLocals(builder, "entry", "old", "last", "kind");
    const now = field(reuseLayout.now);
    const distance = call(context.require("live_slots"), get(last), now);
    const dirtyBit = op("i32.shl", isStore, i32(31));
    return [
      when(op("i32.ge_u", sector, field(reuseLayout.sectors)), op("return")),
      when(op("i32.ge_u", now, field(reuseLayout.slots)), call(imported("renumber"))),
      set(entry, entryAt(sector)),
      set(last, op("i32.and", tee(old, load("i32.load", get(entry))), i32(~reuseLayout.dirty))),
      when(op("i32.eqz", get(last)), increment(site, siteLayout.reuseFirst), [
        set(kind, distanceClass(distance, kind)),
        when(op("i32.ge_u", get(kind), i32(reuseClasses)), set(kind, i32(reuseClasses - 1))),
        when(
          op("i32.and", isStore, op("i32.ge_s", get(old), i32(0))),
          increment(site, siteLayout.reuseFirst),
          increment(classCounter(site, get(kind), isInSameBlock(get(last)))),
        ),
        when(op("i32.eq", get(last), now), [
          store("i32.store", get(entry), op("i32.or", get(old), dirtyBit)),
          op("return"),
        ]),
        markSlot(op("i32.sub", get(last), i32(1)), -1),
      ]),
      markSlot(now, 1),
      store("i32.store", area, op("i32.add", now, i32(1)), reuseLayout.now),
      store(
        "i32.store",
        get(entry),
        op("i32.or", now, op("i32.or", op("i32.and", get(old), i32(reuseLayout.dirty)), dirtyBit)),
      ),
    ];
  },
};

export const reuseLibrary: LibraryTable = {
  count_words: countWords,
  sum_counts: sumCounts,
  live_slots: liveSlots,
  touch_sector: touchSector,
};
