import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { problemsOfCorpus } from "./corpus-cases";
import { casesFolder } from "../support";

const corpus = join(casesFolder, "corpus");
const names = readdirSync(corpus).filter((name) => name.endsWith(".cu"));
const execute = promisify(execFile);
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kernelwright-corpus-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Compiles all files as one, for the device and for the host, and runs the host's program, which prints
 * inputs and expectations: most of what the compilers do for a file is to read the toolkit's headers.
 */
async function compile(): Promise<{ ptx: string; printed: string }> {
  const [source, ptx, program] = [join(folder, "all.cu"), join(folder, "all.ptx"), join(folder, "all")];
  writeFileSync(source, names.map((name) => `#include "${join(corpus, name)}"\n`).join(""));
  const device = execute("nvcc", ["-ptx", "-arch=sm_80", "-lineinfo", "-std=c++17", "-w", "-o", ptx, source]);
  // As C++ the files are compiled by g++, with the include path that nvcc knows: some of the toolkit's
  // headers convert in software on the host.
  await execute("nvcc", ["-x", "c++", "-O1", "-std=c++17", "-w", "-cudart", "none", "-o", program, source]);
  const { stdout: printed } = await execute(program, [], { maxBuffer: 1 << 28 });
  await device;
  return { ptx: readFileSync(ptx, "utf8"), printed };
}

test("CUDA code of every kind, compiled for sm_80 and compared with the host", async () => {
  const { ptx, printed } = await compile();
  expect(printed.split("\n").length).toBeGreaterThan(380);
  expect(problemsOfCorpus(ptx, printed)).toEqual([]);
});
