import type { HostTensor } from "./values";

/** Where an element lies in a tensor, with the sizes that a launch passes for it. */
interface Place {
  readonly text: string;
  readonly sizes: readonly { readonly name: string; readonly value: string }[];
}

/** The tensor that tells the shape of the result. */
interface Whole {
  readonly model: string;
  readonly shape: readonly string[];
}

/** Dimensions side by side, from the first to behind the last, in which a tensor does not repeat. */
interface Group {
  readonly from: number;
  readonly to: number;
}

/**
 * The place of element `at` of the whole in a tensor that is broadcast to it: `at % n` of a bias,
 * `at // n` of a value for each row, and both of a mask for the keys of each sequence.
 */
export function placeIn({ name, shape }: HostTensor & { readonly name: string }, whole: Whole): Place {
  if (shape.join() === whole.shape.join()) return { text: "at", sizes: [] };
  const groups = groupsOf(shape, whole.shape);
  if (groups.length === 0) return { text: "at * 0", sizes: [] };
  const sizes: { name: string; value: string }[] = [];
  const sized = (word: string, value: string): string => {
    sizes.push({ name: `${name}_${word}`, value });
    return `${name}_${word}`;
  };
  const countOf = ({ from, to }: Group): string => `${whole.model}.shape[${from}:${to}].numel()`;
  const terms = groups.map((group, place) => {
    const suffix = place === 0 ? "" : String(place + 1);
    const isLast = group.to === whole.shape.length;
    const later = groups.slice(place + 1).map(countOf);
    const inner = isLast
      ? ""
      : ` // ${sized(`inner${suffix}`, `${whole.model}.shape[${group.to}:].numel()`)}`;
    const size = group.from === 0 ? "" : ` % ${sized(`size${suffix}`, countOf(group))}`;
    const stride = later.length === 0 ? "" : ` * ${sized(`stride${suffix}`, later.join(" * "))}`;
    return `at${inner}${size}${stride}`;
  });
  return { text: terms.join(" + "), sizes };
}

function groupsOf(shape: readonly string[], whole: readonly string[]): readonly Group[] {
  const lead = whole.length - shape.length;
  const groups: Group[] = [];
  for (const [place, extent] of whole.entries()) {
    const own = shape[place - lead] ?? "1";
    if (own !== extent) continue;
    const last = groups.at(-1);
    if (last?.to === place) groups[groups.length - 1] = { from: last.from, to: place + 1 };
    else groups.push({ from: place, to: place + 1 });
  }
  return groups;
}
