import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe as suite, expect, it } from "vitest";
import { problemsOfCorpus } from "./corpus-cases";
import { casesFolder } from "../support";

const corpus = join(casesFolder, "corpus");
const names = readdirSync(corpus)
  .filter((name) => name.endsWith(".cu"))
  .map((name) => name.replace(/\.cu$/, ""));
const execute = promisify(execFile);
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kernelwright-corpus-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Compiles a file for the device and for the host, and runs the host's program, which prints inputs and
 * expectations.
 */
async function compile(name: string): Promise<{ ptx: string; printed: string }> {
  const source = join(corpus, `${name}.cu`);
  const [ptx, program] = [join(folder, `${name}.ptx`), join(folder, name)];
  const device = execute("nvcc", ["-ptx", "-arch=sm_80", "-lineinfo", "-std=c++17", "-w", "-o", ptx, source]);
  // As C++ the file is compiled by g++, with the include path that nvcc knows: some of the toolkit's headers
  // convert in software on the host.
  await execute("nvcc", ["-x", "c++", "-O1", "-std=c++17", "-w", "-cudart", "none", "-o", program, source]);
  const { stdout: printed } = await execute(program, [], { maxBuffer: 1 << 28 });
  await device;
  return { ptx: readFileSync(ptx, "utf8"), printed };
}

suite("CUDA code of every kind, compiled for sm_80 and compared with the host", () => {
  it.each(names)("%s", async (name) => {
    const { ptx, printed } = await compile(name);
    expect(problemsOfCorpus(ptx, printed)).toEqual([]);
  });
});
