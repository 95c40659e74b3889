import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { findProgram } from "../support/find-program.mjs";
import { inCache, inRepository } from "../support/layout.mjs";
import { exclusively } from "../support/lock.mjs";
import { reasonOf, SetupProblem } from "../support/problem.mjs";
import { run } from "../support/processes.mjs";

/**
 * @typedef {object} SystemPiece something of the operating system that we use and do not bring
 * @property {string} name
 * @property {string[][]} programs of each list one must be there
 * @property {string[]} [check] a command that must succeed as well
 * @property {string[]} debian packages that bring it; empty where none of Debian's main section does
 * @property {string} [command] how to get it where `debian` is empty
 * @property {string[]} neededBy
 * @property {string} without what works without it
 */

/** @type {SystemPiece[]} */
const pieces = JSON.parse(readFileSync(inRepository("server", "setup", "system-pieces.json"), "utf8"));

/**
 * Sees to the pieces of the operating system that the purposes need. Installs Debian packages where we may
 * (as root, or by sudo without a password); tells about the rest and goes on, since each missing piece costs
 * only a part.
 * @param {import("../support/reporter.mjs").Reporter} reporter
 * @param {string[]} purposes values of `neededBy`
 * @returns {Promise<string[]>} names of the pieces that are still missing
 */
export async function ensureSystem(reporter, purposes) {
  const wanted = pieces.filter((piece) => piece.neededBy.some((purpose) => purposes.includes(purpose)));
  const missing = wanted.filter((piece) => !isPresent(piece));
  const packages = [...new Set(missing.flatMap((piece) => piece.debian))];
  const installer = packages.length > 0 ? debianInstaller() : undefined;
  const failure = installer ? await install(reporter, installer, packages) : undefined;
  const left = missing.filter((piece) => !isPresent(piece));
  for (const piece of left) reporter.warn(problemOf(piece, failure));
  return left.map((piece) => piece.name);
}

/** How long apt-get waits for another program that installs packages. */
const WAIT_FOR_DPKG = ["-o", "DPkg::Lock::Timeout=300"];

/** @param {SystemPiece} piece */
function isPresent({ programs, check }) {
  if (!programs.every((names) => findProgram(...names))) return false;
  const [command, ...args] = check ?? [];
  return command === undefined || spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

/**
 * @param {SystemPiece} piece
 * @param {unknown} failure what went wrong at the attempt to install it, if there was one
 */
function problemOf(piece, failure) {
  return new SetupProblem({
    piece: piece.name,
    reason: failure ? reasonOf(failure) : "not found on this machine",
    stillWorks: piece.without,
    command: piece.command ?? `sudo apt-get install ${piece.debian.join(" ")}`,
  });
}

/**
 * The words before `apt-get` that let us install, or nothing where we may not or there is no apt-get.
 * @returns {string[] | undefined}
 */
function debianInstaller() {
  const aptGet = findProgram("apt-get");
  if (!aptGet) return undefined;
  if (process.getuid?.() === 0) return [aptGet];
  const sudo = findProgram("sudo");
  return sudo && spawnSync(sudo, ["-n", "true"], { stdio: "ignore" }).status === 0
    ? [sudo, "-n", aptGet]
    : undefined;
}

/**
 * @param {import("../support/reporter.mjs").Reporter} reporter
 * @param {string[]} installer
 * @param {string[]} packages
 * @returns {Promise<unknown>} what went wrong, if anything
 */
async function install(reporter, installer, packages) {
  const [command, ...before] = /** @type {[string, ...string[]]} */ (installer);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  try {
    const install = [
      ...before,
      ...WAIT_FOR_DPKG,
      "install",
      "-y",
      "-q",
      "--no-install-recommends",
      ...packages,
    ];
    // apt-get gives up at once when another one has its lists; it waits for the packages themselves.
    await exclusively(
      inCache("debian.lock"),
      () =>
        reporter.step(`Debian packages: ${packages.join(" ")}`, async (heard) => {
          await run(command, [...before, "update", "-q"], { env, heard });
          await run(command, install, { env, heard });
        }),
      reporter.say,
    );
    return undefined;
  } catch (error) {
    return error;
  }
}
