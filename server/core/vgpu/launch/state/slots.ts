import { invariant } from "../../../base/assert";
import { addressWindows, siteLayout, staticLayout } from "../../layout";
import { initializeSlot } from "./initialize";
import type { LaunchState } from "./launch-state";

/** Ranges [from, to) of the static area that belong to the current block. */
const blockWords: readonly (readonly [number, number])[] = [
  [staticLayout.ctaid, staticLayout.ctaid + 12],
  [staticLayout.blocksLeft, staticLayout.epoch],
  [staticLayout.multiprocessor, staticLayout.multiprocessor + 4],
  [staticLayout.arrived, staticLayout.arrived + 64],
];

/**
 * The slots of the resident blocks. Each slot has its own shared memory, registers and local memory; one is
 * current. Counters and findings are shared by all.
 */
export class Slots {
  /** The block words of each used slot that is not current. */
  private readonly saved = new Map<number, readonly Uint8Array[]>();
  /** Site records whose cached window may be shared memory. */
  private readonly windows: readonly { readonly record: number; readonly generic: boolean }[];

  constructor(private readonly state: LaunchState) {
    const { kernel, base, plan } = state;
    this.windows = kernel.code.sites.flatMap(({ space }, index) =>
      space === "shared" || space === "generic"
        ? [{ record: base + plan.sites + index * siteLayout.size, generic: space === "generic" }]
        : [],
    );
  }

  /**
   * Makes a slot current: saves the block words of the old one, and restores or initialises those of the new.
   */
  enter(slot: number): void {
    const { state } = this;
    if (slot === state.slot) return;
    this.saved.set(state.slot, this.currentWords());
    state.useSlot(slot);
    const words = this.saved.get(slot);
    if (words) this.restore(words);
    else initializeSlot(state);
    this.moveWindows();
  }

  /** The block words of a used slot. */
  wordsOf(slot: number): readonly Uint8Array[] {
    if (slot === this.state.slot) return this.currentWords();
    const words = this.saved.get(slot);
    invariant(words, `slot ${slot} has held a block`);
    return words;
  }

  private currentWords(): readonly Uint8Array[] {
    const { base, view } = this.state;
    const bytes = new Uint8Array(view.buffer);
    return blockWords.map(([from, to]) => bytes.slice(base + from, base + to));
  }

  private restore(words: readonly Uint8Array[]): void {
    const { base, view } = this.state;
    const bytes = new Uint8Array(view.buffer);
    for (const [index, saved] of words.entries()) {
      const range = blockWords[index];
      invariant(range, "saved words have their range");
      bytes.set(saved, base + range[0]);
    }
  }

  /** Points the cached windows on shared memory to the current slot's. */
  private moveWindows(): void {
    const { view, sharedAt } = this.state;
    for (const { record, generic } of this.windows) {
      const low = view.getBigInt64(record + siteLayout.low, true);
      // Another block's shared memory: it may have ended meanwhile, and another cluster has others.
      if (generic && low > addressWindows.shared && low >> 40n === addressWindows.shared >> 40n)
        view.setBigInt64(record + siteLayout.limit, 0n, true);
      if (generic && low !== addressWindows.shared) continue;
      view.setInt32(record + siteLayout.linear, sharedAt, true);
    }
  }
}
