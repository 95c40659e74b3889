import { siteLayout, staticLayout } from "../layout";
import { globals } from "../library/library";
import { type Wasm, getGlobal, i32, i64, load, op } from "../wasm/code";
import { requireWholeWarp } from "./emit-matrix";
import { type WarpFamily, spaceOf } from "./emit-memory";
import type { ProgramInstruction, ProgramOperand } from "./program";
import { refuse } from "./refusal";
import type { WarpEmitter } from "./warp-emitter";

/** Where the first element of each register lies: x along the inner direction of the fragment, y across. Pairs hold x and x + 1. */
const pairPlaces: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  a: [[0, 0], [0, 8], [8, 0], [8, 8]],
  b: [[0, 0], [8, 0], [0, 8], [8, 8]],
};
const singlePlaces: readonly (readonly [number, number])[] = [[0, 0], [1, 0], [0, 8], [1, 8], [8, 0], [9, 0], [8, 8], [9, 8]];

interface Fragment {
  readonly elements: readonly ProgramOperand[];
  readonly address: ProgramOperand | undefined;
  readonly stride: ProgramOperand | undefined;
  readonly access: "load" | "store";
  readonly mask: Wasm;
}

function area(offset: number): Wasm {
  return op("i32.add", getGlobal(globals.static), i32(offset));
}

/** Base address of the matrix: the same in all lanes, so that of lane 0. */
function baseOf(warp: WarpEmitter, instruction: ProgramInstruction, address: ProgramOperand | undefined): Wasm {
  if (address?.kind !== "address") return refuse(instruction, "the address is missing");
  const shared = spaceOf(instruction, address.base) === "shared";
  const wide = warp.isWideRegister(address.base) || (address.base.kind === "place" && !shared);
  const pointer = warp.source(instruction, address.base, wide ? "u64" : "u32");
  const value = wide ? load("i64.load", pointer) : op("i64.extend_i32_u", load("i32.load", pointer));
  return op("i64.add", value, i64(BigInt(address.offset)));
}

/** Translates the addresses of one element a lane and calls `move` with the destination's base. */
function accessElements(warp: WarpEmitter, instruction: ProgramInstruction, fragment: Fragment, how: { bytes: number; x: number; y: number }): void {
  const { modifiers } = instruction.matched;
  const { address, access, mask } = fragment;
  if (address?.kind !== "address") return refuse(instruction, "the address is missing");
  const elementBytes = modifiers["type"] === "f32" ? 4 : 2;
  const stride = fragment.stride === undefined ? i32(16) : load("i32.load", warp.source(instruction, fragment.stride, "u32"));
  const swapped = (modifiers["layout"] === "col") !== (modifiers["matrix"] === "b") ? 1 : 0;
  const space = spaceOf(instruction, address.base);
  const site = warp.keep(warp.site({ instruction, space, access, bytes: how.bytes }, siteLayout.size));
  warp.push(
    warp.call("fragment_addresses", baseOf(warp, instruction, address), op("i32.mul", stride, i32(elementBytes)), i32(elementBytes), i32(how.x), i32(how.y), i32(swapped)),
    warp.call("translate_wide", warp.warp, area(staticLayout.fragment), i64(0n), i32(how.bytes), mask, site),
    op("drop"),
  );
  warp.watch({ site, space, access, bytes: how.bytes, mask });
}

/** A register of two halves: in one access where they are neighbours in memory, else in two. */
function accessPair(warp: WarpEmitter, instruction: ProgramInstruction, fragment: Fragment, at: { element: ProgramOperand; x: number; y: number }): void {
  const { modifiers } = instruction.matched;
  const { element, x, y } = at;
  const { access, mask } = fragment;
  const isLoad = access === "load";
  const register = isLoad ? warp.target(instruction, element) : warp.source(instruction, element, "b32");
  const packed = (modifiers["layout"] === "col") === (modifiers["matrix"] === "b");
  if (packed) {
    accessElements(warp, instruction, fragment, { bytes: 4, x, y });
    warp.push(warp.call(isLoad ? "gather_32" : "scatter_32", register, i32(0), i32(0), mask));
    return;
  }
  const halves = [area(staticLayout.halves), area(staticLayout.halves + 128)];
  if (!isLoad) warp.push(warp.call("split_halves", register, ...halves));
  halves.forEach((half, index) => {
    accessElements(warp, instruction, fragment, { bytes: 2, x: x + index, y });
    warp.push(warp.call(isLoad ? "gather_u16" : "scatter_16", half, i32(0), i32(0), mask));
  });
  if (isLoad) warp.push(warp.call("join_halves", register, ...halves));
}

