import { staticLayout, warpLayout } from "../../layout";
import {
  type Wasm,
  branchIf,
  choose,
  get,
  getGlobal,
  i32,
  i64,
  load,
  loop,
  op,
  set,
  splat32,
  store,
  tee,
  when,
} from "../../wasm/code";
import { type LibraryFunction, type LibraryTable, globals, wordLocals } from "../library";

/**
 * A field of 14 bits of a matrix descriptor, which counts pieces of 16 bytes (PTX ISA section
 * 9.7.15.5.1.2.2).
 */
function pieces(descriptor: Wasm, at: number): Wasm {
  const field = op("i64.and", op("i64.shr_u", descriptor, i64(BigInt(at))), i64(0x3fffn));
  return op("i32.shl", op("i32.wrap_i64", field), i32(4));
}

function bits(descriptor: Wasm, at: number, mask: bigint): Wasm {
  return op("i32.wrap_i64", op("i64.and", op("i64.shr_u", descriptor, i64(BigInt(at))), i64(mask)));
}

/** An offset in whole pieces of a length, and what is left over. */
function split(at: Wasm, length: Wasm): { readonly whole: Wasm; readonly rest: Wasm } {
  return { whole: op("i32.div_u", at, length), rest: op("i32.rem_u", at, length) };
}

const sum = (...parts: readonly Wasm[]): Wasm => parts.reduce((left, right) => op("i32.add", left, right));

/**
 * group_addresses(descriptors, row, byte, across): writes the shared addresses of what lane l holds of a
 * matrix in shared memory: from the byte 4·(l mod 4) + `byte` along the inner dimension of row l/4 + `row`.
 * With `across` rows lie along memory, and numbers have 16 bits. The descriptor is that of lane 0, since it
 * is the same in all lanes. The canonical layouts stand in PTX ISA section 9.7.15.5.1.2: without swizzling a
 * core matrix of 8 rows of 16 bytes lies in one piece; else 8 rows have 32, 64 or 128 bytes each, whose
 * pieces of 16 are exchanged.
 */
const groupAddresses: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [descriptors = [], row = [], byte = [], across = []] }) => {
    const names = {
      ...wordLocals(builder, "lane", "start", "leading", "stride", "width"),
      ...wordLocals(builder, "phase", "mask", "y", "x", "at"),
    };
    const descriptor = builder.local("i64");
    const n = (name: keyof typeof names): Wasm => get(names[name]);
    const isPlain = op("i32.eqz", n("mask"));
    const ofEight = split(n("y"), i32(8));
    const ofPiece = split(n("x"), i32(16));
    const along = sum(
      op("i32.mul", ofEight.whole, n("stride")),
      op("i32.mul", ofEight.rest, n("width")),
      choose("i32", isPlain, sum(op("i32.mul", ofPiece.whole, n("leading")), ofPiece.rest), n("x")),
    );
    const acrossBytes = split(op("i32.shl", n("y"), i32(1)), n("width"));
    const inner = split(op("i32.shr_u", n("x"), i32(1)), i32(8));
    const [outerStep, innerStep] = [
      choose("i32", isPlain, n("stride"), n("leading")),
      choose("i32", isPlain, n("leading"), n("stride")),
    ];
    const turned = sum(
      acrossBytes.rest,
      op("i32.mul", acrossBytes.whole, outerStep),
      op("i32.mul", inner.rest, n("width")),
      op("i32.mul", inner.whole, innerStep),
    );
    const swizzle = bits(get(descriptor), 62, 3n);
    return [
      set(descriptor, load("i64.load", descriptors)),
      set(names.start, pieces(get(descriptor), 0)),
      set(names.leading, pieces(get(descriptor), 16)),
      set(names.stride, pieces(get(descriptor), 32)),
      set(names.phase, op("i32.shl", bits(get(descriptor), 49, 7n), i32(7))),
      set(names.width, choose("i32", swizzle, op("i32.shr_u", i32(256), swizzle), i32(16))),
      set(names.mask, op("i32.and", op("i32.sub", n("width"), i32(1)), i32(0x70))),
      set(names.lane, i32(0)),
      loop(
        set(names.y, op("i32.add", row, op("i32.shr_u", n("lane"), i32(2)))),
        set(names.x, op("i32.add", byte, op("i32.shl", op("i32.and", n("lane"), i32(3)), i32(2)))),
        set(names.at, op("i32.add", n("start"), choose("i32", across, turned, along))),
        store(
          "i32.store",
          op("i32.add", getGlobal(globals.static), op("i32.shl", n("lane"), i32(2))),
          op(
            "i32.xor",
            n("at"),
            op("i32.and", op("i32.shr_u", op("i32.sub", n("at"), n("phase")), i32(3)), n("mask")),
          ),
          staticLayout.fragment,
        ),
        branchIf(0, op("i32.lt_u", tee(names.lane, op("i32.add", n("lane"), i32(1))), i32(32))),
      ),
    ];
  },
};

/** group_row(warp) → the first of the 16 rows of D that a warp of a warpgroup holds. */
const groupRow: LibraryFunction = {
  signature: { parameters: ["i32"], results: ["i32"] },
  build: ({ parameters: [warp = []] }) =>
    op("i32.shl", op("i32.and", load("i32.load", warp, warpLayout.warpIndex), i32(3)), i32(4)),
};

/** flip_bits(register, bits): exchanges bits of all lanes. */
const flipBits: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: [] },
  build: ({ parameters: [register = [], flipped = []] }) =>
    Array.from({ length: 8 }, (_, chunk) =>
      store(
        "v128.store",
        register,
        op("v128.xor", load("v128.load", register, 16 * chunk), op("i32x4.splat", flipped)),
        16 * chunk,
      ),
    ),
};

/** clear_unless(register, bits): zeroes in all lanes where no bit is set. */
const clearUnless: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: [] },
  build: ({ parameters: [register = [], kept = []] }) =>
    when(
      op("i32.eqz", kept),
      Array.from({ length: 8 }, (_, chunk) => store("v128.store", register, splat32(0), 16 * chunk)),
    ),
};

export const groupLibrary: LibraryTable = {
  group_addresses: groupAddresses,
  group_row: groupRow,
  flip_bits: flipBits,
  clear_unless: clearUnless,
};
