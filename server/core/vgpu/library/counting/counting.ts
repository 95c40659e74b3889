import { siteLayout, stampsBeyond, staticLayout, warpLayout } from "../../layout";
import {
  type Wasm,
  block,
  branch,
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
import { followingWords, swappedLongs, swappedWords } from "../../wasm/shuffles";
import { type LibraryFunction, type LibraryTable, globals } from "../library";
import { forEachLane } from "../memory/memory";
import { laneAt } from "../warp/warp";

const base = getGlobal(globals.static);
const addresses = op("i32.add", base, i32(staticLayout.addresses));

/** Adds to a 64-bit counter of a site. */
function count(site: Wasm, offset: number, value: Wasm): Wasm {
  return store(
    "i64.store",
    site,
    op("i64.add", load("i64.load", site, offset), op("i64.extend_i32_u", value)),
    offset,
  );
}

/** True when all 32 lanes are active and each address is the one before plus `step` (0: all the same). */
function isRegular(builder: FunctionBuilder, mask: Wasm, step: Wasm): Wasm {
  const first = op("i32x4.splat", load("i32.load", addresses));
  const stride = builder.local("v128");
  const same = builder.local("v128");
  const chunk = (index: number): Wasm =>
    op(
      "i32x4.eq",
      load("v128.load", addresses, 16 * index),
      op(
        "i32x4.add",
        first,
        op(
          "i32x4.mul",
          get(stride),
          op("i32x4.add", load("v128.load", base, staticLayout.lane), op("i32x4.splat", i32(4 * index))),
        ),
      ),
    );
  const all = Array.from({ length: 8 }, (_, index) => chunk(index)).reduce((left, right) =>
    op("v128.and", left, right),
  );
  return [
    set(stride, op("i32x4.splat", step)),
    set(same, all),
    op("i32.and", op("i32.eq", mask, i32(-1)), op("i32x4.all_true", get(same))),
  ];
}

/** Puts a number into the list at `distinct` unless it is there; the newest entries are looked at first. */
function addDistinct(locals: { value: number; size: number; at: number }, isNew: Wasm): Wasm {
  const { value, size, at } = locals;
  const entry = op("i32.add", base, op("i32.shl", get(at), i32(2)));
  return [
    set(at, get(size)),
    block(
      loop(
        branchIf(
          1,
          op(
            "i32.and",
            op("i32.ne", get(at), i32(0)),
            op("i32.eq", load("i32.load", op("i32.sub", entry, i32(4)), staticLayout.distinct), get(value)),
          ),
        ),
        when(get(at), [set(at, op("i32.sub", get(at), i32(1))), branch(1)]),
      ),
      store(
        "i32.store",
        op("i32.add", base, op("i32.shl", get(size), i32(2))),
        get(value),
        staticLayout.distinct,
      ),
      set(size, op("i32.add", get(size), i32(1))),
      isNew,
    ),
  ];
}

/**
 * distinct_addresses(shift, mask): how many different values the active lanes' addresses have after a shift
 * to the right, and those values at `distinct`. Each round takes the lowest lane that is left and all that
 * agree with it; lanes that ascend need none.
 */
const distinctAddresses: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: ["i32"] },
  build: ({ builder, parameters: [shift = [], mask = []] }) => {
    const [rest, value, size] = Array.from({ length: 3 }, () => builder.local("i32")) as [
      number,
      number,
      number,
    ];
    const leader = builder.local("v128");
    const shifted = Array.from({ length: 8 }, () => builder.local("v128"));
    const same = shifted.map((chunk, index): Wasm =>
      op("i32.shl", op("i32x4.bitmask", op("i32x4.eq", get(chunk), get(leader))), i32(4 * index)),
    );
    // Each lane beside the next one; the last lane of all has none, and is beside the greatest number.
    const beside = shifted.map((chunk, index): Wasm =>
      shuffle(get(chunk), index < 7 ? get(shifted[index + 1] ?? chunk) : splat32(-1), followingWords),
    );
    const isAscending = op(
      "i32x4.all_true",
      shifted
        .map((chunk, index): Wasm => op("i32x4.lt_u", get(chunk), beside[index] ?? []))
        .reduce((left, right) => op("v128.and", left, right)),
    );
    return [
      shifted.map((chunk, index) =>
        set(chunk, op("i32x4.shr_u", load("v128.load", addresses, 16 * index), shift)),
      ),
      when(choose("i32", op("i32.eq", mask, i32(-1)), isAscending, i32(0)), [
        shifted.map((chunk, index) =>
          store("v128.store", base, get(chunk), staticLayout.distinct + 16 * index),
        ),
        i32(32),
        op("return"),
      ]),
      set(rest, mask),
      block(
        loop(
          branchIf(1, op("i32.eqz", get(rest))),
          set(value, op("i32.shr_u", load("i32.load", laneAt(addresses, op("i32.ctz", get(rest)))), shift)),
          set(leader, op("i32x4.splat", get(value))),
          set(
            rest,
            op(
              "i32.and",
              get(rest),
              op(
                "i32.xor",
                same.reduce((left, right) => op("i32.or", left, right)),
                i32(-1),
              ),
            ),
          ),
          store(
            "i32.store",
            op("i32.add", base, op("i32.shl", get(size), i32(2))),
            get(value),
            staticLayout.distinct,
          ),
          set(size, op("i32.add", get(size), i32(1))),
          branch(0),
        ),
      ),
      get(size),
    ];
  },
};

