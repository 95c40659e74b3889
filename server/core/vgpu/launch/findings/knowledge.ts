/** A vector clock: for each warp of a block the last interval that is known to be over. */
export type Known = Uint32Array;

/** Raises one entry of a vector clock to `value`. */
export function raise(clock: Known, index: number, value: number): void {
  clock[index] = Math.max(clock[index] ?? 0, value);
}

/** Joins `source` into `target`: the maximum of each entry. */
export function join(target: Known, source: Known): void {
  for (let index = 0; index < target.length; index += 1)
    target[index] = Math.max(target[index] ?? 0, source[index] ?? 0);
}

/** Whether `part` happens before or at `whole`: no entry is greater. */
function covers(whole: Known, part: Known): boolean {
  for (let index = 0; index < part.length; index += 1)
    if ((part[index] ?? 0) > (whole[index] ?? 0)) return false;
  return true;
}

/** A release by a warp in one of its intervals. */
export interface Release {
  /** The vector clock that it passes on. Immutable from here on. */
  readonly known: Known;
  readonly warp: number;
  readonly interval: number;
}

/** Children of a node: one for each digit of a block's number. */
const radix = 16;

/**
 * The vector clocks of many blocks, as a tree over the digits of the blocks' numbers; a leaf (level 0) is one
 * block. Nodes are immutable, so equal and nearly equal knowledge shares nodes.
 */
export interface Knowledge {
  readonly serial: number;
  readonly level: number;
  readonly children: readonly (Knowledge | undefined)[];
  /**
   * Of a leaf: the vector clock for plain accesses, then the one for atomics and strong accesses. The second
   * includes the release itself, which happens before its acquirers although it comes after the fence (a last
   * block may reset the counter by which it was counted).
   */
  readonly words: Known;
}

/** A remembered join. */
interface Joined {
  readonly first: Knowledge;
  readonly second: Knowledge;
  readonly result: Knowledge;
}

/** Size of the table of remembered joins; a power of two. */
const mostRemembered = 8192;

const noWords = new Uint32Array(0);

/** Makes knowledge, and remembers joins so that the same two nodes give the same node again. */
export class Knowing {
  /** Nodes made since this was set to 0. */
  made = 0;
  private serial = 0;
  private readonly remembered: (Joined | undefined)[] = [];

  /** The knowledge of one block that a release passes on. */
  of(block: number, { known, warp, interval }: Release): Knowledge {
    const words = new Uint32Array(2 * known.length);
    words.set(known);
    words.set(known, known.length);
    words[known.length + warp] = Math.max(known[warp] ?? 0, interval);
    let node = this.node(0, [], words);
    let rest = block;
    do {
      node = this.parent(node, rest % radix);
      rest = Math.floor(rest / radix);
    } while (rest > 0);
    return node;
  }

  /**
   * The join of both. Returns one of the two if it covers the other and is no lower; the first if both do.
   */
  join(first: Knowledge, second: Knowledge): Knowledge {
    if (first === second) return first;
    const place = (Math.imul(first.serial, 0x9e37_79b1) ^ second.serial) & (mostRemembered - 1);
    const found = this.remembered[place];
    if (found?.first === first && found.second === second) return found.result;
    const result = first.level === 0 ? this.joinLeaves(first, second) : this.joinBranches(first, second);
    this.remembered[place] = { first, second, result };
    return result;
  }

  /** Drops all remembered joins. */
  forget(): void {
    this.remembered.length = 0;
    this.made = 0;
  }

  private joinLeaves(first: Knowledge, second: Knowledge): Knowledge {
    if (covers(first.words, second.words)) return first;
    if (covers(second.words, first.words)) return second;
    const words = first.words.slice();
    join(words, second.words);
    return this.node(0, [], words);
  }

  private joinBranches(first: Knowledge, second: Knowledge): Knowledge {
    const level = Math.max(first.level, second.level);
    const [one, two] = [this.raised(first, level), this.raised(second, level)];
    let [isOne, isTwo] = [true, true];
    const children = one.children.map((child, index) => {
      const other = two.children[index];
      const both = child && other ? this.join(child, other) : (child ?? other);
      if (both !== child) isOne = false;
      if (both !== other) isTwo = false;
      return both;
    });
    if (isOne) return one;
    return isTwo ? two : this.node(level, children, noWords);
  }

  /** The same knowledge as a tree of more levels. */
  private raised(knowledge: Knowledge, level: number): Knowledge {
    let node = knowledge;
    while (node.level < level) node = this.parent(node, 0);
    return node;
  }

  private parent(child: Knowledge, digit: number): Knowledge {
    const children = Array.from<Knowledge | undefined>({ length: radix });
    children[digit] = child;
    return this.node(child.level + 1, children, noWords);
  }

  private node(level: number, children: Knowledge["children"], words: Known): Knowledge {
    this.made += 1;
    this.serial += 1;
    return { serial: this.serial, level, children, words };
  }
}

/** The last interval of a block's warp that is known to be over. `synchronizing`: for strong accesses. */
export function overUpTo(
  knowledge: Knowledge,
  block: number,
  { warp, synchronizing }: { readonly warp: number; readonly synchronizing: boolean },
): number {
  if (block >= radix ** knowledge.level) return 0;
  let node: Knowledge | undefined = knowledge;
  while (node && node.level > 0) node = node.children[Math.floor(block / radix ** (node.level - 1)) % radix];
  return node?.words[synchronizing ? node.words.length / 2 + warp : warp] ?? 0;
}

/** Adds all nodes of some knowledge to `nodes`. */
export function collectNodes(knowledge: Knowledge, nodes: Set<Knowledge>): void {
  if (nodes.has(knowledge)) return;
  nodes.add(knowledge);
  for (const child of knowledge.children) if (child) collectNodes(child, nodes);
}
