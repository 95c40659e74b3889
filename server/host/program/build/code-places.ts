import { at } from "../../../core/base/known";
import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import type { SourceLines } from "../../../core/ports/entry-programs";
import { OperationalError } from "../../../core/base/operational-error";
import { runProcess } from "../../process/run-process";
import { buildWords } from "./build-sources";

export interface Place {
  /** Empty when it is not known. */
  readonly file: string;
  readonly line: number;
}

const nowhere: Place = { file: "", line: 0 };
const limitMilliseconds = 60_000;

/** Turns the protocol's `where` and paths of compilers into places as the user would write them. */
export class CodePlaces {
  private readonly lines = new Map<string, readonly Place[]>();
  private readonly folder: string;
  private readonly sourceLines: SourceLines;
  /** The program's sources as the user wrote them, by their real paths. */
  private readonly sources: ReadonlyMap<string, string>;

  /**
   * `file`: the program's source as the user wrote it, relative to `folder`; more of them may be among the
   * options.
   */
  constructor({
    file,
    folder,
    compileOptions,
    lines = {},
  }: {
    readonly file: string;
    readonly folder: string;
    readonly compileOptions: readonly string[];
    /** Left out: the sources were compiled as they are. */
    readonly lines?: SourceLines;
  }) {
    this.folder = folder;
    this.sourceLines = lines;
    this.sources = new Map(
      buildWords(file, compileOptions).sources.map((each) => [real(resolve(folder, each)), each]),
    );
  }

  /**
   * Looks up all code addresses at once. Without `addr2line` (it comes with the host compiler's tools) they
   * stay unknown.
   */
  async learn(executable: string, wheres: Iterable<string>, signal: AbortSignal): Promise<void> {
    const addresses = [
      ...new Set(
        [...wheres].filter((where) => where.startsWith("@")).flatMap((where) => where.slice(1).split(",")),
      ),
    ];
    if (addresses.length === 0) return;
    try {
      const said = await runProcess({
        command: "addr2line",
        arguments: ["-a", "-i", "-e", executable],
        input: addresses.map((each) => `0x${each}\n`).join(""),
        signal,
        timeLimitMilliseconds: limitMilliseconds,
        outputLimitBytes: 64 * 1024 * 1024,
      });
      this.read(said.output);
    } catch (thrown) {
      if (!(thrown instanceof OperationalError) || thrown.code !== "tool-missing") throw thrown;
    }
  }

  /** The innermost place in the user's own files. */
  of(where: string): Place {
    if (!where.startsWith("@")) {
      const [, file = "", line = "0"] = /^(.*):(\d+)$/.exec(where) ?? [];
      return file === "" ? nowhere : { file: this.shown(file), line: Number(line) };
    }
    const chain = where
      .slice(1)
      .split(",")
      .flatMap((address) => this.lines.get(address) ?? []);
    const own =
      chain.find(({ file }) => this.sources.has(file)) ??
      chain.find(({ file }) => !/\/(cuda|include|usr)\//.test(file));
    if (own === undefined) return nowhere;
    const file = this.shown(own.file);
    return { file, line: this.sourceLines[file]?.[own.line - 1] ?? own.line };
  }

  /** A path as the user would write it. */
  shown(path: string): string {
    const absolute = real(resolve(this.folder, path));
    const source = this.sources.get(absolute);
    if (source !== undefined) return source;
    const inside = relative(this.folder, absolute);
    return inside === "" || inside.startsWith("..") || isAbsolute(inside) ? absolute : inside;
  }

  /** One address line, then one place for each inlined function, innermost first. */
  private read(output: string): void {
    let address = "";
    for (const line of output.split("\n")) {
      const begins = /^0x0*([0-9a-f]+)$/.exec(line);
      const place = /^(.+):(\d+)(?: \(discriminator \d+\))?$/.exec(line);
      if (begins) address = at(begins, 1);
      else if (place && place[1] !== undefined && Number(place[2]) > 0)
        this.lines.set(address, [
          ...(this.lines.get(address) ?? []),
          { file: real(resolve(this.folder, place[1])), line: Number(place[2]) },
        ]);
    }
  }
}

function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
