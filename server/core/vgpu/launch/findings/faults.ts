import { oneLine } from "../../../base/text";
import { addressWindow, addressWindows, clusterStride } from "../../layout";
import { faultCodes } from "../../library/memory/async";
import { type Allocation, linearAddress } from "../../memory/device-memory";
import type { MemorySite } from "../../emit/emitters/memory-site";
import { type FindingDraft, bytesText, threadText } from "./findings";
import type { BadRank } from "../state/launch-state";
import type { FaultKind, KernelFinding, Triple } from "../state/types";

/** Carries a fault out through generated code. */
export class FaultError extends Error {
  override readonly name = "FaultError";
  readonly finding: KernelFinding;
  constructor(draft: FindingDraft) {
    super(draft.message);
    this.finding = { ...draft, message: oneLine(draft.message), count: 1 };
  }
}

/** A window of device addresses and its place in linear memory. */
export interface Range {
  readonly kind: "range";
  readonly low: bigint;
  readonly bytes: number;
  readonly linear: number;
  /** False for a window that differs between lanes. */
  readonly cacheable: boolean;
}

/** An access that is an error. Of thousands of the same cause only the first is described. */
export interface BadAccess {
  readonly kind: "bad";
  readonly fault: KernelFinding["kind"];
  readonly allocation?: string;
  /** As long as the lane stands at the access. */
  readonly describe: () => FindingDraft;
}

/** The allocations of a memory. */
interface AddressBook {
  /** The allocation that holds the byte. Live ones take precedence over freed ones. */
  find(address: bigint): (Allocation & { readonly freed: boolean }) | undefined;
  allocations(): readonly Allocation[];
}

interface Lookup {
  readonly address: bigint;
  readonly site: MemorySite;
  /** Called for an error only. */
  readonly where: () => {
    readonly file?: string;
    readonly line?: number;
    readonly block: Triple;
    readonly thread: Triple;
  };
  /** What the message adds for inlined code: see `SourceLines.inner`. */
  readonly inner: () => string;
  readonly localBytes: number;
  readonly localBase: number;
  readonly sharedBytes: number;
  readonly sharedBase: number;
  readonly parameterBytes: number;
  readonly parameterBase: number;
  readonly book: AddressBook;
  /** Where the shared memory of a rank of the cluster lies, or why nobody may use it now. */
  readonly sharedOfRank: (rank: number) => { readonly linear: number } | BadRank;
}

/** Distance (bytes) beyond which a message does not relate an access to the nearest allocation. */
const farAway = 1 << 30;

/** Finds the window of an access, or what is wrong with it. */
export function findRange(lookup: Lookup): Range | BadAccess {
  const { address, site } = lookup;
  const found = rangeOf(lookup);
  if (found.kind === "bad" || address % BigInt(Math.max(1, site.bytes)) === 0n) return found;
  return bad(lookup, "misaligned", `which is not a multiple of ${site.bytes}`);
}

