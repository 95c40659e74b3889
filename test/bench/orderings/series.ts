import { readFileSync } from "node:fs";
import { at } from "../../../server/core/base/known";
import type { Triple } from "../../../server/core/vgpu/index";
import { inRepository } from "../../../server/setup/support/layout.mjs";

/** Versions of one computation with published figures, from the first to the last of the source. */
export interface Series {
  readonly name: string;
  /** Row of gpu-limits.json: the GPU of the source or the nearest one that is compiled for. */
  readonly gpu: string;
  /** CUDA or PTX, in the folder of the cases. */
  readonly file: string;
  readonly source: string;
  /** Of the published figures; those with a slash are rates, the others times. */
  readonly unit: string;
  /** "order": only which version is faster is compared, since the source has no figures of such a GPU. */
  readonly compare?: "order";
  /** Whoever builds the model does not look at it. */
  readonly heldOut?: boolean;
  /** Type, number of elements and, for integers, a bound: `u32 1024 below 256`. */
  readonly buffers: Readonly<Record<string, string>>;
  readonly cases: readonly SeriesCase[];
}

export interface SeriesCase {
  readonly name: string;
  readonly published: number;
  /** Where it is not the series' file. */
  readonly file?: string;
  /** As `kernel<<<(x,y),(x,y),bytes>>>(buffer, 12, 1.5)`. */
  readonly launches: readonly string[];
  /** What our own times (measured-*.json) were taken of, where that is other code than the source's. */
  readonly measured?: readonly string[];
}

/** One launch as a case writes it. */
export interface WrittenLaunch {
  readonly kernel: string;
  readonly grid: Triple;
  readonly block: Triple;
  readonly sharedBytes: number;
  readonly arguments: readonly string[];
}

const folder = inRepository("test", "cases", "orderings");

export function caseFile(name: string): string {
  return `${folder}/${name}`;
}

export function readSeries(): readonly Series[] {
  return JSON.parse(readFileSync(caseFile("orderings.json"), "utf8")) as readonly Series[];
}

/** Series that we have timed ourselves, and nobody has published: their figures are those times. */
export function readTimedSeries(): readonly Series[] {
  return JSON.parse(readFileSync(caseFile("timed.json"), "utf8")) as readonly Series[];
}

/**
 * Reads a written launch.
 * @throws Error that quotes the text, if it has another form
 */
export function parseLaunch(text: string): WrittenLaunch {
  const found = /^(\w+)<<<(.+)>>>\((.*)\)$/.exec(text);
  if (!found) throw new Error(`"${text}" is no launch: expected kernel<<<grid,block>>>(arguments)`);
  const parts = at(found, 2).match(/\([^)]*\)|\d+/g) ?? [];
  const triple = (part: string): Triple => {
    const [x = 1, y = 1, z = 1] = (part.match(/\d+/g) ?? []).map(Number);
    return [x, y, z];
  };
  return {
    kernel: at(found, 1),
    grid: triple(at(parts, 0)),
    block: triple(at(parts, 1)),
    sharedBytes: Number(parts[2] ?? 0),
    arguments: at(found, 3).split(", "),
  };
}

/** Relative time of a case by its published figure: rates are turned round. */
export function publishedTime(series: Series, { published }: SeriesCase): number {
  const isRate = /\/s|peak|speed|order/.test(series.unit) && series.compare === undefined;
  const isRank = series.unit === "order";
  return isRate || isRank ? 1 / published : published;
}
