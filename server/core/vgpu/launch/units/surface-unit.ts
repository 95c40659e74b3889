import { type FoundImage, type ImageUser, ImageLookup } from "./image-lookup";
import { bytesText } from "../findings/findings";
import type { LaunchState } from "../state/launch-state";
import type { Sanitizer } from "../findings/sanitizer";
import { sinkAt } from "../state/sink";
import { texelBytes } from "../../memory/images";
import { lanes, staticLayout } from "../../layout";

/** Where a lane's access falls, from the coordinates; undefined when it is dropped. */
interface Place {
  /** Byte of its row, row and slice. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/**
 * Finds the memory behind surfaces for generated code, which then loads and stores itself (PTX ISA section
 * 9.7.11, suld and sust).
 */
export class SurfaceUnit {
  private readonly lookup: ImageLookup;

  constructor(
    private readonly state: LaunchState,
    sanitizer: Sanitizer,
  ) {
    this.lookup = new ImageLookup(state, sanitizer, true);
  }

  /**
   * What generated code imports: `handle` and coordinates are linear addresses of vectors. Puts each lane's
   * linear address into the scratch vector, a harmless one where nothing is to be touched, and gives the
   * lanes that touch the surface.
   */
  readonly locate = (
    ...[warp, index, mask, handle, ...coordinates]: readonly [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ]
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
      const values = coordinates.map((vector) =>
        vector === 0 ? 0 : view.getInt32((vector >>> 0) + 4 * lane, true),
      );
      const place = found && this.placeOf(user, found, values);
      if (place) inside |= 1 << lane;
      const at =
        place && found
          ? found.linear + place.z * found.image.slice + place.y * found.image.pitch + place.x
          : sinkAt(state, lane, site.access);
      view.setUint32(base + staticLayout.addresses + 4 * lane, at, true);
    }
    return inside;
  };

  private placeOf(user: ImageUser, found: FoundImage, values: readonly number[]): Place | undefined {
    const { site } = user;
    const { geometry = "1d", boundary } = site.instruction.matched.modifiers;
    const [first = 0, second = 0, third = 0] = values;
    // The layer comes first, and counts without sign.
    const asked: Place =
      geometry === "a1d"
        ? { x: second, y: 0, z: first >>> 0 }
        : geometry === "a2d"
          ? { x: second, y: third, z: first >>> 0 }
          : { x: first, y: second, z: third };
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

function placeText(geometry: string, { x, y, z }: Place): string {
  const row = geometry.endsWith("1d") ? "" : ` of row ${y}`;
  return `byte ${x}${row}${geometry.startsWith("a") ? ` of layer ${z}` : geometry === "3d" ? ` of slice ${z}` : ""}`;
}

function sizeText(geometry: string, { image }: FoundImage): string {
  const rows = geometry.endsWith("1d") ? "" : `, ${image.height} rows`;
  const slices = geometry.startsWith("a")
    ? `, ${image.depth} layers`
    : geometry === "3d"
      ? `, ${image.depth} slices`
      : "";
  return `${bytesText(image.width * texelBytes(image))} a row${rows}${slices}`;
}
