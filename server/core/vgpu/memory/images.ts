/**
 * Geometries of textures and surfaces, as instructions name them. `linear`: linear memory that is read by
 * index.
 */
export const imageGeometries = ["linear", "1d", "2d", "3d", "a1d", "a2d", "cube"] as const;
export type ImageGeometry = (typeof imageGeometries)[number];

/** Coordinates of a fetch, and whether the number of a layer stands before them. */
export const geometryTraits = {
  linear: { axes: 1, isLayered: false },
  "1d": { axes: 1, isLayered: false },
  "2d": { axes: 2, isLayered: false },
  "3d": { axes: 3, isLayered: false },
  a1d: { axes: 1, isLayered: true },
  a2d: { axes: 2, isLayered: true },
  cube: { axes: 3, isLayered: false },
} as const satisfies Readonly<Record<ImageGeometry, object>>;

export const channelFormats = ["signed", "unsigned", "float"] as const;
/** In the order of `cudaTextureAddressMode`. */
export const addressModes = ["wrap", "clamp", "mirror", "border"] as const;

/** Texels in global memory, row after row. */
export interface Image {
  readonly geometry: ImageGeometry;
  /** Device address of the first texel. */
  readonly address: bigint;
  /**
   * Texels of a row; rows of a slice; slices, which are the layers of a layered image or the faces of a cube.
   * At least 1 each.
   */
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** Bytes from one row to the next, and from one slice to the next. */
  readonly pitch: number;
  readonly slice: number;
  /** 1, 2 or 4 channels of 8, 16 or 32 bits. */
  readonly channels: number;
  readonly bits: number;
  readonly format: (typeof channelFormats)[number];
}

/** How a texture is read (CUDA Runtime API, `cudaTextureDesc`). */
export interface Sampler {
  /** For x, y and z. Wrap and mirror act as clamp unless coordinates are normalised. */
  readonly addressing: readonly [
    (typeof addressModes)[number],
    (typeof addressModes)[number],
    (typeof addressModes)[number],
  ];
  readonly isLinear: boolean;
  readonly isNormalized: boolean;
  /** Integers of 8 and 16 bits are read as numbers in [0, 1], or in [-1, 1] if signed. */
  readonly readsNormalized: boolean;
  /** Unsigned 8-bit channels are decoded from sRGB, except the fourth. */
  readonly isSrgb: boolean;
  /** Border colour: bits of the four channels. */
  readonly border: readonly [number, number, number, number];
}

/** A texture object, or a surface object when it has no sampler. */
export interface ImageObject {
  readonly image: Image;
  readonly sampler?: Sampler;
}

/** Bytes of one texel. */
export function texelBytes({ channels, bits }: Image): number {
  return (channels * bits) / 8;
}

/** Bytes from the first texel to the end of the last one. */
export function imageBytes(image: Image): number {
  return (image.depth - 1) * image.slice + (image.height - 1) * image.pitch + image.width * texelBytes(image);
}

/** The texture and surface objects of a device. Handles are small numbers and are never reused. */
export class ImageObjects {
  private readonly live = new Map<number, ImageObject>();
  private last = 0;

  /** Creates an object; returns its handle. */
  create(object: ImageObject): number {
    this.last += 1;
    this.live.set(this.last, object);
    return this.last;
  }

  /** Destroys an object; false when there is none. */
  destroy(handle: number): boolean {
    return this.live.delete(handle);
  }

  /** Of the objects that are there. */
  handles(): readonly number[] {
    return [...this.live.keys()];
  }

  find(handle: number): ImageObject | undefined {
    return this.live.get(handle);
  }

  /** Whether a handle was ever given out, for a live object or a destroyed one. */
  wasGiven(handle: number): boolean {
    return Number.isSafeInteger(handle) && handle >= 1 && handle <= this.last;
  }

  /** Destroys all objects. */
  clear(): void {
    this.live.clear();
  }
}
