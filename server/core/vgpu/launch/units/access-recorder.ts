import type { MemorySite } from "../../emit/emitters/memory-site";
import { lanes, staticLayout, warpLayout } from "../../layout";
import type { LaunchState } from "../state/launch-state";
import { AccessLedger } from "../../memory/access-ledger";
import type { TouchedBytes } from "../../memory/touched-bytes";
import type { LaunchAccesses, Triple } from "../state/types";

/** The mask of a warp whose lanes are all active, as generated code hands it over. */
const allLanes = -1;

/** How far threads of a launch get along each axis. */
type Reach = [number, number, number];

/** Records what a launch touches, for kernels that are compiled with `accesses`. */
export class AccessRecorder {
  private readonly ledger: AccessLedger;
  private sharedEnd = 0;
  private readonly reach: { readonly load: Reach; readonly store: Reach } = {
    load: [0, 0, 0],
    store: [0, 0, 0],
  };
  private words: Int32Array;
  /** Lanes of each warp of the present block whose reach is known: of loads, and of stores. */
  private readonly reached = { load: new Map<number, number>(), store: new Map<number, number>() };
  private block = -1;

  constructor(private readonly state: LaunchState) {
    this.ledger = state.request.ledger ?? new AccessLedger(state.request.memory.allocations());
    this.ledger.begin();
    this.words = new Int32Array(state.request.memory.memory.buffer);
  }

  /** Called by generated code after an address translation. `warp`: linear address. */
  readonly note = (warp: number, index: number, mask: number): void => {
    const { state } = this;
    const site = state.kernel.code.sites[index];
    if (site === undefined || mask === 0) return;
    const { buffer } = state.request.memory.memory;
    if (this.words.buffer !== buffer) this.words = new Int32Array(buffer);
    if (state.request.watched && site.access !== "load") this.noteWatched(site, warp >>> 0, mask);
    if (site.space === "shared") this.noteShared(site, mask);
    else this.noteGlobal(site, warp >>> 0, mask);
  };

  /** `isCut`: the launch has not run to its end. */
  result(isCut: boolean): LaunchAccesses {
    return {
      isCut,
      allocations: this.ledger.result((thread) => this.placeOf(thread)),
      sharedBytes: this.sharedEnd,
      loadReach: [...this.reach.load],
      storeReach: [...this.reach.store],
    };
  }

  /** Coordinates in the whole launch of a thread. */
  private placeOf(thread: number): Triple {
    const [width, height] = this.state.request.grid;
    const [across, down, deep] = this.state.request.block;
    const block = Math.floor(thread / (across * down * deep));
    const inBlock = thread % (across * down * deep);
    return [
      (block % width) * across + (inBlock % across),
      (Math.floor(block / width) % height) * down + (Math.floor(inBlock / across) % down),
      Math.floor(block / (width * height)) * deep + Math.floor(inBlock / (across * down)),
    ];
  }

  private noteGlobal(site: MemorySite, warp: number, mask: number): void {
    const { words } = this;
    const addresses = (this.state.base + staticLayout.addresses) >> 2;
    const block = this.enterBlock();
    const thread = this.firstThread(block, warp);
    if (site.access === "load" && mask === allLanes && this.noteTogether(site, addresses, thread)) {
      this.noteReach(warp, mask, "load");
      return;
    }
    let touched: TouchedBytes | undefined;
    let count = 0;
    for (let lane = 0; lane < lanes; lane += 1) {
      if (((mask >>> lane) & 1) === 0) continue;
      const linear = (words[addresses + lane] ?? 0) >>> 0;
      if (touched === undefined || linear < touched.start || linear >= touched.end) {
        const other = this.ledger.at(linear);
        if (other === undefined) {
          this.noteSharedByte(linear, site.bytes);
          continue;
        }
        touched = other;
      }
      count += 1;
      touched.note(site, linear - touched.start, thread + lane);
    }
    if (touched === undefined) return;
    touched.noteWidth(widthOf(site), count);
    this.noteReach(warp, mask, site.access === "load" ? "load" : "store");
  }

