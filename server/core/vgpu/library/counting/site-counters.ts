import { staticLayout } from "../../layout";
import { type Wasm, get, getGlobal, i32, load, op, set, store, when } from "../../wasm/code";
import { globals } from "../library";

/** Linear address of the launch's static area. */
export const base = getGlobal(globals.static);

/** Linear address of the 32 addresses that an access asks for. */
export const addresses = op("i32.add", base, i32(staticLayout.addresses));

/** The last parameter of the counting functions. */
export const accessKinds = { load: 0, store: 1, atomic: 2 } as const;

/** Adds to one of the 64-bit counters of a memory instruction. */
export function count(site: Wasm, offset: number, value: Wasm): Wasm {
  return store(
    "i64.store",
    site,
    op("i64.add", load("i64.load", site, offset), op("i64.extend_i32_u", value)),
    offset,
  );
}

/** Adds to the serialised passes of a site's atomics and keeps their maximum. */
export function countPasses(
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
