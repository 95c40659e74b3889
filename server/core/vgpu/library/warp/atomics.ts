import {
  type Wasm,
  call,
  f32,
  get,
  getGlobal,
  i32,
  i64,
  lane as extractLane,
  load,
  op,
  set,
  store,
} from "../../wasm/code";
import { isSigned, isWide, types } from "../../ptx/types";
import type { FunctionBuilder } from "../../wasm/module";
import { forEachLane, laneAt } from "../lanes";
import { type LibraryFunction, type LibraryTable, addressVector, globals, wordLocals } from "../library";

type AtomicScalar = "i32" | "i64" | "f64";

/** The value that an atomic stores, from the old value and its operands. */
function atomicResult(
  operation: string,
  scalar: AtomicScalar,
  signed: boolean,
  parts: { old: Wasm; value: Wasm; other: Wasm },
): Wasm {
  const { old, value, other } = parts;
  const integer = scalar === "i64" ? "i64" : "i32";
  const zero = integer === "i64" ? i64(0n) : i32(0);
  const one = integer === "i64" ? i64(1n) : i32(1);
  switch (operation) {
    case "add":
      return op(`${scalar}.add`, old, value);
    case "and":
      return op(`${integer}.and`, old, value);
    case "or":
      return op(`${integer}.or`, old, value);
    case "xor":
      return op(`${integer}.xor`, old, value);
    case "exch":
      return value;
    case "cas":
      return op("select", other, old, op(`${integer}.eq`, old, value));
    case "min":
      return op("select", old, value, op(`${integer}.lt_${signed ? "s" : "u"}`, old, value));
    case "max":
      return op("select", old, value, op(`${integer}.gt_${signed ? "s" : "u"}`, old, value));
    case "inc":
      return op("select", zero, op(`${integer}.add`, old, one), op(`${integer}.ge_u`, old, value));
    default:
      return op(
        "select",
        value,
        op(`${integer}.sub`, old, one),
        op("i32.or", op(`${integer}.eqz`, old), op(`${integer}.gt_u`, old, value)),
      );
  }
}

/** A single; a subnormal one becomes a zero of its sign if `flushes` is nonzero. */
function flushedSingle(builder: FunctionBuilder, value: Wasm, flushes: Wasm): Wasm {
  const kept = builder.local("f32");
  const isSubnormal = op("f32.lt", op("f32.abs", get(kept)), f32(2 ** -126));
  const flushed = op(
    "select",
    op("f32.copysign", f32(0), get(kept)),
    get(kept),
    op("i32.and", isSubnormal, flushes),
  );
  builder.release(kept);
  return [set(kept, value), flushed];
}

/** A single with NaN replaced by the canonical one. */
function withOneNaN(builder: FunctionBuilder, value: Wasm): Wasm {
  const kept = builder.local("f32");
  return [
    set(kept, value),
    op("select", get(kept), op("f32.reinterpret_i32", i32(0x7fff_ffff)), op("f32.eq", get(kept), get(kept))),
  ];
}

/**
 * atomic_OPERATION_TYPE(destination, value, other, mask) at the addresses of the last translation, lane by
 * lane in order (PTX ISA section 9.7.13.5). One host thread runs all warps, so nothing comes between load and
 * store; launches that are spread over threads use reductions.ts. PTX leaves open which NaN a sum is
 * (sections 9.7.3 and 9.7.4): singles and halves give the canonical one, doubles keep a payload as the host's
 * addition does.
 */
function atomic(operation: string, scalar: AtomicScalar, signed: boolean, is16 = false): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
    build: ({ builder, parameters: [destination = [], value = [], other = [], mask = []] }) => {
      const { rest, lane, address } = wordLocals(builder, "rest", "lane", "address");
      const old = builder.local(scalar);
      const shift = scalar === "i64" || scalar === "f64" ? 3 : 2;
      const at = (base: Wasm): Wasm => op("i32.add", base, op("i32.shl", get(lane), i32(shift)));
      const result = atomicResult(operation, scalar, signed, {
        old: get(old),
        value: load(`${scalar}.load`, at(value)),
        other: load(`${scalar}.load`, at(other)),
      });
      return [
        set(rest, mask),
        forEachLane(rest, lane, [
          set(address, load("i32.load", laneAt(addressVector, get(lane)))),
          set(old, load(is16 ? "i32.load16_u" : `${scalar}.load`, get(address))),
          store(is16 ? "i32.store16" : `${scalar}.store`, get(address), result),
          store(`${scalar}.store`, at(destination), get(old)),
        ]),
      ];
    },
  };
}

/**
 * atomic_add of singles: in global memory subnormal operands and results are flushed to zero with their sign,
 * in shared memory they are kept (PTX ISA section 9.7.13.5). A launch's own memory, which includes shared
 * memory, lies above all of global memory.
 */
const atomicSingle: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [destination = [], value = [], , mask = []] }) => {
    const { rest, lane, address } = wordLocals(builder, "rest", "lane", "address");
    const old = builder.local("f32");
    const isGlobal = op("i32.lt_u", get(address), getGlobal(globals.static));
    const flushed = (single: Wasm): Wasm => flushedSingle(builder, single, isGlobal);
    const sum = op("f32.add", flushed(get(old)), flushed(load("f32.load", laneAt(value, get(lane)))));
    return [
      set(rest, mask),
      forEachLane(rest, lane, [
        set(address, load("i32.load", laneAt(addressVector, get(lane)))),
        set(old, load("f32.load", get(address))),
        store("f32.store", get(address), withOneNaN(builder, flushed(sum))),
        store("f32.store", laneAt(destination, get(lane)), get(old)),
      ]),
    ];
  },
};

