import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { Edit, Language, Parser as WebParser, type Tree } from "web-tree-sitter";
import { OperationalError } from "../../core/base/operational-error";
import { differingParts } from "../../core/base/text";
import type { Grammars, Parser, SyntaxNode, SyntaxTree } from "../../core/language/tree";
import { keptRoot } from "./kept-nodes";

/** A tree of the library behind the core's interface, with the text it was made from. */
class ParsedTree implements SyntaxTree {
  private rootNode: SyntaxNode | undefined;

  constructor(
    readonly tree: Tree,
    readonly text: string,
  ) {}

  /** One node, which keeps what it was asked for. */
  get root(): SyntaxNode {
    this.rootNode ??= keptRoot(this.tree, this.text);
    return this.rootNode;
  }

  dispose(): void {
    this.tree.delete();
  }
}

class GrammarParser implements Parser {
  constructor(private readonly parser: WebParser) {}

  parse(text: string, previous?: SyntaxTree): SyntaxTree {
    const before = previous instanceof ParsedTree ? previous : undefined;
    if (before !== undefined) before.tree.edit(changeBetween(before.text, text));
    const tree = this.parser.parse(text, before?.tree);
    before?.dispose();
    if (tree === null)
      throw new OperationalError("tool-failed", {
        forUser: "The grammar gave no syntax tree; reload the window.",
      });
    return new ParsedTree(tree, text);
  }
}

/**
 * The one edit that turns one text into another: what lies between their common beginning and their common
 * end.
 */
function changeBetween(before: string, after: string): Edit {
  const { start, endBefore, endAfter } = differingParts(before, after);
  return new Edit({
    startIndex: start,
    oldEndIndex: endBefore,
    newEndIndex: endAfter,
    startPosition: pointAt(before, start),
    oldEndPosition: pointAt(before, endBefore),
    newEndPosition: pointAt(after, endAfter),
  });
}

function pointAt(text: string, index: number): { row: number; column: number } {
  let row = 0;
  let lineStart = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < index; at = text.indexOf("\n", at + 1)) {
    row += 1;
    lineStart = at + 1;
  }
  return { row, column: index - lineStart };
}

/** Where a grammar lies: beside the bundle, else in the package it comes from. */
function locate(name: string, file: string): string {
  const bundled = fileURLToPath(new URL(`./grammars/${file}`, import.meta.url));
  if (existsSync(bundled)) return bundled;
  try {
    return createRequire(import.meta.url).resolve(`${name}/${file}`);
  } catch (cause) {
    throw new OperationalError("tool-missing", {
      forUser: `The grammar ${file} is missing: expected at ${bundled}. Install the extension again, or run npm run build in a clone.`,
      remedy: "npm run build",
      cause,
    });
  }
}

let loading: Promise<Grammars> | undefined;

/**
 * The grammars, loaded once for the process. Throws OperationalError `tool-missing` when a file is not there.
 */
export function loadGrammars(): Promise<Grammars> {
  loading ??= readGrammars().catch((thrown: unknown) => {
    loading = undefined;
    throw thrown;
  });
  return loading;
}

async function readGrammars(): Promise<Grammars> {
  return optimizedLate(async () => {
    await WebParser.init({ wasmBinary: await readFile(locate("web-tree-sitter", "web-tree-sitter.wasm")) });
    const [cuda, python] = await Promise.all([
      readGrammar("tree-sitter-cuda"),
      readGrammar("tree-sitter-python"),
    ]);
    return { cuda, python };
  });
}

/**
 * Loads WebAssembly that is optimized only once it has run for long. The V8 of Node 20 takes a call of a
 * large function for a run through all of it: the lexer of CUDA would be optimized after some tokens, which
 * with the parser costs a third of a second of processor time. A file of 34 lines is read in 18 ms without.
 */
async function optimizedLate<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  if (!process.versions.v8.startsWith("11.")) return load();
  setFlagsFromString(`--wasm-tiering-budget=${lateBudget}`);
  try {
    return await load();
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${usualBudget}`);
  }
}

/** What V8 counts of a function, in bytes of its code, before it optimizes it: by default, and at most. */
const usualBudget = 1_800_000;
const lateBudget = 2_000_000_000;

async function readGrammar(name: string): Promise<Parser> {
  const language = await Language.load(await readFile(locate(name, `${name}.wasm`)));
  return new GrammarParser(new WebParser().setLanguage(language));
}
