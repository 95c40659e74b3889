import type { WarpFamilyName } from "../../opcodes/families";
import { typeOf } from "../../opcodes/table";
import { addressWindows, siteLayout } from "../../layout";
import { isClusterSpace } from "../../ptx/spaces";
import { type PtxType, isSigned, isWide, registerType, types } from "../../ptx/types";
import { type Wasm, call, i32, i64, op, when } from "../../wasm/code";
import { type Conflict, type WatchedAccess, emitConfirm, emitScatter, emitWatch } from "./emit-detectors";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import { type MemorySite, spaceOf, usedElements, vectorElements } from "../emitters/memory-site";
import type { WarpEmitter } from "../emitters/warp-emitter";

/** Emits one warp-wide instruction; `mask` holds the lanes that run it. */
export type WarpFamily = (warp: WarpEmitter, instruction: ProgramInstruction, mask: Wasm) => void;

/** Emitters of some of the families that run for a whole warp. */
export type WarpFamilies = Readonly<Partial<Record<WarpFamilyName, WarpFamily>>>;

interface Access {
  readonly instruction: ProgramInstruction;
  readonly address: ProgramOperand | undefined;
  /** Bytes a lane touches in all. */
  readonly bytes: number;
  readonly access: MemorySite["access"];
  readonly mask: Wasm;
  readonly space?: MemorySite["space"];
  readonly how?: WatchedAccess["how"];
  readonly used?: MemorySite["used"];
  /** A bulk copy's piece. */
  readonly piece?: Piece;
  /** See `WatchedAccess`. */
  readonly ways?: number;
  /** Where the lanes' addresses stand if no register holds them, and the function that translates them. */
  readonly found?: { readonly pointer: Wasm; readonly name: string };
}

/** One piece of a bulk copy. */
interface Piece {
  /** Bytes from the address to the piece, as i64. */
  readonly behind: Wasm;
  /** Id of the copy for the detectors. */
  readonly copy: Wasm | undefined;
  /** Where the piece is counted, and as how many bytes. */
  readonly counted: { readonly where: Wasm; readonly bytes: number };
}

/**
 * Where the lanes of an access lie: the packed base (see `translate_wide`), and the conflicts of a store that
 * looks at its values.
 */
interface Translated {
  readonly base: Wasm;
  readonly conflict: Conflict | undefined;
}

/** True for an address of 64 bits: those of variables in shared memory have 32. */
function isWideAddress(warp: WarpEmitter, base: ProgramOperand, space: MemorySite["space"]): boolean {
  if (base.kind === "place") return space !== "shared";
  return warp.isWideRegister(base) || base.kind === "integer";
}

/** Library functions that translate addresses: only those of shared and local memory have 32 bits. */
const translations = {
  local: { wide: "translate_local", narrow: "translate_local_narrow" },
  cluster: { wide: "translate_wide", narrow: "translate_cluster" },
  generic: { wide: "translate_generic", narrow: "translate_shared" },
  other: { wide: "translate_wide", narrow: "translate_shared" },
} as const;

function addressKind(space: MemorySite["space"], isOfCluster: boolean): keyof typeof translations {
  if (isOfCluster) return "cluster";
  return space === "local" || space === "generic" ? space : "other";
}

/**
 * Emits the check and translation of the lanes' addresses; returns the packed base (see `translate_wide`).
 */
export function translate(warp: WarpEmitter, access: Access): Wasm {
  return translateWatched(warp, access).base;
}

/** As `translate`, for a store that looks at its values before a conflict counts. */
export function translateWatched(
  warp: WarpEmitter,
  { instruction, address, bytes, access, mask, space: given, how, used, piece, ways, found }: Access,
): Translated {
  if (address?.kind !== "address") return refuse(instruction, "the address is missing");
  const space = given ?? spaceOf(instruction, address.base);
  const index = warp.kernel.addSite({ instruction, space, access, bytes, used });
  const { pointer, name, behind } = found
    ? { ...found, behind: found.name === "translate_cluster" ? addressWindows.shared : 0n }
    : reach(warp, instruction, { address, space });
  const site = warp.keep(warp.siteAt(index, siteLayout.size));
  const addend = behindBase(behind, piece);
  const base = warp.keep(warp.call(name, warp.warp, pointer, addend, i32(bytes), mask, site));
  if (piece) watchPiece(warp, piece, { site, space, access, mask });
  else warp.watch({ site, space, access, bytes, mask });
  recordAccess(warp, space, { index, mask });
  // Local memory is not looked at: compilers copy structures with their padding there. Parameters are whole
  // and never change.
  const isWatched = warp.kernel.detectors && space !== "local" && space !== "param";
  return {
    base,
    conflict: isWatched
      ? emitWatch(warp, {
          ...{ instruction, space, access, bytes, index, site, base, mask, how, ways },
          copy: piece?.copy,
        })
      : undefined,
  };
}

