import { staticLayout } from "../layout";
import { type Wasm, branchIf, get, getGlobal, i32, load, loop, op, set, splat32, store, tee } from "../wasm/code";
import { type LibraryFunction, type LibraryTable, globals } from "./library";

const vectors = Array.from({ length: 8 }, (_, chunk) => 16 * chunk);

/**
 * fragment_addresses(base of lane 0 as 64 bits, stride in bytes, element bytes, x, y, swapped): writes each lane's address of the element
 * (2·(lane mod 4) + x, lane/4 + y) of a matrix; x runs along memory unless swapped. That is how fragments of mma are laid out, and wmma
 * leaves its own layout open (PTX ISA section 9.7.14.4.1).
 */
const fragmentAddresses: LibraryFunction = {
  signature: { parameters: ["i64", "i32", "i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [base = [], stride = [], bytes = [], x = [], y = [], swapped = []] }) => {
    const [lane, column, row] = [builder.local("i32"), builder.local("i32"), builder.local("i32")];
    const along = op("select", get(row), get(column), swapped);
    const across = op("select", get(column), get(row), swapped);
    const offset = op("i32.add", op("i32.mul", along, bytes), op("i32.mul", across, stride));
    return [
      set(lane, i32(0)),
      loop(
        set(column, op("i32.add", op("i32.shl", op("i32.and", get(lane), i32(3)), i32(1)), x)),
        set(row, op("i32.add", op("i32.shr_u", get(lane), i32(2)), y)),
        store("i64.store", op("i32.add", getGlobal(globals.static), op("i32.shl", get(lane), i32(3))),
          op("i64.add", base, op("i64.extend_i32_s", offset)), staticLayout.fragment),
        branchIf(0, op("i32.lt_u", tee(lane, op("i32.add", get(lane), i32(1))), i32(32))),
      ),
    ];
  },
};

/** join_halves(destination, low, high): two vectors of 16-bit values into packed ones. */
const joinHalves: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: [] },
  build: ({ parameters: [destination = [], low = [], high = []] }) => vectors.map((at) =>
    store("v128.store", destination, op("v128.or", load("v128.load", low, at), op("i32x4.shl", load("v128.load", high, at), i32(16))), at)),
};

/** split_halves(packed, low, high): the reverse. */
const splitHalves: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: [] },
  build: ({ parameters: [packed = [], low = [], high = []] }) => vectors.map((at): Wasm => [
    store("v128.store", low, op("v128.and", load("v128.load", packed, at), splat32(0xffff)), at),
    store("v128.store", high, op("i32x4.shr_u", load("v128.load", packed, at), i32(16)), at),
  ]),
};

/** copy_register(destination, source). */
const copyRegister: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: [] },
  build: ({ parameters: [destination = [], source = []] }) => vectors.map((at) => store("v128.store", destination, load("v128.load", source, at), at)),
};

export const fragmentLibrary: LibraryTable = {
  fragment_addresses: fragmentAddresses, join_halves: joinHalves, split_halves: splitHalves, copy_register: copyRegister,
};
