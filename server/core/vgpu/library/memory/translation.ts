import { siteLayout } from "../../layout";
import { type Wasm, call, choose, get, i32, i64, load, op, set, store, tee, when } from "../../wasm/code";
import type { Signature } from "../../wasm/module";
import { forEachLane } from "../lanes";
import { type LibraryContext, type LibraryFunction, type LibraryTable, vectorLocals } from "../library";
import { scratch, scratchOf } from "./found-addresses";
import { ownLocal } from "./own-local";
import { localPath, sharedFastPath, sharedMaskedPath } from "./narrow-translation";
import { prepareWide, wideFastPath, wideMaskedPath, wideVectors } from "./wide-translation";

const translationSignature: Signature = {
  parameters: ["i32", "i32", "i64", "i32", "i32", "i32"],
  results: ["i32"],
};

interface Translation {
  /**
   * Checks all active lanes at once: gives the packed base; 0 if the scratch vector holds the addresses; -1:
   * check lane by lane.
   */
  readonly whole: Wasm;
  /** Device address of one lane. */
  readonly address: (lane: Wasm) => Wasm;
  /** Addresses may be of the lane's own local memory. */
  readonly isGeneric?: boolean;
}

/** A translation that checks lane by lane only where checking all lanes at once does not succeed. */
function translation(parts: (context: LibraryContext) => Translation): LibraryFunction {
  return {
    signature: translationSignature,
    build: (context) => {
      const [warp = [], , , bytes = [], mask = [], site = []] = context.parameters;
      const found = context.builder.local("i32");
      const { whole, address, isGeneric = false } = parts(context);
      return [
        when(op("i32.ne", tee(found, whole), i32(-1)), [get(found), op("return")]),
        slowPath(context, { warp, bytes, mask, site, address, isGeneric }),
        i32(0),
      ];
    },
  };
}

/** One of two ways, by whether all lanes are active. */
function byMask(mask: Wasm, all: Wasm, some: Wasm): Wasm {
  return choose("i32", op("i32.eq", mask, i32(-1)), all, some);
}

/**
 * translate_wide(warp, addresses, addend, bytes, mask, site) → linear address of lane 0 if all 32 lanes are
 * active, inside one window, aligned and packed; else 0, with the linear address of each active lane in the
 * scratch vector. For a lane outside the site's cached window the host finds the allocation, or ends the
 * launch with a fault. translate_generic also finds the lanes' own local memory without the host.
 */
const translateWide = (isGeneric: boolean): LibraryFunction =>
  translation((context) => {
    const [, addresses = [], addend = [], bytes = [], mask = [], site = []] = context.parameters;
    const { builder } = context;
    const v = vectorLocals(builder, ...wideVectors);
    const parts = { addresses, addend, bytes, site };
    return {
      isGeneric,
      whole: [
        prepareWide(v, parts),
        byMask(mask, wideFastPath(builder, v, parts), wideMaskedPath(builder, v, { ...parts, mask })),
      ],
      address: (lane) =>
        op("i64.add", load("i64.load", op("i32.add", addresses, op("i32.shl", lane, i32(3)))), addend),
    };
  });

interface SlowParts {
  readonly warp: Wasm;
  readonly bytes: Wasm;
  readonly mask: Wasm;
  readonly site: Wasm;
  readonly address: (lane: Wasm) => Wasm;
  readonly isGeneric: boolean;
}

function slowPath(context: LibraryContext, parts: SlowParts): Wasm {
  const { warp, bytes, mask, site, address, isGeneric } = parts;
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
  const own = ownLocal({ builder, warp, lane: get(lane), place: get(place), bytes });
  const other = isGeneric ? choose("i32", own.isInside, own.linear, asked) : asked;
  const found = op("i32.add", op("i32.wrap_i64", get(relative)), load("i32.load", site, siteLayout.linear));
  return [
    set(rest, mask),
    forEachLane(rest, lane, [
      set(place, address(get(lane))),
      set(relative, op("i64.sub", get(place), load("i64.load", site, siteLayout.low))),
      store(
        "i32.store",
        scratchOf(get(lane)),
        choose("i32", op("i32.or", misaligned, op("i32.or", outside, tooSmall)), other, found),
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
  const [, addresses = [], addend = [], bytes = [], mask = []] = parameters;
  const offset = builder.local("i32");
  const parts = { addresses, offset: get(offset), bytes };
  return {
    whole: [
      set(offset, op("i32.wrap_i64", addend)),
      byMask(mask, sharedFastPath(builder, parts), sharedMaskedPath(builder, { ...parts, mask })),
    ],
    address: (lane) =>
      op(
        "i64.extend_i32_u",
        op("i32.add", load("i32.load", op("i32.add", addresses, op("i32.shl", lane, i32(2)))), get(offset)),
      ),
  };
});

/**
 * translate_cluster(warp, offsets, addend, bytes, mask, site): 32-bit addresses of the shared memory of any
 * block of the cluster; the addend brings them into the generic window.
 */
const translateCluster = translation(({ parameters }) => {
  const [, addresses = [], addend = []] = parameters;
  return {
    whole: i32(-1),
    address: (lane) =>
      op("i64.add", load("i64.load32_u", op("i32.add", addresses, op("i32.shl", lane, i32(2)))), addend),
  };
});

/**
 * translate_local(warp, offsets, addend, bytes, mask, site): every lane has its own window. Offsets have 64
 * bits, or 32 if `narrow`.
 */
const translateLocal = (narrow: boolean): LibraryFunction =>
  translation(({ builder, parameters }) => {
    const [warp = [], addresses = [], addend = [], bytes = [], mask = []] = parameters;
    const path = localPath(builder, { warp, addresses, addend, bytes, mask, narrow });
    const at = (lane: Wasm): Wasm => op("i32.add", addresses, op("i32.shl", lane, i32(narrow ? 2 : 3)));
    return {
      whole: path,
      address: (lane) => op("i64.add", load(narrow ? "i64.load32_u" : "i64.load", at(lane)), addend),
    };
  });

/** Translations of device addresses to linear ones. */
export const translationLibrary: LibraryTable = {
  translate_wide: translateWide(false),
  translate_generic: translateWide(true),
  translate_shared: translateShared,
  translate_cluster: translateCluster,
  translate_local: translateLocal(false),
  translate_local_narrow: translateLocal(true),
};
