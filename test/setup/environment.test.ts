import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { inRepository, repository } from "../../server/setup/support/layout.mjs";

const base = mkdtempSync(join(tmpdir(), "kernelwright home "));
afterAll(() => rmSync(base, { recursive: true }));

const asked = `
import { inCache } from ${JSON.stringify(inRepository("server/setup/support/layout.mjs"))};
import { prepareEnvironment } from ${JSON.stringify(inRepository("server/setup/support/environment.mjs"))};
const said = [];
try {
  prepareEnvironment((line) => said.push(line));
  const { HOME, XDG_CACHE_HOME, XDG_DATA_HOME } = process.env;
  console.log(JSON.stringify({ said, HOME, XDG_CACHE_HOME, XDG_DATA_HOME, cache: inCache("piece") }));
} catch (error) {
  console.log(JSON.stringify({ failed: error.message }));
}
`;

interface Case {
  readonly what: string;
  readonly environment: Readonly<Record<string, string>>;
  /** As a user without an entry in the system's list; needs root. */
  readonly nobody?: true;
  readonly gives: Readonly<Record<string, unknown>>;
}

const home = join(base, "home");
const recorded = process.getuid?.() === 0 ? "/root" : (process.env["HOME"] ?? "");
const ownHome = inRepository("out", "home");
const ownCache = inRepository("out", "cache");

const table: readonly Case[] = [
  {
    what: "a home that is not there yet is made",
    environment: { HOME: home },
    gives: { said: [], HOME: home, cache: join(home, ".cache/kernelwright/piece") },
  },
  {
    what: "without HOME the home on record is used",
    environment: {},
    gives: { said: [], HOME: recorded, cache: join(recorded, ".cache/kernelwright/piece") },
  },
  {
    what: "an empty HOME is no home",
    environment: { HOME: "" },
    gives: { said: [], HOME: recorded, cache: join(recorded, ".cache/kernelwright/piece") },
  },
  {
    what: "a home that cannot be made is replaced",
    environment: { HOME: "/dev/null/home" },
    gives: {
      said: [`your home folder /dev/null/home cannot be written: using ${ownHome}`],
      HOME: ownHome,
      cache: join(ownHome, ".cache/kernelwright/piece"),
    },
  },
  {
    what: "a cache folder that cannot be written is replaced",
    environment: { HOME: home, XDG_CACHE_HOME: "/dev/null/cache" },
    gives: {
      said: [`your cache folder /dev/null/cache cannot be written: using ${ownCache}`],
      HOME: home,
      XDG_CACHE_HOME: ownCache,
      cache: join(ownCache, "kernelwright/piece"),
    },
  },
  {
    what: "relative folders are ignored, empty ones without a word",
    environment: { HOME: home, XDG_CACHE_HOME: "cache", XDG_DATA_HOME: "" },
    gives: {
      said: ['XDG_CACHE_HOME="cache" is no absolute path and is ignored'],
      HOME: home,
      cache: join(home, ".cache/kernelwright/piece"),
    },
  },
  {
    what: "a bare user id that may write nowhere is told what to name",
    environment: {},
    nobody: true,
    gives: {
      failed: `you have no home folder, and ${ownHome} cannot be written either: name a folder that can, as in HOME=FOLDER npm start`,
    },
  },
];

/** Whether another user can be played, and may read the clone: one in a home of mode 700 is for its owner. */
function canPlayNobody(): boolean {
  if (process.getuid?.() !== 0) return false;
  const parts = repository.split("/");
  const folders = parts.map((_, index) => parts.slice(0, index + 1).join("/") || "/");
  return folders.every((folder) => (statSync(folder).mode & 0o001) !== 0);
}

describe("the folders of a user", () => {
  for (const { what, environment, nobody, gives } of table) {
    it.skipIf(nobody && !canPlayNobody())(what, () => {
      const { PATH } = process.env;
      const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", asked], {
        encoding: "utf8",
        cwd: "/",
        env: { PATH, ...environment },
        ...(nobody ? { uid: 54_321, gid: 54_321 } : {}),
      });
      expect(stderr).toBe("");
      expect(JSON.parse(stdout)).toEqual(gives);
    });
  }
});
