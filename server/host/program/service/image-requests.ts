import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import {
  addressModes,
  channelFormats,
  imageBytes,
  imageGeometries,
  texelBytes,
  type Image,
  type Sampler,
} from "../../../core/vgpu/index";
import type { DeviceStore } from "../device/device-store";
import { statuses, type DeviceProblem } from "../device/statuses";
import type { WireReader } from "./wire";

const kinds = { texture: 1, surface: 2 } as const;
const flags = { normalized: 1, readsNormalized: 2, srgb: 4 } as const;

/** The member of a list that a field of a request names; undefined beyond its end. */
function choice<Member>(members: readonly Member[], reader: WireReader): Member | undefined {
  return members[reader.count()];
}

function readImage(reader: WireReader): Image | undefined {
  const address = reader.wide();
  const geometry = choice(imageGeometries, reader);
  const [width, height, depth, pitch, slice] = [
    reader.size(),
    reader.size(),
    reader.size(),
    reader.size(),
    reader.size(),
  ];
  const [channels, bits] = [reader.count(), reader.count()];
  const format = choice(channelFormats, reader);
  if (
    geometry === undefined ||
    format === undefined ||
    ![1, 2, 4].includes(channels) ||
    ![8, 16, 32].includes(bits) ||
    (format === "float" && bits === 8)
  )
    return undefined;
  const image: Image = { geometry, address, width, height, depth, pitch, slice, channels, bits, format };
  const isWhole =
    width >= 1 &&
    height >= 1 &&
    depth >= 1 &&
    (height === 1 || pitch >= width * texelBytes(image)) &&
    (depth === 1 || slice >= height * pitch);
  return isWhole && Number.isSafeInteger(imageBytes(image)) ? image : undefined;
}

function readSampler(reader: WireReader): Sampler | undefined {
  const [x, y, z] = [
    choice(addressModes, reader),
    choice(addressModes, reader),
    choice(addressModes, reader),
  ];
  const filter = reader.count();
  const set = reader.count();
  const border = [reader.count(), reader.count(), reader.count(), reader.count()] as const;
  if (x === undefined || y === undefined || z === undefined || filter > 1) return undefined;
  return {
    addressing: [x, y, z],
    isLinear: filter === 1,
    isNormalized: (set & flags.normalized) !== 0,
    readsNormalized: (set & flags.readsNormalized) !== 0,
    isSrgb: (set & flags.srgb) !== 0,
    border,
  };
}

/** Makes a texture or surface object; gives its handle. */
export function makeImage(store: DeviceStore, reader: WireReader): Outcome<bigint, DeviceProblem> {
  const kind = reader.count();
  const image = readImage(reader);
  const sampler = kind === kinds.texture ? readSampler(reader) : undefined;
  const where = reader.text();
  if (image === undefined || (kind === kinds.texture ? sampler === undefined : kind !== kinds.surface))
    return fail({ status: statuses.invalidValue, message: "no texture or surface is like this" });
  // Integers that stay integers cannot be mixed.
  const isMixed =
    sampler?.isLinear === true && image.format !== "float" && (image.bits === 32 || !sampler.readsNormalized);
  if (isMixed)
    return fail({
      status: statuses.invalidFilterSetting,
      message: "a linear filter needs texels that are read as floats",
    });
  const bytes = imageBytes(image);
  const found = store.find({ address: image.address, pitch: bytes, width: bytes, height: 1 }, "reads", where);
  if (!found.ok) return found;
  return succeed(BigInt(store.memory.images.create({ image, ...(sampler ? { sampler } : {}) })));
}

/** Destroys one; a second time is a finding. */
export function dropImage(store: DeviceStore, reader: WireReader): Outcome<null, DeviceProblem> {
  const what = reader.count() === kinds.surface ? "surface" : "texture";
  const handle = reader.size();
  const where = reader.text();
  const { images } = store.memory;
  const isOther = (images.find(handle)?.sampler === undefined) !== (what === "surface");
  if (!isOther && images.destroy(handle)) return succeed(null);
  const why = images.find(handle)
    ? `is no ${what} object`
    : images.wasGiven(handle)
      ? "was destroyed before"
      : `is no ${what} object`;
  const message = `invalid object: 0x${handle.toString(16)} ${why}`;
  store.note({ kind: "invalid-object", message, where });
  return fail({ status: statuses.invalidValue, message });
}