function rangeOf(lookup: Lookup): Range | BadAccess {
  const { site, address, localBytes, localBase, sharedBytes, sharedBase, parameterBytes, parameterBase } =
    lookup;
  const shared = { name: "shared memory", bytes: sharedBytes, linear: sharedBase, cacheable: true };
  const local = { name: "local memory", bytes: localBytes, linear: localBase, cacheable: false };
  const parameters = {
    name: "parameter memory",
    bytes: parameterBytes,
    linear: parameterBase,
    cacheable: true,
  };
  const window = (low: bigint, { name, ...range }: typeof shared): Range | BadAccess => {
    const offset = address - low;
    const isInside = offset >= 0n && offset + BigInt(site.bytes) <= BigInt(range.bytes);
    return isInside ? { kind: "range", low, ...range } : outside(lookup, { name, low, bytes: range.bytes });
  };
  // Addresses of these spaces have 32 bits: the greatest ones are negative offsets.
  const start = address >= 1n << 31n ? 1n << 32n : 0n;
  if (site.space === "shared") return window(start, shared);
  if (site.space === "local") return window(start, local);
  const isGeneric = site.space === "generic";
  const isNear = (low: bigint): boolean =>
    isGeneric && address >= low - BigInt(farAway) && address < low + (1n << 40n) - BigInt(farAway);
  const rank = Number((address - addressWindows.shared) / BigInt(clusterStride)) - 1;
  if (isNear(addressWindows.shared) && rank >= 0) {
    const of = lookup.sharedOfRank(rank);
    if ("why" in of) return bad(lookup, of.kind, of.why);
    const low = addressWindows.shared + BigInt((rank + 1) * clusterStride);
    return window(low, { ...shared, linear: of.linear });
  }
  if (isNear(addressWindows.shared)) return window(addressWindows.shared, shared);
  if (isNear(addressWindows.local)) return window(addressWindows.local, local);
  if (site.space !== "param" && !(isGeneric && address >> 40n === addressWindows.parameter >> 40n))
    return globalRange(lookup);
  if (site.access !== "load")
    return bad(lookup, "read-only-write", "which is a parameter of the kernel and may only be read");
  return window(addressWindows.parameter, parameters);
}

function globalRange(lookup: Lookup): Range | BadAccess {
  const { address, site, book } = lookup;
  const found = book.find(address);
  const isInside = found !== undefined && address + BigInt(site.bytes) <= found.address + BigInt(found.bytes);
  if (found?.freed === true) {
    const offset = Number(address - found.address);
    return bad(
      lookup,
      "use-after-free",
      `${bytesText(offset)} into "${found.name}" (${bytesText(found.bytes)}), which was freed`,
      { allocation: found.name },
    );
  }
  if (!isInside) {
    const nearest = nearestAllocation(address, site.bytes, book.allocations());
    return outside(lookup, nearest && { name: nearest.name, low: nearest.address, bytes: nearest.bytes });
  }
  if (found.readOnly && site.access !== "load")
    return bad(lookup, "read-only-write", `in "${found.name}", which may only be read`, {
      allocation: found.name,
    });
  return {
    kind: "range",
    low: found.address,
    bytes: found.bytes,
    linear: linearAddress(found.address),
    cacheable: true,
  };
}

/** Bytes between an access and an allocation: negative before its start, positive past its end. */
function distanceTo(address: bigint, bytes: number, low: bigint, size: number): number {
  if (address < low) return Number(address - low);
  return Number(address + BigInt(bytes) - (low + BigInt(size)));
}

function nearestAllocation(
  address: bigint,
  bytes: number,
  allocations: readonly Allocation[],
): Allocation | undefined {
  const far = (entry: Allocation): number => Math.abs(distanceTo(address, bytes, entry.address, entry.bytes));
  return allocations.reduce<Allocation | undefined>(
    (best, entry) => (!best || far(entry) < far(best) ? entry : best),
    undefined,
  );
}

function outside(
  lookup: Lookup,
  nearest: { readonly name: string; readonly low: bigint; readonly bytes: number } | undefined,
): BadAccess {
  const { address, site } = lookup;
  const distance = nearest && distanceTo(address, site.bytes, nearest.low, nearest.bytes);
  if (!nearest || distance === undefined || Math.abs(distance) > farAway)
    return bad(lookup, "out-of-bounds", nowhere(address));
  const side =
    distance < 0 ? `${bytesText(-distance)} before the start` : `${bytesText(distance)} behind the end`;
  const name = nearest.name.endsWith(" memory") ? nearest.name : `"${nearest.name}"`;
  return bad(lookup, "out-of-bounds", `${side} of ${name} (${bytesText(nearest.bytes)})`, {
    allocation: nearest.name,
    distance,
  });
}

/** Addresses that come from a null pointer, plus the offset of a member or of an element of a short array. */
const nullPage = 0x1_0000n;

