import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "./layout.mjs";

const WORKER = "server/worker/kernelwright_worker";

/** What an editor's user reads of; what programs print in a terminal is English, as they are. */
const TOLD = ["candidate", "compile", "gpu", "oracle", "probe", "recording", "timed", "source_files.py"];

/** A literal of Python with its prefix, or what only looks like one: a docstring, a comment. */
const LITERAL = /"""[^]*?"""|#[^\n]*|(\w*)("(?:[^"\\\n]|\\.)*")/g;

/** What stands for a value in a text that `%` is applied to. */
const DIRECTIVE = /%(?:\(\w+\))?[-+ 0#]*(?:\d+|\*)?(?:\.\d+)?[a-zA-Z%]/g;

/** Two words: a sentence, or a part of one. */
const WORDS = /[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}/;

/** A line for a shell or a compiler, which is the same in every language. */
const CODE = /[$<]|(?:pip|apt-get) install/;

/** A list of names: it is taken apart where it stands. */
const LIST = /^\s*\)?\.split\(/;

/**
 * The sentences of the Python worker that reach the editor, by verdicts, questions and errors; `{0}`, `{1}` …
 * in the places of values.
 * @returns {string[]}
 */
export function textsOfWorker() {
  return pythonFiles().flatMap((path) => sentencesOf(readFileSync(inRepository(path), "utf8")));
}

/** @returns {string[]} */
function pythonFiles() {
  return readdirSync(inRepository(WORKER), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".py") && TOLD.some((part) => path.startsWith(part)))
    .map((path) => join(WORKER, path))
    .sort();
}

/**
 * Sentences of a source, also those of several literals one behind the other.
 * @param {string} source
 * @returns {string[]}
 */
function sentencesOf(source) {
  /** @type {{ text: string, end: number }[]} */
  const found = [];
  for (const match of source.matchAll(LITERAL)) {
    const [whole, prefix = "", literal] = match;
    // What a pattern looks for is no sentence, and bytes are none.
    if (literal === undefined || prefix !== "") continue;
    const text = literal.slice(1, -1).replace(/\\(.)/g, (_, letter) => (letter === "n" ? "\n" : letter));
    const end = match.index + whole.length;
    const before = found.at(-1);
    if (before !== undefined && /^\s+$/.test(source.slice(before.end, match.index)))
      Object.assign(before, { text: before.text + text, end });
    else found.push({ text, end });
  }
  return found
    .filter(({ text, end }) => WORDS.test(text) && !CODE.test(text) && !LIST.test(source.slice(end)))
    .map(({ text }) => withPlaces(text));
}

/** @param {string} text */
function withPlaces(text) {
  let place = 0;
  return text.replace(DIRECTIVE, (directive) => {
    if (directive.endsWith("%")) return "%";
    place += 1;
    return `{${place - 1}}`;
  });
}
