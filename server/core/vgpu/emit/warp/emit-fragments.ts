import { at } from "../../../base/known";
import { typeOf } from "../../opcodes/table";
import { type PtxType, types } from "../../ptx/types";
import { siteLayout, staticLayout } from "../../layout";
import { globals } from "../../library/library";
import { multiplyName } from "../../library/matrix/matrix-shapes";
import { type Wasm, getGlobal, i32, i64, load, op } from "../../wasm/code";
import { emitWatch } from "./emit-detectors";
import { elementsOf, refuseOverwriting, requireWholeWarp } from "./emit-matrix";
import { spaceOf } from "../emitters/memory-site";
import { recordAccess, type WarpFamily, type WarpFamilies } from "./emit-memory";
import { type FragmentLayout, type RegisterPlace, fragmentLayout, tilesOf } from "./fragment-layout";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import type { WarpEmitter } from "../emitters/warp-emitter";

interface Fragment {
  readonly instruction: ProgramInstruction;
  readonly layout: FragmentLayout;
  readonly elements: readonly ProgramOperand[];
  readonly address: ProgramOperand | undefined;
  readonly stride: ProgramOperand | undefined;
  readonly access: "load" | "store";
  readonly mask: Wasm;
  /** Elements of a register are not neighbours in memory. */
  readonly scattered: boolean;
  /** Its accesses are counted elsewhere. */
  readonly uncounted?: true;
}

/** Elements of so many bits are turned over by the hardware, 8 by 8 at a time. */
const turnedBits = 16;

function area(offset: number): Wasm {
  return op("i32.add", getGlobal(globals.static), i32(offset));
}

/** Base address of the matrix: the same in all lanes, so that of lane 0. */
function baseOf(
  warp: WarpEmitter,
  instruction: ProgramInstruction,
  address: ProgramOperand | undefined,
): Wasm {
  if (address?.kind !== "address") return refuse(instruction, "the address is missing");
  const shared = spaceOf(instruction, address.base) === "shared";
  const wide = warp.isWideRegister(address.base) || (address.base.kind === "place" && !shared);
  const pointer = warp.source(instruction, address.base, wide ? types.u64 : types.u32);
  const value = wide ? load("i64.load", pointer) : op("i64.extend_i32_u", load("i32.load", pointer));
  return op("i64.add", value, i64(BigInt(address.offset)));
}

/**
 * Translates the addresses of `bits` of a register in each lane, the first of them at `place`; a row's step
 * is in elements.
 */
function accessElements(warp: WarpEmitter, fragment: Fragment, place: RegisterPlace, bits: number): void {
  const { instruction, layout, address, access, mask } = fragment;
  if (address?.kind !== "address") return refuse(instruction, "the address is missing");
  // Sub-byte elements are counted in bytes: the step of a lane is a whole register, so that nothing is lost.
  const scale = Math.max(1, 8 / layout.bits);
  const elementBytes = Math.max(1, layout.bits / 8);
  const [minor, minorStep] = [place.x / scale, layout.step / scale];
  const stride =
    fragment.stride === undefined
      ? i64(BigInt(16 * elementBytes))
      : op(
          "i64.div_u",
          op(
            "i64.mul",
            op("i64.extend_i32_u", load("i32.load", warp.source(instruction, fragment.stride, types.u32))),
            i64(BigInt(elementBytes)),
          ),
          i64(BigInt(scale)),
        );
  const space = spaceOf(instruction, address.base);
  const bytes = bits / 8;
  const memorySite = { instruction, space, access, bytes };
  const index = warp.kernel.addSite(memorySite);
  const site = warp.keep(warp.siteAt(index, siteLayout.size));
  const [along, across] = [i64(BigInt(elementBytes)), stride];
  const [inner, outer] = fragment.scattered ? [across, along] : [along, across];
  warp.push(
    warp.call(
      "fragment_addresses",
      baseOf(warp, instruction, address),
      inner,
      outer,
      i32(minor),
      i32(place.y),
      i32(minorStep),
    ),
    warp.call("translate_wide", warp.warp, area(staticLayout.fragment), i64(0n), i32(bytes), mask, site),
    op("drop"),
  );
  if (fragment.uncounted !== true) warp.watch({ site, space, access, bytes, mask });
  recordAccess(warp, space, { index, mask });
  if (warp.kernel.detectors) emitWatch(warp, { ...memorySite, index, site, base: i32(0), mask });
}

/** Moves a whole register in one access a lane. */
function moveRegister(warp: WarpEmitter, fragment: Fragment, register: Wasm, bits: number): void {
  const verb = fragment.access === "load" ? "gather" : "scatter";
  warp.push(warp.call(`${verb}_${bits}`, register, i32(0), i32(0), fragment.mask));
}

/**
 * Moves a register whose elements lie a stride apart: one access for each, through a vector of 32-bit lanes.
 * Machine code loads pairs of 16 bits from the rows as they lie in memory and turns them over between lanes:
 * so they are counted.
 */
function moveParts(warp: WarpEmitter, given: Fragment, register: Wasm, place: RegisterPlace): void {
  const isTurned = given.layout.bits === turnedBits && given.access === "load";
  const fragment = isTurned ? { ...given, uncounted: true as const } : given;
  if (isTurned && warp.kernel.counters)
    accessElements(warp, { ...given, scattered: false }, { x: place.y, y: place.x }, 32);
  const {
    layout: { bits, perRegister },
    access,
    mask,
  } = fragment;
  const part = area(staticLayout.halves);
  for (let index = 0; index < perRegister; index += 1) {
    if (access === "store") warp.push(warp.call("extract_part", register, part, i32(bits * index)));
    accessElements(warp, fragment, { ...place, x: place.x + index }, bits);
    warp.push(
      warp.call(access === "load" ? `gather_u${bits}` : `scatter_${bits}`, part, i32(0), i32(0), mask),
    );
    if (access === "load") warp.push(warp.call("insert_part", register, part, i32(bits * index)));
  }
}