/** Kinds of access, as the counting functions are told. */
export const accessKinds = { load: 0, store: 1, atomic: 2 } as const;

/** touch_list(site, count, is store): the numbers at `distinct` are sectors that were just accessed. */
const touchList: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: [] },
  build: (context) => {
    const {
      builder,
      parameters: [site = [], size = [], isStore = []],
    } = context;
    const at = builder.local("i32");
    const value = load(
      "i32.load",
      op("i32.add", base, op("i32.shl", get(at), i32(2))),
      staticLayout.distinct,
    );
    return block(
      loop(
        branchIf(1, op("i32.ge_u", get(at), size)),
        call(context.require("touch_sector"), site, value, isStore),
        set(at, op("i32.add", get(at), i32(1))),
        branch(0),
      ),
    );
  },
};

/** touch_range(site, first, end, is store): sectors [first, end). */
const touchRange: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: (context) => {
    const {
      builder,
      parameters: [site = [], first = [], end = [], isStore = []],
    } = context;
    const at = builder.local("i32");
    return [
      set(at, first),
      loop(
        call(context.require("touch_sector"), site, get(at), isStore),
        branchIf(0, op("i32.lt_u", tee(at, op("i32.add", get(at), i32(1))), end)),
      ),
    ];
  },
};

/**
 * contention(mask): the greatest number of active lanes with one address: how often an atomic has to go one
 * after the other.
 */
const contention: LibraryFunction = {
  signature: { parameters: ["i32"], results: ["i32"] },
  build: ({ builder, parameters: [mask = []] }) => {
    const [rest, same, most, lanesNow] = Array.from({ length: 4 }, () => builder.local("i32")) as [
      number,
      number,
      number,
      number,
    ];
    const leader = builder.local("v128");
    const bits = Array.from({ length: 8 }, (_, chunk): Wasm =>
      op(
        "i32.shl",
        op("i32x4.bitmask", op("i32x4.eq", load("v128.load", addresses, 16 * chunk), get(leader))),
        i32(4 * chunk),
      ),
    );
    return [
      set(rest, mask),
      block(
        loop(
          branchIf(1, op("i32.eqz", get(rest))),
          set(leader, op("i32x4.splat", load("i32.load", laneAt(addresses, op("i32.ctz", get(rest)))))),
          set(
            same,
            op(
              "i32.and",
              get(rest),
              bits.reduce((left, right) => op("i32.or", left, right)),
            ),
          ),
          set(rest, op("i32.xor", get(rest), get(same))),
          when(
            op("i32.gt_u", tee(lanesNow, op("i32.popcnt", get(same))), get(most)),
            set(most, get(lanesNow)),
          ),
          branch(0),
        ),
      ),
      get(most),
    ];
  },
};

/** Adds to the passes of a site and keeps their maximum. */
function countPasses(
  site: Wasm,
  local: number,
  passes: Wasm,
  to: { readonly sum: number; readonly worst: number },
): Wasm {
  return [
    set(local, passes),
    count(site, to.sum, get(local)),
    when(
      op("i32.gt_u", get(local), load("i32.load", site, to.worst)),
      store("i32.store", site, get(local), to.worst),
    ),
  ];
}

