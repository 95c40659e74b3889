import { accessSync, constants, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { inRepository } from "./layout.mjs";
import { PlainFailure } from "./problem.mjs";

/** The variables that move the folders of a user; a relative path in one means nothing (XDG specification). */
const FOLDER_VARIABLES = ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"];

/**
 * Gives this process, and so all that it starts, a home and a cache folder that can be written: npm, pip, VS
 * Code and our own programs each need both. Where the user has none (a container with a bare user id, a
 * read-only disk) folders inside the clone take their place.
 * @param {(line: string) => void} say told what was put in place of what
 */
export function prepareEnvironment(say) {
  for (const name of FOLDER_VARIABLES) {
    const value = process.env[name];
    if (value === undefined || isAbsolute(value)) continue;
    // Empty means "not set" and is no mistake.
    if (value !== "") say(`${name}="${value}" is no absolute path and is ignored`);
    delete process.env[name];
  }
  const home = ownHome();
  const why = home ? `your home folder ${home} cannot be written` : "you have no home folder";
  process.env.HOME = home && canWrite(home) ? home : inClone("home", "HOME", why, say);
  const cache = process.env.XDG_CACHE_HOME ?? join(process.env.HOME, ".cache");
  if (canWrite(join(cache, "kernelwright"))) return;
  process.env.XDG_CACHE_HOME = inClone(
    "cache",
    "XDG_CACHE_HOME",
    `your cache folder ${cache} cannot be written`,
    say,
  );
}

/**
 * A folder of the clone in place of one of the user's.
 * @param {string} name
 * @param {string} variable that would name another one
 * @param {string} why
 * @param {(line: string) => void} say
 * @returns {string} absolute path
 */
function inClone(name, variable, why, say) {
  const folder = inRepository("out", name);
  if (!canWrite(folder))
    throw new PlainFailure(
      `${why}, and ${folder} cannot be written either: name a folder that can, as in ${variable}=FOLDER npm start`,
    );
  say(`${why}: using ${folder}`);
  return folder;
}

/**
 * The home folder that HOME names, else the one that the system has on record.
 * @returns {string | undefined} absolute path
 */
function ownHome() {
  const { HOME } = process.env;
  if (HOME && isAbsolute(HOME)) return HOME;
  delete process.env.HOME;
  try {
    const recorded = homedir();
    return isAbsolute(recorded) ? recorded : undefined;
  } catch {
    // A user id without an entry in the system's list of users.
    return undefined;
  }
}

/**
 * Whether files can be made in a folder; makes the folder when it is not there.
 * @param {string} folder
 */
function canWrite(folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    // Read-only, not ours, below a file, or on a full disk: in any case not usable.
    return false;
  }
}
