/** Who runs a step: all threads, those of one warp, one thread, or those below a number. */
export type Who =
  | { readonly kind: "all" }
  | { readonly kind: "warp" | "thread" | "below"; readonly number: number };

/** One line of a random kernel. */
export type Step =
  | { readonly kind: "load" | "store"; readonly who: Who; readonly word: Word }
  /** Lanes of each warp synchronise in groups of neighbours. */
  | { readonly kind: "lanes"; readonly group: 8 | 16 | 32 }
  | { readonly kind: "block" };

/** Word of the tile that a thread touches. */
export type Word = { readonly kind: "own" | "fixed" | "flipped" | "shifted"; readonly number: number };

export const threads = 96;
const warpLanes = 32;

export function runs(who: Who, thread: number): boolean {
  if (who.kind === "warp") return Math.floor(thread / warpLanes) === who.number;
  if (who.kind === "thread") return thread === who.number;
  return who.kind === "all" || thread < who.number;
}

export function wordOf({ kind, number }: Word, thread: number): number {
  if (kind === "fixed") return number;
  if (kind === "flipped") return thread ^ number;
  return kind === "shifted" ? thread + number : thread;
}

interface Access {
  readonly thread: number;
  readonly step: number;
  readonly isStore: boolean;
  /** Of each thread the last step that comes before this access. */
  readonly known: Int32Array;
}

/**
 * All pairs of steps, `EARLIER/LATER`, of which two threads touch one word in no order, one of them storing:
 * vector clocks of threads over every access, kept whole.
 */
export function racingSteps(steps: readonly Step[]): ReadonlySet<string> {
  const known = Array.from({ length: threads }, () => new Int32Array(threads).fill(-1));
  const words = new Map<number, Access[]>();
  const pairs = new Set<string>();
  steps.forEach((step, index) => {
    if (step.kind === "block" || step.kind === "lanes")
      return meet(known, step.kind === "block" ? threads : step.group, index);
    for (let thread = 0; thread < threads; thread += 1) {
      if (!runs(step.who, thread)) continue;
      const word = wordOf(step.word, thread);
      const access = {
        thread,
        step: index,
        isStore: step.kind === "store",
        known: Int32Array.from(known[thread] ?? []),
      };
      const before = words.get(word) ?? [];
      for (const other of before) if (isRace(other, access)) pairs.add(`${other.step}/${index}`);
      words.set(word, [...before, access]);
    }
  });
  return pairs;
}

function isRace(other: Access, access: Access): boolean {
  return (
    (other.isStore || access.isStore) &&
    other.thread !== access.thread &&
    (access.known[other.thread] ?? -1) < other.step
  );
}

function meet(known: readonly Int32Array[], size: number, step: number): void {
  for (let first = 0; first < threads; first += size) {
    const all = new Int32Array(threads).fill(-1);
    const group = known.slice(first, first + size);
    for (const each of group)
      each.forEach((value, index) => {
        all[index] = Math.max(all[index] ?? -1, value);
      });
    all.fill(step, first, first + size);
    for (const each of group) each.set(all);
  }
}

/** PTX of a random kernel: step N stands on line N + 1. */
export function kernelText(steps: readonly Step[]): string {
  return steps.map((step, index) => `.loc 1 ${index + 1} 1\n${stepText(step, index)}`).join("\n");
}

function stepText(step: Step, index: number): string {
  if (step.kind === "block") return "bar.sync 0;";
  if (step.kind === "lanes")
    return `and.b32 %r4, %r0, ${-step.group & 31}; mov.u32 %r5, ${step.group === 32 ? -1 : (1 << step.group) - 1}; shl.b32 %r5, %r5, %r4; bar.warp.sync %r5;`;
  const address = `${wordText(step.word)} shl.b32 %r1, %r1, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;`;
  // Every store has a value of its own: storing what is there already would be no race.
  const access =
    step.kind === "load"
      ? "ld.shared.u32 %r3, [%r1];"
      : `mad.lo.u32 %r3, %r0, 100, ${index + 1}; st.shared.u32 [%r1], %r3;`;
  return `${address} ${guardText(step.who)}${access.replace(/(ld|st)\./, (name) => `${step.who.kind === "all" ? "" : "@%p0 "}${name}`)}`;
}

function wordText({ kind, number }: Word): string {
  if (kind === "fixed") return `mov.u32 %r1, ${number};`;
  if (kind === "flipped") return `xor.b32 %r1, %r0, ${number};`;
  return `add.u32 %r1, %r0, ${kind === "shifted" ? number : 0};`;
}

function guardText(who: Who): string {
  if (who.kind === "all") return "";
  if (who.kind === "below") return `setp.lt.u32 %p0, %r0, ${who.number}; `;
  if (who.kind === "thread") return `setp.eq.u32 %p0, %r0, ${who.number}; `;
  return `shr.u32 %r3, %r0, 5; setp.eq.u32 %p0, %r3, ${who.number}; `;
}
