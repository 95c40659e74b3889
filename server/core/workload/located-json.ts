import { last } from "../base/known";
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

/**
 * One thing that is wrong with a file of ours: where, what was expected there and what to do. Line and column
 * are one-based.
 */
export interface FileProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** It is about a name that has no meaning where it stands: what a schema of the file says as well. */
  readonly about?: "name";
}

/** Where something stands in a file: keys and indices. */
export type SpecPath = (string | number)[];

/** The same before its place in the text is known. */
export interface PathProblem {
  readonly path: SpecPath;
  readonly message: string;
  readonly about?: "name";
}

interface LocatedJson {
  readonly value: Json;
  /**
   * A problem at a path, or at the longest part of it that is there: a missing entry is reported where it
   * should stand.
   */
  readonly problem: (problem: PathProblem) => FileProblem;
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
  UnexpectedEndOfString: "the string is not closed: a double quote is missing",
  UnexpectedEndOfComment: "the comment is not closed",
};

/**
 * Reads JSON with comments and trailing commas. `about.what` names the kind of file in messages,
 * `about.empty` says what an empty file wants.
 */
export function parseLocatedJson(
  text: string,
  about: { readonly what: string; readonly empty: string },
): Outcome<LocatedJson, readonly FileProblem[]> {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  const at = (offset: number, message: string): FileProblem => ({ ...positionAt(text, offset), message });
  if (root === undefined) return fail([at(0, about.empty)]);
  const messages = {
    ...syntaxMessages,
    EndOfFileExpected: `there is text after the end of the ${about.what}: remove it`,
  };
  if (errors.length > 0)
    return fail(
      errors.map(({ offset, error }) => {
        const code = printParseErrorCode(error);
        return at(offset, (messages as Readonly<Record<string, string>>)[code] ?? code);
      }),
    );
  const twice = duplicateKeys(root);
  if (twice.length > 0)
    return fail(twice.map(({ node, name }) => at(node.offset, `"${name}" stands here twice: remove one`)));
  return succeed({
    value: getNodeValue(root) as Json,
    problem: ({ path, message, about: part }) => {
      const node = nodeAt(root, path);
      if (part !== "name") return at(node.offset, message);
      return { ...at(node.parent?.offset ?? node.offset, message), about: part };
    },
  });
}

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
  return { line: before.length, column: last(before).length + 1 };
}