function accessFragment(warp: WarpEmitter, instruction: ProgramInstruction, fragment: Fragment): void {
  const { modifiers } = instruction.matched;
  requireWholeWarp(warp, instruction, fragment.mask);
  if (modifiers["type"] === "f32") {
    if (fragment.elements.length !== 8) return refuse(instruction, "a fragment of another size");
    fragment.elements.forEach((element, index) => {
      const [x = 0, y = 0] = singlePlaces[index] ?? [];
      accessElements(warp, instruction, fragment, { bytes: 4, x, y });
      const isLoad = fragment.access === "load";
      const register = isLoad ? warp.target(instruction, element) : warp.source(instruction, element, "b32");
      warp.push(warp.call(isLoad ? "gather_32" : "scatter_32", register, i32(0), i32(0), fragment.mask));
    });
    return;
  }
  const places = pairPlaces[modifiers["matrix"] ?? ""] ?? pairPlaces["a"] ?? [];
  const count = fragment.elements.length;
  if (count !== 4 && !(count === 8 && modifiers["type"] === "f16")) return refuse(instruction, "a fragment of another size");
  fragment.elements.slice(0, 4).forEach((element, index) => {
    const [x = 0, y = 0] = places[index] ?? [];
    accessPair(warp, instruction, fragment, { element, x, y });
  });
  // Fragments of halves have 16 elements a lane of which 8 are copies.
  fragment.elements.slice(4).forEach((element, index) => {
    const original = fragment.elements[index];
    if (original && fragment.access === "load") {
      warp.push(warp.call("copy_register", warp.target(instruction, element), warp.source(instruction, original, "b32")));
    }
  });
}

function elementsOf(operand: ProgramOperand | undefined): readonly ProgramOperand[] {
  return operand?.kind === "vector" ? operand.elements : [];
}

/** wmma.load (PTX ISA section 9.7.14.4.3). */
const loadFragment: WarpFamily = (warp, instruction, mask) => {
  const [d, address, stride] = instruction.operands;
  accessFragment(warp, instruction, { elements: elementsOf(d), address, stride, access: "load", mask });
};

/** wmma.store (PTX ISA section 9.7.14.4.4). */
const storeFragment: WarpFamily = (warp, instruction, mask) => {
  const [address, d, stride] = instruction.operands;
  accessFragment(warp, instruction, { elements: elementsOf(d), address, stride, access: "store", mask });
};

/** wmma.mma of 16 by 16 by 16 (PTX ISA section 9.7.14.4.5): two mma of 16 by 8 by 16, one for each half of the columns. */
const multiplyFragments: WarpFamily = (warp, instruction, mask) => {
  const { d: result = "f32", c: accumulator = "f32", input = "f16" } = instruction.matched.modifiers;
  requireWholeWarp(warp, instruction, mask);
  const [d = [], a = [], b = [], c = []] = instruction.operands.map(elementsOf);
  const counts = [result === "f32" ? 8 : 4, accumulator === "f32" ? 8 : 4] as const;
  const inputs = input === "f16" ? 8 : 4;
  if (d.length !== counts[0] || c.length !== counts[1] || a.length !== inputs || b.length !== inputs) return refuse(instruction, "a fragment of another size");
  const half = <Item>(list: readonly Item[], index: number): readonly Item[] => list.slice((index * list.length) / 2, ((index + 1) * list.length) / 2);
  for (const index of [0, 1]) {
    warp.push(warp.call(`mma_m16n8k16_${result}_${input}_${input}_${accumulator}`,
      ...half(d, index).map((element) => warp.target(instruction, element)),
      ...[...a.slice(0, 4), ...b.slice(2 * index, 2 * index + 2), ...half(c, index)].map((element) => warp.source(instruction, element, "b32"))));
  }
};

export const fragmentFamilies: Readonly<Record<string, WarpFamily>> = {
  "load-fragment": loadFragment, "store-fragment": storeFragment, "multiply-fragments": multiplyFragments,
};
