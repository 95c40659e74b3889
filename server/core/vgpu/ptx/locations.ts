import type { Location } from "./module";
import type { TokenReader } from "./reader";

const maximumLine = 1 << 30;

/** Collects `.loc` directives (PTX ISA section 11.5.3) and resolves what was inlined where. */
export class LocationTable {
  readonly locations: Location[] = [];
  private readonly known = new Map<string, number>();
  private readonly latest = new Map<string, number>();
  private now = -1;
  private lineless = false;

  /** Index of the location that the next instruction belongs to; -1 before the first. */
  get current(): number {
    return this.now;
  }

  /** The next instruction belongs to no line; `current` is the line before. */
  get isLineless(): boolean {
    return this.lineless;
  }

  /** Line information of one function never leaks into the next. */
  reset(): void {
    this.now = -1;
    this.lineless = false;
  }

  /**
   * Reads the rest of `.loc FILE LINE COLUMN[, function_name LABEL, inlined_at FILE LINE COLUMN]`. The call
   * site of an inlined line is the latest `.loc` of exactly that place, so that chains of inlining are kept.
   * Line 0 (code of no line) keeps the line before until `placeLineless` has seen the whole function.
   */
  read(reader: TokenReader): void {
    const place = readPlace(reader);
    let inlinedAt = -1;
    while (reader.peek().text === ",") {
      reader.next();
      const word = reader.word("function_name or inlined_at");
      if (word === "inlined_at") inlinedAt = this.callSite(readPlace(reader));
      else {
        reader.word("a label");
        if (reader.accept("+")) reader.count("an offset", maximumLine);
      }
    }
    this.lineless = place.line === 0;
    if (this.lineless && this.now >= 0) return;
    this.now = this.intern({ ...place, inlinedAt });
    this.latest.set(`${place.file}:${place.line}:${place.column}`, this.now);
  }

  private callSite(place: Omit<Location, "inlinedAt">): number {
    return (
      this.latest.get(`${place.file}:${place.line}:${place.column}`) ??
      this.intern({ ...place, inlinedAt: -1 })
    );
  }

  private intern(location: Location): number {
    const key = `${location.file}:${location.line}:${location.column}:${location.inlinedAt}`;
    const found = this.known.get(key);
    if (found !== undefined) return found;
    this.locations.push(location);
    this.known.set(key, this.locations.length - 1);
    return this.locations.length - 1;
  }
}

/**
 * Blanks the `.loc` directives inside of inline assembly, so that its instructions belong to the line of the
 * statement. LLVM counts the lines of the assembly text as if they were lines of the source: a wide load of
 * Triton would else be counted some lines further down.
 */
export function withoutAssemblyLocations(text: string): string {
  if (!text.includes("// begin inline asm")) return text;
  let inside = false;
  return text
    .split("\n")
    .map((line) => {
      if (/^\s*\/\/ begin inline asm/.test(line)) inside = true;
      if (/^\s*\/\/ end inline asm/.test(line)) inside = false;
      return inside && /^\s*\.loc\b/.test(line) ? "" : line;
    })
    .join("\n");
}

function readPlace(reader: TokenReader): Omit<Location, "inlinedAt"> {
  const file = reader.count("a file number", maximumLine);
  const line = reader.count("a line number", maximumLine);
  return { file, line, column: reader.count("a column number", maximumLine) };
}
