import { type Constants, constantValue } from "../constants";
import type { SizeParts } from "../../../workload/probe/settings";
import { filterSizes } from "../../../workload/probe/shapes/usual-sizes";
import { type KernelCode, type SizesInText, sizesInText } from "./refused-sizes";
import { countsInMemory } from "./counts-in-memory";
import { type AskedNumber, askedNumbers } from "./asked-numbers";
import { chosenWays } from "./contents/chosen-ways";
import { reachedText } from "./contents/reached-text";
import type { SyntaxNode } from "../../tree";
import { flagValues } from "./flag-values";
import { lesserSizes } from "./sizes/lesser-sizes";
import { sizeParts } from "./sizes/size-parts";
import { valueEnds } from "./value-ends";

/** What headers of C define. */
const limits: Readonly<Record<string, number>> = {
  INT_MAX: 2 ** 31 - 1,
  INT_MIN: -(2 ** 31),
  INT32_MAX: 2 ** 31 - 1,
  UINT_MAX: 2 ** 32 - 1,
  UINT32_MAX: 2 ** 32 - 1,
};

/**
 * Numbers that elements have to equal for a kernel to go on: `if (label[i] == NONE)`, also through a local,
 * and `atomicCAS(&owner[i], FREE, me)`. By the names of their pointers; `body`: of the kernel.
 */
function comparedValues(
  body: string,
  pointers: readonly string[],
  constants: Constants,
): ReadonlyMap<string, number> {
  const code = body.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, " ");
  return new Map(
    pointers.flatMap((name): readonly (readonly [string, number])[] => {
      const texts = comparisons(code, name);
      const values = texts.map((text) => limits[text] ?? constantValue(text, constants));
      const [value] = values.filter((each) => each !== undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function comparisons(code: string, name: string): readonly string[] {
  const element = String.raw`\b${name}\s*\[[^;{}=]*?\](?:\.\w+)?`;
  const locals = [...code.matchAll(new RegExp(String.raw`\b(\w+)\s*=\s*${element}\s*;`, "g"))];
  const read = [element, ...locals.map(([, local]) => String.raw`\b${local}\b`)].join("|");
  const forms = [
    String.raw`(?:${read})\s*==\s*(-?\w+)`,
    String.raw`\batomicCAS\s*\(\s*(?:&\s*${element}|${name}\s*\+[^,]*)\s*,\s*(-?\w+)\s*,`,
  ];
  return forms.flatMap((form) => [...code.matchAll(new RegExp(form, "g"))].map(([, text = ""]) => text));
}

/** What a kernel asks of the values that it is handed. */
export interface AskedValues extends SizesInText {
  /** Numbers that elements have to equal for the kernel to go on, by the names of their pointers. */
  readonly compared: ReadonlyMap<string, number>;
  /** The greatest number that the elements of flags and states are asked for, by their pointers' names. */
  readonly flags: ReadonlyMap<string, number>;
  /** What elements are compared with in other ways, too; see `askedNumbers`. */
  readonly asked: ReadonlyMap<string, readonly AskedNumber[]>;
  /** Arrays of which two elements side by side are read, as where rows begin and end. */
  readonly ends: ReadonlySet<string>;
  /** Numbers that are divided by a constant; see `sizeParts`. */
  readonly parts: ReadonlyMap<string, SizeParts>;
  /** Numbers that are less than others, by the code or by their names; see `lesserSizes`, `filterSizes`. */
  readonly lesser: ReadonlySet<string>;
  /** Numbers that are the ends of a range of values; see `valueEnds`. */
  readonly valueEnds: ReadonlyMap<string, number>;
  /** Numbers that choose one of a few ways; see `chosenWays`. */
  readonly ways: ReadonlyMap<string, number>;
  /** Pointers to counts; see `countsInMemory`. */
  readonly counts: ReadonlySet<string>;
}

/** What a kernel asks of the elements of its arrays, and of its numbers. */
export function askedValues(
  body: string,
  { pointers, numbers }: { readonly pointers: readonly string[]; readonly numbers: readonly string[] },
  constants: Constants,
  code: KernelCode & { readonly roots: readonly SyntaxNode[] },
): AskedValues {
  return {
    ...sizesInText(code, { pointers, numbers, constants }),
    compared: comparedValues(body, pointers, constants),
    flags: flagValues(body, pointers, constants),
    asked: askedNumbers(body, { pointers, numbers }, constants),
    ends: new Set(
      pointers.filter((name) => new RegExp(String.raw`\b${name}\s*\[[^\]]*\+\s*1\s*\]`).test(body)),
    ),
    parts: sizeParts(body, numbers, constants),
    lesser: new Set([...lesserSizes(body, numbers), ...filterSizes(numbers)]),
    valueEnds: valueEnds(body, pointers, numbers),
    counts: countsInMemory(body, pointers),
    ways: chosenWays({ body, reached: reachedText(body, code.roots) }, numbers, constants),
  };
}
