import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import type { ServiceOptions } from "../../server/host/cli/command-context";
import { runProgram } from "../../server/host/cli/program";
import { composePrograms } from "../../server/host/compose-programs";
import type { ProgramRunner } from "../../server/core/ports/program-runner";
import type { CommandOptions, Ended } from "./command-line";

/**
 * `kernelwright run` for one program after the other in this process, over files in place of streams: a
 * process of its own for each takes longer to start than most programs take. Devices' threads go from one
 * program to the next, as they do where the editor or the judge runs several.
 */
export class ProgramsHere {
  private readonly runners = new Map<string, ProgramRunner>();
  private readonly environment: Readonly<Record<string, string | undefined>>;

  /** `environment`: added to the tests' own. */
  constructor(environment: Readonly<Record<string, string>>) {
    this.environment = { ...process.env, NO_COLOR: "1", ...environment };
  }

  async run(args: readonly string[], { folder, input = "" }: CommandOptions): Promise<Omit<Ended, "signal">> {
    const streams = mkdtempSync(join(tmpdir(), "kernelwright-streams-"));
    const path = (name: string): string => join(streams, name);
    writeFileSync(path("input"), input);
    // Opened for appending: the program and its reporter write to the same end.
    const [from, output, errors] = [
      openSync(path("input"), "r"),
      openSync(path("output"), "a"),
      openSync(path("errors"), "a"),
    ] as const;
    try {
      const code = await runProgram(
        {
          terminal: {
            ...{ input: Readable.from([]), output: writing(output), errors: writing(errors) },
            ...{ descriptors: [from, output, errors], colour: false },
            ...{ environment: this.environment, currentFolder: folder },
          },
          signal: new AbortController().signal,
          openServices: () => Promise.reject(new Error("a command on programs needs no services")),
          openPrograms: (options) => this.runnerFor(options),
        },
        ["run", ...args],
        { version: "", serveLanguage: () => Promise.reject(new Error("no language server here")) },
      );
      const [said, told] = [path("output"), path("errors")].map((each) => readFileSync(each, "utf8"));
      return { code, output: said ?? "", errors: told ?? "" };
    } finally {
      for (const each of [from, output, errors]) closeSync(each);
      rmSync(streams, { recursive: true, force: true });
    }
  }

  private runnerFor({ nvcc = "", python = "" }: ServiceOptions): ProgramRunner {
    const key = JSON.stringify([nvcc, python]);
    const runner = this.runners.get(key) ?? composePrograms({ nvcc, python }, this.environment);
    this.runners.set(key, runner);
    return runner;
  }
}

/** What is written is there before anyone else writes. */
function writing(descriptor: number): Writable {
  return new Writable({
    write: (chunk: Buffer, _, done) => {
      writeSync(descriptor, chunk);
      done();
    },
  });
}
