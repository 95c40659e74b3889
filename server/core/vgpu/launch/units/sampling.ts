import { type Image, type Sampler, type addressModes, texelBytes } from "../../memory/images";
import { type TexelFormat, bitsOf, numberOf, texelFormat } from "./texels";

/** A texture whose memory has been found. */
export interface Texture {
  readonly image: Image;
  readonly sampler: Sampler;
  readonly format: TexelFormat;
  readonly texelBytes: number;
  /** Linear address of the first texel, and the name of the allocation that it lies in. */
  readonly linear: number;
  readonly allocation: string;
  /** What channels that the image lacks are read as. */
  readonly missing: readonly number[];
}

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

/** What one fetch touches and gives. Reused from fetch to fetch. */
export class Sample {
  /** Bits of the four results. */
  readonly results = new Uint32Array(4);
  /** Linear addresses of the texels that took part, the nearest one first; `count` of them. */
  readonly touched = new Uint32Array(8);
  count = 0;
  readonly sums = new Float64Array(4);

  /** Forgets the last fetch. */
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
 * Index of a texel inside of the image; -1 outside of one with a border (CUDA C++ Programming Guide,
 * `cudaTextureAddressMode`).
 */
function wrapIndex(index: number, size: number, mode: Mode, isNormalized: boolean): number {
  if (index >= 0 && index < size) return index;
  if (mode === "border") return -1;
  if (!isNormalized || mode === "clamp") return index < 0 ? 0 : size - 1;
  const period = mode === "wrap" ? size : 2 * size;
  const place = ((index % period) + period) % period;
  return place < size ? place : period - 1 - place;
}

/** Coordinates beyond this are all alike; the number keeps sums of it exact. */
const farthest = 2 ** 40;

/** A coordinate in texels. What is no number counts as 0. */
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

/**
 * One dimension of a fetch: the two texels and the second one's weight; both are the same for the nearest
 * texel.
 */
interface Span {
  first: number;
  second: number;
  weight: number;
}

/** A dimension in which there is nothing to choose. */
function fix(span: Span, index: number): void {
  span.first = index;
  span.second = index;
  span.weight = 0;
}

/** Where a fetch falls: coordinates of the three dimensions, a dimension that the image lacks at 0. */
export type Coordinates = Float64Array;

/** Reads textures. One for a launch, so that nothing is allocated for a fetch. */
export class Sampling {
  readonly sample = new Sample();
  /** The launch's memory; its buffer is replaced when it grows, so that whoever fetches sets it. */
  view: DataView = new DataView(new ArrayBuffer(0));
  private readonly spans: readonly Span[] = [0, 1, 2].map(() => ({ first: 0, second: 0, weight: 0 }));

  /**
   * A fetch at coordinates of texels or from 0 to 1 (CUDA C++ Programming Guide, "Texture Fetching").
   * `dimensions`: how many coordinates count; `layer`: slice of a layered image.
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
    const { sample, spans, view } = this;
    sample.clear();
    const [x, y, z] = spans as [Span, Span, Span];
    this.place(texture, 0, coordinates[0] ?? 0, width);
    if (dimensions > 1) this.place(texture, 1, coordinates[1] ?? 0, height);
    else fix(y, 0);
    if (dimensions > 2) this.place(texture, 2, coordinates[2] ?? 0, depth);
    else fix(z, layer);
    if (!isLinear || !texture.format.isFloat)
      return this.read(texture, view, this.addressOf(texture, x.first, y.first, z.first));
    for (let corner = 0; corner < 2 ** dimensions; corner += 1) {
      const [right, below, behind] = [(corner & 1) !== 0, (corner & 2) !== 0, (corner & 4) !== 0];
      const share =
        (right ? x.weight : 1 - x.weight) *
        (below ? y.weight : 1 - y.weight) *
        (behind ? z.weight : 1 - z.weight);
      if (share > 0)
        this.add(
          texture,
          view,
          share,
          this.addressOf(
            texture,
            right ? x.second : x.first,
            below ? y.second : y.first,
            behind ? z.second : z.first,
          ),
        );
    }
    this.round(texture);
  }

  /** A fetch by index, without filter (`tex1Dfetch`). Behind the end of plain memory it gives zeroes. */
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
  gather(texture: Texture, coordinates: Coordinates, channel: number): void {
    const {
      image: { width, height },
    } = texture;
    const {
      sample,
      view,
      spans: [x, y],
    } = this;
    sample.clear();
    if (!x || !y) return;
    this.place(
      { ...texture, sampler: { ...texture.sampler, isLinear: true } },
      0,
      coordinates[0] ?? 0,
      width,
    );
    this.place(
      { ...texture, sampler: { ...texture.sampler, isLinear: true } },
      1,
      coordinates[1] ?? 0,
      height,
    );
    const corners = [
      [x.first, y.second],
      [x.second, y.second],
      [x.second, y.first],
      [x.first, y.first],
    ] as const;
    corners.forEach(([column, row], index) => {
      const at = this.addressOf(texture, column, row, 0);
      sample.results[index] =
        channel >= texture.image.channels
          ? (texture.missing[channel] ?? 0)
          : this.bits(texture, view, at, channel);
      if (at >= 0) sample.touch(at);
    });
  }

  private place({ sampler }: Texture, axis: 0 | 1 | 2, value: number, size: number): void {
    const span = this.spans[axis];
    if (!span) return;
    const mode = sampler.addressing[axis];
    const place = inTexels(value, size, sampler.isNormalized);
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

  /** Bits that one channel of a texel gives. */
  private bits({ format, sampler }: Texture, view: DataView, at: number, channel: number): number {
    if (at < 0) return sampler.border[channel] ?? 0;
    const place = at + channel * format.channelBytes;
    if (format.isRaw) return view.getUint32(place, true);
    const value = format.channels[channel]?.(view, place) ?? 0;
    return format.isFloat ? bitsOf(value) : value;
  }

  private read(texture: Texture, view: DataView, at: number): void {
    const { results } = this.sample;
    for (let channel = 0; channel < 4; channel += 1) {
      results[channel] =
        channel < texture.image.channels
          ? this.bits(texture, view, at, channel)
          : (texture.missing[channel] ?? 0);
    }
    if (at >= 0) this.sample.touch(at);
  }

  /** Adds a texel's share to the sums. */
  private add(
    { format, sampler, image: { channels } }: Texture,
    view: DataView,
    share: number,
    at: number,
  ): void {
    const { sample } = this;
    for (let channel = 0; channel < channels; channel += 1) {
      const value =
        at < 0
          ? numberOf(sampler.border[channel] ?? 0)
          : (format.channels[channel]?.(view, at + channel * format.channelBytes) ?? 0);
      sample.sums[channel] = (sample.sums[channel] ?? 0) + share * value;
    }
    if (at >= 0) sample.touch(at);
  }

  private round({ image: { channels }, missing }: Texture): void {
    const { results, sums } = this.sample;
    for (let channel = 0; channel < 4; channel += 1)
      results[channel] = channel < channels ? bitsOf(sums[channel] ?? 0) : (missing[channel] ?? 0);
  }
}
