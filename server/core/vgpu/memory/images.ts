/**
 * Shapes of what textures and surfaces are made of, as the instructions name them; `linear`: plain memory
 * that is read by index.
 */
export const imageGeometries = ["linear", "1d", "2d", "3d", "a1d", "a2d"] as const;
export type ImageGeometry = (typeof imageGeometries)[number];

export const channelFormats = ["signed", "unsigned", "float"] as const;
/** In the order of `cudaTextureAddressMode`. */
export const addressModes = ["wrap", "clamp", "mirror", "border"] as const;

/** Texels in global memory, row after row. */
export interface Image {
  readonly geometry: ImageGeometry;
  /** Device address of the first texel. */
  readonly address: bigint;
  /** Texels of a row; rows of a slice and slices (layers of a layered image), at least 1 each. */
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** Bytes from one row, and from one slice, to the next. */
  readonly pitch: number;
  readonly slice: number;
  /** 1, 2 or 4 channels of 8, 16 or 32 bits. */
  readonly channels: number;
  readonly bits: number;
  readonly format: (typeof channelFormats)[number];
}

/** How a texture is read (CUDA Runtime API, `cudaTextureDesc`). */
export interface Sampler {
  /** Of x, y and z. Wrap and mirror are clamp unless the coordinates are normalized. */
  readonly addressing: readonly [
    (typeof addressModes)[number],
    (typeof addressModes)[number],
    (typeof addressModes)[number],
  ];
  readonly isLinear: boolean;
  readonly isNormalized: boolean;
  /** Integers of 8 and 16 bits become numbers from 0, or -1, to 1. */
  readonly readsNormalized: boolean;
  /** Those of 8 bits without sign are brightness as sRGB has it; the fourth channel is not. */
  readonly isSrgb: boolean;
  /** Bits of the four channels outside of the image. */
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

/** The texture and surface objects of a device. Handles are small numbers, and none is given twice. */
export class ImageObjects {
  private readonly live = new Map<number, ImageObject>();
  private last = 0;

  /** Gives the handle of a new object. */
  create(object: ImageObject): number {
    this.last += 1;
    this.live.set(this.last, object);
    return this.last;
  }

  /** False when there is no such object. */
  destroy(handle: number): boolean {
    return this.live.delete(handle);
  }

  find(handle: number): ImageObject | undefined {
    return this.live.get(handle);
  }

  /** True for a handle that was given once, whether its object still lives or not. */
  wasGiven(handle: number): boolean {
    return Number.isSafeInteger(handle) && handle >= 1 && handle <= this.last;
  }

  /** Destroys all objects. */
  clear(): void {
    this.live.clear();
  }
}
