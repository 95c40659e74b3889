import { lanes, siteLayout, staticLayout, warpLayout } from "../../layout";
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
  load,
  loop,
  op,
  set,
  tee,
  when,
} from "../../wasm/code";
import { type LibraryFunction, type LibraryTable, globals, wordLocals } from "../library";
import { addDistinct, addressLibrary, isRegular } from "./distinct-addresses";
import { wavefrontLibrary } from "./shared-wavefronts";
import { accessKinds, addresses, base, count, countPasses } from "./site-counters";
import { forEachLane, laneAt } from "../lanes";

/** touch_list(site, count, is store): records an access to each sector in the list at `distinct`. */
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

/** touch_range(site, first, end, is store): records an access to each of the sectors [first, end). */
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

/** Lines of four sectors that so many neighbouring sectors from a first one on lie in. */
function linesFrom(first: Wasm, sectors: Wasm): Wasm {
  return op("i32.shr_u", op("i32.add", op("i32.and", first, i32(3)), op("i32.add", sectors, i32(3))), i32(2));
}

/** Sectors that 32 lanes touch whose bytes lie side by side, the first one's at an address. */
function sideBySide(first: Wasm, bytes: Wasm): Wasm {
  const end = op("i32.add", op("i32.and", first, i32(31)), op("i32.shl", bytes, i32(5)));
  return op("i32.shr_u", op("i32.add", end, i32(31)), i32(5));
}

/**
 * count_global(site, bytes, mask, kind): one request. Its sectors are the distinct 32-byte pieces that the
 * active lanes touch; the ideal is the number of sectors that the distinct requested bytes would fill. Both
 * are defined as Nsight Compute's "theoretical sectors global" and its ideal. Its lines are the distinct
 * pieces of 128 bytes, each of which the first level looks up by itself. Passes are those of an atomic; of a
 * load the distinct addresses, which constant memory answers one after the other.
 */
const countGlobal: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: (context) => {
    const {
      builder,
      parameters: [site = [], bytes = [], mask = [], kind = []],
    } = context;
    const first = load("i32.load", addresses);
    const { sectors, passes } = wordLocals(builder, "sectors", "passes");
    const distinct = (shift: number): Wasm => call(context.require("distinct_addresses"), i32(shift), mask);
    const isStore = op("i32.ne", kind, i32(accessKinds.load));
    const isAtomic = op("i32.eq", kind, i32(accessKinds.atomic));
    const isLoad = op("i32.eqz", isStore);
    const to = { sum: siteLayout.globalPasses, worst: siteLayout.globalWorst };
    const firstSector = op("i32.shr_u", first, i32(5));
    return [
      when(op("i32.eqz", mask), op("return")),
      count(site, siteLayout.requests, i32(1)),
      count(site, siteLayout.bytes, op("i32.mul", op("i32.popcnt", mask), bytes)),
      when(isRegular(builder, mask, bytes), [
        set(sectors, sideBySide(first, bytes)),
        count(site, siteLayout.sectors, get(sectors)),
        count(site, siteLayout.sectorsIdeal, bytes),
        count(site, siteLayout.lines, linesFrom(firstSector, get(sectors))),
        call(
          context.require("touch_range"),
          site,
          firstSector,
          op("i32.add", firstSector, get(sectors)),
          isStore,
        ),
        when(isLoad, count(site, siteLayout.globalPasses, i32(lanes))),
        when(isAtomic, countPasses(site, passes, i32(1), to)),
        op("return"),
      ]),
      count(site, siteLayout.lines, distinct(7)),
      set(sectors, distinct(5)),
      count(site, siteLayout.sectors, get(sectors)),
      call(context.require("touch_list"), site, get(sectors), isStore),
      // When no two lanes share a sector, no two share an address.
      set(
        sectors,
        choose("i32", op("i32.eq", get(sectors), op("i32.popcnt", mask)), get(sectors), distinct(0)),
      ),
      count(
        site,
        siteLayout.sectorsIdeal,
        op("i32.shr_u", op("i32.add", op("i32.mul", get(sectors), bytes), i32(31)), i32(5)),
      ),
      when(isLoad, count(site, siteLayout.globalPasses, get(sectors))),
      when(isAtomic, countPasses(site, passes, call(context.require("contention"), mask), to)),
    ];
  },
};

/**
 * count_local(warp, site, bytes, mask): sectors of local memory in the hardware's layout, which interleaves
 * the 32 lanes word by word, so that lanes that access the same variable share sectors (CUDA C++ Programming
 * Guide, "Local Memory").
 */
const countLocal: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [warp = [], site = [], bytes = [], mask = []] }) => {
    const { rest, lane, value, size, at, piece } = wordLocals(
      builder,
      "rest",
      "lane",
      "value",
      "size",
      "at",
      "piece",
    );
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
          addDistinct({ value, size, at }),
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
 * count_generic(warp, site, bytes, mask, kind): counts by the memory space of the first active lane's
 * address. The launch's own area lies above all allocations. Parameters lie below its site records: they are
 * not counted.
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
    const inLocal = op(
      "i32.lt_u",
      op("i32.sub", first, load("i32.load", warp, warpLayout.localBase)),
      op("i32.mul", getGlobal(globals.localBytes), i32(lanes)),
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
            // Beyond local memory lies the shared memory of other blocks of the cluster.
            when(inLocal, call(context.require("count_local"), warp, site, bytes, mask), to("count_shared")),
          ),
        ),
      ),
    );
  },
};

export const countingLibrary: LibraryTable = {
  ...addressLibrary,
  ...wavefrontLibrary,
  touch_list: touchList,
  touch_range: touchRange,
  count_global: countGlobal,
  count_local: countLocal,
  count_generic: countGeneric,
};
