import { createHash } from "node:crypto";
import type { CapturedLaunch } from "../triton/captured-launch";

/** Digest of what host code hands to the launches of one run beside its inputs. */
export class HandedDigest {
  private readonly hash = createHash("sha256");

  /** Takes the part of a launch that is no buffer. */
  addLaunch({ name, ptx, grid, warps, sharedBytes, arguments: given }: CapturedLaunch): void {
    const scalars = given.map((each) =>
      each.kind === "scalar" ? Buffer.from(each.bytes).toString("hex") : `${each.buffer}+${each.offset}`,
    );
    this.hash.update(JSON.stringify({ name, grid, warps, sharedBytes, scalars })).update(codeOf(ptx));
  }

  /** Takes what host code has written into a buffer. */
  addContent(bytes: Uint8Array): void {
    this.hash.update(bytes);
  }

  /** Takes a content that a kernel has left in an earlier call; which one it is says how many came later. */
  addKept(age: number): void {
    this.hash.update(`kept ${age}`);
  }

  /** Takes a copy of what a kernel of this call has left; which one it is says its place among them. */
  addCopied(place: number): void {
    this.hash.update(`copied ${place}`);
  }

  /** The digest so far. */
  get text(): string {
    return this.hash.copy().digest("hex");
  }
}

/** PTX without what it says of its source: each process of a candidate has a folder of its own. */
function codeOf(ptx: string): string {
  const [code = ""] = ptx.split(/^\s*\.section\s+\.debug/m);
  return code.replace(/^\s*\.file\s.*$/gm, "");
}
