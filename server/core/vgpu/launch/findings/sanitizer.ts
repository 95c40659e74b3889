import { at } from "../../../base/known";
import type { MemorySite } from "../../emit/emitters/memory-site";
import { stackBytesOf } from "../../flatten/stack";
import { linearAddress } from "../../memory/device-memory";
import { siteLayout, staticLayout, warpLayout } from "../../layout";
import { fullName } from "../../opcodes/table";
import { callersText, causeText, codeText } from "../state/call-sites";
import { sinkAt } from "../state/sink";
import { type BadAccess, FaultError, faultText, type Range, findRange } from "./faults";
import { FindingLog, bytesText, sharedWordKey, threadText, wordKey } from "./findings";
import type { LaunchState } from "../state/launch-state";
import { RaceOrder } from "./order";
import { RaceReporter } from "./races/race-reporter";
import { TouchNotes } from "../state/touched";
import type { Noted, Triple } from "../state/types";

interface Where {
  readonly file?: string;
  readonly line?: number;
  readonly block: Triple;
  readonly thread: Triple;
}

/** Bad accesses after which a launch that is only to show what it touches has shown enough. */
const mostSuppressed = 2000;
/** Bad accesses after which any launch has shown enough: each costs as much as hundreds of good ones. */
const mostReported = 1 << 20;

/**
 * The host's side of memory accesses: finds the window of an address, and reports or suppresses bad accesses.
 */
export class Sanitizer {
  readonly log = new FindingLog();
  /** Set for kernels with detectors. */
  order: RaceOrder | undefined;
  private races: RaceReporter | undefined;
  readonly touched: TouchNotes;
  private readonly readKeys = new Map<MemorySite, Map<string, string>>();
  private readonly badKeys = new Map<MemorySite, Map<string, string>>();
  /** Bad accesses that were dropped. */
  suppressed = 0;

  constructor(private readonly state: LaunchState) {
    this.touched = new TouchNotes(state.request.memory.allocations());
  }

  /** Call once the working memory is initialised. */
  start(): void {
    const {
      kernel: { options, code },
      view,
      base,
      scratch,
    } = this.state;
    if (!options.detectors) return;
    this.order = new RaceOrder(this.state, this.log);
    this.races = new RaceReporter(this.state, this.order, this.log);
    // Parameters are initialised; loads through generic addresses can reach them.
    new Uint8Array(view.buffer, base + code.parametersAt + scratch.shadow, code.parameterBytes).fill(1);
  }

  /**
   * The functions that generated code imports for the detectors and for accesses outside its cached windows.
   * Linear addresses above 2 GiB arrive as negative numbers.
   */
  imports(): Record<string, WebAssembly.ImportValue> {
    return {
      locate: (warp: number, site: number, lane: number, address: bigint) =>
        this.locate(warp >>> 0, site >>> 0, lane, address),
      uninitialized: (warp: number, site: number, lane: number) => {
        this.noteUninitialized(warp >>> 0, site >>> 0, lane);
      },
      fault: (code: number, warp: number, site: number, lane: number) =>
        this.fault(code, warp >>> 0, site, lane),
      absent: (warp: number, site: number, lane: number, from: number) => {
        noteAbsent(this, this.state, { warp: warp >>> 0, site, lane, from });
      },
      order: (event: number, warp: number, first: number, second: number) =>
        this.order?.event(event, warp >>> 0, first, second) ?? 0,
      race: (warp: number, ...conflict: [number, number, number, number]) => {
        this.races?.report([warp >>> 0, ...conflict]);
      },
    };
  }

  /** Called when an access is outside its site's cached window; returns the linear address. */
  private locate(warp: number, record: number, lane: number, address: bigint): number {
    const site = this.siteAt(record);
    const far = this.order?.ofClusters.far;
    const known = far?.again(site, warp, address);
    if (known !== undefined) return known;
    const found = this.rangeOf(site, warp, lane, address);
    if (found.kind === "bad") return this.suppress(found, site, lane);
    this.touched.note(found.low, site);
    // Each access to another block's shared memory is noted: no window is kept for it.
    const isFar = far?.note({ site, warp, lane, address }, found) ?? false;
    if (found.cacheable && !isFar) remember(this.state.view, record, found);
    return found.linear + Number(address - found.low);
  }

  /** The window of a lane's access, or what is wrong with it. */
  rangeOf(site: MemorySite, warp: number, lane: number, address: bigint): Range | BadAccess {
    const { plan, kernel, view, request } = this.state;
    const localBase = view.getUint32(warp + warpLayout.localBase, true) + lane * kernel.localBytes;
    return findRange({
      address,
      site,
      where: () => this.where(site, warp, lane),
      inner: () => codeText(this.state, site.instruction, { warp, lane }),
      localBytes: kernel.localBytes,
      localBase,
      sharedBytes: plan.sharedBytes,
      sharedBase: this.state.sharedAt,
      parameterBytes: kernel.code.parameterBytes,
      parameterBase: this.state.base + kernel.code.parametersAt,
      book: request.memory,
      sharedOfRank: (rank) => this.state.sharedOfRank(rank),
    });
  }