/**
 * count_global(site, bytes, mask, kind): one request; sectors are the distinct 32-byte pieces that active
 * lanes touch; the ideal is the number of sectors that the distinct bytes asked for would fill. As Nsight
 * Compute's "theoretical sectors global" and its ideal.
 */
const countGlobal: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: (context) => {
    const {
      builder,
      parameters: [site = [], bytes = [], mask = [], kind = []],
    } = context;
    const first = load("i32.load", addresses);
    const [sectors, passes] = [builder.local("i32"), builder.local("i32")];
    const distinct = (shift: number): Wasm => call(context.require("distinct_addresses"), i32(shift), mask);
    const isStore = op("i32.ne", kind, i32(accessKinds.load));
    const isAtomic = op("i32.eq", kind, i32(accessKinds.atomic));
    const to = { sum: siteLayout.globalPasses, worst: siteLayout.globalWorst };
    const firstSector = op("i32.shr_u", first, i32(5));
    return [
      when(op("i32.eqz", mask), op("return")),
      count(site, siteLayout.requests, i32(1)),
      count(site, siteLayout.bytes, op("i32.mul", op("i32.popcnt", mask), bytes)),
      when(isRegular(builder, mask, bytes), [
        set(
          sectors,
          op(
            "i32.shr_u",
            op(
              "i32.add",
              op("i32.add", op("i32.and", first, i32(31)), op("i32.shl", bytes, i32(5))),
              i32(31),
            ),
            i32(5),
          ),
        ),
        count(site, siteLayout.sectors, get(sectors)),
        count(site, siteLayout.sectorsIdeal, bytes),
        call(
          context.require("touch_range"),
          site,
          firstSector,
          op("i32.add", firstSector, get(sectors)),
          isStore,
        ),
        when(isAtomic, countPasses(site, passes, i32(1), to)),
        op("return"),
      ]),
      set(sectors, distinct(5)),
      count(site, siteLayout.sectors, get(sectors)),
      call(context.require("touch_list"), site, get(sectors), isStore),
      // Lanes with sectors of their own have addresses of their own.
      set(
        sectors,
        choose("i32", op("i32.eq", get(sectors), op("i32.popcnt", mask)), get(sectors), distinct(0)),
      ),
      count(
        site,
        siteLayout.sectorsIdeal,
        op("i32.shr_u", op("i32.add", op("i32.mul", get(sectors), bytes), i32(31)), i32(5)),
      ),
      when(isAtomic, countPasses(site, passes, call(context.require("contention"), mask), to)),
    ];
  },
};

/** Locals of the count of wavefronts. */
interface Bankers {
  readonly rest: number;
  readonly lane: number;
  readonly word: number;
  readonly slot: number;
  readonly most: number;
  readonly bank: number;
  readonly left: number;
  readonly stamp: number;
  readonly stamps: number;
}

