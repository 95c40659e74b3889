import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type JSONPath,
  type Node,
  type ParseError,
} from "jsonc-parser";
import type { Json } from "../base/json";
import { type Outcome, fail, succeed } from "../base/outcome";
import type { KernelSpec } from "./spec";
import { decodeSpec } from "./spec-decode";
import type { PathProblem } from "./spec-json";
import { checkSpec } from "./spec-check";

/**
 * One thing that is wrong with a spec file: where, what was expected there and what to do. Line and column
 * are one-based.
 */
export interface SpecProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const syntaxMessages: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is not JSON: a value is a string in double quotes, a number, true, false, [ ] or { }",
  InvalidNumberFormat: "this is not a number as JSON writes it",
  PropertyNameExpected: "a name in double quotes was expected",
  ValueExpected: "a value was expected",
  ColonExpected: "a colon was expected after the name",
  CommaExpected: "a comma was expected before the next entry",
  CloseBraceExpected: "the closing brace } is missing",
  CloseBracketExpected: "the closing bracket ] is missing",
  EndOfFileExpected: "there is text after the end of the spec: remove it",
  UnexpectedEndOfString: "the string is not closed: a double quote is missing",
  UnexpectedEndOfComment: "the comment is not closed",
};

/**
 * Reads the text of a NAME.kernel.json file (JSON with comments and trailing commas). All problems are
 * reported, in the order of the text.
 */
export function parseKernelSpec(text: string): Outcome<KernelSpec, readonly SpecProblem[]> {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  const at = (offset: number, message: string): SpecProblem => ({ ...positionAt(text, offset), message });
  if (root === undefined)
    return fail([
      at(
        0,
        "the file is empty: a kernel spec was expected. Use the command “Create Kernel Spec” to begin one",
      ),
    ]);
  if (errors.length > 0)
    return fail(
      errors.map((error) =>
        at(
          error.offset,
          syntaxMessages[printParseErrorCode(error.error)] ?? printParseErrorCode(error.error),
        ),
      ),
    );
  const twice = duplicateKeys(root);
  if (twice.length > 0)
    return fail(twice.map(({ node, name }) => at(node.offset, `"${name}" stands here twice: remove one`)));
  const problems: PathProblem[] = [];
  const spec = decodeSpec(getNodeValue(root) as Json, (path, message) => problems.push({ path, message }));
  if (spec !== undefined && problems.length === 0) problems.push(...checkSpec(spec));
  if (spec !== undefined && problems.length === 0) return succeed(spec);
  return fail(
    problems
      .map(({ path, message }) => at(nodeAt(root, path).offset, message))
      .sort((a, b) => a.line - b.line || a.column - b.column),
  );
}

/**
 * The node of a path, or of the longest part of it that is there: a missing entry is reported where it should
 * stand.
 */
function nodeAt(root: Node, path: JSONPath): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const found = findNodeAtLocation(root, path.slice(0, length));
    if (found !== undefined) return found;
  }
  return root;
}

function duplicateKeys(node: Node): readonly { readonly node: Node; readonly name: string }[] {
  const seen = new Set<string>();
  const found: { node: Node; name: string }[] = [];
  for (const child of node.children ?? []) {
    const [key, value] = child.type === "property" ? (child.children ?? []) : [];
    if (key !== undefined) {
      const name = String(key.value);
      if (seen.has(name)) found.push({ node: key, name });
      seen.add(name);
    }
    found.push(...duplicateKeys(value ?? child));
  }
  return found;
}

function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
