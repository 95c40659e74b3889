import { at as element } from "../../../base/known";
import { type Image, type Sampler, type addressModes, texelBytes } from "../../memory/images";
import { type TexelFormat, bitsOf, numberOf, roundedToHalf, texelFormat } from "./texels";

/** A texture whose memory has been found. */
export interface Texture {
  readonly image: Image;
  readonly sampler: Sampler;
  readonly format: TexelFormat;
  readonly texelBytes: number;
  /** Linear address of the first texel, and the name of its allocation. */
  readonly linear: number;
  readonly allocation: string;
  /** Values of the channels that the image lacks. */
  readonly missing: readonly [number, number, number, number];
}

export const channelNumbers = [0, 1, 2, 3] as const;
export type Channel = (typeof channelNumbers)[number];

export function textureAt(image: Image, sampler: Sampler, linear: number, allocation: string): Texture {
  const format = texelFormat(image, sampler);
  return {
    image,
    sampler,
    format,
    linear,
    allocation,
    texelBytes: texelBytes(image),
    missing: [0, 0, 0, format.isFloat ? bitsOf(1) : 1],
  };
}

/** Results of one fetch. Reused from fetch to fetch. */
class Sample {
  /** Bits of the four results. */
  readonly results = new Uint32Array(4);
  /** Linear addresses of the texels used, the nearest first; `count` of them. */
  readonly touched = new Uint32Array(8);
  count = 0;
  readonly sums = new Float64Array(4);

  /** Resets everything for the next fetch. */
  clear(): void {
    this.count = 0;
    this.results.fill(0);
    this.sums.fill(0);
  }

  touch(at: number): void {
    this.touched[this.count] = at;
    this.count += 1;
  }
}

type Mode = (typeof addressModes)[number];

/**
 * Index of a texel by address mode; -1 for the border (CUDA C++ Programming Guide, `cudaTextureAddressMode`).
 */
function wrapIndex(index: number, size: number, mode: Mode, isNormalized: boolean): number {
  if (index >= 0 && index < size) return index;
  if (mode === "border") return -1;
  if (!isNormalized || mode === "clamp") return index < 0 ? 0 : size - 1;
  const period = mode === "wrap" ? size : 2 * size;
  const place = ((index % period) + period) % period;
  return place < size ? place : period - 1 - place;
}

/** Coordinates are clamped to this, which keeps sums exact. */
const farthest = 2 ** 40;

/** A coordinate in texels. NaN counts as 0. */
function inTexels(value: number, size: number, isNormalized: boolean): number {
  const place = isNormalized ? value * size : value;
  return Number.isNaN(place) ? 0 : Math.min(farthest, Math.max(-farthest, place));
}

/**
 * Fraction with 8 bits, from 0 to 1 (CUDA C++ Programming Guide, "Linear Filtering": 9-bit fixed point with 8
 * bits of fraction).
 */
function weightOf(fraction: number): number {
  return Math.floor(fraction * 256 + 0.5) / 256;
}

/** One dimension of a fetch: two texels and the weight of the second. Unfiltered, both are the same texel. */
interface Span {
  first: number;
  second: number;
  weight: number;
}

function newSpan(): Span {
  return { first: 0, second: 0, weight: 0 };
}

/** Sets a dimension to a single texel. */
function fix(span: Span, index: number): void {
  span.first = index;
  span.second = index;
  span.weight = 0;
}

function weightIn({ weight }: Span, isSecond: boolean): number {
  return isSecond ? weight : 1 - weight;
}

function indexIn({ first, second }: Span, isSecond: boolean): number {
  return isSecond ? second : first;
}

/** A face of a cube, and a direction in its axes. */
interface Face {
  readonly face: number;
  readonly along: number;
  readonly across: number;
  readonly major: number;
}

/** The face that a direction hits: that of its greatest coordinate, of equal ones the last. */
function faceOf(x: number, y: number, z: number): Face {
  const [width, height, depth] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  if (depth >= width && depth >= height)
    return { face: z < 0 ? 5 : 4, along: z < 0 ? -x : x, across: -y, major: depth };
  if (height >= width) return { face: y < 0 ? 3 : 2, along: x, across: y < 0 ? -z : z, major: height };
  return { face: x < 0 ? 1 : 0, along: x < 0 ? z : -z, across: -y, major: width };
}

/** Coordinates in three dimensions; 0 in a dimension that the image lacks. */
type Coordinates = Float64Array;

/** Reads textures. One for each launch, so that a fetch allocates nothing. */
export class Sampling {
  readonly sample = new Sample();
  /** The launch's memory. Growing replaces its buffer, so the caller sets it before each fetch. */
  view: DataView = new DataView(new ArrayBuffer(0));
  private readonly spans: readonly [Span, Span, Span] = [newSpan(), newSpan(), newSpan()];

  /**
   * A fetch at coordinates in texels, or normalised to [0, 1) (CUDA C++ Programming Guide, "Texture
   * Fetching"). `dimensions`: number of coordinates; `layer`: slice of a layered image.
   */
  fetch(
    texture: Texture,
    coordinates: Coordinates,
    { dimensions, layer }: { readonly dimensions: number; readonly layer: number },
  ): void {
    const {
      image: { width, height, depth },
      sampler: { isLinear },
    } = texture;
    const {
      sample,
      spans: [x, y, z],
      view,
    } = this;
    sample.clear();
    this.place(texture, 0, coordinates, width);
    if (dimensions > 1) this.place(texture, 1, coordinates, height);
    else fix(y, 0);
    if (dimensions > 2) this.place(texture, 2, coordinates, depth);
    else fix(z, layer);
    if (!isLinear || !texture.format.isFloat)
      return this.read(texture, view, this.addressOf(texture, x.first, y.first, z.first));
    for (let corner = 0; corner < 2 ** dimensions; corner += 1) this.addCorner(texture, corner);
    this.round(texture);
  }

