import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperationalError } from "../../core/base/operational-error";
import type { Identity } from "../../core/ports/identity";
import { errorCode, makeFolder, onDisk, writeWhole } from "./disk";

const hexPattern = /^[0-9a-f]{64}$/;

/** Content kept once under its sha256, shared by all sessions; only ever added to. */
export class BlobStore {
  /** Blobs that this process wrote or verified: while their files are there, nobody reads them again. */
  private readonly verified = new Set<string>();

  constructor(
    private readonly root: string,
    private readonly identity: Identity,
  ) {}

  /** Writes the content unless it is there, and gives its 64 hex digits. On return it is on the disk. */
  async put(content: Uint8Array): Promise<string> {
    const hex = this.identity.sha256(content);
    const isKnown = this.verified.has(hex) && existsSync(this.pathOf(hex));
    if (isKnown || (await this.isWhole(hex))) return hex;
    const folder = join(this.root, "blobs", "sha256", hex.slice(0, 2));
    await makeFolder(folder);
    await writeWhole(join(folder, hex), content, this.identity.ulid());
    this.verified.add(hex);
    return hex;
  }

  /**
   * The content. Throws OperationalError `session-damaged` when it is missing or is not what its name says.
   */
  async get(hex: string): Promise<Uint8Array> {
    const content = hexPattern.test(hex) ? await this.readIfThere(hex) : undefined;
    if (!content) throw damaged(`blob ${hex} is missing from ${join(this.root, "blobs")}`);
    if (this.identity.sha256(content) !== hex) {
      // Who has the content can write it anew.
      this.verified.delete(hex);
      throw damaged(`blob ${hex} was changed after it was written (${this.pathOf(hex)})`);
    }
    return content;
  }

  private async isWhole(hex: string): Promise<boolean> {
    const content = await this.readIfThere(hex);
    if (!content || this.identity.sha256(content) !== hex) return false;
    this.verified.add(hex);
    return true;
  }

  private async readIfThere(hex: string): Promise<Uint8Array | undefined> {
    return onDisk("read", this.pathOf(hex), async () => {
      try {
        return await readFile(this.pathOf(hex));
      } catch (thrown) {
        if (errorCode(thrown) === "ENOENT") return undefined;
        throw thrown;
      }
    });
  }

  private pathOf(hex: string): string {
    return join(this.root, "blobs", "sha256", hex.slice(0, 2), hex);
  }
}

function damaged(what: string): OperationalError {
  return new OperationalError("session-damaged", {
    forUser: `The session is damaged: ${what}.`,
    forModel: "Part of the session's content is missing.",
  });
}