  /** A load of all lanes from one place, or from places side by side. False where it is neither. */
  private noteTogether(site: MemorySite, addresses: number, thread: number): boolean {
    const { words } = this;
    const first = (words[addresses] ?? 0) >>> 0;
    const step = ((words[addresses + 1] ?? 0) >>> 0) - first;
    if (step !== 0 && step !== site.bytes) return false;
    for (let lane = 2; lane < lanes; lane += 1)
      if (((words[addresses + lane] ?? 0) >>> 0) - first !== lane * step) return false;
    const touched = this.ledger.at(first);
    if (touched === undefined || first + (lanes - 1) * step + site.bytes > touched.end) return false;
    const run = { lanes: step === 0 ? 1 : lanes, thread };
    if (!touched.noteRun(site.bytes, first - touched.start, run)) return false;
    touched.noteWidth(widthOf(site), lanes);
    return true;
  }

  /** Tells of each lane that stores to the watched place. */
  private noteWatched({ bytes, instruction }: MemorySite, warp: number, mask: number): void {
    const { watched } = this.state.request;
    const addresses = (this.state.base + staticLayout.addresses) >> 2;
    for (let lane = 0; lane < lanes; lane += 1) {
      if (watched === undefined || ((mask >>> lane) & 1) === 0) continue;
      const offset = watched.address - ((this.words[addresses + lane] ?? 0) >>> 0);
      if (offset < 0 || offset >= bytes) continue;
      const coordinate = (place: number): number => this.words[((warp + place) >> 2) + lane] ?? 0;
      watched.stored({
        ...this.state.kernel.code.lines.of(instruction.location),
        block: [...this.state.coordinates],
        thread: [coordinate(warpLayout.tidX), coordinate(warpLayout.tidY), coordinate(warpLayout.tidZ)],
      });
    }
  }

  private noteShared({ bytes }: MemorySite, mask: number): void {
    const addresses = (this.state.base + staticLayout.addresses) >> 2;
    for (let lane = 0; lane < lanes; lane += 1)
      if (((mask >>> lane) & 1) !== 0) this.noteSharedByte((this.words[addresses + lane] ?? 0) >>> 0, bytes);
  }

  private noteSharedByte(linear: number, bytes: number): void {
    const offset = linear - this.state.sharedAt;
    if (offset + bytes > this.sharedEnd && offset >= 0 && offset < this.state.plan.sharedBytes)
      this.sharedEnd = offset + bytes;
  }

  /** Number of the present block in the launch. */
  private enterBlock(): number {
    const [x, y, z] = this.state.coordinates;
    const [width, height] = this.state.request.grid;
    const block = x + width * (y + height * z);
    if (block === this.block) return block;
    this.block = block;
    this.reached.load.clear();
    this.reached.store.clear();
    return block;
  }

  /** Number in the launch of a warp's first thread. */
  private firstThread(block: number, warp: number): number {
    const [across, down, deep] = this.state.request.block;
    return block * across * down * deep + lanes * (this.words[(warp + warpLayout.warpIndex) >> 2] ?? 0);
  }

  private noteReach(warp: number, mask: number, kind: "load" | "store"): void {
    const before = this.reached[kind].get(warp) ?? 0;
    const fresh = mask & ~before;
    if (fresh === 0) return;
    this.reached[kind].set(warp, before | mask);
    const block = this.state.coordinates;
    for (const [axis, places] of [warpLayout.tidX, warpLayout.tidY, warpLayout.tidZ].entries()) {
      const at = (warp + places) >> 2;
      let most = 0;
      for (let lane = 0; lane < lanes; lane += 1)
        if (((fresh >>> lane) & 1) !== 0) most = Math.max(most, this.words[at + lane] ?? 0);
      const coordinate = block[axis as 0 | 1 | 2];
      const end = coordinate * (this.state.request.block[axis as 0 | 1 | 2] ?? 1) + most + 1;
      widen(this.reach[kind], axis, end);
    }
  }
}

function widen(most: Reach, axis: number, value: number): void {
  if (value > (most[axis] ?? 0)) most[axis] = value;
}

/** Bytes of an element of an access, negative for floating types. */
function widthOf({ instruction, bytes }: MemorySite): number {
  const operand = instruction.operands.find((each) => each.kind === "vector");
  const elements = operand?.kind === "vector" ? operand.elements.length : 1;
  const { type } = instruction.matched.types;
  const isFloat = type?.kind === "float" || type?.kind === "bfloat";
  // An access of a fragment moves one of its registers only.
  const isPart = type !== undefined && bytes < elements * type.bytes;
  return (isFloat ? -1 : 1) * (isPart ? type.bytes : Math.max(1, bytes / elements));
}
