import { addressWindows } from "../layout";
import { type Allocation, linearAddress } from "../device-memory";
import { fullName } from "../opcodes/table";
import type { MemorySite } from "../compile/warp-emitter";
import type { KernelFinding, Triple } from "./types";

/** Carries a fault out of generated code. */
export class FaultError extends Error {
  override readonly name = "FaultError";
  constructor(readonly finding: KernelFinding) {
    super(finding.message);
  }
}

/** Carries out of generated code what only shows at run time to be not implemented. */
export class RunRefusalError extends Error {
  override readonly name = "RunRefusalError";
}

/** A window of addresses and where it lies in linear memory. */
export interface Range {
  readonly low: bigint;
  readonly bytes: number;
  readonly linear: number;
  /** False for windows that differ from lane to lane. */
  readonly cacheable: boolean;
}

export interface Lookup {
  readonly address: bigint;
  readonly site: MemorySite;
  readonly where: { readonly file?: string; readonly line?: number; readonly block: Triple; readonly thread: Triple };
  readonly localBytes: number;
  readonly localBase: number;
  readonly sharedBytes: number;
  readonly sharedBase: number;
  readonly allocations: readonly Allocation[];
}

/** Finds the range that an access belongs to, or throws a fault that says what is wrong with it. */
export function findRange(lookup: Lookup): Range {
  const { address, site } = lookup;
  const range = rangeOf(lookup);
  if (address % BigInt(Math.max(1, site.bytes)) !== 0n) {
    throw new FaultError(describe(lookup, "misaligned", `address ${hexadecimal(address)} is not a multiple of ${site.bytes}`));
  }
  return range;
}

function rangeOf(lookup: Lookup): Range {
  const { site, address, localBytes, localBase, sharedBytes, sharedBase } = lookup;
  const shared = { name: "shared memory", bytes: sharedBytes, linear: sharedBase, cacheable: true };
  const local = { name: "local memory", bytes: localBytes, linear: localBase, cacheable: false };
  const window = (low: bigint, { name, ...range }: typeof shared): Range => {
    const offset = address - low;
    if (offset < 0n || offset + BigInt(site.bytes) > BigInt(range.bytes)) outside(lookup, { name, low, bytes: range.bytes });
    return { low, ...range };
  };
  if (site.space === "shared") return window(0n, shared);
  if (site.space === "local") return window(0n, local);
  const isGeneric = site.space === "generic";
  if (isGeneric && address >> 40n === addressWindows.shared >> 40n) return window(addressWindows.shared, shared);
  if (isGeneric && address >> 40n === addressWindows.local >> 40n) return window(addressWindows.local, local);
  return globalRange(lookup);
}

function globalRange(lookup: Lookup): Range {
  const { address, site, allocations } = lookup;
  const inside = allocations.find((entry) => address >= entry.address && address + BigInt(site.bytes) <= entry.address + BigInt(entry.bytes));
  if (!inside) {
    const nearest = nearestAllocation(address, site.bytes, allocations);
    return outside(lookup, nearest && { name: nearest.name, low: nearest.address, bytes: nearest.bytes });
  }
  if (inside.readOnly && site.access !== "load") {
    throw new FaultError({ ...describe(lookup, "read-only-write", `"${inside.name}" may only be read`), allocation: inside.name });
  }
  return { low: inside.address, bytes: inside.bytes, linear: linearAddress(inside.address), cacheable: true };
}

/** Bytes between an access and an allocation: negative before its start, positive behind its end. */
function distanceTo(address: bigint, bytes: number, low: bigint, size: number): number {
  if (address < low) return Number(address - low);
  return Number(address + BigInt(bytes) - (low + BigInt(size)));
}

function nearestAllocation(address: bigint, bytes: number, allocations: readonly Allocation[]): Allocation | undefined {
  const far = (entry: Allocation): number => Math.abs(distanceTo(address, bytes, entry.address, entry.bytes));
  return allocations.reduce<Allocation | undefined>((best, entry) => (!best || far(entry) < far(best) ? entry : best), undefined);
}

const farAway = 1 << 30;

function outside(lookup: Lookup, nearest: { readonly name: string; readonly low: bigint; readonly bytes: number } | undefined): never {
  const { address, site } = lookup;
  const distance = nearest && distanceTo(address, site.bytes, nearest.low, nearest.bytes);
  if (!nearest || distance === undefined || Math.abs(distance) > farAway) {
    throw new FaultError(describe(lookup, "out-of-bounds", `address ${hexadecimal(address)} belongs to no allocation`));
  }
  const side = distance < 0 ? `${-distance} bytes before the start` : `${distance} bytes behind the end`;
  const finding = describe(lookup, "out-of-bounds", `${side} of "${nearest.name}" (${nearest.bytes} bytes)`);
  throw new FaultError({ ...finding, allocation: nearest.name, distance });
}

function hexadecimal(value: bigint): string {
  return `0x${BigInt.asUintN(64, value).toString(16)}`;
}

function describe({ site, where, address }: Lookup, kind: KernelFinding["kind"], what: string): KernelFinding {
  const actor = `${fullName(site.instruction.matched.instruction)} of ${site.bytes} bytes`;
  const who = `thread (${where.thread.join(", ")}) of block (${where.block.join(", ")})`;
  return { kind, message: `${actor}: ${what}, by ${who}`, ...where, address };
}
