import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inRepository } from "./layout.mjs";
import { textsOfServer } from "./server-texts.mjs";
import { textsOfWorker } from "./worker-texts.mjs";

/** What translators begin with: every text that the editor may show, by itself. Made when it is wanted. */
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

/** Writes the file anew. */
export function writeTexts() {
  mkdirSync(dirname(inRepository(TEXTS_FILE)), { recursive: true });
  writeFileSync(inRepository(TEXTS_FILE), textsOfProduct());
}

/**
 * The content of the file, from the sources as they are.
 * @returns {string}
 */
export function textsOfProduct() {
  const ofClient = [...sourcesBelow("client").flatMap(asked), ...TABLES.flatMap(words)];
  const texts = new Set([...ofClient, ...textsOfServer(), ...textsOfWorker()]);
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
