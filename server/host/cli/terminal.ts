import { at } from "../../core/base/known";
import type { Readable, Writable } from "node:stream";

/** What a command needs of the world: tests pass their own streams. */
export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable;
  /** Colour only on a terminal and without NO_COLOR. */
  readonly colour: boolean;
  /** Width of the terminal in characters; undefined when the output goes elsewhere. */
  readonly columns?: number;
  /** Whether standard errors are shown on a terminal. */
  readonly errorsShown?: boolean;
  /** The same as descriptors of this process, for programs that run on them. */
  readonly descriptors: readonly [input: number, output: number, errors: number];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly currentFolder: string;
}

type Paint = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

const codes: Record<Paint, readonly [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** Text in a colour where the terminal shows colours, else as it is. */
export function paint(terminal: Terminal, style: Paint, text: string): string {
  const [on, off] = codes[style];
  return terminal.colour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}

/**
 * Control characters of hostile text (compiler output, model output, file names) are made visible, so that
 * they can neither drive the terminal nor turn the order of what is read.
 */
export function plain(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

export function printLine(terminal: Terminal, text = ""): void {
  terminal.output.write(`${text}\n`);
}

export function reportLine(terminal: Terminal, text: string): void {
  terminal.errors.write(`${text}\n`);
}

/** Columns padded to the widest cell; the last column is left as it is. */
export function formatTable(rows: readonly (readonly string[])[]): readonly string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(at(widths, column))))
      .join("  ")
      .trimEnd(),
  );
}

/**
 * Widths that our reports are laid out for, in characters: what a terminal has, within reason, and the
 * greatest for a file or a pipe.
 */
const layoutWidths = { least: 80, most: 120 } as const;

/** How wide a report may be. */
export function reportWidth(terminal: Terminal): number {
  return Math.max(layoutWidths.least, Math.min(layoutWidths.most, terminal.columns ?? layoutWidths.most));
}

/** A number and its unit, which stay on one line. */
const quantity = /(\d) (ns|µs|ms|s|B|[KMGT]iB|[kMGT])(?!\w)/g;

/**
 * Lines of at most so many characters, broken at blanks, but not between a number and its unit; a longer word
 * stands alone.
 */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of text.replace(quantity, "$1\u00a0$2").split(" ")) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current].map((line) => line.replaceAll("\u00a0", " "));
}

/** Labels in a column of their own, each text wrapped beside it. */
export function formatLabelled(
  rows: readonly (readonly [string, string])[],
  width: number,
): readonly string[] {
  const labels = Math.max(0, ...rows.map(([label]) => label.length)) + 2;
  return rows.flatMap(([label, text]) =>
    wrapText(text, width - labels).map((line, at) => `${(at === 0 ? label : "").padEnd(labels)}${line}`),
  );
}
