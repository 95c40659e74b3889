import type { CodeRow, Place } from "./row";

/**
 * The instructions of a kernel and of the functions that its module holds, with their lines by `.loc` (PTX
 * ISA section 11.5.3). `symbol`: the mangled name of the kernel. Declarations and debug sections are left
 * out.
 */
export function ptxRows(ptx: string, symbol: string): readonly CodeRow[] {
  const reader = new PtxReader(symbol);
  for (const line of ptx.split("\n")) reader.read(line.trim());
  const files = new Map(
    [...ptx.matchAll(/^\s*\.file\s+(\d+)\s+"([^"]*)"/gm)].map(([, number, path]) => [number, path] as const),
  );
  return reader.rows.map(({ text, places }) => ({
    text,
    places: places.map(({ file, line }) => ({ file: files.get(file) ?? "", line })),
  }));
}

const functionStart = /\.(entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)/;
const location = /^\.loc\s+(\d+)\s+(\d+)\s+(\d+)(?:.*inlined_at\s+(\d+)\s+(\d+)\s+(\d+))?/;
const inlineBegins = /^\/\/ begin inline asm/;
const inlineEnds = /^\/\/ end inline asm/;
/** Labels of the debug information; those that branches go to are kept. */
const unseen = /^(?:$|\/\/|\.(?!branchtargets|callprototype)|\$L__(?:tmp|func_|info_)|[{}()]?$)/;

/** Files are numbers here: PTX names them at its end. */
class PtxReader {
  readonly rows: CodeRow[] = [];
  /** The function that is read is the kernel or no kernel at all. */
  private isListed = false;
  private isInBody = false;
  private isInlineAssembly = false;
  private places: readonly Place[] = [];
  private readonly latest = new Map<string, readonly Place[]>();

  constructor(private readonly symbol: string) {}

  read(line: string): void {
    const begun = functionStart.exec(line);
    if (begun) return this.begin(begun[1] === "func", begun[2] ?? "");
    if (line === "{") this.isInBody = true;
    if (line === "}") this.isInBody = false;
    if (!this.isListed || !this.isInBody) return;
    if (inlineBegins.test(line)) this.isInlineAssembly = true;
    if (inlineEnds.test(line)) this.isInlineAssembly = false;
    const place = location.exec(line);
    // LLVM counts the lines of inline assembly as if they were lines of the source.
    if (place && !this.isInlineAssembly) this.locate(place);
    if (!unseen.test(line)) this.rows.push({ text: line.replaceAll("\t", " "), places: this.places });
  }

  private begin(isFunction: boolean, name: string): void {
    this.isListed = isFunction || name === this.symbol;
    this.isInBody = false;
    this.places = [];
  }

  private locate([, file = "", line = "", column = "", ...call]: RegExpExecArray): void {
    const caller = call[0] === undefined ? [] : (this.latest.get(call.join(":")) ?? callSite(call));
    this.places = [{ file, line: Number(line) }, ...caller];
    this.latest.set([file, line, column].join(":"), this.places);
  }
}

function callSite([file = "", line = ""]: readonly string[]): readonly Place[] {
  return [{ file, line: Number(line) }];
}
