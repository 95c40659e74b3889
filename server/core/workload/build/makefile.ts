import { type BuildPart, joinBuildParts } from "../build-settings";
import { boundsOf, type BuildQuestion } from "./compile-commands";
import { readOptionWords } from "./option-words";
import { shellWords } from "./shell-words";

interface MakefileText {
  readonly path: string;
  readonly folder: string;
  readonly text: string;
}

interface MakeLine {
  /** One-based, of its first part. */
  readonly number: number;
  readonly text: string;
}

/** Variables by which compilers are given options; those of linkers are not looked at. */
const ofOptions = /^(?!LD|LIB)\w*(?:FLAGS?|OPTS?|OPTIONS|INC\w*|DEFS?|DEFINES|STD)\w*$|^NVCC$/i;
const assignment = /^\s*(?:export\s+|override\s+)?([\w.-]+)\s*(?:\+|\?|:{1,3})?=\s*(.*)$/;
/** Recipes of compilers, for a file that they do not name. */
const forAnyFile = /\$[<^]|%\.cu|\$\(SRC/i;
/** The options that mean the same wherever they are given; others are of one target, or of linking. */
const taken =
  /^(?:-I[\w./+-]+|-D[A-Za-z_]\w*(?:=[\w.+-]*)?|-?-std=(?:c|gnu)\+\+\w+|--?expt-[\w-]+|--?extended-lambda|--?use_fast_math)$/;
const depth = 5;

/**
 * What a makefile gives nvcc for a file, read and not run: of variables of options and of the recipes that
 * name the file or any file, include folders, macros, the standard, and what extends the language. A word
 * with a variable that is not known is passed over.
 */
export function readMakefile({ path, folder, text }: MakefileText, question: BuildQuestion): BuildPart {
  const lines = forLinux(linesOf(text));
  const values = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = assignment.exec(line.text) ?? [];
    if (name !== undefined && value !== undefined && !line.text.startsWith("\t"))
      values.set(name, `${values.get(name) ?? ""} ${value}`.trim());
  }
  if (![...values.values(), ...lines.map((line) => line.text)].some((each) => /\bnvcc\b/.test(each)))
    return {};
  const base = question.file.slice(question.file.lastIndexOf("/") + 1);
  return joinBuildParts(
    lines.map((line) => {
      const words = wordsOf(line, base).flatMap((word) => expanded(word, values, depth));
      const options = joined(words).filter((word) => taken.test(word) && !word.includes("$"));
      return readOptionWords(options, {
        ...{ origin: "inferred", where: `${path}:${line.number}`, folder },
        ...boundsOf(question),
      });
    }),
  );
}

/** The lines without comments; what ends with a backslash goes on. */
function linesOf(text: string): readonly MakeLine[] {
  const lines: MakeLine[] = [];
  let open: { readonly number: number; text: string } | undefined;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const plain = raw.replace(/(?<!\\)#.*$/, "");
    open = open === undefined ? { number: index + 1, text: plain } : { ...open, text: open.text + plain };
    if (open.text.endsWith("\\")) open.text = `${open.text.slice(0, -1)} `;
    else {
      lines.push(open);
      open = undefined;
    }
  }
  return open === undefined ? lines : [...lines, open];
}

/** How conditions name systems that nvcc's sources are not compiled on here. */
const otherSystem = /\b(?:Windows\w*|Darwin|MINGW\w*|MSYS\w*|CYGWIN\w*)\b/i;

/** Of a conditional: whether its present branch is left out, and whether its `else` is. */
interface Branch {
  isOut: boolean;
  isElseOut: boolean;
}

function branchOf(text: string): Branch {
  const [, word = "", compared = ""] = /^\s*(ifn?eq)\b(.*)$/.exec(text) ?? [];
  const isOther = otherSystem.test(compared);
  return { isOut: isOther && word === "ifeq", isElseOut: isOther && word === "ifneq" };
}

/** The lines without branches for other systems: `ifeq ($(OS),Windows_NT)`, `else ifeq ($(UNAME),Darwin)`. */
function forLinux(lines: readonly MakeLine[]): readonly MakeLine[] {
  const left: MakeLine[] = [];
  const open: Branch[] = [];
  for (const line of lines) {
    const [, word = "", rest = ""] = /^\s*(ifn?eq|ifn?def|else|endif)\b(.*)$/.exec(line.text) ?? [];
    const present = open.at(-1);
    const branch = branchOf(word === "else" ? rest : line.text);
    if (word.startsWith("if")) open.push(branch);
    else if (word === "endif") open.pop();
    else if (word === "else" && present !== undefined)
      Object.assign(present, rest.trim() === "" ? { isOut: present.isElseOut } : branch);
    else if (open.every(({ isOut }) => !isOut)) left.push(line);
  }
  return left;
}

/** The words of a line that may be options for the file. */
function wordsOf({ text }: MakeLine, base: string): readonly string[] {
  if (!text.startsWith("\t")) {
    const [, name = "", value = ""] = assignment.exec(text) ?? [];
    return ofOptions.test(name) ? plainWords(value) : [];
  }
  const isCompiler = /\bnvcc\b|\$[({]NVCC[)}]/i.test(text);
  return isCompiler && (text.includes(base) || forAnyFile.test(text)) ? plainWords(text) : [];
}

function plainWords(text: string): readonly string[] {
  return shellWords(text.replace(/^\t[-@+]*/, ""));
}

/** A word with the values of its variables, as words; one that is not known stays. */
function expanded(word: string, values: ReadonlyMap<string, string>, levels: number): readonly string[] {
  const [reference, round, curly] = /\$(?:\(([\w.-]+)\)|\{([\w.-]+)\})/.exec(word) ?? [];
  if (reference === undefined) return [word];
  const name = round ?? curly ?? "";
  const value = name === "CURDIR" ? "." : values.get(name);
  if (value === undefined || levels === 0) return [word];
  return plainWords(word.replace(reference, value)).flatMap((each) => expanded(each, values, levels - 1));
}

/** `-I folder` as one word. */
function joined(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const before = words[index - 1];
    if (/^-[ID]$|^-?-std$/.test(word)) return [];
    if (before !== undefined && /^-[ID]$/.test(before)) return [`${before}${word}`];
    return before !== undefined && /^-?-std$/.test(before) ? [`-std=${word}`] : [word];
  });
}
