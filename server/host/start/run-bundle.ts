import { isAscii } from "node:buffer";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname } from "node:path";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";
import type { CodeCache } from "./code-cache";
import { underFlagsOf } from "./engine-flags";

/** What a bundle is called with: the names of a CommonJS module (nodejs.org/api/modules.html). */
type Bundle = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  filename: string,
  folder: string,
) => void;

const briefEnding = "-brief";

/** Under which a program tells its threads where code is kept. */
export const codeFolderForThreads = "kernelwright code folder";

/** What is to be kept of a start whose whole code was not there, or was refused. */
export interface Keeping {
  /** This start had code that was kept. */
  readonly isUsed: boolean;
  /** V8 refused what is kept of a start that was not brief. */
  readonly isRefused: boolean;
  /** Keeps the functions that ran until now: as those of a brief start, or as all that a start needs. */
  readonly keep: (howMuch: "brief" | "whole") => void;
}

interface RunOptions {
  /** Which of a bundle's programs starts: each runs functions of its own. Left out where it has one. */
  readonly program?: string;
  /** Without one, code is compiled as it runs. */
  readonly cache: CodeCache | undefined;
  /** Keeps the code when the start has done enough. */
  readonly keepLater: (keeping: Keeping) => void;
}

/**
 * Runs a bundle as `require` does, with the code that V8 made of it at an earlier start: half of a start is
 * compilation. V8 refuses code of another version, other flags or another processor; that of another text is
 * kept under another name. Gives what the bundle exports.
 */
export function runBundle(
  path: string,
  { program = basename(path, ".js"), cache, keepLater }: RunOptions,
): object {
  const tag = cachedDataVersionTag();
  const bytes = readFileSync(path);
  const text = bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
  const name = nameOf(program, bytes, tag);
  const whole = cache?.read(name);
  const cachedData = whole ?? cache?.read(name + briefEnding);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: path,
    ...(cachedData && { cachedData }),
  });
  const isUsed = cachedData !== undefined && script.cachedDataRejected !== true;
  const isRefused = whole !== undefined && !isUsed;
  if (cache !== undefined && (whole === undefined || isRefused)) {
    const keep: Keeping["keep"] = (howMuch) => {
      // Under other flags the next start would refuse the code.
      const code = underFlagsOf(tag, () => script.createCachedData());
      if (code !== undefined) cache.keep(howMuch === "brief" ? name + briefEnding : name, code);
    };
    keepLater({ isUsed, isRefused, keep });
  }
  const module = { exports: {} };
  (script.runInThisContext() as Bundle)(module.exports, createRequire(path), module, path, dirname(path));
  return module.exports;
}

function nameOf(program: string, bytes: Uint8Array, tag: number): string {
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  return `${program}-${digest}-${tag.toString(16)}`;
}
