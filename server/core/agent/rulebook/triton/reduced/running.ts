import type { Reduction } from "./host-reduction";

/** What a loop over tiles carries for each row, in Triton's words. */
interface Running {
  /** In front of the loop. */
  readonly begin: readonly string[];
  /** In each turn, behind what makes the tile. */
  readonly turn: readonly string[];
  /** What each wanted reduction is in the end. */
  readonly results: readonly string[];
}

/** The names and texts that a running reduction is made of. */
interface Tile {
  readonly library: string;
  /** The value of the tile, and where it counts; undefined for everywhere. */
  readonly value: string;
  readonly mask: string | undefined;
  /** The axis of the tile that goes, and the length of the other one. */
  readonly axis: 0 | 1;
  readonly length: string;
  /** The indices along the axis that goes. */
  readonly indices: string;
  /** How many there are of them, in the kernel's words. */
  readonly count: string;
  readonly name: (wanted: string) => string;
}

/** The running form of reductions of the rows of a matrix. */
export function runningReduction(wanted: readonly Reduction[], tile: Tile): Running {
  if (wanted.includes("logsumexp")) return runningExponentials(tile);
  if (wanted.includes("sum") || wanted.includes("mean")) return runningSum(wanted, tile);
  return runningExtreme(wanted, tile);
}

function runningSum(wanted: readonly Reduction[], tile: Tile): Running {
  const { library, axis, count } = tile;
  const sum = tile.name("row_sum");
  return {
    begin: [filled(tile, sum, "0.0")],
    turn: [`${sum} += ${library}sum(${counted(tile, "0.0")}, axis=${axis})`],
    results: wanted.map((each) => (each === "mean" ? `${sum} / ${count}` : sum)),
  };
}

/** As torch does, what is infinite is not taken off before exponentials are made. */
function runningExponentials(tile: Tile): Running {
  const { library, axis } = tile;
  const [most, shift, sum, scores, next] = named(tile, ["row_max", "row_shift", "row_sum", "scores", "next"]);
  return {
    begin: [filled(tile, most, '-float("inf")'), filled(tile, shift, "0.0"), filled(tile, sum, "0.0")],
    turn: [
      `${scores} = ${counted(tile, '-float("inf")')}`,
      `${most} = ${library}maximum(${most}, ${library}max(${scores}, axis=${axis}))`,
      `${next} = ${library}where(${library}abs(${most}) == float("inf"), 0.0, ${most})`,
      `${sum} = ${library}where(${sum} == 0.0, 0.0, ${sum} * ${library}exp(${shift} - ${next}))`,
      `${sum} += ${library}sum(${library}exp(${scores} - ${lined(tile, next)}), axis=${axis})`,
      `${shift} = ${next}`,
    ],
    results: [`${shift} + ${library}log(${sum})`],
  };
}

/** As torch does, what is no number counts as the extreme. */
function runningExtreme(wanted: readonly Reduction[], tile: Tile): Running {
  const { library, axis, indices } = tile;
  const isMax = wanted.some((each) => each.endsWith("max"));
  const [kind, least, most] = isMax
    ? ["max", '-float("inf")', 'float("inf")']
    : ["min", 'float("inf")', '-float("inf")'];
  const [best, scores, own] = named(tile, [`row_${kind}`, "scores", "tile_best"]);
  const begin = [filled(tile, best, least)];
  const turn = [
    `${scores} = ${counted(tile, least)}`,
    `${scores} = ${library}where(${scores} == ${scores}, ${scores}, ${most})`,
    `${own} = ${library}${kind}(${scores}, axis=${axis})`,
  ];
  const results = new Map<boolean, string>();
  if (wanted.some((each) => each.startsWith("arg"))) {
    const [place, at] = named(tile, ["row_place", "tile_place"]);
    begin.push(`${place} = ${library}full([${tile.length}], 0, ${library}int32)`);
    const across = axis === 1 ? "[None, :]" : "[:, None]";
    const atBest = `${scores} == ${lined(tile, own)}`;
    turn.push(
      `${at} = ${library}min(${library}where(${atBest}, ${atom(indices)}${across}, 2147483647), axis=${axis})`,
      `${place} = ${library}where(${own} ${isMax ? ">" : "<"} ${best}, ${at}, ${place})`,
    );
    results.set(true, `${place}.to(${library}int64)`);
  }
  if (wanted.some((each) => !each.startsWith("arg"))) {
    const odd = tile.name("row_odd");
    begin.push(filled(tile, odd, "0.0"));
    const isOdd = `${library}where(${scores} == ${scores}, 0.0, 1.0)`;
    turn.splice(1, 0, `${odd} += ${library}sum(${isOdd}, axis=${axis})`);
    results.set(false, `${library}where(${odd} > 0.0, float("nan"), ${best})`);
  }
  turn.push(`${best} = ${library}${kind}imum(${best}, ${own})`);
  return { begin, turn, results: wanted.map((each) => results.get(each.startsWith("arg")) ?? best) };
}

function named<Wanted extends readonly string[]>(
  { name }: Tile,
  wanted: readonly [...Wanted],
): { readonly [Place in keyof Wanted]: string } {
  return wanted.map(name) as { [Place in keyof Wanted]: string };
}

function filled({ library, length }: Tile, name: string, value: string): string {
  return `${name} = ${library}full([${length}], ${value}, ${library}float32)`;
}

/** The tile with what does not count set to what changes nothing. */
function counted({ library, value, mask }: Tile, neutral: string): string {
  const single = `${atom(value)}.to(${library}float32)`;
  return mask === undefined ? single : `${library}where(${mask}, ${single}, ${neutral})`;
}

/** A value for each row, as a column of the tile. */
function lined({ axis }: Tile, name: string): string {
  return axis === 1 ? `${name}[:, None]` : `${name}[None, :]`;
}

function atom(text: string): string {
  return /^\w+$/.test(text) ? text : `(${text})`;
}
