/**
 * For each line of one text the index of the same line in another, or -1. Order is kept: indices only grow.
 */
export type Alignment = readonly number[];

/** More differing lines than this are not aligned: the texts have little to do with each other. */
const differenceLimit = 2_000;

/**
 * Myers' shortest edit script over whole lines (E. W. Myers, "An O(ND) difference algorithm and its
 * variations", 1986).
 */
export function alignLines(from: readonly string[], to: readonly string[]): Alignment {
  const head = commonHead(from, to);
  const tail = commonTail(from, to, head);
  const result: number[] = from.map(() => -1);
  for (let index = 0; index < head; index += 1) result[index] = index;
  for (let index = 0; index < tail; index += 1) result[from.length - 1 - index] = to.length - 1 - index;
  const inner = shortestScript(from.slice(head, from.length - tail), to.slice(head, to.length - tail));
  for (const [a, b] of inner) result[head + a] = head + b;
  return result;
}

function commonHead(from: readonly string[], to: readonly string[]): number {
  let count = 0;
  while (count < from.length && count < to.length && from[count] === to[count]) count += 1;
  return count;
}

function commonTail(from: readonly string[], to: readonly string[], head: number): number {
  const room = Math.min(from.length, to.length) - head;
  let count = 0;
  while (count < room && from[from.length - 1 - count] === to[to.length - 1 - count]) count += 1;
  return count;
}

/** Pairs of equal lines on a shortest edit script; none when the texts differ by more than the limit. */
function shortestScript(
  from: readonly string[],
  to: readonly string[],
): readonly (readonly [number, number])[] {
  const furthest = new Map<number, number>([[1, 0]]);
  const rounds: Map<number, number>[] = [];
  const limit = Math.min(from.length + to.length, differenceLimit);
  for (let differences = 0; differences <= limit; differences += 1) {
    rounds.push(new Map(furthest));
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = nextX(furthest, diagonal, differences);
      while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x += 1;
      furthest.set(diagonal, x);
      if (x >= from.length && x - diagonal >= to.length) return backtrack(rounds, from.length, to.length);
    }
  }
  return [];
}

function nextX(furthest: ReadonlyMap<number, number>, diagonal: number, differences: number): number {
  const below = furthest.get(diagonal + 1) ?? -1;
  const left = furthest.get(diagonal - 1) ?? -1;
  return diagonal === -differences || (diagonal !== differences && left < below) ? below : left + 1;
}

function backtrack(
  rounds: readonly ReadonlyMap<number, number>[],
  fromEnd: number,
  toEnd: number,
): readonly (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  let x = fromEnd;
  let y = toEnd;
  for (let differences = rounds.length - 1; differences >= 0; differences -= 1) {
    const furthest = rounds[differences] ?? new Map<number, number>();
    const diagonal = x - y;
    const down =
      diagonal === -differences ||
      (diagonal !== differences && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1));
    const beforeX = furthest.get(down ? diagonal + 1 : diagonal - 1) ?? 0;
    const beforeY = beforeX - (down ? diagonal + 1 : diagonal - 1);
    while (x > beforeX && y > beforeY && x > 0 && y > 0) {
      x -= 1;
      y -= 1;
      pairs.push([x, y]);
    }
    x = beforeX;
    y = beforeY;
  }
  return pairs.reverse();
}
