import { type EditResult, findNodeAtLocation, getNodeValue, modify, parseTree } from "jsonc-parser";
import { readSpecMarks, type SpecMark } from "./marks";

/** A change of a text: characters from `offset` on are replaced. */
interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** One way to settle what a mark says. */
export interface SpecMend {
  readonly title: string;
  readonly changes: readonly TextChange[];
}

/** What the spec names, as far as it can be read, and Python functions beside it (`FILE.py::FUNCTION`). */
interface MendContext {
  readonly outputs: readonly string[];
  readonly functions: readonly string[];
}

const formattingOptions = { insertSpaces: true, tabSize: 2 };
/** Functions that are offered as a reference. */
const mostFunctions = 5;
/** Characters of an object on one line. */
const widest = 100;
/** The end of what a probe says of a kernel without a guard. */
const multiples = /If (\w+) is always a multiple of (\d+), choose such shapes\.$/;

/** What can be done about a mark of a spec file, the likeliest first. */
export function mendsOf(text: string, mark: SpecMark, context: MendContext): readonly SpecMend[] {
  if (mark.origin !== "guessed" && mark.sentences.length === 0) return [];
  const kept = mark.origin === "guessed" ? "Keep what was guessed" : "Keep it as it is";
  return [
    ...(mark.path === "reference" ? references(text, mark, context) : []),
    ...rounded(text, mark),
    { title: mark.path === "" ? kept : `${kept}: ${mark.path}`, changes: settled(text, [mark]) },
  ];
}

/** Makes all guesses of a spec the user's own; undefined where there are fewer than two. */
export function keepAll(text: string): SpecMend | undefined {
  const guesses = readSpecMarks(text).filter(({ origin }) => origin === "guessed");
  if (guesses.length < 2) return undefined;
  return { title: `Keep all ${guesses.length} guesses`, changes: settled(text, guesses) };
}

/** Takes the comments of marks away, and their origins: what remains is the user's own. */
function settled(text: string, marks: readonly SpecMark[]): readonly TextChange[] {
  const comments = marks.flatMap((mark) => mark.comments);
  const removed = comments.map(({ start, end }) => ({ offset: start, length: end - start, text: "" }));
  const paths = marks.filter(({ origin }) => origin !== undefined).map(({ path }) => path);
  return paths.length === 0 ? removed : [...removed, ...withoutOrigins(text, paths)];
}

function withoutOrigins(text: string, paths: readonly string[]): readonly TextChange[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const origins = root && findNodeAtLocation(root, ["origins"]);
  if (origins === undefined) return [];
  const left = Object.entries(getNodeValue(origins) as object).filter(([path]) => !paths.includes(path));
  if (left.length === 0) return changed(text, "origins", undefined);
  const short = `{ ${left.map(([path, origin]) => `${JSON.stringify(path)}: ${JSON.stringify(origin)}`).join(", ")} }`;
  if (short.length > widest) return changed(text, "origins", Object.fromEntries(left));
  return [{ offset: origins.offset, length: origins.length, text: short }];
}

function references(text: string, mark: SpecMark, { outputs, functions }: MendContext): readonly SpecMend[] {
  const settledMark = settled(text, [mark]);
  const byFunction = functions.slice(0, mostFunctions).map((callable) => ({
    title: `Check against ${callable}`,
    changes: [...settledMark, ...changed(text, "reference", callable)],
  }));
  if (outputs.length === 0) return byFunction;
  const expressions = Object.fromEntries(outputs.map((name) => [name, ""]));
  return [
    ...byFunction,
    {
      title: "Check against numpy expressions",
      changes: [...settledMark, ...changed(text, "reference", { expressions })],
    },
  ];
}

/** Of a kernel without a guard: shapes of whole blocks, each size rounded up. */
function rounded(text: string, mark: SpecMark): readonly SpecMend[] {
  const [, size = "", step = ""] =
    mark.sentences.map((sentence) => multiples.exec(sentence)).find(Boolean) ?? [];
  if (size === "") return [];
  const changes = sizeChanges(text, size, Number(step));
  return [
    {
      title: `Use sizes ${size} that are multiples of ${step}`,
      changes: [...settled(text, [mark]), ...changes],
    },
  ];
}

function sizeChanges(text: string, size: string, step: number): readonly TextChange[] {
  const pattern = new RegExp(`("sizes"\\s*:\\s*\\{[^{}]*?"${size}"\\s*:\\s*)(\\d+)`, "g");
  return [...text.matchAll(pattern)].map(({ index, 1: before = "", 2: value = "" }) => ({
    offset: index + before.length,
    length: value.length,
    text: String(Math.max(1, Math.ceil(Number(value) / step)) * step),
  }));
}

function changed(text: string, path: string, value: unknown): readonly TextChange[] {
  const edits: EditResult = modify(text, [path], value, { formattingOptions });
  return edits.map(({ offset, length, content }) => ({ offset, length, text: content }));
}
