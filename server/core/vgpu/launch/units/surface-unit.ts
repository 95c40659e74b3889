import { known } from "../../../base/known";
import { type FoundImage, type ImageUser, ImageLookup } from "./image-lookup";
import { bytesText } from "../findings/findings";
import type { LaunchState } from "../state/launch-state";
import type { Sanitizer } from "../findings/sanitizer";
import { sinkAt } from "../state/sink";
import type { Triple } from "../state/types";
import { type ImageGeometry, geometryTraits, texelBytes } from "../../memory/images";
import { lanes, staticLayout } from "../../layout";

/** A place in a surface. */
interface Place {
  /** Byte in the row. */
  readonly x: number;
  /** Row. */
  readonly y: number;
  /** Slice, or layer. */
  readonly z: number;
}

/** The place that the coordinates of an instruction name. The layer comes first, and is unsigned. */
function placeAsked(geometry: ImageGeometry, [first, second, third]: Triple): Place {
  const { axes, isLayered } = geometryTraits[geometry];
  if (isLayered) return { x: second, y: axes === 2 ? third : 0, z: first >>> 0 };
  return { x: first, y: second, z: third };
}

/** Translates surface coordinates to linear addresses (PTX ISA section 9.7.11, suld and sust). */
export class SurfaceUnit {
  private readonly lookup: ImageLookup;

  constructor(
    private readonly state: LaunchState,
    sanitizer: Sanitizer,
  ) {
    this.lookup = new ImageLookup(state, sanitizer, true);
  }

  /**
   * The imported function. Parameters: warp, site index, active mask, then linear addresses of the vectors of
   * handles and coordinates. Writes each lane's linear address to `addresses` in the static area (the sink's
   * for an access that is dropped), and returns the mask of the lanes that touch the surface.
   */
  readonly locate = (
    ...[warp, index, mask, handle, x, y, z]: readonly [number, number, number, number, number, number, number]
  ): number => {
    const { state } = this;
    const site = state.kernel.code.sites[index];
    if (!site) return 0;
    const { view, base } = state;
    let inside = 0;
    for (let lane = 0; lane < lanes; lane += 1) {
      if ((mask & (1 << lane)) === 0) continue;
      const user = { site, warp: warp >>> 0, lane };
      const found = this.lookup.find(user, view.getBigUint64((handle >>> 0) + 8 * lane, true));
      const valueAt = (vector: number): number =>
        vector === 0 ? 0 : view.getInt32((vector >>> 0) + 4 * lane, true);
      const place = found && this.placeOf(user, found, [valueAt(x), valueAt(y), valueAt(z)]);
      if (place) inside |= 1 << lane;
      const at =
        place && found
          ? found.linear + place.z * found.image.slice + place.y * found.image.pitch + place.x
          : sinkAt(state, lane, site.access);
      view.setUint32(base + staticLayout.addresses + 4 * lane, at, true);
    }
    return inside;
  };

  /** The place of a lane's access; undefined when it is dropped. */
  private placeOf(user: ImageUser, found: FoundImage, values: Triple): Place | undefined {
    const { site } = user;
    const { modifiers } = site.instruction.matched;
    const { boundary } = modifiers;
    const geometry = known(modifiers.geometry, "the geometry of a surface access");
    const asked = placeAsked(geometry, values);
    const { image } = found;
    const rowBytes = image.width * texelBytes(image);
    const last: Place = { x: rowBytes - site.bytes, y: image.height - 1, z: image.depth - 1 };
    const isInside = (["x", "y", "z"] as const).every(
      (axis) => asked[axis] >= 0 && asked[axis] <= last[axis],
    );
    const verb = site.access === "load" ? "reads" : "writes";
    if (asked.x % site.bytes !== 0) {
      this.lookup.tell(user, {
        kind: "misaligned",
        allocation: found.allocation,
        what: `${verb} ${bytesText(site.bytes)} at byte ${asked.x} of a row of surface object ${found.handle}, which is not a multiple of ${site.bytes}`,
      });
      return undefined;
    }
    if (isInside) return asked;
    if (boundary === "zero") return undefined;
    const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));
    if (boundary === "clamp" && last.x >= 0)
      return { x: clamp(asked.x, last.x), y: clamp(asked.y, last.y), z: clamp(asked.z, last.z) };
    this.lookup.tell(user, {
      kind: "out-of-bounds",
      allocation: found.allocation,
      what: `${verb} ${bytesText(site.bytes)} at ${placeText(geometry, asked)} of surface object ${found.handle}, which has ${sizeText(geometry, found)}`,
    });
    return undefined;
  }
}

/** What the third coordinate of a geometry counts; undefined when it has none. */
function sliceNoun(geometry: ImageGeometry): "layer" | "slice" | undefined {
  const { axes, isLayered } = geometryTraits[geometry];
  if (isLayered) return "layer";
  return axes === 3 ? "slice" : undefined;
}

function placeText(geometry: ImageGeometry, { x, y, z }: Place): string {
  const row = geometryTraits[geometry].axes === 1 ? "" : ` of row ${y}`;
  const noun = sliceNoun(geometry);
  return `byte ${x}${row}${noun === undefined ? "" : ` of ${noun} ${z}`}`;
}

function sizeText(geometry: ImageGeometry, { image }: FoundImage): string {
  const rows = geometryTraits[geometry].axes === 1 ? "" : `, ${image.height} rows`;
  const noun = sliceNoun(geometry);
  const slices = noun === undefined ? "" : `, ${image.depth} ${noun}s`;
  return `${bytesText(image.width * texelBytes(image))} a row${rows}${slices}`;
}
