import type { MemorySite } from "../../emit/emitters/warp-emitter";
import { linearAddress } from "../../memory/device-memory";
import { type Image, type ImageObject, imageBytes } from "../../memory/images";
import { FaultError, hexadecimal } from "../findings/faults";
import { type FindingDraft, threadText } from "../findings/findings";
import type { Sanitizer } from "../findings/sanitizer";
import type { LaunchState } from "../state/launch-state";

/** One lane at an instruction on a texture or surface. */
export interface ImageUser {
  readonly site: MemorySite;
  readonly warp: number;
  readonly lane: number;
}

/** An object whose memory lies at `linear`, in an allocation of that name. */
export interface FoundImage extends ImageObject {
  readonly handle: number;
  readonly linear: number;
  readonly allocation: string;
}

/** What is wrong with a use. `words`: places of what is read, for an uninitialised read. */
interface Trouble extends Pick<FindingDraft, "kind" | "allocation" | "address"> {
  readonly what: string;
  readonly words?: readonly string[];
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
};

/** Finds texture and surface objects for a launch, and tells what is wrong with those that kernels use. */
export class ImageLookup {
  private readonly known = new Map<string, FoundImage | Trouble>();

  constructor(
    private readonly state: LaunchState,
    private readonly sanitizer: Sanitizer,
    private readonly isSurface: boolean,
  ) {}

  /**
   * The object of a handle; undefined when its use has been told and is passed over. Ends the launch
   * otherwise.
   */
  find(user: ImageUser, handle: bigint): FoundImage | undefined {
    const geometry = user.site.instruction.matched.modifiers["geometry"];
    const key = `${handle} ${geometry}`;
    const found = this.known.get(key) ?? this.look(handle, geometry);
    this.known.set(key, found);
    if (!("what" in found)) return found;
    this.tell(user, found);
    return undefined;
  }

  /** Notes trouble of a lane, or ends the launch with it. `what` follows the thread's name in the message. */
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
    const {
      request: { memory },
    } = this.state;
    const what = this.isSurface ? "surface" : "texture";
    const number = handle <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(handle) : 0;
    const object = memory.images.find(number);
    if (!object) {
      const why = memory.images.wasGiven(number) ? "which was destroyed" : `which is no ${what} object`;
      return { kind: "invalid-object", what: `uses ${hexadecimal(handle)} as a ${what} object, ${why}` };
    }
    if ((object.sampler === undefined) !== this.isSurface)
      return {
        kind: "invalid-object",
        what: `uses ${hexadecimal(handle)} as a ${what} object, which is a ${this.isSurface ? "texture" : "surface"} object`,
      };
    const { image } = object;
    const held = memory.find(image.address);
    const allocation = held ? { allocation: held.name } : {};
    if (!held || held.freed)
      return {
        kind: "use-after-free",
        address: image.address,
        what: `uses ${what} object ${handle}, whose memory "${held?.name ?? "unknown"}" was freed`,
        ...allocation,
      };
    if (image.address + BigInt(imageBytes(image)) > held.address + BigInt(held.bytes)) {
      return {
        kind: "out-of-bounds",
        address: image.address,
        what: `uses ${what} object ${handle}, which ends behind the end of "${held.name}"`,
        ...allocation,
      };
    }
    const isFit =
      geometry === undefined ||
      geometry === image.geometry ||
      (image.geometry === "linear" && geometry === "1d");
    if (!isFit)
      return {
        kind: "invalid-object",
        what: `reads ${what} object ${handle} as ${geometry}, but it is made of ${dimensions[image.geometry]}`,
        ...allocation,
      };
    return { ...object, handle: number, linear: linearAddress(image.address), allocation: held.name };
  }
}
