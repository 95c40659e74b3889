import { type Image, type Sampler } from "../../memory/images";

/**
 * Reads one channel of the texel at a linear address: a number if the format `isFloat`, else 32 result bits.
 */
type ChannelReader = (view: DataView, at: number) => number;

/** How texels are converted to an instruction's results. */
export interface TexelFormat {
  /** The results are in single precision; else 32-bit integers. */
  readonly isFloat: boolean;
  /** The bits in memory are the result's. */
  readonly isRaw: boolean;
  readonly channels: readonly [ChannelReader, ChannelReader, ChannelReader, ChannelReader];
  readonly channelBytes: number;
  /** What a filter gives is rounded to a half, as an H100 does for texels that are halves. */
  readonly isHalf: boolean;
}

const bitsView = new DataView(new ArrayBuffer(4));

/** Bits of a number in single precision. */
export function bitsOf(value: number): number {
  if (Number.isNaN(value)) return 0x7fff_ffff;
  bitsView.setFloat32(0, value);
  return bitsView.getUint32(0);
}

/** The number that 32 bits stand for in single precision. */
export function numberOf(bits: number): number {
  bitsView.setUint32(0, bits);
  return bitsView.getFloat32(0);
}

/** The nearest half (IEEE 754 binary16, ties to even). */
export function roundedToHalf(value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(value))), -14);
  const steps = value * 2 ** (10 - exponent);
  const below = Math.floor(steps);
  const isUp = steps - below > 0.5 || (steps - below === 0.5 && below % 2 !== 0);
  const rounded = (isUp ? below + 1 : below) * 2 ** (exponent - 10);
  return Math.abs(rounded) > 65_504 ? Math.sign(rounded) * Infinity : rounded;
}

/** A half's value (IEEE 754 binary16). */
function halfOf(bits: number): number {
  const sign = (bits & 0x8000) === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Decodes an sRGB channel (IEC 61966-2-1). */
function linearLight(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function wholeReader(isSigned: boolean, bits: number): ChannelReader {
  if (bits === 8) return isSigned ? (view, at) => view.getInt8(at) : (view, at) => view.getUint8(at);
  return isSigned ? (view, at) => view.getInt16(at, true) : (view, at) => view.getUint16(at, true);
}

/**
 * Conversion of an image's texels (CUDA C++ Programming Guide, "Texture Memory": read modes). Normalised
 * reads map integers of 8 and 16 bits so that the greatest value becomes 1 and the least signed one -1;
 * integers of 32 bits are never converted.
 */
export function texelFormat({ format, bits }: Image, { readsNormalized, isSrgb }: Sampler): TexelFormat {
  const same = (isFloat: boolean, isRaw: boolean, read: ChannelReader): TexelFormat => ({
    isFloat,
    isRaw,
    channels: [read, read, read, read],
    channelBytes: bits / 8,
    isHalf: format === "float" && bits === 16,
  });
  if (format === "float")
    return bits === 32
      ? same(true, true, (view, at) => view.getFloat32(at, true))
      : same(true, false, (view, at) => halfOf(view.getUint16(at, true)));
  if (bits === 32) return same(false, true, (view, at) => view.getUint32(at, true));
  const whole = wholeReader(format === "signed", bits);
  if (!readsNormalized) return same(false, false, whole);
  const most = format === "signed" ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  const normalized: ChannelReader = (view, at) => Math.fround(Math.max(-1, whole(view, at) / most));
  if (!isSrgb || format === "signed" || bits !== 8) return same(true, false, normalized);
  const light: ChannelReader = (view, at) => Math.fround(linearLight(whole(view, at) / most));
  return {
    isFloat: true,
    isRaw: false,
    channels: [light, light, light, normalized],
    channelBytes: 1,
    isHalf: false,
  };
}
