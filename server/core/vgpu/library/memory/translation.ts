import { siteLayout, staticLayout, warpLayout } from "../../layout";
import {
  type Wasm,
  branchIf,
  call,
  choose,
  get,
  getGlobal,
  i32,
  i64,
  lane as extractLane,
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
import type { FunctionBuilder, Signature } from "../../wasm/module";
import { evenWords } from "../../wasm/shuffles";
import { forEachLane } from "../lanes";
import {
  type LibraryContext,
  type LibraryFunction,
  type LibraryTable,
  globals,
  vectorLocals,
  wordLocals,
} from "../library";

/** Where a translation puts the lanes' linear addresses, in the static area. */
export const scratch = staticLayout.addresses;

/** Base address of a lane's entry in the scratch vector. */
export function scratchOf(lane: Wasm): Wasm {
  return op("i32.add", getGlobal(globals.static), op("i32.shl", lane, i32(2)));
}

const translationSignature: Signature = {
  parameters: ["i32", "i32", "i64", "i32", "i32", "i32"],
  results: ["i32"],
};

interface Translation {
  readonly prepare: Wasm;
  /**
   * Checks all lanes at once: gives the packed base; 0 if the scratch vector holds the addresses; -1: check
   * lane by lane.
   */
  readonly fast: Wasm;
  /** Device address of one lane. */
  readonly address: (lane: Wasm) => Wasm;
}

/** A translation that checks lane by lane only where checking all lanes at once does not succeed. */
function translation(parts: (context: LibraryContext) => Translation): LibraryFunction {
  return {
    signature: translationSignature,
    build: (context) => {
      const [warp = [], , , bytes = [], mask = [], site = []] = context.parameters;
      const first = context.builder.local("i32");
      const { prepare, fast, address } = parts(context);
      return [
        prepare,
        when(op("i32.eq", mask, i32(-1)), [
          set(first, fast),
          when(op("i32.ne", get(first), i32(-1)), [get(first), op("return")]),
        ]),
        slowPath(context, { warp, bytes, mask, site, address }),
        i32(0),
      ];
    },
  };
}

/**
 * translate_wide(warp, addresses, addend, bytes, mask, site) → linear address of lane 0 if all 32 lanes are
 * active, inside one window, aligned and packed; else 0, with the linear address of each active lane in the
 * scratch vector. For a lane outside the site's cached window the host finds the allocation, or ends the
 * launch with a fault.
 */
const translateWide = translation((context) => {
  const [, addresses = [], addend = [], bytes = [], , site = []] = context.parameters;
  return {
    prepare: [],
    fast: wideFastPath(context.builder, { addresses, addend, bytes, site }),
    address: (lane) =>
      op("i64.add", load("i64.load", op("i32.add", addresses, op("i32.shl", lane, i32(3)))), addend),
  };
});

interface WideParts {
  readonly addresses: Wasm;
  readonly addend: Wasm;
  readonly bytes: Wasm;
  readonly site: Wasm;
}

/** Local vectors of the fast path. */
type WideVectors = Readonly<Record<(typeof wideVectors)[number], number>>;
const wideVectors = [
  "shift",
  "limit",
  "outside",
  "low",
  "high",
  "packed",
  "expected",
  "step",
  "word",
] as const;

/** Sets the vectors for a site's window: addresses are compared as offsets from its start. */
function prepareWide(v: WideVectors, { addresses, addend, bytes, site }: WideParts): Wasm {
  return [
    set(v.shift, op("i64x2.splat", op("i64.sub", addend, load("i64.load", site, siteLayout.low)))),
    set(
      v.limit,
      op(
        "i64x2.splat",
        op("i64.sub", load("i64.load", site, siteLayout.limit), op("i64.extend_i32_u", bytes)),
      ),
    ),
    set(v.outside, splat32(0)),
    set(v.packed, splat32(-1)),
    set(v.low, op("i64x2.add", load("v128.load", addresses), get(v.shift))),
    set(
      v.expected,
      op(
        "i32x4.add",
        op("i32x4.splat", op("i32.wrap_i64", extractLane("i64x2.extract_lane", 0, get(v.low)))),
        op(
          "i32x4.mul",
          load("v128.load", getGlobal(globals.static), staticLayout.lane),
          op("i32x4.splat", bytes),
        ),
      ),
    ),
    set(v.step, op("i32x4.splat", op("i32.shl", bytes, i32(2)))),
  ];
}

/**
 * Linear address of lane 0 if packed; 0 if the scratch vector holds the addresses; -1: take the slow path.
 */
function wideFastPath(builder: FunctionBuilder, parts: WideParts): Wasm {
  const { addresses, bytes, site } = parts;
  const v = vectorLocals(builder, ...wideVectors);
  const { at, end, to } = wordLocals(builder, "at", "end", "to");
  const linear = load("i32.load", site, siteLayout.linear);
  const check = (offsets: number): Wasm =>
    set(
      v.outside,
      op("v128.or", get(v.outside), op("v128.or", get(offsets), op("i64x2.sub", get(v.limit), get(offsets)))),
    );
  return [
    prepareWide(v, parts),
    set(at, addresses),
    set(end, op("i32.add", addresses, i32(256))),
    set(to, getGlobal(globals.static)),
    loop(
      set(v.low, op("i64x2.add", load("v128.load", get(at)), get(v.shift))),
      set(v.high, op("i64x2.add", load("v128.load", get(at), 16), get(v.shift))),
      check(v.low),
      check(v.high),
      set(v.word, shuffle(get(v.low), get(v.high), evenWords)),
      set(v.packed, op("v128.and", get(v.packed), op("i32x4.eq", get(v.word), get(v.expected)))),
      set(v.expected, op("i32x4.add", get(v.expected), get(v.step))),
      store("v128.store", get(to), op("i32x4.add", get(v.word), op("i32x4.splat", linear)), scratch),
      set(to, op("i32.add", get(to), i32(16))),
      branchIf(0, op("i32.lt_u", tee(at, op("i32.add", get(at), i32(32))), get(end))),
    ),
    choose("i32", op("i64x2.bitmask", get(v.outside)), i32(-1), packedOrScratch(builder, v.packed, bytes)),
  ];
}

/**
 * Result of a fast path whose addresses are all inside: the packed base if aligned, 0 if aligned but
 * scattered, else -1.
 */
function packedOrScratch(builder: FunctionBuilder, packed: number, bytes: Wasm): Wasm {
  const any = builder.local("v128");
  const parts = Array.from({ length: 8 }, (_, chunk) =>
    load("v128.load", getGlobal(globals.static), scratch + 16 * chunk),
  );
  const joined = parts.reduce((left, right) => op("v128.or", left, right));
  const first = load("i32.load", getGlobal(globals.static), scratch);
  const misaligned = op(
    "v128.any_true",
    op("v128.and", get(any), op("i32x4.splat", op("i32.sub", bytes, i32(1)))),
  );
  return [
    set(any, joined),
    choose("i32", misaligned, i32(-1), op("select", first, i32(0), op("i32x4.all_true", get(packed)))),
  ];
}

interface SlowParts {
  readonly warp: Wasm;
  readonly bytes: Wasm;
  readonly mask: Wasm;
  readonly site: Wasm;
  readonly address: (lane: Wasm) => Wasm;
}

function slowPath(context: LibraryContext, { warp, bytes, mask, site, address }: SlowParts): Wasm {
  const { builder } = context;
  const lane = builder.local("i32");
  const rest = builder.local("i32");
  const place = builder.local("i64");
  const relative = builder.local("i64");
  const outside = op(
    "i64.gt_u",
    get(relative),
    op("i64.sub", load("i64.load", site, siteLayout.limit), op("i64.extend_i32_u", bytes)),
  );
  const tooSmall = op(
    "i64.lt_s",
    op("i64.sub", load("i64.load", site, siteLayout.limit), op("i64.extend_i32_u", bytes)),
    i64(0n),
  );
  const misaligned = op(
    "i64.ne",
    i64(0n),
    op("i64.and", get(place), op("i64.extend_i32_u", op("i32.sub", bytes, i32(1)))),
  );
  const asked = call(context.imported("locate"), warp, site, get(lane), get(place));
  const found = op("i32.add", op("i32.wrap_i64", get(relative)), load("i32.load", site, siteLayout.linear));
  return [
    set(rest, mask),
    forEachLane(rest, lane, [
      set(place, address(get(lane))),
      set(relative, op("i64.sub", get(place), load("i64.load", site, siteLayout.low))),
      store(
        "i32.store",
        scratchOf(get(lane)),
        choose("i32", op("i32.or", misaligned, op("i32.or", outside, tooSmall)), asked, found),
        scratch,
      ),
    ]),
  ];
}

/**
 * translate_shared(warp, offsets, addend, bytes, mask, site): like translate_wide for a window of 32-bit
 * offsets (shared memory). The window never changes, so only its size is compared.
 */
const translateShared = translation(({ builder, parameters }) => {
  const [, addresses = [], addend = [], bytes = []] = parameters;
  const offset = builder.local("i32");
  return {
    prepare: set(offset, op("i32.wrap_i64", addend)),
    fast: sharedFastPath(builder, { addresses, offset: get(offset), bytes }),
    address: (lane) =>
      op(
        "i64.extend_i32_u",
        op("i32.add", load("i32.load", op("i32.add", addresses, op("i32.shl", lane, i32(2)))), get(offset)),
      ),
  };
});

function sharedFastPath(
  builder: FunctionBuilder,
  parts: { addresses: Wasm; offset: Wasm; bytes: Wasm },
): Wasm {
  const { addresses, offset, bytes } = parts;
  const [vMost = 0, vPacked = 0, vExpected = 0, vWord = 0] = Array.from({ length: 4 }, () =>
    builder.local("v128"),
  );
  const at = builder.local("i32");
  const to = builder.local("i32");
  const limit = op("i32.sub", getGlobal(globals.sharedBytes), bytes);
  const body: Wasm = loop(
    set(vWord, op("i32x4.add", load("v128.load", get(at)), op("i32x4.splat", offset))),
    set(vMost, op("i32x4.max_u", get(vMost), get(vWord))),
    set(vPacked, op("v128.and", get(vPacked), op("i32x4.eq", get(vWord), get(vExpected)))),
    set(vExpected, op("i32x4.add", get(vExpected), op("i32x4.splat", op("i32.shl", bytes, i32(2))))),
    store(
      "v128.store",
      get(to),
      op("i32x4.add", get(vWord), op("i32x4.splat", getGlobal(globals.shared))),
      scratch,
    ),
    set(to, op("i32.add", get(to), i32(16))),
    branchIf(0, op("i32.lt_u", tee(at, op("i32.add", get(at), i32(16))), op("i32.add", addresses, i32(128)))),
  );
  const outside = op(
    "i32.or",
    op("i32.lt_s", limit, i32(0)),
    op("v128.any_true", op("i32x4.gt_u", get(vMost), op("i32x4.splat", limit))),
  );
  return [
    set(vMost, splat32(0)),
    set(vPacked, splat32(-1)),
    set(
      vExpected,
      op(
        "i32x4.add",
        op("i32x4.splat", op("i32.add", load("i32.load", addresses), offset)),
        op(
          "i32x4.mul",
          load("v128.load", getGlobal(globals.static), staticLayout.lane),
          op("i32x4.splat", bytes),
        ),
      ),
    ),
    set(at, addresses),
    set(to, getGlobal(globals.static)),
    body,
    choose("i32", outside, i32(-1), packedOrScratch(builder, vPacked, bytes)),
  ];
}

/**
 * translate_local(warp, offsets, addend, bytes, mask, site): every lane has its own window. Offsets have 64
 * bits, or 32 if `narrow`.
 */
const translateLocal = (narrow: boolean): LibraryFunction => ({
  signature: translationSignature,
  build: (context) => {
    const [warp = [], addresses = [], addend = [], bytes = [], mask = [], site = []] = context.parameters;
    const { builder } = context;
    const lane = builder.local("i32");
    const rest = builder.local("i32");
    const place = builder.local("i64");
    const limit = op("i32.sub", getGlobal(globals.localBytes), bytes);
    const bad = op(
      "i32.or",
      op("i32.or", op("i32.lt_s", limit, i32(0)), op("i64.gt_u", get(place), op("i64.extend_i32_u", limit))),
      op("i32.and", op("i32.wrap_i64", get(place)), op("i32.sub", bytes, i32(1))),
    );
    const linear = op(
      "i32.add",
      load("i32.load", warp, warpLayout.localBase),
      op("i32.add", op("i32.mul", get(lane), getGlobal(globals.localBytes)), op("i32.wrap_i64", get(place))),
    );
    return [
      set(rest, mask),
      forEachLane(rest, lane, [
        set(
          place,
          op(
            "i64.add",
            load(
              narrow ? "i64.load32_u" : "i64.load",
              op("i32.add", addresses, op("i32.shl", get(lane), i32(narrow ? 2 : 3))),
            ),
            addend,
          ),
        ),
        store(
          "i32.store",
          scratchOf(get(lane)),
          choose("i32", bad, call(context.imported("locate"), warp, site, get(lane), get(place)), linear),
          scratch,
        ),
      ]),
      i32(0),
    ];
  },
});

/** Translations of device addresses to linear ones. */
export const translationLibrary: LibraryTable = {
  translate_wide: translateWide,
  translate_shared: translateShared,
  translate_local: translateLocal(false),
  translate_local_narrow: translateLocal(true),
};
