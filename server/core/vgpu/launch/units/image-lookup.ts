import type { MemorySite } from "../../emit/emitters/memory-site";
import { linearAddress } from "../../memory/device-memory";
import { type Image, type ImageObject, imageBytes } from "../../memory/images";
import { FaultError, hexadecimal } from "../findings/faults";
import { type FindingDraft, threadText } from "../findings/findings";
import type { Sanitizer } from "../findings/sanitizer";
import type { LaunchState } from "../state/launch-state";

/** A lane at a texture or surface instruction. */
export interface ImageUser {
  readonly site: MemorySite;
  readonly warp: number;
  readonly lane: number;
}

/** An object, with the linear address and the allocation of its memory. */
export interface FoundImage extends ImageObject {
  readonly handle: number;
  readonly linear: number;
  readonly allocation: string;
}

/** What is wrong with a use of an object. */
interface Trouble extends Pick<FindingDraft, "kind" | "allocation" | "address"> {
  /** The message after the thread's name. */
  readonly what: string;
  /** For an uninitialised read: keys of the words. */
  readonly words?: readonly number[];
}

const titles: Readonly<Record<string, string>> = {
  "out-of-bounds": "out of bounds",
  "use-after-free": "use after free",
  misaligned: "misaligned access",
  "uninitialized-read": "uninitialised read",
  "invalid-object": "invalid object",
};

const dimensions: Readonly<Record<Image["geometry"], string>> = {
  linear: "linear memory",
  "1d": "a 1D array",
  "2d": "a 2D array",
  "3d": "a 3D array",
  a1d: "a layered 1D array",
  a2d: "a layered 2D array",
  cube: "the six faces of a cube",
};

/** Finds the texture or surface objects of a launch, and reports wrong uses. */
export class ImageLookup {
  private readonly known = new Map<string, FoundImage | Trouble>();

  constructor(
    private readonly state: LaunchState,
    private readonly sanitizer: Sanitizer,
    private readonly isSurface: boolean,
  ) {}

  /** The object of a handle. A wrong use ends the launch, or is reported and gives undefined. */
  find(user: ImageUser, handle: bigint): FoundImage | undefined {
    const geometry = user.site.instruction.matched.modifiers["geometry"];
    const key = `${handle} ${geometry}`;
    const found = this.known.get(key) ?? this.look(handle, geometry);
    this.known.set(key, found);
    if (!("what" in found)) return found;
    this.tell(user, found);
    return undefined;
  }

  /** Reports what is wrong with a lane's use, or ends the launch with it. */
  tell({ site, warp, lane }: ImageUser, { kind, what, words, ...more }: Trouble): void {
    const { sanitizer } = this;
    const { request, kernel, coordinates } = this.state;
    const where = sanitizer.where(site, warp, lane);
    const message = `${titles[kind] ?? kind}: ${threadText(where.thread, coordinates)} ${what}${kernel.code.lines.inner(site.instruction.location)}`;
    const finding: FindingDraft = { kind, message, ...where, ...more };
    const key = `${kind} ${site.access} ${where.line === undefined ? site.instruction.ptxLine : `${where.file}:${where.line}`} ${more.allocation ?? ""}`;
    if (words) sanitizer.log.noteRead(key, words, () => finding);
    else if (request.faults !== "report") throw new FaultError(finding);
    else sanitizer.log.note(key, () => finding);
  }

  private look(handle: bigint, geometry: string | undefined): FoundImage | Trouble {
    const { memory } = this.state.request;
    const found = this.objectOf(handle);
    if ("what" in found) return found;
    const { image } = found;
    const object = `${this.noun} object ${handle}`;
    const held = memory.find(image.address);
    const allocation = held ? { allocation: held.name } : {};
    if (!held || held.freed)
      return {
        kind: "use-after-free",
        address: image.address,
        what: `uses ${object}, whose memory "${held?.name ?? "unknown"}" was freed`,
        ...allocation,
      };
    if (image.address + BigInt(imageBytes(image)) > held.address + BigInt(held.bytes))
      return {
        kind: "out-of-bounds",
        address: image.address,
        what: `uses ${object}, which ends behind the end of "${held.name}"`,
        ...allocation,
      };
    if (geometry !== undefined && !isReadableAs(image, geometry))
      return {
        kind: "invalid-object",
        what: `reads ${object} as ${geometry}, but it is made of ${dimensions[image.geometry]}`,
        ...allocation,
      };
    return { ...found, handle: Number(handle), linear: linearAddress(image.address), allocation: held.name };
  }

  private get noun(): "surface" | "texture" {
    return this.isSurface ? "surface" : "texture";
  }

  /** The object of a handle, if it exists and is of the right kind. */
  private objectOf(handle: bigint): ImageObject | Trouble {
    const { images } = this.state.request.memory;
    const use = `uses ${hexadecimal(handle)} as a ${this.noun} object`;
    const number = handle <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(handle) : 0;
    const object = images.find(number);
    if (!object) {
      const why = images.wasGiven(number) ? "which was destroyed" : `which is no ${this.noun} object`;
      return { kind: "invalid-object", what: `${use}, ${why}` };
    }
    const isSurface = object.sampler === undefined;
    if (isSurface !== this.isSurface)
      return {
        kind: "invalid-object",
        what: `${use}, which is a ${isSurface ? "surface" : "texture"} object`,
      };
    return object;
  }
}

/** Linear memory can be read as one-dimensional. */
function isReadableAs({ geometry: made }: Image, geometry: string): boolean {
  return geometry === made || (made === "linear" && geometry === "1d");
}
