import { at } from "../../base/known";
import { evaluateSizeExpression } from "../size-expression";
import type { SizeExpression } from "../spec";
import { divisorsOf, type SizeRelation, withRelations } from "./shapes/size-relations";

/** Values of the sizes for one probe. */
export type Setting = Readonly<Record<string, number>>;

/** Sizes that follow from others, by name. */
export type TiedSizes = ReadonlyMap<string, SizeExpression>;

/** A setting with the values of sizes that follow from others, none below 0. */
function withTied(setting: Setting, tied: TiedSizes): Setting {
  if (tied.size === 0) return setting;
  const values = [...tied].map(([name, expression]) => {
    const outcome = evaluateSizeExpression(expression, setting);
    return [name, outcome.ok ? Math.max(0, outcome.value) : 0] as const;
  });
  return { ...setting, ...Object.fromEntries(values) };
}

/** Sizes of which all holds that has to, and with those that follow from others. */
export function settled(
  { tied, relations }: Required<Pick<SettingOptions, "tied" | "relations">>,
  sizes: Setting,
): Setting {
  return withTied(
    withRelations(sizes, relations, (_, wanted) => wanted),
    tied,
  );
}

/**
 * Values for kernels with one to four sizes: odd, so that no expression fits by chance; below and
 * above a usual block, so that numbers of blocks differ; their products small, so that a probe takes
 * milliseconds.
 */
const large: readonly (readonly (readonly number[])[])[] = [
  [[1151], [613], [907], [769]],
  [
    [601, 67],
    [97, 389],
    [331, 53],
    [83, 263],
  ],
  [
    [31, 41, 53],
    [29, 37, 67],
    [37, 43, 47],
    [23, 53, 61],
  ],
  [
    [13, 11, 17, 19],
    [17, 7, 19, 23],
    [11, 19, 13, 29],
    [7, 23, 11, 37],
  ],
];
/** Values for kernels with more sizes, and where larger ones take too long; each setting begins elsewhere. */
const small = [23, 31, 19, 37, 29, 17, 41, 13, 43, 11];

/** The same for so many sizes that all of them may be those of one buffer. */
const tiny = [11, 17, 7, 13, 19, 5, 23, 9];

/** The same where the work is a product of all sizes, as of a convolution. */
const least = [5, 7, 3, 9, 4, 11, 6, 8];

/** Numbers of blocks, none of which is a size above: of two equal ones nothing tells which an extent has. */
const blockCounts = [27, 33, 21, 39, 25, 35];

/** Sizes that are less than others, as those of a filter. */
const lesserSizes = [3, 5, 2, 4];

/** What values are of the step, or of a multiple of it, where they have to be multiples. */
const multiples = [1, 3, 2, 5, 4];
/** The same of two sizes and more whose step is a tile of a product: a probe has the work of four tiles. */
const ofTiles = [
  [1, 2, 1, 1],
  [2, 1, 1, 2],
  [1, 1, 2, 1],
  [2, 2, 1, 1],
];

/** How many settings there are: the last one only confirms what was fitted to the others. */
export const settingCount = 4;

export interface SettingOptions {
  /** Every value is a multiple of this. */
  readonly step: number;
  /** Values that take little work. */
  readonly isSmall: boolean;
  /** Names that stand for a number of blocks: they are kept small. */
  readonly counts?: ReadonlySet<string>;
  /** The step is what a block computes of a product: of three sizes, no value is above two of it. */
  readonly isTiled?: boolean;
  /** Four sizes and more may be those of one buffer. */
  readonly isTiny?: boolean;
  /** Small values, and the work may be a product of all sizes. */
  readonly isLeast?: boolean;
  /** Names of strides, which are longer than any size: else rows lie over each other. */
  readonly strides?: ReadonlySet<string>;
  /** Names of sizes that are less than others. */
  readonly lesser?: ReadonlySet<string>;
  /** Numbers that the kernel divides by a constant, whatever the step is. */
  readonly parts?: ReadonlyMap<string, SizeParts>;
  readonly tied?: TiedSizes;
  /** What has to hold of sizes and others. */
  readonly relations?: readonly SizeRelation[];
}

/** A size is some whole parts of so many, and a rest: below zero, what the last part lacks. */
export interface SizeParts {
  readonly of: number;
  readonly rest: number;
}

/** The settings of a series of probes. */
export function probeSettings(
  names: readonly string[],
  { tied = new Map(), relations = [], ...options }: SettingOptions,
): readonly Setting[] {
  const free = names.filter((name) => !tied.has(name));
  const lesser = new Set([...(options.lesser ?? []), ...divisorsOf(relations)]);
  const { step } = options;
  const nearest = (_: string, wanted: number): number => step * Math.max(1, Math.round(wanted / step));
  return freeSettings(free, { ...options, lesser }).map((setting) =>
    withTied(withRelations(setting, relations, nearest), tied),
  );
}

function freeSettings(
  names: readonly string[],
  {
    step,
    isSmall,
    counts = new Set(),
    isTiled = false,
    isTiny = false,
    isLeast = false,
    strides = new Set(),
    lesser = new Set(),
    parts = new Map(),
  }: Omit<SettingOptions, "tied" | "relations">,
): readonly Setting[] {
  const sizes = names.filter((name) => !counts.has(name) && !lesser.has(name));
  const table = isSmall || isTiny ? undefined : large[sizes.length - 1];
  const plain = isTiny ? tiny : small;
  const few = isLeast ? least : plain;
  return Array.from({ length: settingCount }, (_, index) => {
    const value = (position: number): number => {
      const row = (each: number): number =>
        table === undefined ? at(few, (position + 3 * each) % few.length) : at(at(table, each), position);
      const split = parts.get(at(sizes, position));
      if (split !== undefined)
        return (
          split.of * at(multiples, (position + index) % multiples.length) +
          (step === 1 ? split.rest : Math.min(0, split.rest))
        );
      if (step === 1) return row(index);
      const round = (length: number): number => Math.floor(position / length);
      if (isTiled && sizes.length > 1) {
        const tiles = at(at(ofTiles, index), position % ofTiles.length);
        return step * (round(ofTiles.length) % 2 === 0 ? tiles : 3 - tiles);
      }
      // Odd, so that not all values are multiples of twice the step.
      const scale = 2 * Math.floor(row(0) / (6 * step)) + 1;
      // Each round of names takes them in another order: else two sizes would be the same in all settings.
      return (
        step * scale * at(multiples, (position + index * (1 + round(multiples.length))) % multiples.length)
      );
    };
    const longest = Math.max(0, ...sizes.map((_, position) => value(position)));
    const own = (name: string): number =>
      value(sizes.indexOf(name)) + (strides.has(name) && strides.size < sizes.length ? longest : 0);
    const inTurn = (values: readonly number[], position: number): number =>
      at(values, (position + index) % values.length);
    return Object.fromEntries(
      names.map((name, position) => {
        if (counts.has(name)) return [name, inTurn(blockCounts, position)];
        return [name, lesser.has(name) ? inTurn(lesserSizes, position) : own(name)];
      }),
    );
  });
}
