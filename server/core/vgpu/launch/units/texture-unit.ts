import { at, known, mustGet } from "../../../base/known";
import { type ImageUser, ImageLookup } from "./image-lookup";
import { wordKey } from "../findings/findings";
import type { Sanitizer } from "../findings/sanitizer";
import type { LaunchState } from "../state/launch-state";
import { type Channel, channelNumbers, Sampling, type Texture, textureAt } from "./sampling";
import { type Image, geometryTraits } from "../../memory/images";
import type { Modifiers } from "../../opcodes/modifiers";
import { lanes, staticLayout } from "../../layout";

/** Linear addresses of a fetch's vectors; 0 for an operand that the instruction lacks. */
interface FetchOperands {
  readonly handle: number;
  /** In the instruction's order: the layer comes first. */
  readonly coordinates: readonly [number, number, number];
  readonly results: readonly [number, number, number, number];
}

const channelsOf = new Map<string, Channel>([
  ["r", 0],
  ["g", 1],
  ["b", 2],
  ["a", 3],
]);

/** Reads textures, lane by lane. */
export class TextureUnit {
  private readonly lookup: ImageLookup;
  private readonly surfaces: ImageLookup;
  private readonly sampling = new Sampling();
  private readonly coordinates = new Float64Array(3);
  private readonly textures = new Map<string, Texture>();

  constructor(
    private readonly state: LaunchState,
    sanitizer: Sanitizer,
  ) {
    this.lookup = new ImageLookup(state, sanitizer, false);
    this.surfaces = new ImageLookup(state, sanitizer, true);
  }

  private get view(): DataView {
    return this.sampling.view;
  }

  /**
   * The imported function. Parameters: warp, site index, active mask, then linear addresses of vectors:
   * handles, three coordinates, four results. Returns the mask of the lanes that touched memory in the lower
   * half and the bytes of a texel in the upper one; writes the address of each lane's nearest texel to
   * `addresses` in the static area.
   */
  readonly fetch = (warp: number, index: number, mask: number, ...vectors: readonly number[]): bigint => {
    const site = this.state.kernel.code.sites[index];
    const [handle = 0, x = 0, y = 0, z = 0, ...results] = vectors.map((value) => value >>> 0);
    if (!site) return 0n;
    this.sampling.view = this.state.view;
    const { view } = this;
    const operands: FetchOperands = {
      handle,
      coordinates: [x, y, z],
      results: results as unknown as FetchOperands["results"],
    };
    if (site.instruction.matched.family === "texture-query")
      return this.query({ site, warp: warp >>> 0, lane: 0 }, mask, operands);
    let touched = 0;
    let bytes = 0;
    // Most fetches use one texture: looked up again only when a lane's handle differs from the last one's.
    let texture: Texture | undefined;
    let [low, high] = [0, 0];
    const isKnown = (at: number): boolean => {
      const [nextLow, nextHigh] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
      const isSame = texture !== undefined && nextLow === low && nextHigh === high;
      [low, high] = [nextLow, nextHigh];
      return isSame;
    };
    for (let lane = 0; lane < lanes; lane += 1) {
      if ((mask & (1 << lane)) === 0) continue;
      const user = { site, warp: warp >>> 0, lane };
      const at = handle + 8 * lane;
      if (!isKnown(at)) texture = this.textureOf(user, view.getBigUint64(at, true));
      if (texture) this.fetchLane(user, texture, operands);
      else this.sampling.sample.clear();
      this.deliver(lane, operands);
      if (!texture || this.sampling.sample.count === 0) continue;
      touched |= 1 << lane;
      bytes = Math.max(bytes, texture.texelBytes);
      if (this.state.scratch.shadow > 0) this.checkWritten(user, texture);
    }
    return (BigInt(bytes) << 32n) | BigInt(touched >>> 0);
  };

