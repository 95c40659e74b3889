import { at, entry } from "../../../../../core/base/known";
import { elementOf, elementBytes, type FittedBuffer } from "../../../../../core/workload/probe/judge-probe";
import type { ProbeObservation } from "../../../../../core/workload/probe/observation";
import type { Setting } from "../../../../../core/workload/probe/settings";
import type { BoundTrials, SeenBefore } from "./bound-trials";
import type { FoundIndex } from "../find-indices";

/** Floats whose whole parts are places in a picture or a volume, and how large that is. */
export interface FoundCoordinates {
  readonly indices: readonly FoundIndex[];
  readonly buffers: readonly FittedBuffer[];
}

/** A place that no launch with the usual numbers, all below 1, comes to. */
const otherPlace = 11.25;
/** What all sizes are in a launch that tells how many axes a picture has: squares end exactly. */
const squares = [16, 32];
/** How many elements in front of the end the last place may lie: a neighbour or two are read as well. */
const mostMargin = 2;
/** Within the last place: what is rounded up leads to the next one. */
const inside = 0.75;
const mostAxes = 4;

/**
 * Buffers of floats that say where others are touched: points, boxes, flows. A picture has as many elements
 * as some sizes together, so that places up to its shortest side just stay in it.
 */
export async function findCoordinates(trials: BoundTrials, seen: SeenBefore): Promise<FoundCoordinates> {
  const indices: FoundIndex[] = [];
  let { buffers } = seen;
  if (seen.sizes.length < 2) return { indices, buffers };
  for (const { name, isRead, isWritten } of seen.buffers) {
    const { dtype } = elementOf(seen.elements, name).type;
    if (!isRead || isWritten || seen.known.has(name) || !dtype.includes("float")) continue;
    let isBounded = false;
    for (const into of await movedBy(trials, name, seen)) {
      const found = await pictureOf(trials, name, { into, seen });
      if (found === undefined) continue;
      if (!isBounded) indices.push(placesIn(name, found));
      isBounded = true;
      const extent = found.axes.join(" * ");
      buffers = buffers.map((each) =>
        each.name === into.name ? { ...each, extent, before: 0, overrun: undefined } : each,
      );
    }
  }
  return { indices, buffers };
}

/** Buffers that are only read, and farther where the floats of another one are larger. */
async function movedBy(
  trials: BoundTrials,
  name: string,
  { probes: { settings, observations }, buffers, elements }: SeenBefore,
): Promise<readonly FittedBuffer[]> {
  const ends = await endsWith(trials, name, { settings, place: () => otherPlace });
  if (ends === undefined) return [];
  return buffers.filter(
    (each) =>
      !each.isWritten &&
      each.name !== name &&
      observations.every((before, index) => {
        const bytes = elementBytes(elements, each.name);
        return (at(ends, index).get(each.name) ?? 0) >= endIn(before, each.name) + bytes;
      }),
  );
}

interface Sought {
  readonly into: FittedBuffer;
  readonly seen: SeenBefore;
}

/** The axes of a picture, the sides that bound places, and how far before their ends the last one lies. */
interface Picture {
  readonly axes: readonly string[];
  readonly sides: readonly string[];
  readonly margin: number;
}

/** Places within a picture: any other one along with it is taken to be as large. */
function placesIn(index: string, { sides, margin }: Picture): FoundIndex {
  const high = `min(${sides.join(", ")}) - ${margin + 1}`;
  return {
    ...{ index, into: "", rows: "", isNew: false, row: 1, base: 0 },
    distribution: { kind: "range", low: 0, high },
  };
}

async function pictureOf(trials: BoundTrials, name: string, sought: Sought): Promise<Picture | undefined> {
  const square = await axesOf(trials, name, sought);
  if (square === undefined) return undefined;
  const { sizes } = sought.seen;
  const chosen = subsetsOf(sizes, square.axes).sort((a, b) => fitnessOf(b, sought) - fitnessOf(a, sought));
  for (const axes of chosen)
    for (const sides of subsetsOf(axes, 2)) {
      const picture = { axes, sides, margin: square.margin };
      if (await staysWithin(trials, name, { sought, picture })) return picture;
    }
  return undefined;
}

/** How many sizes a picture has as axes, by a launch in which all are equal. */
async function axesOf(
  trials: BoundTrials,
  name: string,
  { into, seen }: Sought,
): Promise<{ readonly axes: number; readonly margin: number } | undefined> {
  const bytes = elementBytes(seen.elements, into.name);
  for (const side of squares)
    for (let margin = 0; margin <= mostMargin; margin += 1) {
      const settings = [Object.fromEntries(seen.sizes.map((size) => [size, side]))];
      const ends = await endsWith(trials, name, { settings, place: () => side - margin - inside });
      if (ends === undefined) break;
      const end = (at(ends, 0).get(into.name) ?? 0) / bytes;
      for (let axes = 2; axes <= Math.min(mostAxes, seen.sizes.length); axes += 1)
        if (end <= side ** axes && end > side ** axes - side) return { axes, margin };
    }
  return undefined;
}

/** Axes that the buffer was seen to have, and that no other buffer has, come first. */
function fitnessOf(axes: readonly string[], { into, seen }: Sought): number {
  const isIn = (name: string, text: unknown): boolean => new RegExp(`\\b${name}\\b`).test(String(text));
  const others = seen.buffers.flatMap(({ name, extent }) => (name === into.name ? [] : (extent ?? [])));
  return axes.reduce(
    (sum, axis) => sum + Number(isIn(axis, into.extent)) + Number(!isIn(axis, others.join(" "))),
    0,
  );
}

/** Whether places up to the shorter side lead nowhere behind the picture's end. */
async function staysWithin(
  trials: BoundTrials,
  name: string,
  { sought: { into, seen }, picture }: { readonly sought: Sought; readonly picture: Picture },
): Promise<boolean> {
  const { settings } = seen.probes;
  const place = (sizes: Setting): number =>
    Math.min(...picture.sides.map((side) => entry(sizes, side))) - picture.margin - inside;
  const ends = await endsWith(trials, name, { settings, place });
  if (ends === undefined) return false;
  return settings.every((sizes, index) => {
    const elements = picture.axes.reduce((product, axis) => product * entry(sizes, axis), 1);
    return (at(ends, index).get(into.name) ?? 0) <= elements * elementBytes(seen.elements, into.name);
  });
}

interface Places {
  readonly settings: readonly Setting[];
  readonly place: (sizes: Setting) => number;
}

/** How many bytes of each buffer are reached with such places everywhere; undefined where a call fails. */
async function endsWith(
  { contents, once }: BoundTrials,
  name: string,
  { settings, place }: Places,
): Promise<readonly ReadonlyMap<string, number>[] | undefined> {
  const ends: ReadonlyMap<string, number>[] = [];
  try {
    for (const sizes of settings) {
      contents.set(name, { kind: "constant", value: place(sizes) });
      const seen = await once(sizes);
      if (!seen.ok) return undefined;
      ends.push(new Map(seen.value.buffers.map((each) => [each.name, endIn(seen.value, each.name)])));
    }
    return ends;
  } finally {
    contents.delete(name);
  }
}

function endIn({ buffers }: Pick<ProbeObservation, "buffers">, name: string): number {
  const seen = buffers.find((each) => each.name === name);
  return Math.max(seen?.read?.to ?? 0, seen?.written?.to ?? 0);
}

function subsetsOf(names: readonly string[], count: number): (readonly string[])[] {
  if (count === 0) return [[]];
  return names.flatMap((name, index) =>
    subsetsOf(names.slice(index + 1), count - 1).map((rest) => [name, ...rest]),
  );
}
