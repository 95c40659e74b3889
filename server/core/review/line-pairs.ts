/** A line of the base text, and the new lines that stand in its place or behind it. */
export interface PairedLine {
  /** True where the line stays; then the new lines are inserted behind it. */
  readonly stays: boolean;
  readonly newLines: readonly string[];
}

/** So many pairs of lines are compared at most; a greater change is paired in order. */
const mostPairs = 40_000;
/** Of lines that have nothing in common: they replace each other all the same, in order. */
const leastLikeness = 0.01;
/** Below this the beginning and end that two lines share are chance. */
const chanceLikeness = 0.3;

/**
 * The lines of a change beside those that they replace: lines that stay beside themselves, changed ones
 * beside the one that they are most like, further ones behind the line before. One entry for each base line;
 * what would stand before the first belongs to it.
 */
export function pairLines(base: readonly string[], proposed: readonly string[]): readonly PairedLine[] {
  const partners =
    base.length * proposed.length > mostPairs ? inOrder(base, proposed) : matched(base, proposed);
  return base.map((line, row) => {
    const own = partners[row];
    const next = partners.slice(row + 1).find((each) => each !== undefined) ?? proposed.length;
    const begin = row === 0 ? 0 : own;
    if (begin === undefined) return { stays: false, newLines: [] };
    const stays = own === begin && proposed[begin]?.trim() === line.trim();
    return { stays, newLines: proposed.slice(stays ? begin + 1 : begin, next) };
  });
}

function inOrder(base: readonly string[], proposed: readonly string[]): readonly (number | undefined)[] {
  return base.map((_, row) => (row < proposed.length ? row : undefined));
}

/** The new line of each base line, in the order of both and as like as can be. */
function matched(base: readonly string[], proposed: readonly string[]): readonly (number | undefined)[] {
  const width = proposed.length + 1;
  const likeness = base.map((line) => proposed.map((other) => likenessOf(line.trim(), other.trim())));
  // The best sum for what is left of both from a place on.
  const best = new Float64Array((base.length + 1) * width);
  const bestAt = (row: number, column: number): number => best[row * width + column] ?? 0;
  const taken = (row: number, column: number): number =>
    (likeness[row]?.[column] ?? 0) + bestAt(row + 1, column + 1);
  for (let row = base.length - 1; row >= 0; row -= 1)
    for (let column = proposed.length - 1; column >= 0; column -= 1)
      best[row * width + column] = Math.max(
        taken(row, column),
        bestAt(row + 1, column),
        bestAt(row, column + 1),
      );
  const partners: (number | undefined)[] = [];
  for (let [row, column] = [0, 0]; row < base.length;) {
    const sum = bestAt(row, column);
    if (column < proposed.length && taken(row, column) >= sum) {
      partners.push(column);
      row += 1;
      column += 1;
    } else if (column < proposed.length && bestAt(row, column + 1) >= sum) column += 1;
    else {
      partners.push(undefined);
      row += 1;
    }
  }
  return partners;
}

/** 2 for equal lines, else the share of the longer one that both begin and end with. */
function likenessOf(line: string, other: string): number {
  if (line === other) return line === "" ? leastLikeness : 2;
  const shorter = Math.min(line.length, other.length);
  let begin = 0;
  while (begin < shorter && line[begin] === other[begin]) begin += 1;
  let end = 0;
  while (end < shorter - begin && line.at(-1 - end) === other.at(-1 - end)) end += 1;
  const share = (begin + end) / Math.max(line.length, other.length);
  return share < chanceLikeness ? leastLikeness : share;
}
