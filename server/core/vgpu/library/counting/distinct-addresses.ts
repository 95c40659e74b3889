import { staticLayout } from "../../layout";
import {
  type Wasm,
  block,
  branch,
  branchIf,
  choose,
  get,
  i32,
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
import { followingWords } from "../../wasm/shuffles";
import { type LibraryFunction, type LibraryTable, wordLocals } from "../library";
import { addresses, base } from "./site-counters";
import { laneAt } from "../lanes";

/** Address of an entry of the list at `distinct`. */
const entryAt = (index: Wasm): Wasm => op("i32.add", base, op("i32.shl", index, i32(2)));

/**
 * True when all 32 lanes are active and each address is the previous lane's plus `step` (0: all the same).
 */
export function isRegular(builder: FunctionBuilder, mask: Wasm, step: Wasm): Wasm {
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

/** Adds a number to the list at `distinct` unless it is there; searches from the newest entry. */
export function addDistinct(locals: { value: number; size: number; at: number }): Wasm {
  const { value, size, at } = locals;
  const entry = entryAt(get(at));
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
      store("i32.store", entryAt(get(size)), get(value), staticLayout.distinct),
      set(size, op("i32.add", get(size), i32(1))),
    ),
  ];
}

/** True when lanes ascend: each shifted address is less than the next lane's. */
function isAscending(shifted: readonly number[]): Wasm {
  // The last lane has no neighbour: it is compared with the greatest number.
  const neighbour = (index: number, chunk: number): Wasm => {
    const following = shifted[index + 1];
    return shuffle(get(chunk), following === undefined ? splat32(-1) : get(following), followingWords);
  };
  return op(
    "i32x4.all_true",
    shifted
      .map((chunk, index) => op("i32x4.lt_u", get(chunk), neighbour(index, chunk)))
      .reduce((left, right) => op("v128.and", left, right)),
  );
}

/**
 * distinct_addresses(shift, mask): the number of different values among the active lanes' addresses, each
 * shifted right; the values themselves go to `distinct`. Each round takes the lowest lane that is left and
 * all lanes with the same value; ascending lanes need no rounds.
 */
const distinctAddresses: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: ["i32"] },
  build: ({ builder, parameters: [shift = [], mask = []] }) => {
    const { rest, value, size } = wordLocals(builder, "rest", "value", "size");
    const leader = builder.local("v128");
    const shifted = Array.from({ length: 8 }, () => builder.local("v128"));
    const same = shifted
      .map((chunk, index) =>
        op("i32.shl", op("i32x4.bitmask", op("i32x4.eq", get(chunk), get(leader))), i32(4 * index)),
      )
      .reduce((left, right) => op("i32.or", left, right));
    return [
      shifted.map((chunk, index) =>
        set(chunk, op("i32x4.shr_u", load("v128.load", addresses, 16 * index), shift)),
      ),
      when(choose("i32", op("i32.eq", mask, i32(-1)), isAscending(shifted), i32(0)), [
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
          set(rest, op("i32.and", get(rest), op("i32.xor", same, i32(-1)))),
          store("i32.store", entryAt(get(size)), get(value), staticLayout.distinct),
          set(size, op("i32.add", get(size), i32(1))),
          branch(0),
        ),
      ),
      get(size),
    ];
  },
};

/**
 * contention(mask): the most active lanes that share one address: the passes into which an atomic is
 * serialised.
 */
const contention: LibraryFunction = {
  signature: { parameters: ["i32"], results: ["i32"] },
  build: ({ builder, parameters: [mask = []] }) => {
    const { rest, same, most, lanesNow } = wordLocals(builder, "rest", "same", "most", "lanesNow");
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

export const addressLibrary: LibraryTable = {
  distinct_addresses: distinctAddresses,
  contention,
};
