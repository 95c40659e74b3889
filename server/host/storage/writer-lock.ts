import { constants } from "node:fs";
import { copyFile, link, open, readFile, rename, rm, stat, type FileHandle } from "node:fs/promises";
import * as z from "zod/mini";
import { OperationalError } from "../../core/base/operational-error";
import { objectOf, readJson } from "../../core/base/shape";
import type { Clock } from "../../core/ports/clock";
import type { Identity } from "../../core/ports/identity";
import { errorCode, onDisk } from "./disk";
import { ownMark, stateOf, type ProcessMark } from "./process-mark";

const beatMilliseconds = 10_000;
/**
 * Only for a holder whose process cannot be looked up: on another machine, or on a system without start
 * times.
 */
const silentMilliseconds = 60_000;
const longestTakeoverChain = 4;

interface Holder extends ProcessMark {
  readonly heartbeat: string;
}

const holderShape = objectOf<Holder>()({
  pid: z.number(),
  start: z.string(),
  boot: z.string(),
  scope: z.string(),
  heartbeat: z.string(),
});

interface LockPorts {
  readonly clock: Clock;
  readonly identity: Identity;
}

/** The lock of one session's writer: a file that says which process holds it, renewed every ten seconds. */
export class WriterLock {
  private lost = false;
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    private readonly holder: Holder,
    private readonly clock: Clock,
  ) {
    this.timer = setInterval(() => void this.beat(), beatMilliseconds);
    this.timer.unref();
  }

  /**
   * Takes the lock; takes over one whose process is dead or of another boot. Throws OperationalError
   * `session-locked`.
   */
  static async acquire(path: string, ports: LockPorts): Promise<WriterLock> {
    const holder: Holder = { ...ownMark(), heartbeat: ports.clock.now() };
    return onDisk("lock", path, async () => {
      await take(path, JSON.stringify(holder), ports, 0);
      return new WriterLock(path, await open(path, "r+"), holder, ports.clock);
    });
  }

  /** True while a live process holds the lock. */
  static async isHeld(path: string, clock: Clock): Promise<boolean> {
    const content = await readIfThere(path);
    return content !== undefined && isLive(content, clock);
  }

  /** Throws `session-locked` when another process has taken the lock away (this one was believed dead). */
  assertHeld(): void {
    if (this.lost) throw locked(this.path, "another process has taken over the session");
  }

  /** Gives the lock back; one that another process has taken meanwhile is left alone. */
  async release(): Promise<void> {
    clearInterval(this.timer);
    const own = await this.isOwn();
    await this.file.close();
    if (own) await rm(this.path, { force: true });
  }

  private async beat(): Promise<void> {
    try {
      // Writes into the open file: had the path been taken over, this would reach the removed file only.
      const content = JSON.stringify({ ...this.holder, heartbeat: this.clock.now() });
      await this.file.write(content, 0, "utf8");
      if (!(await this.isOwn())) this.lost = true;
    } catch {
      // A beat that fails (disk full, just closed) is made up for by the next one; the process itself still
      // proves the lock.
      return;
    }
  }

  private async isOwn(): Promise<boolean> {
    try {
      const [atPath, opened] = await Promise.all([stat(this.path), this.file.stat()]);
      return atPath.ino === opened.ino && atPath.dev === opened.dev;
    } catch {
      return false;
    }
  }
}

/**
 * Takes the lock file. A stale one is replaced under a second lock that is named after its content, so that
 * of several processes that see the same stale lock exactly one replaces it; that second lock may itself be
 * stale, and is then taken the same way.
 */
async function take(path: string, content: string, ports: LockPorts, depth: number): Promise<void> {
  const temporary = `${path}.${ports.identity.ulid()}.tmp`;
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
  try {
    for (;;) {
      if (await createExclusively(temporary, path)) return;
      const present = await readIfThere(path);
      if (present === undefined) continue;
      if (isLive(present, ports.clock) || depth >= longestTakeoverChain)
        throw locked(path, `it is being written by ${describe(present)}`);
      const marker = `${path}.${ports.identity.sha256(present).slice(0, 16)}`;
      await take(marker, content, ports, depth + 1);
      try {
        if ((await readIfThere(path)) !== present) continue;
        await rename(temporary, path);
        return;
      } finally {
        await rm(marker, { force: true });
      }
    }
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * A hard link makes the file appear with its whole content or not at all; where there are none an exclusive
 * copy must do.
 */
async function createExclusively(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (thrown) {
    if (errorCode(thrown) === "EEXIST") return false;
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EOPNOTSUPP"].includes(errorCode(thrown))) throw thrown;
  }
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (thrown) {
    if (errorCode(thrown) === "EEXIST") return false;
    throw thrown;
  }
}

function isLive(content: string, clock: Clock): boolean {
  const holder = readJson(holderShape, content);
  if (!holder) return false;
  const state = stateOf(holder);
  if (state !== "unknown") return state === "alive";
  return Date.parse(clock.now()) - Date.parse(holder.heartbeat) < silentMilliseconds;
}

function describe(content: string): string {
  const holder = readJson(holderShape, content);
  return holder ? `process ${holder.pid} on ${holder.scope.split(" ")[0]}` : "another process";
}

function locked(path: string, why: string): OperationalError {
  return new OperationalError("session-locked", {
    forUser: `The session cannot be written here: ${why} (${path}). Reading it is possible; to continue it, end that process first.`,
    forModel: "The session is being written by another process.",
  });
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (thrown) {
    if (errorCode(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}
