import { OperationalError } from "../../core/base/operational-error";
import type { Identity } from "../../core/ports/identity";
import type { Recordings } from "../../core/ports/recordings";
import { BlobStore } from "./blob-store";

/**
 * Recordings below a folder of the user's data: one file for each content, whichever programs handed it over.
 */
export class RecordingStore implements Recordings {
  private readonly blobs: BlobStore;

  constructor(root: string, identity: Identity) {
    this.blobs = new BlobStore(root, identity);
  }

  async load(hash: string, what: string): Promise<Uint8Array> {
    try {
      return await this.blobs.get(hash);
    } catch (thrown) {
      if (!(thrown instanceof OperationalError) || thrown.code !== "session-damaged") throw thrown;
      throw new OperationalError("spec-invalid", {
        forUser: `kernel spec: the recording of ${what} is not on this machine, or was changed. Record its program again, which writes the spec anew: with Record over the program in the editor, or by kernelwright capture PROGRAM`,
        recordAgain: true,
        cause: thrown,
      });
    }
  }

  keep(bytes: Uint8Array): Promise<string> {
    return this.blobs.put(bytes);
  }
}
