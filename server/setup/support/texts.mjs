import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "./layout.mjs";

/** What translators begin with: every text of the client, by itself. */
export const TEXTS_FILE = "l10n/bundle.l10n.json";

/** A text that is asked for in the user's language: the first argument of `t`, as one literal. */
const ASKED = /\bt\(\s*("(?:[^"\\]|\\.)*")/g;

/** A word of a table that is asked for by its key. */
const WORD = /: ("(?:[^"\\]|\\.)*")/g;

/** Sources that hold such tables. */
const TABLES = [
  "client/webview/common/status-words.ts",
  "client/webview/performance/words.ts",
  "server/core/words/names/names.ts",
];

/**
 * The content of the file, from the sources as they are.
 * @returns {string}
 */
export function textsOfClient() {
  const texts = new Set([...sourcesBelow("client").flatMap(asked), ...TABLES.flatMap(words)]);
  const sorted = [...texts].sort();
  return `${JSON.stringify(Object.fromEntries(sorted.map((text) => [text, text])), null, 2)}\n`;
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function asked(path) {
  return literals(path, ASKED);
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function words(path) {
  return literals(path, WORD);
}

/**
 * @param {string} path
 * @param {RegExp} form
 * @returns {string[]}
 */
function literals(path, form) {
  const source = readFileSync(inRepository(path), "utf8");
  return [...source.matchAll(form)].map(([, literal]) => JSON.parse(literal ?? ""));
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
