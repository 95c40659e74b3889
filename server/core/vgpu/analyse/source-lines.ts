import type { CalledFrom, ProgramInstruction } from "../flatten/program";
import type { PtxModule, SourceLine } from "../ptx/module";

interface Place {
  readonly file: number;
  readonly line: number;
}

/**
 * Attributes code to source lines. Inlined code has a chain of places, from the innermost function out to the
 * kernel. It counts for the innermost place that lies in the same file as the outermost one, the kernel's
 * own: a user's helper function gets its own lines, and what comes from a toolkit header counts for the line
 * of the user's that called it.
 */
export class SourceLines {
  private readonly known = new Map<number, SourceLine | undefined>();

  constructor(private readonly module: PtxModule) {}

  /** Line of a `.loc` by its index; undefined without line information. */
  of(location: number): SourceLine | undefined {
    if (location < 0) return undefined;
    if (!this.known.has(location)) this.known.set(location, this.resolve(location));
    return this.known.get(location);
  }

  /**
   * Line that an instruction counts for. Functions of the toolkit that are called, as that of `pow` is, have
   * no lines: what they do counts for the call.
   */
  counted({
    location,
    calledFrom,
  }: Pick<ProgramInstruction, "location" | "calledFrom">): SourceLine | undefined {
    let own = this.of(location);
    for (let call: CalledFrom | undefined = calledFrom; call && own === undefined; call = call.calledFrom)
      own = this.of(call.location);
    return own;
  }

  /** What a message adds when the code itself stands in another file than `of` names: `, in header.cuh:7`. */
  inner(location: number): string {
    const [innermost] = this.chainOf(location);
    if (!innermost || innermost.line === 0) return "";
    const [line, own] = [this.placed(innermost), this.of(location)];
    return own === undefined || line.file === own.file
      ? ""
      : `, in ${line.file.replace(/^.*[\\/]/, "")}:${line.line}`;
  }

  /** Where the code itself stands, as line tables of machine code have it; undefined without a line. */
  innermost(location: number): SourceLine | undefined {
    const [innermost] = this.chainOf(location);
    return innermost === undefined || innermost.line === 0 ? undefined : this.placed(innermost);
  }

  /** The lines of the calls that code was inlined for, from the inside out. */
  callers(location: number): readonly number[] {
    return this.chainOf(location)
      .slice(1)
      .map(({ line }) => line);
  }

  private resolve(location: number): SourceLine | undefined {
    const chain = this.chainOf(location);
    const outermost = chain.at(-1);
    const chosen = chain.find(({ file }) => file === outermost?.file);
    return !chosen || chosen.line === 0 ? undefined : this.placed(chosen);
  }

  /** The places of inlined code, from the innermost out. */
  private chainOf(location: number): readonly Place[] {
    const chain: Place[] = [];
    const seen = new Set<number>();
    for (let at = location; at >= 0 && !seen.has(at);) {
      seen.add(at);
      const entry = this.module.locations[at];
      if (!entry) break;
      chain.push(entry);
      at = entry.inlinedAt;
    }
    return chain;
  }

  private placed({ file, line }: Place): SourceLine {
    return { file: this.module.files.get(file) ?? `file ${file}`, line };
  }
}
