import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ImportedSession, SessionShelf } from "../../core/ports/run-store";
import type { Redactor } from "../../core/trajectory/redact";
import { onDisk, writeWhole } from "./disk";
import type { StoragePorts } from "./storage-ports";
import { importSession } from "./session-import";
import { existingFolder, lockFile, nameFile, placeFile } from "./session/session-folder";
import { WriterLock } from "./writer-lock";

interface SessionFoldersOptions extends Pick<StoragePorts, "clock" | "identity"> {
  /** Folder of all sessions. */
  readonly root: string;
  /** Secrets in names are replaced. */
  readonly redactor: Redactor;
}

/** The folders of sessions as things that have a name and can be thrown away. */
export class SessionFolders implements SessionShelf {
  constructor(private readonly folders: SessionFoldersOptions) {}

  async rename(sessionId: string, name: string): Promise<void> {
    const path = join(await existingFolder(this.folders.root, sessionId), nameFile);
    const clean = this.folders.redactor.redact(name);
    if (clean === "") await onDisk("remove", path, () => rm(path, { force: true }));
    else await writeWhole(path, clean, this.folders.identity.ulid());
  }

  async place(sessionId: string, file: string): Promise<void> {
    const path = join(await existingFolder(this.folders.root, sessionId), placeFile);
    await writeWhole(path, file, this.folders.identity.ulid());
  }

  bringIn(path: string): Promise<ImportedSession> {
    return importSession(path, this.folders);
  }

  async remove(sessionId: string): Promise<void> {
    const { root, identity } = this.folders;
    const folder = await existingFolder(root, sessionId);
    const lock = await WriterLock.acquire(join(folder, lockFile), this.folders);
    try {
      // Out of the way in one step: what a crash leaves of it is no session any more.
      const doomed = join(root, `removed-${identity.ulid()}`);
      await onDisk("remove", folder, async () => {
        await rename(folder, doomed);
        await rm(doomed, { recursive: true, force: true });
      });
    } finally {
      await lock.release();
    }
  }
}