/** The lanes' addresses, the function that translates them, and how far behind them the access lies. */
function reach(
  warp: WarpEmitter,
  instruction: ProgramInstruction,
  {
    address,
    space,
  }: { readonly address: Extract<ProgramOperand, { kind: "address" }>; readonly space: MemorySite["space"] },
): { readonly pointer: Wasm; readonly name: string; readonly behind: bigint } {
  const { modifiers } = instruction.matched;
  const isOfCluster =
    isClusterSpace(modifiers["space"]) || (space === "generic" && isClusterSpace(modifiers["target"]));
  const wide = isWideAddress(warp, address.base, isOfCluster ? "shared" : space);
  if (!wide && !isOfCluster && space !== "shared" && space !== "local")
    return refuse(instruction, "a 32-bit address");
  return {
    pointer: warp.source(instruction, address.base, wide ? types.u64 : types.u32),
    name: translations[addressKind(space, isOfCluster)][wide ? "wide" : "narrow"],
    // Addresses of a cluster's shared memory count from the start of the window.
    behind: BigInt(address.offset) + (isOfCluster ? addressWindows.shared : 0n),
  };
}

/** Bytes from the address that a register holds to what is accessed, as i64. */
function behindBase(offset: bigint, piece: Piece | undefined): Wasm {
  return piece ? op("i64.add", i64(offset), piece.behind) : i64(offset);
}

/** Counts a piece of a bulk copy where it stands for those behind it as well. */
function watchPiece(
  warp: WarpEmitter,
  { counted: { where, bytes } }: Piece,
  access: Omit<Parameters<WarpEmitter["watch"]>[0], "bytes">,
): void {
  const before = warp.code.splice(0);
  warp.watch({ ...access, bytes });
  const counting = warp.code.splice(0);
  warp.push(before, when(where, counting));
}

/**
 * Emits the record of which bytes the access just translated touches, when the kernel is compiled with
 * `accesses`.
 */
export function recordAccess(
  warp: WarpEmitter,
  space: MemorySite["space"],
  { index, mask }: { readonly index: number; readonly mask: Wasm },
): void {
  if (!warp.kernel.accesses) return;
  if (space === "local" || space === "param") return;
  warp.push(call(warp.kernel.importOf("access"), warp.warp, i32(index), mask));
}

/** Library function that loads one element into a register of a size. */
function gatherName(type: PtxType, register: PtxType): string {
  const { bytes } = type;
  const signed = isSigned(type) ? "s" : "u";
  // Registers of 8 and 16 bits hold zeroes above, whatever the sign.
  if (register.bytes === bytes && bytes < 4) return `gather_u${8 * bytes}`;
  if (register.bytes === 2 && type === types.s8) return "gather_s8_16";
  if (isWide(register)) return bytes === 8 ? "gather_64" : `gather_${signed}${8 * bytes}_64`;
  return bytes === 4 ? "gather_32" : `gather_${signed}${8 * bytes}`;
}

/** ld (PTX ISA section 9.7.9.8): loads from global, shared, local and generic addresses. */
export const load: WarpFamily = (warp, instruction, mask) => {
  const type = typeOf(instruction);
  const size = type.bytes;
  const [d, address] = instruction.operands;
  const elements = vectorElements(d);
  const base = translate(warp, {
    instruction,
    address,
    bytes: size * elements.length,
    access: "load",
    mask,
    used: usedElements(elements, warp.kernel.used),
  });
  elements.forEach((element, index) => {
    if (element?.kind === "sink") return;
    const wideRegister = warp.isWideRegister(element);
    if (size === 8 && !wideRegister) refuse(instruction, "64 bits into a smaller register");
    const register =
      element?.kind === "register" ? registerType(warp.kernel.registers, element.register) : types.b32;
    warp.push(
      warp.call(
        gatherName(type, register),
        warp.target(instruction, element),
        elements.length === 1 ? base : i32(0),
        i32(size * index),
        mask,
      ),
    );
  });
};

/** st (PTX ISA section 9.7.9.11). */
export const store: WarpFamily = (warp, instruction, mask) => {
  const type = typeOf(instruction);
  const size = type.bytes;
  const [address, value] = instruction.operands;
  const elements = vectorElements(value);
  const { base, conflict } = translateWatched(warp, {
    instruction,
    address,
    bytes: size * elements.length,
    access: "store",
    mask,
    how: "values",
  });
  elements.forEach((element, index) => {
    const wideRegister = warp.isWideRegister(element);
    const bits = wideRegister ? types.b64 : types.b32;
    const sourceType = element?.kind === "register" ? bits : type;
    if (size === 8 && element?.kind === "register" && !wideRegister)
      refuse(instruction, "64 bits from a smaller register");
    const name = wideRegister && size < 8 ? `scatter_${8 * size}_64` : `scatter_${8 * size}`;
    const source = warp.source(instruction, element, sourceType);
    emitScatter(warp, conflict, name, {
      source,
      base: elements.length === 1 ? base : i32(0),
      element: size * index,
      mask,
    });
  });
  emitConfirm(warp, conflict);
};

/** What stands for contents that nobody knows. */
const unknown: ProgramOperand = { kind: "integer", value: 0xffba_dbadn };
const discardedBytes = 128;
const wordBytes = 4;

/** discard (PTX ISA section 9.7.9.21): a line whose contents nobody knows from then on. */
export const discard: WarpFamily = (warp, instruction, mask) => {
  const [address, size] = instruction.operands;
  if (size?.kind !== "integer" || size.value !== BigInt(discardedBytes))
    return refuse(instruction, "a size other than 128 bytes");
  translate(warp, { instruction, address, bytes: discardedBytes, access: "store", mask });
  const source = warp.source(instruction, unknown, types.b32);
  for (let element = 0; element < discardedBytes; element += wordBytes)
    warp.push(warp.call("scatter_32", source, i32(0), i32(element), mask));
};
