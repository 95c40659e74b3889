import { siteLayout, staticLayout, warpLayout } from "../../layout";
import {
  type MemoryOpcode,
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
import { type LibraryContext, type LibraryFunction, type LibraryTable, globals } from "../library";
import { evenWords } from "../../wasm/shuffles";

const scratch = staticLayout.addresses;

/**
 * Runs `body` for each set bit of `mask`, lowest first; `lane` holds the bit's number. Clobbers the local
 * `mask`.
 */
export function forEachLane(mask: number, lane: number, body: Wasm): Wasm {
  return block(
    loop(
      branchIf(1, op("i32.eqz", get(mask))),
      set(lane, op("i32.ctz", get(mask))),
      set(mask, op("i32.and", get(mask), op("i32.sub", get(mask), i32(1)))),
      body,
      branch(0),
    ),
  );
}

function scratchOf(lane: Wasm): Wasm {
  return op("i32.add", getGlobal(globals.static), op("i32.shl", lane, i32(2)));
}

const translationSignature: Signature = {
  parameters: ["i32", "i32", "i64", "i32", "i32", "i32"],
  results: ["i32"],
};

interface Translation {
  readonly prepare: Wasm;
  /**
   * All lanes at once: the packed base, 0 when the scratch vector holds the addresses, -1 when each lane has
   * to be looked at.
   */
  readonly fast: Wasm;
  /** Device address of one lane. */
  readonly address: (lane: Wasm) => Wasm;
}

/** A translation that looks at each lane only where looking at all of them at once did not do. */
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
 * translate_wide(warp, addresses, addend, bytes, mask, site) → linear address of lane 0 when all 32 lanes are
 * active, inside of one window, aligned and packed one behind the other; else 0 with each active lane's
 * linear address in the scratch vector. A lane outside of the site's last window asks the host, which finds
 * the allocation or ends the launch with a fault.
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

/**
 * Linear address of lane 0 when packed, 0 when the scratch vector holds the addresses, -1 when the slow path
 * must look.
 */
function wideFastPath(builder: FunctionBuilder, { addresses, addend, bytes, site }: WideParts): Wasm {
  const [shift, limit, outside, low, high, packed, expected, step, word] = Array.from({ length: 9 }, () =>
    builder.local("v128"),
  );
  const at = builder.local("i32");
  const end = builder.local("i32");
  const to = builder.local("i32");
  const linear = load("i32.load", site, siteLayout.linear);
  const s = [shift, limit, outside, low, high, packed, expected, step, word] as number[];
  const [
    vShift = 0,
    vLimit = 0,
    vOut = 0,
    vLow = 0,
    vHigh = 0,
    vPacked = 0,
    vExpected = 0,
    vStep = 0,
    vWord = 0,
  ] = s;
  const check = (v: number): Wasm =>
    set(vOut, op("v128.or", get(vOut), op("v128.or", get(v), op("i64x2.sub", get(vLimit), get(v)))));
  const prepare: Wasm = [
    set(vShift, op("i64x2.splat", op("i64.sub", addend, load("i64.load", site, siteLayout.low)))),
    set(
      vLimit,
      op(
        "i64x2.splat",
        op("i64.sub", load("i64.load", site, siteLayout.limit), op("i64.extend_i32_u", bytes)),
      ),
    ),
    set(vOut, splat32(0)),
    set(vPacked, splat32(-1)),
    set(vLow, op("i64x2.add", load("v128.load", addresses), get(vShift))),
    set(
      vExpected,
      op(
        "i32x4.add",
        op("i32x4.splat", op("i32.wrap_i64", extractLane("i64x2.extract_lane", 0, get(vLow)))),
        op(
          "i32x4.mul",
          load("v128.load", getGlobal(globals.static), staticLayout.lane),
          op("i32x4.splat", bytes),
        ),
      ),
    ),
    set(vStep, op("i32x4.splat", op("i32.shl", bytes, i32(2)))),
    set(at, addresses),
    set(end, op("i32.add", addresses, i32(256))),
    set(to, getGlobal(globals.static)),
  ];
  const body: Wasm = loop(
    set(vLow, op("i64x2.add", load("v128.load", get(at)), get(vShift))),
    set(vHigh, op("i64x2.add", load("v128.load", get(at), 16), get(vShift))),
    check(vLow),
    check(vHigh),
    set(vWord, shuffle(get(vLow), get(vHigh), evenWords)),
    set(vPacked, op("v128.and", get(vPacked), op("i32x4.eq", get(vWord), get(vExpected)))),
    set(vExpected, op("i32x4.add", get(vExpected), get(vStep))),
    store("v128.store", get(to), op("i32x4.add", get(vWord), op("i32x4.splat", linear)), scratch),
    set(to, op("i32.add", get(to), i32(16))),
    branchIf(0, op("i32.lt_u", tee(at, op("i32.add", get(at), i32(32))), get(end))),
  );
  return [
    prepare,
    body,
    choose("i32", op("i64x2.bitmask", get(vOut)), i32(-1), packedOrScratch(builder, vPacked, bytes)),
  ];
}

/**
 * Result of a fast path whose addresses are all inside: the packed base when aligned, 0 when aligned but
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
 * translate_shared(warp, offsets, addend, bytes, mask, site): as translate_wide for a window whose addresses
 * are 32-bit offsets (shared memory). The window never changes, so that only the size is compared.
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
 * translate_local(warp, offsets (lanes of 64 bits, or of 32 where `narrow`), addend, bytes, mask, site):
 * every lane has its own copy of the window.
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

/**
 * An element a lane: as a whole where they are packed and fill the register, else all lanes in line, else one
 * active lane after the other.
 */
function moved(parameters: readonly Wasm[], ways: { whole: Wasm | undefined; all: Wasm; one: Wasm }): Wasm {
  const [, base = [], element = [], mask = []] = parameters;
  return [
    ways.whole === undefined
      ? []
      : when(op("i32.and", op("i32.ne", base, i32(0)), op("i32.eqz", element)), [ways.whole, op("return")]),
    when(op("i32.eq", mask, i32(-1)), [ways.all, op("return")]),
    ways.one,
  ];
}

/**
 * gather(destination, packed base or 0, byte offset of the element, mask): loads one element a lane and
 * widens it to the register.
 */
function gather(bytes: number, opcode: MemoryOpcode, wide: boolean, keptBits = -1): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
    build: ({ builder, parameters }) => {
      const [destination = [], base = [], element = [], mask = []] = parameters;
      const lane = builder.local("i32");
      const rest = builder.local("i32");
      const width = wide ? 8 : 4;
      const storeCode: MemoryOpcode = wide ? "i64.store" : "i32.store";
      const copies = Array.from({ length: (32 * width) / 16 }, (_, at) =>
        store("v128.store", destination, load("v128.load", base, 16 * at), 16 * at),
      );
      const read = (address: Wasm): Wasm => {
        const value = load(opcode, op("i32.add", address, element));
        return keptBits === -1 ? value : op("i32.and", value, i32(keptBits));
      };
      const each = (address: Wasm, index: number): Wasm =>
        store(storeCode, destination, read(address), index * width);
      const all = Array.from({ length: 32 }, (_, index) =>
        each(load("i32.load", getGlobal(globals.static), scratch + 4 * index), index),
      );
      const one = store(
        storeCode,
        op("i32.add", destination, op("i32.mul", get(lane), i32(width))),
        read(load("i32.load", scratchOf(get(lane)), scratch)),
      );
      return moved(parameters, {
        whole: bytes === width ? copies : undefined,
        all,
        one: [set(rest, mask), forEachLane(rest, lane, one)],
      });
    },
  };
}

