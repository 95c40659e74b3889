import { divisorsOf } from "./size-relations";
import { stridesOf } from "../strided-tensor";
import type { ShapePlan } from "./plan";
import type { JsonObject } from "../../../base/json";
import usualSizeNames from "./usual-sizes.json";

/** What a size usually is that is called so. */
interface UsualSize {
  readonly usual: number;
  /** From where it grows, together with the others. */
  readonly first: number;
  /** It counts few things, or is a narrow width: more of them are not usual, whatever a GPU has room for. */
  readonly isFew: boolean;
}

type Row = (typeof usualSizeNames)[number];

/** Fewer sizes are rows and columns, whatever their names are. */
const leastSizes = 3;
/** What there are few of would leave no room for the others, were there as many as usual at first. */
const fewAtFirst = 4;
/** What is added to the usual width of a filter in each shape, and the widths of one that is usually wide. */
const [filterSteps, wideFilters, mostNarrow] = [[0, 1, -1, 2], [0, 6, 3, 8], 8];
/** What others are multiples of: groups, heads of keys, windows. */
const usualDivisor: UsualSize = { usual: 8, first: 2, isFew: true };
/** Words around the one that says what is counted: `num_heads`, `max_seq_len`, `S_max`, `row_count`. */
const around = /^(?:(?:num|n|nr|no|max|total|the)_)+|(?:_(?:max|total|count|num|no))+$/g;

const sizeRows: readonly Row[] = usualSizeNames.filter(({ isOfGrid }) => isOfGrid !== true);

/** What sizes are usually, by their names, for who asks about names of its own. */
export const usualSizeRows: readonly JsonObject[] = sizeRows.map((row) => ({
  names: row.names,
  ...(row.beside === undefined ? {} : { beside: row.beside }),
  usual: row.usual,
  isFew: row.isFew === true,
  isFilter: row.isFilter === true,
  isLength: row.isLength === true,
}));

/** The sizes of a plan that are no strides. */
export function ownSizes({ sizes, extents }: Pick<ShapePlan, "sizes" | "extents">): readonly string[] {
  const strides = stridesOf(extents);
  return sizes.filter((name) => !strides.includes(name));
}

/** What the numbers of a plan are usually, by their names, those of a name that says nothing left out. */
export function usualSizes(
  plan: Pick<ShapePlan, "sizes" | "extents" | "others" | "relations">,
): ReadonlyMap<string, UsualSize> {
  const names = [...ownSizes(plan), ...plan.others];
  const divisors = divisorsOf(plan.relations ?? []);
  const divided = names.flatMap((name): (readonly [string, UsualSize])[] =>
    divisors.has(name) ? [[name, usualDivisor]] : [],
  );
  const hasMany = names.length >= leastSizes;
  // How many blocks share the work is told by its name, where nothing else depends on it.
  const isTold = ([name, { isOfGrid }]: readonly [string, Row]): boolean =>
    isOfGrid === true ? plan.others.includes(name) : hasMany;
  const called = rowsOf(names)
    .filter(isTold)
    .map(([name, { usual, isFew = false, isFilter = false }]) => {
      const first = isFew && !isFilter ? Math.ceil(usual / fewAtFirst) : usual;
      return [name, { usual, first, isFew }] as const;
    });
  return new Map([...called, ...divided]);
}

/** Those of the names that say how wide a filter, its border or its step is: less than what it moves over. */
export function filterSizes(names: readonly string[]): ReadonlySet<string> {
  return new Set(rowsOf(names).flatMap(([name, { isFilter }]) => (isFilter === true ? [name] : [])));
}

/** The width of a filter in the shapes, the largest of which comes first; undefined for other sizes. */
export function filterWidth(
  plan: Pick<ShapePlan, "sizes" | "extents" | "others">,
  name: string,
  shape: number,
): number | undefined {
  const usual = rowsOf([...ownSizes(plan), ...plan.others]).find(([each]) => each === name)?.[1];
  if (usual?.isFilter !== true) return undefined;
  if (shape === 0) return usual.usual;
  return usual.usual > mostNarrow ? wideFilters[shape] : Math.max(1, usual.usual + (filterSteps[shape] ?? 0));
}

function rowsOf(names: readonly string[]): readonly (readonly [string, Row])[] {
  const words = [...new Set(names.map(wordOf))];
  return names.flatMap((name): readonly (readonly [string, Row])[] => {
    const word = wordOf(name);
    const found = usualSizeNames.find(
      ({ names: called, beside }) =>
        isCalled(word, called) && (beside === undefined || words.some((each) => isCalled(each, beside))),
    );
    return found === undefined ? [] : [[name, found]];
  });
}

/** `numKvHeads` is `kv_heads`. */
function wordOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(around, "");
}

/** Whether that is a word, or its last part is one of more than two letters, as of `kv_heads`. */
function isCalled(word: string, called: readonly string[]): boolean {
  return called.includes(word) || called.some((each) => each.length > 2 && word.endsWith(`_${each}`));
}
