import { isAscii } from "node:buffer";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname } from "node:path";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";
import type { CodeCache } from "./code-cache";

/** What a bundle is called with: the names of a CommonJS module (nodejs.org/api/modules.html). */
type Bundle = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  filename: string,
  folder: string,
) => void;

/** A start that took less processor time printed a help or a version, or found a wrong option. */
const briefMicroseconds = 500_000;
const briefEnding = "-brief";

/** By then what a start needs has run, and most of what is short is over. */
const startedMilliseconds = 5_000;

/**
 * Runs a bundle as `require` does, with the code that V8 made of it at an earlier start: half of a start is
 * compilation. V8 refuses code of another version, other flags or another processor; that of another text is
 * kept under another name.
 */
export function runBundle(path: string, cache: CodeCache): void {
  const bytes = readFileSync(path);
  const text = bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
  const name = nameOf(path, bytes);
  const whole = cache.read(name);
  const cachedData = whole ?? cache.read(name + briefEnding);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: path,
    ...(cachedData && { cachedData }),
  });
  const isUsed = cachedData !== undefined && script.cachedDataRejected !== true;
  const isRefused = whole !== undefined && !isUsed;
  if (whole === undefined || isRefused) keepOnceStarted(script, { name, isUsed, isRefused, cache });
  const module = { exports: {} };
  (script.runInThisContext() as Bundle)(module.exports, createRequire(path), module, path, dirname(path));
}

function nameOf(path: string, bytes: Uint8Array): string {
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  return `${basename(path, ".js")}-${digest}-${cachedDataVersionTag().toString(16)}`;
}

interface Keeping {
  readonly name: string;
  /** This start had code that was kept. */
  readonly isUsed: boolean;
  /** V8 refused what is kept of a start that was not brief. */
  readonly isRefused: boolean;
  readonly cache: CodeCache;
}

/**
 * Once: after the start or at the end, whichever comes first. The code has the functions that ran until then,
 * so that of a brief start gives way to that of one which did more, and so does what V8 refused.
 */
function keepOnceStarted(script: Script, { name, isUsed, isRefused, cache }: Keeping): void {
  const keep = (): void => {
    clearTimeout(timer);
    process.off("exit", keep);
    const { user, system } = process.cpuUsage();
    const isBrief = user + system < briefMicroseconds && !isRefused;
    if (isBrief && isUsed) return;
    cache.keep(isBrief ? name + briefEnding : name, script.createCachedData());
  };
  const timer = setTimeout(keep, startedMilliseconds);
  timer.unref();
  process.once("exit", keep);
}
