/** One number for each warp of a block: the last interval of it that is known to be over. */
export type Known = Uint32Array;

/** Raises each number of `target` to that of `source`. */
export function join(target: Known, source: Known): void {
  for (let index = 0; index < target.length; index += 1)
    target[index] = Math.max(target[index] ?? 0, source[index] ?? 0);
}

/** Nothing in `part` is beyond `whole`. */
function covers(whole: Known, part: Known): boolean {
  for (let index = 0; index < part.length; index += 1)
    if ((part[index] ?? 0) > (whole[index] ?? 0)) return false;
  return true;
}

/** What a warp passes on: what is known of the warps of its block, and the warp and interval that do so. */
export interface Release {
  /** Not changed any more. */
  readonly known: Known;
  readonly warp: number;
  readonly interval: number;
}

/** Children of a node: digits of a block's number. */
const radix = 16;

/**
 * What is known of the blocks of a launch, as a tree over the digits of their numbers: node 0 levels high, a
 * leaf, is about one block. Nodes are never changed, so that all who know the same, or nearly the same, share
 * them.
 */
export interface Knowledge {
  readonly serial: number;
  readonly level: number;
  readonly children: readonly (Knowledge | undefined)[];
  /**
   * Of a leaf: the block's warps, then the same for atomics and strong accesses, up to the release itself: it
   * comes before whoever acquires it, although it stands behind the fence (a last block may reset the counter
   * that it was counted by).
   */
  readonly words: Known;
}

/** What was joined before, found again by the two nodes. */
interface Joined {
  readonly first: Knowledge;
  readonly second: Knowledge;
  readonly result: Knowledge;
}

/** Joins that are remembered; a power of two. */
const mostRemembered = 8192;

const noWords = new Uint32Array(0);

/** Makes knowledge. Of the same two nodes it makes the same one again where it can. */
export class Knowing {
  /** Nodes made since this was set to 0. */
  made = 0;
  private serial = 0;
  private readonly remembered: (Joined | undefined)[] = [];

  /** What a release adds: one block. */
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
   * What both know; one of the two where it knows all that the other does and is no lower, the first if both
   * do.
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

  /** Nothing is kept of what was joined. */
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

  /** The same for numbers with more digits, which begin with zeroes. */
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

/**
 * Up to which interval a warp of a block is known to be over; for accesses that synchronise when
 * `synchronizing`.
 */
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

/** Adds to `nodes` all that knowledge is made of. */
export function collectNodes(knowledge: Knowledge, nodes: Set<Knowledge>): void {
  if (nodes.has(knowledge)) return;
  nodes.add(knowledge);
  for (const child of knowledge.children) if (child) collectNodes(child, nodes);
}
