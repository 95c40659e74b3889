import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "./layout.mjs";

/** What translators begin with: every text of the client, by itself. */
export const TEXTS_FILE = "l10n/bundle.l10n.json";

/** A text that is asked for in the user's language: the first argument of `t`, as one literal. */
const ASKED = /\bt\(\s*("(?:[^"\\]|\\.)*")/g;

/** Tables of words that are asked for by their keys. */
const TABLE = /: ("(?:[^"\\]|\\.)*")/g;

/**
 * The content of the file, from the sources as they are.
 * @returns {string}
 */
export function textsOfClient() {
  const texts = new Set(sourcesBelow("client").flatMap(textsIn));
  const sorted = [...texts].sort();
  return `${JSON.stringify(Object.fromEntries(sorted.map((text) => [text, text])), null, 2)}\n`;
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function textsIn(path) {
  const source = readFileSync(inRepository(path), "utf8");
  const isTable = path.endsWith("webview/performance/words.ts");
  const literals = [...source.matchAll(ASKED), ...(isTable ? source.matchAll(TABLE) : [])];
  return literals.map(([, literal]) => JSON.parse(literal ?? ""));
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesBelow(folder) {
  return readdirSync(inRepository(folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => join(folder, path))
    .sort();
}