  /** Reports a read of bytes to which nothing was ever stored. */
  private noteUninitialized(warp: number, record: number, lane: number): void {
    const { state } = this;
    const site = this.siteAt(record);
    const linear = state.view.getUint32(state.base + staticLayout.addresses + 4 * lane, true);
    const owner = state.request.memory
      .allocations()
      .find(
        ({ address, bytes }) => linear >= linearAddress(address) && linear < linearAddress(address) + bytes,
      );
    const shared = state.sharedOffset(linear);
    const offset = owner ? linear - linearAddress(owner.address) : shared;
    // The sink of suppressed accesses and local memory are not checked.
    if (offset === undefined || isHarmless(state, site, linear)) return;
    const place = owner ? `"${owner.name}"` : "shared memory";
    const block = owner ? 0 : blockNumber(this.state);
    const words: number[] = [];
    for (let word = 0; word < site.bytes; word += 4)
      words.push(owner ? wordKey(linear + word) : sharedWordKey(block, offset + word));
    const key = keptKey(
      this.readKeys,
      { site, place },
      () => `uninitialized-read ${causeText(state, site)} ${place}`,
    );
    this.log.noteRead(key, words, () => {
      const where = this.where(site, warp, lane);
      return {
        kind: "uninitialized-read",
        message: `uninitialised read: ${threadText(where.thread, where.block)} reads ${bytesText(site.bytes)} at ${place}+0x${offset.toString(16)}, to which nothing was written${codeText(this.state, site.instruction, { warp, lane })}`,
        ...where,
        address: owner ? owner.address + BigInt(offset) : BigInt(offset),
        ...(owner ? { allocation: owner.name } : {}),
      };
    });
  }

  /**
   * After the launch: records the widths of its stores, and reports outputs with bytes that were never
   * stored.
   */
  noteUnwritten(): void {
    const {
      kernel,
      request: { memory, outputs = [] },
    } = this.state;
    if (!kernel.options.detectors) return;
    noteWidths(this.state);
    for (const address of outputs) {
      const written = memory.writtenBytes(address);
      const missing = written.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0);
      const allocation = memory.find(address)?.name ?? "";
      if (missing === 0) continue;
      const first = written.indexOf(0);
      this.log.note(`never-written ${allocation}`, () => ({
        kind: "never-written",
        allocation,
        address: address + BigInt(first),
        message: `never written: nothing was stored to ${missing} of the ${bytesText(written.length)} of "${allocation}", first at "${allocation}"+0x${first.toString(16)}`,
      }));
    }
  }

  /** The findings so far. */
  noted(): Noted {
    return { findings: this.log.list(), ...(this.order?.isLost ? { isOrderLost: true } : {}) };
  }

  /** Called by generated code that cannot continue: ends the launch. `code`: one of `faultCodes`. */
  private fault(code: number, warp: number, index: number, lane: number): never {
    const site = this.state.kernel.code.sites[index];
    const name = site ? fullName(site.instruction.matched.instruction) : "an instruction";
    const where = this.where(site, warp, lane);
    const who = threadText(where.thread, where.block);
    const callers = callersText(this.state, site?.instruction, { warp, lane });
    const { kind, text } = faultText(code, {
      name,
      who,
      stackBytes: stackBytesOf(this.state.kernel.options),
    });
    throw new FaultError({ kind, message: `${text}${callers}`, ...where });
  }

  /** Source line, block and thread of a lane at an instruction. */
  where(site: MemorySite | undefined, warp: number, lane: number): Where {
    const { state } = this;
    const line = site && state.kernel.code.lines.of(site.instruction.location);
    return { ...line, block: state.coordinates, thread: state.threadOf(warp, lane) };
  }

  private siteAt(record: number): MemorySite {
    const site =
      this.state.kernel.code.sites[(record - this.state.base - this.state.plan.sites) / siteLayout.size];
    if (!site) throw new FaultError({ kind: "out-of-bounds", message: "access by an unknown instruction" });
    return site;
  }

  /** Ends the launch, or reports the access and returns the sink for it. */
  private suppress({ fault, allocation = "", describe }: BadAccess, site: MemorySite, lane: number): number {
    const { state } = this;
    this.suppressed += 1;
    const most = state.kernel.options.accesses === true ? mostSuppressed : mostReported;
    if (state.request.faults !== "report" || this.suppressed > most) throw new FaultError(describe());
    const key = keptKey(
      this.badKeys,
      { site, place: `${fault} ${allocation}` },
      () => `${fault} ${causeText(state, site)} ${allocation}`,
    );
    this.log.note(key, describe);
    return sinkAt(state, lane, site.access);
  }
}

