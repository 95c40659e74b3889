import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { inRepository } from "./layout.mjs";

/**
 * Where the server's texts stand: `unread` folders have readers other than the editor's user, sentences of `told`
 * ones reach the editor by events, errors and tables, of `data` the values of some keys are shown.
 * @type {{ unread: string[], told: string[], data: Record<string, string[]> }}
 */
const places = JSON.parse(
  readFileSync(inRepository("server", "setup", "support", "text-places.json"), "utf8"),
);

/** Below a call of these nothing is for users: a bug's words, a reader's expectations. */
const FOR_NOBODY = new Set(["invariant", "known", "assertNever", "at", "last", "described"]);

/** Values of these keys are for models, or for the docs. */
const OTHER_READERS = new Set(["forModel", "definition", "example", "metric"]);

/** Two words: a sentence, or a part of one. */
const WORDS = /[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}/;

/** One word of a sentence whose others differ from time to time. */
const WORD_AMONG_PARTS = /\{\d+\}.*[A-Za-z]{4}|[A-Za-z]{4}.*\{\d+\}/;

/** Functions whose argument is counted: `plural(count, "wavefront")` asks for two texts. */
const COUNTED = new Map([
  ["plural", 1],
  ["of", 2],
  ["some", 1],
]);

/** @typedef {import("typescript").Node} Node */

/**
 * Every text that the server composes and the editor may show, in English: those that are marked with `t`, and
 * those that are told again (`retold`): sentences of events and errors, and tables.
 * @returns {string[]}
 */
export function textsOfServer() {
  const marked = sourcesBelow("server").filter(
    (path) => !places.unread.some((part) => path.startsWith(part)),
  );
  const found = marked.flatMap((path) =>
    textsOf(
      path,
      places.told.some((part) => path.startsWith(part)),
    ),
  );
  const listed = Object.entries(places.data).flatMap(([path, keys]) => valuesOf(path, keys));
  return [...found, ...listed];
}

/**
 * @param {string} path
 * @param {boolean} isTold its sentences reach the editor by events, errors and tables
 * @returns {string[]}
 */
function textsOf(path, isTold) {
  const source = readFileSync(inRepository(path), "utf8");
  if (!isTold && !/\bt`|plural\(|forUser/.test(source)) return [];
  /** @type {typeof import("typescript")} */
  const ts = createRequire(import.meta.url)("typescript");
  const file = ts.createSourceFile(
    path,
    source,
    { languageVersion: ts.ScriptTarget.ES2022, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
    true,
  );
  /** @type {string[]} */
  const texts = [];
  /** @type {(node: Node, isFor: boolean) => void} */
  const visit = (node, isFor) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (isForOthers(ts, node)) return;
    texts.push(...countedTexts(ts, node));
    const text = textOf(ts, node);
    const tag = ts.isTaggedTemplateExpression(node.parent) ? node.parent.tag.getText() : "";
    if (
      text !== undefined &&
      (tag === "t" || (isFor && tag === "" && (WORDS.test(text) || WORD_AMONG_PARTS.test(text))))
    )
      texts.push(text);
    const isUser = isFor || (ts.isPropertyAssignment(node) && node.name.getText() === "forUser");
    node.forEachChild((child) => visit(child, isUser));
  };
  file.forEachChild((child) => visit(child, isTold));
  return texts;
}

/**
 * @param {typeof import("typescript")} ts
 * @param {Node} node
 */
function isForOthers(ts, node) {
  if (ts.isPropertyAssignment(node)) return OTHER_READERS.has(node.name.getText());
  return ts.isCallExpression(node) && FOR_NOBODY.has(node.expression.getText());
}

/**
 * The text of a literal, `{0}`, `{1}` … in the places of expressions.
 * @param {typeof import("typescript")} ts
 * @param {Node} node
 * @returns {string | undefined}
 */
function textOf(ts, node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }, at) => `{${at}}${literal.text}`).join("");
}

/**
 * @param {typeof import("typescript")} ts
 * @param {Node} node
 * @returns {string[]}
 */
function countedTexts(ts, node) {
  if (ts.isPropertyAssignment(node)) return unitTexts(ts, node);
  if (!ts.isCallExpression(node)) return [];
  const at = COUNTED.get(node.expression.getText());
  const what = at === undefined ? undefined : node.arguments[at];
  if (what === undefined || at === undefined || !ts.isStringLiteral(what)) return [];
  const ending = node.arguments[at + 1];
  return numbersOf(what.text, ending && ts.isStringLiteral(ending) ? ending.text : "s");
}

/**
 * The unit of a counter's row, beside which an ending of its plural may stand.
 * @param {typeof import("typescript")} ts
 * @param {import("typescript").PropertyAssignment} node
 * @returns {string[]}
 */
function unitTexts(ts, node) {
  const unit = node.initializer;
  if (node.name.getText() !== "unit" || !ts.isStringLiteral(unit)) return [];
  const ending = node.parent.properties
    .filter(ts.isPropertyAssignment)
    .find(({ name }) => name.getText() === "unitEnding")?.initializer;
  return numbersOf(unit.text, ending && ts.isStringLiteral(ending) ? ending.text : "s");
}

/**
 * @param {string} what
 * @param {string} ending
 */
function numbersOf(what, ending) {
  return [`{0} ${what}`, `{0} ${what}${ending}`];
}

/**
 * Texts of a file of data: all values, or those of some keys, at any depth. A `unit` is counted.
 * @param {string} path
 * @param {string[]} keys none for all
 * @returns {string[]}
 */
function valuesOf(path, keys) {
  /** @type {string[]} */
  const texts = [];
  /** @type {(value: unknown, isWanted: boolean) => void} */
  const visit = (value, isWanted) => {
    if (typeof value === "string" && isWanted) texts.push(value);
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value))
      visit(inner, isWanted || (!Array.isArray(value) && keys.includes(key)));
  };
  visit(JSON.parse(readFileSync(inRepository(path), "utf8")), keys.length === 0);
  return texts.filter((text) => text !== "");
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesBelow(folder) {
  return readdirSync(inRepository(folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules"))
    .map((path) => join(folder, path))
    .sort();
}
