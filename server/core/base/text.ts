/** Zero-based position as the language server protocol counts it: UTF-16 code units within a line. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Half-open range of text. */
export interface TextRange {
  readonly start: Position;
  readonly end: Position;
}

/** A range so many lines further down. */
export function movedDown({ start, end }: TextRange, lines: number): TextRange {
  return { start: { ...start, line: start.line + lines }, end: { ...end, line: end.line + lines } };
}

/** A piece of a text, and what has taken its place. */
interface TextChange {
  readonly range: TextRange;
  readonly text: string;
}

/** Where a range lies after a change. What stood within the change ends where the new text ends. */
export function movedBy({ start, end }: TextRange, change: TextChange): TextRange {
  return { start: positionAfter(start, change), end: positionAfter(end, change) };
}

function positionAfter(position: Position, { range: { start, end }, text }: TextChange): Position {
  if (isBefore(position, start)) return position;
  const added = text.split("\n");
  const behind = { line: start.line + added.length - 1, character: (added.at(-1) ?? "").length };
  if (added.length === 1) behind.character += start.character;
  if (isBefore(position, end)) return behind;
  if (position.line > end.line) return { ...position, line: position.line - end.line + behind.line };
  return { ...behind, character: position.character - end.character + behind.character };
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}

/** How the bytes of a text are to be read: its byte order mark tells, without one it is UTF-8. */
export function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
}

/** The text of a file without its byte order mark; undefined for bytes that are no text. */
export function decodedText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** What is part of a sentence elsewhere stands alone here. */
export function asSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Text that stands on one line: what ends lines in names is shown by its number, as `\x0a`. */
export function oneLine(text: string): string {
  return text.replace(
    /[\n\v\f\r\u0085\u2028\u2029]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** Texts are compared by so many characters at once, before one by one. */
const comparedAtOnce = 4_096;

/** What lies between the common beginning and the common end of two texts, in UTF-16 code units. */
export function differingParts(
  before: string,
  after: string,
): { readonly start: number; readonly endBefore: number; readonly endAfter: number } {
  const shorter = Math.min(before.length, after.length);
  const start = commonLength(shorter, (from, to) => [before.slice(from, to), after.slice(from, to)]);
  const tail = commonLength(shorter - start, (from, to) => [
    before.slice(before.length - to, before.length - from),
    after.slice(after.length - to, after.length - from),
  ]);
  return { start, endBefore: before.length - tail, endAfter: after.length - tail };
}

/** How far two texts are the same; `between`: their pieces between two distances. */
function commonLength(most: number, between: (from: number, to: number) => [string, string]): number {
  let length = 0;
  for (let step = comparedAtOnce; step >= 1; step = Math.floor(step / 2))
    while (length + step <= most) {
      const [one, other] = between(length, length + step);
      if (one !== other) break;
      length += step;
    }
  return length;
}

/**
 * The known name that another one was likely meant as: it differs by one letter in four at most, by more or
 * fewer, others, or two that changed places; capitals do not count. Undefined where none is so near.
 */
export function likelyMeant(name: string, known: readonly string[]): string | undefined {
  const near = known
    .filter((each) => each !== name)
    .map((each) => ({ each, distance: editDistance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, distance }) => distance <= Math.max(each.length, name.length) / 4);
  return near.sort((one, other) => one.distance - other.distance)[0]?.each;
}

/** `known are dtype, shape`, or what was likely meant: how a sentence about an unknown name ends. */
export function knownOrMeant(name: string | undefined, names: readonly string[]): string {
  const meant = name === undefined ? undefined : likelyMeant(name, names);
  return meant === undefined ? `known are ${names.join(", ") || "none"}` : `did you mean "${meant}"?`;
}

/** The name that a sentence with `did you mean "…"?` tells, where it is near to this one. */
export function meantIn(sentence: string, name: string): string | undefined {
  const meant = /did you mean "([^"]+)"\?$/.exec(sentence)?.[1];
  return meant === undefined ? undefined : likelyMeant(name, [meant]);
}

/** How many letters have to be changed, put in, left out, or exchanged with the next one. */
function editDistance(one: string, other: string): number {
  let [beforeLast, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isTurned = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      now.push(
        Math.min(
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          (last[column] ?? 0) + 1,
          (now[column - 1] ?? 0) + 1,
          row > 1 && column > 1 && isTurned ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, now];
  }
  return last[other.length] ?? 0;
}
