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
import type { DeviceProblem } from "../device/statuses";
import * as wire from "../protocol/messages";
import { answer, type Handlers, written } from "./answers";

/** Texture and surface objects. */
export function imageHandlers(store: DeviceStore): Handlers<"image" | "drop"> {
  return {
    image: (reader) =>
      answer(makeImage(store, wire.readImageRequest(reader)), (object) =>
        written(wire.writeImageReply, { object }),
      ),
    drop: (reader) => answer(dropImage(store, wire.readDropRequest(reader))),
  };
}

/** Texels that linear memory has at most; a layout with so many means all that lie behind the address. */
const mostLinearTexels = 2 ** 27;

/**
 * A layout with the texels that its memory has at most: a GPU takes linear memory that says more, which
 * does no harm where nothing is read behind the end. For a sanitizer it is a finding.
 */
function withinMemory(store: DeviceStore, layout: wire.ImageLayout, where: string): wire.ImageLayout {
  if (layout.shape !== wire.imageShapes.linear) return layout;
  const stated = imageOf(layout);
  if (stated !== undefined && layout.width !== mostLinearTexels) store.find(rangeOf(stated), "reads", where);
  const found = store.memory.find(layout.address);
  if (found === undefined || found.freed) return layout;
  const bytes = Number(found.address - layout.address) + found.bytes;
  const width = Math.floor((8 * bytes) / (layout.channels * layout.bits));
  return { ...layout, width: Math.min(width, layout.width) };
}

function rangeOf(image: Image): wire.Rectangle {
  const bytes = imageBytes(image);
  return { address: image.address, pitch: bytes, width: bytes, height: 1 };
}

/** The image of a layout; undefined when no GPU has images like it. */
function imageOf(layout: wire.ImageLayout): Image | undefined {
  const { address, width, height, depth, pitch, slice, channels, bits } = layout;
  const geometry = imageGeometries[layout.shape];
  const format = channelFormats[layout.format];
  if (geometry === undefined || format === undefined) return undefined;
  if (![1, 2, 4].includes(channels) || ![8, 16, 32].includes(bits)) return undefined;
  if (format === "float" && bits === 8) return undefined;
  const image: Image = { geometry, address, width, height, depth, pitch, slice, channels, bits, format };
  return isWhole(image) && Number.isSafeInteger(imageBytes(image)) ? image : undefined;
}

/** True when rows and slices lie one behind the other and hold at least one texel. */
function isWhole(image: Image): boolean {
  const { width, height, depth, pitch, slice } = image;
  if (width < 1 || height < 1 || depth < 1) return false;
  if (height > 1 && pitch < width * texelBytes(image)) return false;
  return depth === 1 || slice >= height * pitch;
}

function samplerOf(settings: wire.SamplerSettings): Sampler | undefined {
  const { addressing, filter, flags, red, green, blue, alpha } = settings;
  const [x, y, z] = [addressModes[addressing.x], addressModes[addressing.y], addressModes[addressing.z]];
  if (x === undefined || y === undefined || z === undefined || filter > 1) return undefined;
  return {
    addressing: [x, y, z],
    isLinear: filter === 1,
    isNormalized: (flags & wire.samplerFlags.normalized) !== 0,
    readsNormalized: (flags & wire.samplerFlags.readsNormalized) !== 0,
    isSrgb: (flags & wire.samplerFlags.srgb) !== 0,
    border: [red, green, blue, alpha],
  };
}

/** Makes a texture or surface object; gives its handle. */
function makeImage(
  store: DeviceStore,
  { kind, layout, sampler: settings, where }: wire.ImageRequest,
): Outcome<bigint, DeviceProblem> {
  const image = imageOf(withinMemory(store, layout, where));
  const sampler = settings && samplerOf(settings);
  const { texture, surface } = wire.imageKinds;
  if (image === undefined || (kind === texture ? sampler === undefined : kind !== surface))
    return fail({ status: wire.statuses.invalidValue, message: "no texture or surface is like this" });
  // Integers that stay integers cannot be mixed.
  const isMixed =
    sampler?.isLinear === true && image.format !== "float" && (image.bits === 32 || !sampler.readsNormalized);
  if (isMixed)
    return fail({
      status: wire.statuses.invalidFilterSetting,
      message: "a linear filter needs texels that are read as floats",
    });
  const found = store.find(rangeOf(image), "reads", where);
  if (!found.ok) return found;
  const { address, ...shape } = image;
  store.log?.acted("image", address, JSON.stringify([kind, shape, sampler]));
  return succeed(BigInt(store.memory.images.create({ image, ...(sampler ? { sampler } : {}) })));
}

/** Destroys one; a second time is a finding. */
function dropImage(
  store: DeviceStore,
  { kind, object, where }: wire.DropRequest,
): Outcome<null, DeviceProblem> {
  const what = kind === wire.imageKinds.surface ? "surface" : "texture";
  const { images } = store.memory;
  const isOther = (images.find(object)?.sampler === undefined) !== (what === "surface");
  if (!isOther && images.destroy(object)) return succeed(null);
  const wasDestroyed = images.find(object) === undefined && images.wasGiven(object);
  const why = wasDestroyed ? "was destroyed before" : `is no ${what} object`;
  const message = `invalid object: 0x${object.toString(16)} ${why}`;
  store.note({ kind: "invalid-object", message, where });
  return fail({ status: wire.statuses.invalidValue, message });
}