/**
 * scatter(source, packed base or 0, byte offset of the element, mask): stores the low bytes of each active
 * lane; `stride` of the source.
 */
function scatter(bytes: number, opcode: MemoryOpcode, stride: 4 | 8): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
    build: ({ builder, parameters }) => {
      const [source = [], base = [], element = [], mask = []] = parameters;
      const lane = builder.local("i32");
      const rest = builder.local("i32");
      const width = stride;
      const loadCode: MemoryOpcode = bytes === 8 ? "i64.load" : "i32.load";
      const copies = Array.from({ length: (32 * width) / 16 }, (_, at) =>
        store("v128.store", base, load("v128.load", source, 16 * at), 16 * at),
      );
      const one = store(
        opcode,
        op("i32.add", load("i32.load", scratchOf(get(lane)), scratch), element),
        load(loadCode, op("i32.add", source, op("i32.mul", get(lane), i32(width)))),
      );
      const all = Array.from({ length: 32 }, (_, index) =>
        store(
          opcode,
          op("i32.add", load("i32.load", getGlobal(globals.static), scratch + 4 * index), element),
          load(loadCode, source, index * width),
        ),
      );
      return moved(parameters, {
        whole: bytes === width ? copies : undefined,
        all,
        one: [set(rest, mask), forEachLane(rest, lane, one)],
      });
    },
  };
}

export const memoryLibrary: LibraryTable = {
  translate_wide: translateWide,
  translate_shared: translateShared,
  translate_local: translateLocal(false),
  translate_local_narrow: translateLocal(true),
  gather_u8: gather(1, "i32.load8_u", false),
  gather_s8: gather(1, "i32.load8_s", false),
  gather_s8_16: gather(1, "i32.load8_s", false, 0xffff),
  gather_u16: gather(2, "i32.load16_u", false),
  gather_s16: gather(2, "i32.load16_s", false),
  gather_32: gather(4, "i32.load", false),
  gather_64: gather(8, "i64.load", true),
  gather_u8_64: gather(1, "i64.load8_u", true),
  gather_s8_64: gather(1, "i64.load8_s", true),
  gather_u16_64: gather(2, "i64.load16_u", true),
  gather_s16_64: gather(2, "i64.load16_s", true),
  gather_u32_64: gather(4, "i64.load32_u", true),
  gather_s32_64: gather(4, "i64.load32_s", true),
  scatter_8: scatter(1, "i32.store8", 4),
  scatter_16: scatter(2, "i32.store16", 4),
  scatter_32: scatter(4, "i32.store", 4),
  scatter_64: scatter(8, "i64.store", 8),
  scatter_8_64: scatter(1, "i32.store8", 8),
  scatter_16_64: scatter(2, "i32.store16", 8),
  scatter_32_64: scatter(4, "i32.store", 8),
};