  /** Writes the width, height or depth of each lane's object; 0 for a dimension that it lacks. */
  private query(user: ImageUser, mask: number, { handle, results: [result] }: FetchOperands): bigint {
    const {
      instruction: { opcode },
      modifiers,
    } = user.site.instruction.matched;
    const lookup = opcode === "suq" ? this.surfaces : this.lookup;
    const query = known(modifiers.query, "what a query asks for");
    for (let lane = 0; lane < lanes; lane += 1) {
      if ((mask & (1 << lane)) === 0) continue;
      const found = lookup.find({ ...user, lane }, this.view.getBigUint64(handle + 8 * lane, true));
      this.view.setUint32(result + 4 * lane, found ? sizeOf(found.image, query) : 0, true);
    }
    return 0n;
  }

  private textureOf(user: ImageUser, handle: bigint): Texture | undefined {
    const found = this.lookup.find(user, handle);
    if (!found?.sampler) return undefined;
    const key = String(found.handle);
    const known = this.textures.get(key);
    if (known) return known;
    const made = textureAt(found.image, found.sampler, found.linear, found.allocation);
    this.textures.set(key, made);
    return made;
  }

  private fetchLane(
    { site, lane }: ImageUser,
    texture: Texture,
    { coordinates: vectors }: FetchOperands,
  ): void {
    const { view, coordinates, sampling } = this;
    const { modifiers, types: named } = site.instruction.matched;
    const { geometry, component } = modifiers;
    const { axes: dimensions, isLayered } = geometryTraits[known(geometry, "the geometry of a fetch")];
    if (named.coordinates?.kind === "signed")
      return sampling.fetchIndex(texture, view.getInt32(vectors[0] + 4 * lane, true));
    const first = isLayered ? 1 : 0;
    for (let axis = 0; axis < dimensions; axis += 1)
      coordinates[axis] = view.getFloat32(at(vectors, first + axis) + 4 * lane, true);
    if (geometry === "cube") return sampling.fetchDirection(texture, coordinates);
    if (component !== undefined) return sampling.gather(texture, coordinates, mustGet(channelsOf, component));
    // Layers are clamped to the last one.
    const layer = isLayered
      ? Math.min(view.getUint32(vectors[0] + 4 * lane, true), texture.image.depth - 1)
      : 0;
    sampling.fetch(texture, coordinates, { dimensions, layer });
  }

  /** Writes a lane's results, and the address of its nearest texel. */
  private deliver(lane: number, { results: vectors }: FetchOperands): void {
    const {
      view,
      sampling: {
        sample: { results, touched },
      },
      state: { base },
    } = this;
    for (const channel of channelNumbers)
      view.setUint32(vectors[channel] + 4 * lane, at(results, channel), true);
    view.setUint32(base + staticLayout.addresses + 4 * lane, at(touched, 0), true);
  }

  /** Reports an uninitialised read if nothing was stored to one of the texels used. */
  private checkWritten(user: ImageUser, texture: Texture): void {
    const {
      state: {
        scratch: { shadow },
        request: { memory },
      },
      sampling: {
        sample: { touched, count },
      },
    } = this;
    const written = new Uint8Array(memory.memory.buffer);
    for (let index = 0; index < count; index += 1) {
      const texel = at(touched, index);
      if (!written.subarray(texel + shadow, texel + shadow + texture.texelBytes).includes(0)) continue;
      const offset = texel - texture.linear;
      this.lookup.tell(user, {
        kind: "uninitialized-read",
        allocation: texture.allocation,
        words: [wordKey(texel)],
        what: `reads a texel of ${texture.texelBytes} bytes at "${texture.allocation}"+0x${offset.toString(16)}, to which nothing was written`,
      });
      return;
    }
  }
}

function sizeOf({ geometry, width, height, depth }: Image, query: NonNullable<Modifiers["query"]>): number {
  const { axes } = geometryTraits[geometry];
  if (query === "width") return width;
  if (query === "height") return axes >= 2 ? height : 0;
  return geometry === "3d" ? depth : 0;
}
