/**
 * Something that set-up needs and cannot get. It is told to the user in three lines, with no stack trace:
 * what is missing, what works all the same, and one command that gets it.
 */
export class SetupProblem extends Error {
  /**
   * @param {{ piece: string, reason: string, stillWorks: string, command: string, cause?: unknown }} facts
   */
  constructor(facts) {
    super(`${facts.piece}: ${facts.reason}`, { cause: facts.cause });
    this.name = "SetupProblem";
    this.facts = facts;
  }
}

/** A failure whose message tells all: shown without a stack trace. */
export class PlainFailure extends Error {}

/** The command line cannot be understood; ends the program with code 2. */
export class UsageFailure extends PlainFailure {}

/**
 * What the system says of files and folders, in words. Each names what the user can do.
 * @type {Record<string, string>}
 */
const FILE_TROUBLES = {
  ENOSPC: "the disk is full",
  EDQUOT: "your quota on this disk is used up",
  EROFS: "the disk is read-only",
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  ENOTDIR: "a part of this path is a file, not a folder",
};

const FREE_SPACE =
  "Free some space and start again; XDG_CACHE_HOME=FOLDER moves the large pieces to another disk.";

const OTHER_FOLDER = "Make it writable for you, or move the clone to a folder that is.";

/** How npm, pip, apt-get and compilers say that a disk is full. */
const DISK_FULL = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|not have enough free space/;

/**
 * Whether an error, of ours or of a tool that we ran, says that there is no more room on a disk.
 * @param {unknown} error
 */
export function isDiskFull(error) {
  const { code, message, output } = /** @type {NodeJS.ErrnoException & { output?: string }} */ (error);
  return code === "ENOSPC" || code === "EDQUOT" || DISK_FULL.test(output ?? message);
}

/**
 * Why something failed, for the user; a full disk stands first, since tools bury it in their output.
 * @param {unknown} error
 * @returns {string}
 */
export function reasonOf(error) {
  const { code, path, message } = /** @type {NodeJS.ErrnoException} */ (error);
  const trouble = FILE_TROUBLES[code ?? ""];
  if (trouble && path) return `${path}: ${trouble}`;
  return isDiskFull(error) ? `the disk is full\n${message}` : message;
}

/**
 * The text that stands on the terminal for a problem or for any other error.
 * @param {unknown} error
 * @returns {string}
 */
export function describeProblem(error) {
  if (error instanceof SetupProblem) {
    const { piece, reason, stillWorks, command } = error.facts;
    return [
      `Missing: ${piece}`,
      `  why:         ${reason.split("\n").join("\n               ")}`,
      `  still works: ${stillWorks}`,
      `  get it with: ${command}`,
    ].join("\n");
  }
  if (error instanceof PlainFailure) return reasonOf(error);
  const { code = "", path } = /** @type {NodeJS.ErrnoException} */ (error);
  if (FILE_TROUBLES[code] && path)
    return `${reasonOf(error)}. ${isDiskFull(error) ? FREE_SPACE : OTHER_FOLDER}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
