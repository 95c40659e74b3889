import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";

/** Folders that we made and have not removed. Whatever way this process exits, none is left behind. */
const present = new Set<string>();
let watching = false;

export interface PrivateFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Makes a folder that only this user can enter; `prefix`: its path but for the letters that make it unique.
 * It goes with this process.
 */
export async function makePrivateFolder(prefix: string): Promise<PrivateFolder> {
  if (!watching) {
    watching = true;
    process.on("exit", () => {
      for (const each of present) rmSync(each, { recursive: true, force: true });
    });
  }
  const path = await mkdtemp(prefix);
  present.add(path);
  const remove = async (): Promise<void> => {
    await rm(path, { recursive: true, force: true });
    present.delete(path);
  };
  return { path, remove };
}