function accessFragment(warp: WarpEmitter, fragment: Fragment): void {
  const { instruction, layout, elements, access } = fragment;
  const { registers, bits, perRegister } = layout;
  const { matrix } = instruction.matched.modifiers;
  const type = typeOf(instruction);
  // Fragments of halves have 16 elements a lane, of which those that a shape does not need are copies.
  const count = type === types.f16 && (matrix === "a" || matrix === "b") ? 8 : registers.length;
  if (elements.length !== count) return refuse(instruction, "a fragment of another size");
  requireWholeWarp(warp, instruction, fragment.mask);
  const registerType = bits === 64 ? types.b64 : types.b32;
  registers.forEach((place, index) => {
    const element = elements[index];
    const register =
      access === "load" ? warp.target(instruction, element) : warp.source(instruction, element, registerType);
    if (fragment.scattered && perRegister > 1) moveParts(warp, fragment, register, place);
    else {
      accessElements(warp, fragment, place, Math.max(32, bits));
      moveRegister(warp, fragment, register, Math.max(32, bits));
    }
  });
  elements.slice(registers.length).forEach((element, index) => {
    const original = elements[index % registers.length];
    if (original && access === "load")
      warp.push(
        warp.call(
          "copy_register",
          warp.target(instruction, element),
          warp.source(instruction, original, types.b32),
        ),
      );
  });
}

function fragmentOf(
  instruction: ProgramInstruction,
  rest: Pick<Fragment, "elements" | "address" | "stride" | "access" | "mask">,
): Fragment {
  const { shape = "", matrix = "", layout } = instruction.matched.modifiers;
  const scattered = (layout === "col") !== (matrix === "b");
  const places = fragmentLayout(shape, matrix, typeOf(instruction));
  if (scattered && places.bits < 8) return refuse(instruction);
  return { instruction, layout: places, scattered, ...rest };
}

/** wmma.load (PTX ISA section 9.7.15.4.3). */
const loadFragment: WarpFamily = (warp, instruction, mask) => {
  const [d, address, stride] = instruction.operands;
  accessFragment(
    warp,
    fragmentOf(instruction, { elements: elementsOf(d), address, stride, access: "load", mask }),
  );
};

/** wmma.store (PTX ISA section 9.7.15.4.4). */
const storeFragment: WarpFamily = (warp, instruction, mask) => {
  const [address, d, stride] = instruction.operands;
  accessFragment(
    warp,
    fragmentOf(instruction, { elements: elementsOf(d), address, stride, access: "store", mask }),
  );
};

/** wmma.mma (PTX ISA section 9.7.15.4.5): one mma for each tile of eight columns and at most 16 rows. */
const multiplyFragments: WarpFamily = (warp, instruction, mask) => {
  const { modifiers } = instruction.matched;
  const { shape = "" } = modifiers;
  const [result, accumulator] = [typeOf(instruction, "d"), typeOf(instruction, "c")];
  // The short form without types of A and B multiplies halves.
  const { a: first = types.f16, b: second = types.f16 } = instruction.matched.types;
  const { m, k, down, across } = tilesOf(shape);
  const name =
    multiplyName(`m${m}n8k${k}`, { ...modifiers, a: first.name, b: second.name }) ?? refuse(instruction);
  const [d = [], a = [], b = [], c = []] = instruction.operands.map(elementsOf);
  refuseOverwriting(instruction, { d, a, b, c }, first === types.f64 || down * across > 1);
  requireWholeWarp(warp, instruction, mask);
  const needed = (
    [
      ["d", result],
      ["a", first],
      ["b", second],
      ["c", accumulator],
    ] as const
  ).map(([matrix, type]) => fragmentLayout(shape, matrix, type).registers.length);
  const given = [d, a, b, c].map((list, index) =>
    first === types.f16 && (index === 1 || index === 2) && list.length === 8 ? needed[index] : list.length,
  );
  if (given.some((count, index) => count !== needed[index]))
    return refuse(instruction, "a fragment of another size");
  const part = (
    list: readonly ProgramOperand[],
    total: number,
    index: number,
    parts: number,
  ): readonly ProgramOperand[] => list.slice((index * total) / parts, ((index + 1) * total) / parts);
  const wide = (type: PtxType): PtxType => (type === types.f64 ? types.b64 : types.b32);
  for (let tile = 0; tile < down * across; tile += 1) {
    warp.push(
      warp.call(
        name,
        ...part(d, at(needed, 0), tile, down * across).map((element) => warp.target(instruction, element)),
        ...part(a, at(needed, 1), Math.floor(tile / across), down).map((element) =>
          warp.source(instruction, element, wide(first)),
        ),
        ...part(b, at(needed, 2), tile % across, across).map((element) =>
          warp.source(instruction, element, wide(second)),
        ),
        ...part(c, at(needed, 3), tile, down * across).map((element) =>
          warp.source(instruction, element, wide(accumulator)),
        ),
      ),
    );
  }
};

export const fragmentFamilies = {
  "load-fragment": loadFragment,
  "store-fragment": storeFragment,
  "multiply-fragments": multiplyFragments,
} as const satisfies WarpFamilies;