/** The key of a cause: made once for an instruction, since a wrong kernel has millions of occurrences. */
function keptKey(
  known: Map<MemorySite, Map<string, string>>,
  { site, place }: { readonly site: MemorySite; readonly place: string },
  make: () => string,
): string {
  const keys = known.get(site) ?? new Map<string, string>();
  known.set(site, keys);
  const key = keys.get(place) ?? make();
  keys.set(place, key);
  return key;
}

/** Linear number of the current block. */
function blockNumber({
  coordinates: [x, y, z],
  request: {
    grid: [width, height],
  },
}: LaunchState): number {
  return (z * height + y) * width + x;
}

/** Reports a shuffle whose result is undefined, since its source lane does not take part. */
function noteAbsent(
  sanitizer: Sanitizer,
  state: LaunchState,
  read: { readonly warp: number; readonly site: number; readonly lane: number; readonly from: number },
): void {
  const { warp, lane, from } = read;
  const site = at(state.kernel.code.sites, read.site);
  const where = sanitizer.where(site, warp, lane);
  const key = `undefined-shuffle ${where.file}:${where.line ?? site.instruction.ptxLine}`;
  sanitizer.log.note(key, () => ({
    kind: isWaiting(state.view, warp, from) ? "inactive-shuffle" : "undefined-shuffle",
    message: `undefined shuffle: ${threadText(where.thread, where.block)} reads in ${fullName(site.instruction.matched.instruction)} from lane ${from} of its warp, which ${whyAbsent(state.view, warp, from)}: the value is undefined${callersText(state, site.instruction, { warp, lane })}`,
    ...where,
  }));
}

function whyAbsent(view: DataView, warp: number, lane: number): string {
  if (isWaiting(view, warp, lane)) return "does not take part";
  return hasLane(view, warp + warpLayout.lanesAtStart, lane) ? "has exited" : "the block does not have";
}

/** The lane is there, and goes another way for now. */
function isWaiting(view: DataView, warp: number, lane: number): boolean {
  return [warpLayout.lanesAtStart, warpLayout.live].every((offset) => hasLane(view, warp + offset, lane));
}

function hasLane(view: DataView, mask: number, lane: number): boolean {
  return ((view.getInt32(mask, true) >>> lane) & 1) === 1;
}

/**
 * Compilers build atomics on 8 and 16 bits from relaxed loads and swaps of the containing word, whose other
 * bytes may be uninitialised.
 */
function isWordOfSmaller({
  instruction: {
    matched: { modifiers },
  },
}: MemorySite): boolean {
  return (
    modifiers["operation"] === "cas" ||
    modifiers["weak"] === "relaxed" ||
    modifiers["weak"] === "volatile" ||
    modifiers["weak"] === "acquire"
  );
}

/** Caches a window in the record of a memory instruction. */
function remember(view: DataView, record: number, range: Range): void {
  view.setBigInt64(record + siteLayout.low, range.low, true);
  view.setBigInt64(record + siteLayout.limit, BigInt(range.bytes), true);
  view.setInt32(record + siteLayout.linear, range.linear, true);
}

/**
 * Reads that may be partly uninitialised: the padding of a copied structure, unused elements of a vector, and
 * the neighbours of a byte that an atomic changes.
 */
function isHarmless(
  {
    request: {
      memory: { memory },
    },
    scratch,
  }: LaunchState,
  site: MemorySite,
  linear: number,
): boolean {
  const written = new Uint8Array(memory.buffer, linear + scratch.shadow, site.bytes);
  if (!written.includes(1)) return false;
  const { used } = site;
  if (isWordOfSmaller(site) || !used) return isWordOfSmaller(site);
  const size = site.bytes / used.length;
  return used.every(
    (isUsed, index) => !isUsed || !written.subarray(index * size, (index + 1) * size).includes(0),
  );
}

/** Records the widths of the values that the launch has stored. */
function noteWidths({
  kernel: {
    code: { sites },
  },
  view,
  base,
  plan,
  request: { memory },
}: LaunchState): void {
  for (const [index, { access, space, bytes, instruction }] of sites.entries()) {
    if (access === "load" || (space !== "global" && space !== "generic")) continue;
    const window = view.getBigUint64(base + plan.sites + index * siteLayout.size + siteLayout.low, true);
    const value = instruction.operands[1];
    memory.storeWidths.note(window, bytes / (value?.kind === "vector" ? value.elements.length : 1));
  }
}
