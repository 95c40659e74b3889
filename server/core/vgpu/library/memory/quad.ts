import { siteLayout, staticLayout } from "../../layout";
import {
  type Wasm,
  call,
  choose,
  get,
  getGlobal,
  i32,
  i64,
  lane,
  load,
  op,
  set,
  splat32,
  when,
} from "../../wasm/code";
import { type LibraryFunction, type LibraryTable, globals } from "../library";
import { ownLocal } from "./own-local";

/**
 * quad_addresses(warp, lanes, low, high, bytes, mask, site) → the linear addresses of four lanes whose device
 * addresses are the longs of `low` and `high`. `lanes`: the linear address of their part of a register of 32
 * bits in slot 0, by which they are numbered. `mask`: the bits of those that access; the others get a place
 * of zeroes. For a lane outside the site's cached window the host finds the allocation, or ends the launch
 * with a fault. It is asked for each lane of an access to local memory (`quad_local`), of which no window is
 * cached; generic addresses of the lane's own local memory (`quad_generic`) are found without it.
 */
const quadAddresses = (kind: "other" | "generic" | "local"): LibraryFunction => ({
  signature: { parameters: ["i32", "i32", "v128", "v128", "i32", "i32", "i32"], results: ["v128"] },
  build: ({ builder, imported, parameters }) => {
    const [warp = [], lanes = [], low = [], high = [], bytes = [], mask = [], site = []] = parameters;
    const result = builder.local("v128");
    const place = builder.local("i64");
    const relative = builder.local("i64");
    const room = op("i64.sub", load("i64.load", site, siteLayout.limit), op("i64.extend_i32_u", bytes));
    const isInside = op("i64.ge_s", op("i64.or", get(relative), op("i64.sub", room, get(relative))), i64(0n));
    const isAligned = op(
      "i32.eqz",
      op("i32.and", op("i32.wrap_i64", get(place)), op("i32.sub", bytes, i32(1))),
    );
    const first = op("i32.shr_u", op("i32.sub", lanes, warp), i32(2));
    const one = (index: number, half: Wasm): Wasm => {
      const found = op(
        "i32.add",
        op("i32.wrap_i64", get(relative)),
        load("i32.load", site, siteLayout.linear),
      );
      const number = op("i32.add", first, i32(index));
      const own = ownLocal({ builder, warp, lane: number, place: get(place), bytes });
      const asked = call(imported("locate"), warp, site, number, get(place));
      const other = kind === "generic" ? choose("i32", own.isInside, own.linear, asked) : asked;
      const put = (value: Wasm): Wasm => set(result, lane("i32x4.replace_lane", index, get(result), value));
      return when(op("i32.and", mask, i32(1 << index)), [
        set(place, lane("i64x2.extract_lane", index % 2, half)),
        set(relative, op("i64.sub", get(place), load("i64.load", site, siteLayout.low))),
        kind === "local" ? put(asked) : when(op("i32.and", isInside, isAligned), put(found), put(other)),
      ]);
    };
    return [
      set(result, op("i32x4.add", op("i32x4.splat", getGlobal(globals.static)), splat32(staticLayout.trash))),
      [0, 1].map((index) => one(index, low)),
      [2, 3].map((index) => one(index, high)),
      get(result),
    ];
  },
});

/** Translation of the addresses of four lanes. */
export const quadLibrary: LibraryTable = {
  quad_addresses: quadAddresses("other"),
  quad_generic: quadAddresses("generic"),
  quad_local: quadAddresses("local"),
};