/** Sums that are kept beside memory, and the bytes of each: the address, padding and a double. */
const keptSums = 1024;
const keptSumBytes = 16;
/** Bytes that `atomic_add_exact_f32` keeps its sums in. They need no content to begin with. */
export const exactSumBytes = keptSums * keptSumBytes;

/**
 * atomic_add of singles as though none of the additions were rounded but the last: the sums of the addresses
 * that were added to last are kept as doubles, from `kept` on. A sum counts as long as memory holds what it
 * rounds to, so that a store in between begins a new one. A GPU rounds each addition: this is what its result
 * is compared with. Subnormals are not flushed.
 */
const atomicExactSingle: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [destination = [], value = [], kept = [], mask = []] }) => {
    const { rest, lane, address, entry } = wordLocals(builder, "rest", "lane", "address", "entry");
    const [old, sum] = [builder.local("f32"), builder.local("f64")];
    const place = op("i32.and", op("i32.shr_u", get(address), i32(2)), i32(keptSums - 1));
    const isKept = op(
      "i32.and",
      op("i32.eq", load("i32.load", get(entry)), get(address)),
      op("f32.eq", op("f32.demote_f64", load("f64.load", get(entry), 8)), get(old)),
    );
    const before = op("select", load("f64.load", get(entry), 8), op("f64.promote_f32", get(old)), isKept);
    const added = op("f64.promote_f32", load("f32.load", laneAt(value, get(lane))));
    return [
      set(rest, mask),
      forEachLane(rest, lane, [
        set(address, load("i32.load", laneAt(addressVector, get(lane)))),
        set(entry, op("i32.add", kept, op("i32.mul", place, i32(keptSumBytes)))),
        set(old, load("f32.load", get(address))),
        set(sum, op("f64.add", before, added)),
        store("i32.store", get(entry), get(address)),
        store("f64.store", get(entry), get(sum), 8),
        store("f32.store", get(address), withOneNaN(builder, op("f32.demote_f64", get(sum)))),
        store("f32.store", laneAt(destination, get(lane)), get(old)),
      ]),
    ];
  },
};

/** atomic_add of one half or of two packed halves, each rounded separately (PTX ISA section 9.7.13.5). */
function atomicHalf(format: "f16" | "bf16", packed: boolean): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
    build: (context) => {
      const {
        builder,
        parameters: [destination = [], value = [], , mask = []],
      } = context;
      const { rest, lane, address, old } = wordLocals(builder, "rest", "lane", "address", "old");
      const sum = builder.local("v128");
      const widen = (bits: Wasm): Wasm =>
        call(context.require(`${format}_to_f32`), op("i32x4.extend_low_i16x8_u", op("i32x4.splat", bits)));
      const [lower, upper] = [0, 1].map((index) => extractLane("i32x4.extract_lane", index, get(sum))) as [
        Wasm,
        Wasm,
      ];
      return [
        set(rest, mask),
        forEachLane(rest, lane, [
          set(address, load("i32.load", laneAt(addressVector, get(lane)))),
          set(old, load(packed ? "i32.load" : "i32.load16_u", get(address))),
          set(
            sum,
            call(
              context.require(`f32_to_${format}_rn`),
              op("f32x4.add", widen(get(old)), widen(load("i32.load", laneAt(value, get(lane))))),
            ),
          ),
          store(
            packed ? "i32.store" : "i32.store16",
            get(address),
            packed ? op("i32.or", lower, op("i32.shl", upper, i32(16))) : lower,
          ),
          store("i32.store", laneAt(destination, get(lane)), get(old)),
        ]),
      ];
    },
  };
}

const addressBytes = 4;
const lanesOfWarp = 32;
const chunkBytes = 16;

/** next_elements(bytes): moves the addresses of the last translation on, those of all lanes. */
const nextElements: LibraryFunction = {
  signature: { parameters: ["i32"], results: [] },
  build: ({ parameters: [bytes = []] }) =>
    Array.from({ length: (lanesOfWarp * addressBytes) / chunkBytes }, (_, chunk) => {
      const at = chunkBytes * chunk;
      const moved = op("i32x4.add", load("v128.load", addressVector, at), op("i32x4.splat", bytes));
      return store("v128.store", addressVector, moved, at);
    }),
};

/** Atomics on the addresses of the last translation. */
export const atomicLibrary: LibraryTable = Object.fromEntries([
  ["next_elements", nextElements],
  ...["and", "or", "xor", "exch", "cas"].flatMap((name) => [
    [`atomic_${name}_b32`, atomic(name, "i32", false)],
    [`atomic_${name}_b64`, atomic(name, "i64", false)],
  ]),
  ...["add", "min", "max"].flatMap((name) =>
    [types.u32, types.s32, types.u64, types.s64].map((type) => [
      `atomic_${name}_${type.name}`,
      atomic(name, isWide(type) ? "i64" : "i32", isSigned(type)),
    ]),
  ),
  ["atomic_cas_b16", atomic("cas", "i32", false, true)],
  ["atomic_add_f32", atomicSingle],
  ["atomic_add_exact_f32", atomicExactSingle],
  ["atomic_add_f64", atomic("add", "f64", false)],
  ...(["f16", "bf16"] as const).flatMap((format) => [
    [`atomic_add_${format}`, atomicHalf(format, false)],
    [`atomic_add_${format}x2`, atomicHalf(format, true)],
  ]),
  ["atomic_inc_u32", atomic("inc", "i32", false)],
  ["atomic_dec_u32", atomic("dec", "i32", false)],
] as [string, LibraryFunction][]);