/** A number that no word has been stamped with so far. */
function freshStamp({ stamp, stamps }: Bankers): Wasm {
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
 * Wavefronts of the lanes in `group`: the greatest number of different words that one bank has to give. Each
 * word of shared memory has a stamp that says whether it has been counted. What lies beyond shared memory,
 * where suppressed accesses go, has one together.
 */
function wavefrontsOf(locals: Bankers, group: Wasm, bytes: Wasm): Wasm {
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
 * Whether all lanes from `from` to `end` (multiples of four) touch words that lie among 32 side by side: no
 * bank has to give two.
 */
function isNarrow(
  builder: FunctionBuilder,
  { from, end, bytes }: { from: Wasm; end: Wasm; bytes: Wasm },
): Wasm {
  const [low, high] = [builder.local("v128"), builder.local("v128")];
  const [at, last] = [builder.local("i32"), builder.local("i32")];
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

/**
 * count_shared(site, bytes, mask, kind): wavefronts through 32 banks of 4 bytes; lanes that want the same
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
    const names = ["rest", "lane", "word", "slot", "most", "bank", "left", "stamp", "stamps"] as const;
    const locals = Object.fromEntries(names.map((name) => [name, builder.local("i32")])) as Record<
      (typeof names)[number],
      number
    >;
    const [width, group, from, whole] = [
      builder.local("i32"),
      builder.local("i32"),
      builder.local("i32"),
      builder.local("i32"),
    ];
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
      set(
        width,
        op(
          "select",
          i32(32),
          op("select", i32(16), i32(8), op("i32.eq", bytes, i32(8))),
          op("i32.le_u", bytes, i32(4)),
        ),
      ),
      set(from, i32(0)),
      loop(
        set(whole, op("i32.shl", op("i32.shr_u", i32(-1), op("i32.sub", i32(32), get(width))), get(from))),
        set(group, op("i32.and", mask, get(whole))),
        when(get(group), [
          set(locals.most, i32(1)),
          when(
            op(
              "i32.eqz",
              choose(
                "i32",
                op("i32.eq", get(group), get(whole)),
                isNarrow(builder, { from: get(from), end: op("i32.add", get(from), get(width)), bytes }),
                i32(0),
              ),
            ),
            wavefrontsOf(locals, get(group), bytes),
          ),
          count(site, siteLayout.wavefronts, get(locals.most)),
          count(site, siteLayout.wavefrontsIdeal, i32(1)),
          when(
            op("i32.gt_u", get(locals.most), load("i32.load", site, siteLayout.ways)),
            store("i32.store", site, get(locals.most), siteLayout.ways),
          ),
        ]),
        branchIf(0, op("i32.lt_u", tee(from, op("i32.add", get(from), get(width))), i32(32))),
      ),
    ];
  },
};

/**
 * count_local(warp, site, bytes, mask): sectors of local memory as the hardware lays it out: word after word,
 * each with the 32 lanes side by side, so that lanes which use the same variable share sectors (CUDA C++
 * Programming Guide, "Local Memory").
 */
const countLocal: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [warp = [], site = [], bytes = [], mask = []] }) => {
    const [rest, lane, value, size, at, piece] = Array.from({ length: 6 }, () => builder.local("i32")) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const offset = op(
      "i32.sub",
      op(
        "i32.sub",
        load("i32.load", laneAt(addresses, get(lane))),
        load("i32.load", warp, warpLayout.localBase),
      ),
      op("i32.mul", get(lane), getGlobal(globals.localBytes)),
    );
    return [
      when(op("i32.eqz", mask), op("return")),
      count(site, siteLayout.locals, i32(1)),
      count(site, siteLayout.localBytes, op("i32.mul", op("i32.popcnt", mask), bytes)),
      set(rest, mask),
      forEachLane(rest, lane, [
        set(piece, i32(0)),
        loop(
          set(
            value,
            op(
              "i32.or",
              op("i32.shl", op("i32.add", op("i32.shr_u", offset, i32(2)), get(piece)), i32(2)),
              op("i32.shr_u", get(lane), i32(3)),
            ),
          ),
          addDistinct({ value, size, at }, []),
          branchIf(
            0,
            op("i32.lt_u", op("i32.shl", tee(piece, op("i32.add", get(piece), i32(1))), i32(2)), bytes),
          ),
        ),
      ]),
      count(site, siteLayout.localSectors, get(size)),
    ];
  },
};

/**
 * count_generic(warp, site, bytes, mask, kind): by where the first active lane's address lies. A launch's own
 * memory lies above all allocations; what lies below its records are parameters, which are not counted.
 */
const countGeneric: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32"], results: [] },
  build: (context) => {
    const [warp = [], site = [], bytes = [], mask = [], kind = []] = context.parameters;
    const first = load("i32.load", laneAt(addresses, op("i32.ctz", mask)));
    const to = (name: string): Wasm => call(context.require(name), site, bytes, mask, kind);
    const inShared = op(
      "i32.lt_u",
      op("i32.sub", first, getGlobal(globals.shared)),
      getGlobal(globals.sharedBytes),
    );
    return when(
      mask,
      when(
        op("i32.lt_u", first, base),
        to("count_global"),
        when(
          inShared,
          to("count_shared"),
          when(
            op("i32.ge_u", first, getGlobal(globals.sites)),
            call(context.require("count_local"), warp, site, bytes, mask),
          ),
        ),
      ),
    );
  },
};

export const countingLibrary: LibraryTable = {
  distinct_addresses: distinctAddresses,
  touch_list: touchList,
  touch_range: touchRange,
  contention,
  count_global: countGlobal,
  count_shared: countShared,
  count_local: countLocal,
  count_generic: countGeneric,
};
