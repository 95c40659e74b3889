import { addressWindows, siteLayout, staticLayout } from "../../layout";
import type { Machine } from "./machine";

/** What the static area holds about the block at work: from inclusive to exclusive. */
const blockWords: readonly (readonly [number, number])[] = [
  [staticLayout.ctaid, staticLayout.ctaid + 12],
  [staticLayout.blocksLeft, staticLayout.epoch],
  [staticLayout.multiprocessor, staticLayout.multiprocessor + 4],
  [staticLayout.arrived, staticLayout.arrived + 64],
];

/**
 * The blocks of threads that are there at the same time: each has a slot with its own shared memory,
 * registers and local memory; one of them is at work. Everything else, counters and findings too, is the
 * machine's and shared.
 */
export class Slots {
  /** Of each slot in use that is not at work: the words about its block. */
  private readonly words = new Map<number, Uint8Array[]>();
  /** Records of instructions whose window can be shared memory. */
  private readonly windows: readonly { readonly record: number; readonly generic: boolean }[];

  constructor(private readonly machine: Machine) {
    const { kernel, base, layout } = machine;
    this.windows = kernel.code.sites.flatMap(({ space }, index) =>
      space === "shared" || space === "generic"
        ? [{ record: base + layout.sites + index * siteLayout.size, generic: space === "generic" }]
        : [],
    );
  }

  /**
   * Exchanges the block at work for that in another slot; a slot that was never used is made ready for its
   * first block.
   */
  enter(slot: number): void {
    const { machine } = this;
    if (slot === machine.slot) return;
    const bytes = new Uint8Array(machine.view.buffer);
    const { base } = machine;
    this.words.set(
      machine.slot,
      blockWords.map(([from, to]) => bytes.slice(base + from, base + to)),
    );
    machine.useSlot(slot);
    const known = this.words.get(slot);
    if (known) blockWords.forEach(([from], index) => bytes.set(known[index] ?? [], base + from));
    else machine.initializeSlot();
    this.moveWindows();
  }

  /** What distinguishes the block in a slot, besides its memory: whether and where it is at work. */
  wordsOf(slot: number): readonly Uint8Array[] {
    const {
      view: { buffer },
      base,
    } = this.machine;
    if (slot !== this.machine.slot) return this.words.get(slot) ?? [];
    const bytes = new Uint8Array(buffer);
    return blockWords.map(([from, to]) => bytes.slice(base + from, base + to));
  }

  /** Instructions remember where shared memory lies. */
  private moveWindows(): void {
    const { view, sharedAt } = this.machine;
    for (const { record, generic } of this.windows) {
      if (generic && view.getBigInt64(record + siteLayout.low, true) !== addressWindows.shared) continue;
      view.setInt32(record + siteLayout.linear, sharedAt, true);
    }
  }
}