  /**
   * A fetch from the face of a cube that a direction hits (CUDA C++ Programming Guide, "Cubemap Textures").
   * Filters end at the edges of a face. Overwrites the coordinates.
   */
  fetchDirection(texture: Texture, coordinates: Coordinates): void {
    const [x = 0, y = 0, z = 0] = coordinates;
    const { face, along, across, major } = faceOf(x, y, z);
    coordinates[0] = (along / major + 1) / 2;
    coordinates[1] = (across / major + 1) / 2;
    this.fetch(texture, coordinates, { dimensions: 2, layer: face });
  }

  /** Adds one of the filter's 2, 4 or 8 texels. Bits of `corner`: the second texel in x, y, z. */
  private addCorner(texture: Texture, corner: number): void {
    const [x, y, z] = this.spans;
    const [right, below, behind] = [(corner & 1) !== 0, (corner & 2) !== 0, (corner & 4) !== 0];
    const share = weightIn(x, right) * weightIn(y, below) * weightIn(z, behind);
    if (share <= 0) return;
    const at = this.addressOf(texture, indexIn(x, right), indexIn(y, below), indexIn(z, behind));
    this.add(texture, this.view, share, at);
  }

  /** An unfiltered fetch by index (`tex1Dfetch`). Past the end of linear memory it gives zeroes. */
  fetchIndex(texture: Texture, index: number): void {
    const {
      image: { width, geometry },
      sampler: {
        addressing: [mode],
      },
    } = texture;
    this.sample.clear();
    if (geometry === "linear" && (index < 0 || index >= width)) return;
    this.read(texture, this.view, this.addressOf(texture, wrapIndex(index, width, mode, false), 0, 0));
  }

  /**
   * One channel of the four texels that a linear filter would use: lower left, lower right, upper right,
   * upper left, where y grows downwards (PTX ISA, `tld4`).
   */
  gather(texture: Texture, coordinates: Coordinates, channel: Channel): void {
    const {
      image: { width, height },
    } = texture;
    const {
      sample,
      view,
      spans: [x, y],
    } = this;
    sample.clear();
    const filtered = { ...texture, sampler: { ...texture.sampler, isLinear: true } };
    this.place(filtered, 0, coordinates, width);
    this.place(filtered, 1, coordinates, height);
    const corners = [
      [x.first, y.second],
      [x.second, y.second],
      [x.second, y.first],
      [x.first, y.first],
    ] as const;
    corners.forEach(([column, row], index) => {
      const at = this.addressOf(texture, column, row, 0);
      sample.results[index] =
        channel >= texture.image.channels ? texture.missing[channel] : this.bits(texture, view, at, channel);
      if (at >= 0) sample.touch(at);
    });
  }

  private place({ sampler }: Texture, axis: 0 | 1 | 2, coordinates: Coordinates, size: number): void {
    const span = this.spans[axis];
    const mode = sampler.addressing[axis];
    const place = inTexels(element(coordinates, axis), size, sampler.isNormalized);
    const first = Math.floor(sampler.isLinear ? place - 0.5 : place);
    span.weight = sampler.isLinear ? weightOf(place - 0.5 - first) : 0;
    span.first = wrapIndex(first, size, mode, sampler.isNormalized);
    span.second = wrapIndex(first + 1, size, mode, sampler.isNormalized);
  }

  /** Linear address of a texel; -1 for the border. */
  private addressOf(
    { linear, image, texelBytes: bytes }: Texture,
    column: number,
    row: number,
    slice: number,
  ): number {
    return column < 0 || row < 0 || slice < 0
      ? -1
      : linear + slice * image.slice + row * image.pitch + column * bytes;
  }

  /** Result bits of one channel of a texel. */
  private bits({ format, sampler }: Texture, view: DataView, at: number, channel: Channel): number {
    if (at < 0) return sampler.border[channel];
    const place = at + channel * format.channelBytes;
    if (format.isRaw) return view.getUint32(place, true);
    const value = format.channels[channel](view, place);
    return format.isFloat ? bitsOf(value) : value;
  }

  private read(texture: Texture, view: DataView, at: number): void {
    const { results } = this.sample;
    for (const channel of channelNumbers)
      results[channel] =
        channel < texture.image.channels ? this.bits(texture, view, at, channel) : texture.missing[channel];
    if (at >= 0) this.sample.touch(at);
  }

  /** Adds a weighted texel to the sums. */
  private add(
    { format, sampler, image: { channels } }: Texture,
    view: DataView,
    share: number,
    at: number,
  ): void {
    const { sample } = this;
    for (const channel of channelNumbers) {
      if (channel >= channels) break;
      const value =
        at < 0
          ? numberOf(sampler.border[channel])
          : format.channels[channel](view, at + channel * format.channelBytes);
      sample.sums[channel] = element(sample.sums, channel) + share * value;
    }
    if (at >= 0) sample.touch(at);
  }

  private round({ format, image: { channels }, missing }: Texture): void {
    const { results, sums } = this.sample;
    for (const channel of channelNumbers) {
      const sum = element(sums, channel);
      const value = format.isHalf ? roundedToHalf(sum) : sum;
      results[channel] = channel < channels ? bitsOf(value) : missing[channel];
    }
  }
}