function nowhere(address: bigint): string {
  if (address >= 0n && address < nullPage) return "which comes from a null pointer";
  const offset = address - addressWindow.base;
  return offset >= 0n && offset < BigInt(addressWindow.bytes)
    ? "which belongs to no allocation"
    : "which is no address of device memory";
}

/** `0x7f…`, as `%p` prints it. */
export function hexadecimal(value: bigint): string {
  return `0x${BigInt.asUintN(64, value).toString(16)}`;
}

const titles: Readonly<Record<string, string>> = {
  "out-of-bounds": "out of bounds",
  "use-after-free": "use after free",
  misaligned: "misaligned access",
  "read-only-write": "write to read-only memory",
};

/** What a thread does, for messages: one text for each access, since translators need whole clauses. */
const clauses: Readonly<Record<MemorySite["access"], (who: string, bytes: string, place: string) => string>> =
  {
    load: (who, bytes, place) => `${who} reads ${bytes} at ${place}`,
    store: (who, bytes, place) => `${who} writes ${bytes} at ${place}`,
    atomic: (who, bytes, place) => `${who} updates atomically ${bytes} at ${place}`,
  };

/** `thread (0,0,0) of block (0,0,0) reads 4 bytes at "x"+0x0`. */
export function accessText(
  access: MemorySite["access"],
  { who, bytes, place }: { readonly who: string; readonly bytes: number; readonly place: string },
): string {
  return clauses[access](who, bytesText(bytes), place);
}

function bad(
  { site, where, inner, address }: Lookup,
  kind: KernelFinding["kind"],
  what: string,
  more: Pick<KernelFinding, "allocation" | "distance"> = {},
): BadAccess {
  const describe = (): FindingDraft => {
    const place = where();
    const who = threadText(place.thread, place.block);
    const access = accessText(site.access, { who, bytes: site.bytes, place: hexadecimal(address) });
    const message = `${titles[kind] ?? kind}: ${access}, ${what}${inner()}`;
    return { kind, message, ...place, address, ...more };
  };
  const { allocation } = more;
  return { kind: "bad", fault: kind, ...(allocation === undefined ? {} : { allocation }), describe };
}

/**
 * The finding of a fault code. `name`: the instruction; `who`: the thread; `stackBytes`: size of its stack.
 */
export function faultText(
  code: number,
  { name, who, stackBytes }: { readonly name: string; readonly who: string; readonly stackBytes: number },
): { readonly kind: FaultKind; readonly text: string } {
  switch (code) {
    case faultCodes.trap:
      return { kind: "trap", text: `${who} executed trap` };
    case faultCodes.stackOverflow:
      return {
        kind: "stack-overflow",
        text: `stack overflow: ${name} by ${who} needs more than the stack's ${stackBytes} bytes`,
      };
    case faultCodes.badStack:
      return {
        kind: "stack-overflow",
        text: `stack overflow: ${name} by ${who} sets a stack pointer that lies outside of the stack`,
      };
    case faultCodes.endless:
      return {
        kind: "endless-loop",
        text: `endless loop: ${who} never leaves a loop in which nothing happens; what it waits for has to be read as volatile or atomically`,
      };
    case faultCodes.outsideMask:
      return {
        kind: "illegal-shuffle-mask",
        text: `illegal mask: ${who} executes ${name} under a mask that leaves it out`,
      };
    case faultCodes.badMetadata:
      return {
        kind: "invalid-metadata",
        text: `invalid metadata: ${name} is undefined for the indices that ${who} holds for it`,
      };
    case faultCodes.unevenCopy:
      return {
        kind: "misaligned",
        text: `uneven size: ${name} copies multiples of 16 bytes, but ${who} gives another size`,
      };
    default:
      return {
        kind: "divergent-warp-instruction",
        text: `${name} needs all 32 lanes of its warp, but ${who} runs it without some of them`,
      };
  }
}
