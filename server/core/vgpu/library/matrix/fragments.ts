import { staticLayout } from "../../layout";
import { type Wasm, branchIf, get, getGlobal, i32, load, loop, op, set, store, tee } from "../../wasm/code";
import { type LibraryFunction, type LibraryTable, globals } from "../library";

const vectors = Array.from({ length: 8 }, (_, chunk) => 16 * chunk);

/**
 * fragment_addresses(base of lane 0, bytes of an inner step, bytes of an outer step, all as 64 bits, x, y,
 * step): writes each lane's address of the element (step·(lane mod 4) + x, lane/4 + y) of a matrix. That is
 * how fragments of mma are laid out, and wmma leaves its own layout open (PTX ISA section 9.7.15.4.1).
 */
const fragmentAddresses: LibraryFunction = {
  signature: { parameters: ["i64", "i64", "i64", "i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [base = [], inner = [], outer = [], x = [], y = [], step = []] }) => {
    const lane = builder.local("i32");
    const column = op("i32.add", op("i32.mul", op("i32.and", get(lane), i32(3)), step), x);
    const row = op("i32.add", op("i32.shr_u", get(lane), i32(2)), y);
    const offset = op(
      "i64.add",
      op("i64.mul", op("i64.extend_i32_u", column), inner),
      op("i64.mul", op("i64.extend_i32_u", row), outer),
    );
    return [
      set(lane, i32(0)),
      loop(
        store(
          "i64.store",
          op("i32.add", getGlobal(globals.static), op("i32.shl", get(lane), i32(3))),
          op("i64.add", base, offset),
          staticLayout.fragment,
        ),
        branchIf(0, op("i32.lt_u", tee(lane, op("i32.add", get(lane), i32(1))), i32(32))),
      ),
    ];
  },
};

/**
 * insert_part(register, part, bit): inserts the part's lanes at that bit of the register; bit 0 replaces it.
 */
const insertPart: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [register = [], part = [], bit = []] }) => {
    const kept = builder.local("v128");
    return [
      set(kept, op("i32x4.splat", op("select", i32(-1), i32(0), bit))),
      vectors.map((at) =>
        store(
          "v128.store",
          register,
          op(
            "v128.or",
            op("v128.and", load("v128.load", register, at), get(kept)),
            op("i32x4.shl", load("v128.load", part, at), bit),
          ),
          at,
        ),
      ),
    ];
  },
};

/**
 * extract_part(register, part, bit): the register from that bit on. Bits above the part's size are undefined.
 */
const extractPart: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: [] },
  build: ({ parameters: [register = [], part = [], bit = []] }): Wasm =>
    vectors.map((at) =>
      store("v128.store", part, op("i32x4.shr_u", load("v128.load", register, at), bit), at),
    ),
};

/** copy_register(destination, source). */
const copyRegister: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: [] },
  build: ({ parameters: [destination = [], source = []] }) =>
    vectors.map((at) => store("v128.store", destination, load("v128.load", source, at), at)),
};

export const fragmentLibrary: LibraryTable = {
  fragment_addresses: fragmentAddresses,
  insert_part: insertPart,
  extract_part: extractPart,
  copy_register: copyRegister,
};
