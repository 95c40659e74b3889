import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot } from "../../architecture/sources";
import { expectCase } from "../../harness/cases";

/** Whole programs as users write them, through the real command line and the real compiler. */
const cases: readonly { readonly title: string; readonly program: string; readonly flags?: readonly string[]; readonly arguments?: readonly string[]; readonly input?: string }[] = [
  { title: "adds vectors", program: "vector-add" },
  { title: "adds vectors on another GPU", program: "vector-add", flags: ["--arch", "sm_120", "--compile-option", "-DUNUSED=1", "--compile-option", "-std=c++20"] },
  { title: "uses streams and events", program: "streams-and-events" },
  { title: "has event times modelled", program: "modelled-times", flags: ["--profile"] },
  { title: "shares managed memory", program: "managed-memory" },
  { title: "shares managed memory under the sanitizer", program: "managed-memory", flags: ["--sanitize"] },
  { title: "maps and registers host memory", program: "mapped-memory" },
  { title: "uses constants and variables", program: "symbols" },
  { title: "takes addresses of parameters", program: "parameters" },
  { title: "takes addresses of parameters under the sanitizer", program: "parameters", flags: ["--sanitize"] },
  { title: "copies rectangles and boxes", program: "pitched-copies" },
  { title: "asks for occupancy", program: "occupancy" },
  { title: "asks another GPU for occupancy", program: "occupancy", flags: ["--arch", "sm_90"] },
  { title: "instantiates templates", program: "templates" },
  { title: "uses dynamic shared memory", program: "dynamic-shared" },
  { title: "prints from kernels", program: "device-printf" },
  { title: "fails an assertion in a kernel", program: "device-assert" },
  { title: "calls through pointers and allocates in kernels", program: "device-calls" },
  { title: "synchronizes its grid", program: "cooperative" },
  { title: "launches by function pointer", program: "launch-calls" },
  { title: "reads its input and arguments", program: "input-and-arguments", arguments: ["7", "--sanitize"], input: "1 2 3\n-4\n" },
  { title: "gets no arguments", program: "input-and-arguments" },
  { title: "reads out of bounds", program: "out-of-bounds" },
  { title: "reads out of bounds under the sanitizer", program: "out-of-bounds", flags: ["--sanitize"] },
  { title: "makes launches that no device takes", program: "bad-launches" },
  { title: "makes launches that no device takes under the sanitizer", program: "bad-launches", flags: ["--sanitize"] },
  { title: "uses freed memory under the sanitizer", program: "use-after-free", flags: ["--sanitize"] },
  { title: "copies what it must not under the sanitizer", program: "bad-copies", flags: ["--sanitize"] },
  { title: "is clean under the sanitizer", program: "clean", flags: ["--sanitize"] },
  { title: "is profiled and sanitized at once", program: "clean", flags: ["--profile", "--sanitize"] },
  { title: "captures a graph", program: "captured-graph" },
  { title: "captures a graph from two streams", program: "forked-capture" },
  { title: "builds a graph node by node", program: "graph-nodes" },
  { title: "has a default stream for each thread", program: "captured-graph", flags: ["--compile-option", "--default-stream=per-thread"] },
  { title: "sets limits and asks for properties", program: "limits-and-properties" },
  { title: "names every function of the runtime", program: "every-function" },
  { title: "calls functions that the virtual GPU lacks", program: "refused-functions" },
  { title: "sorts and scans with Thrust", program: "thrust" },
  { title: "frees what it no longer needs", program: "many-allocations" },
  { title: "dies of a signal", program: "dereference" },
  { title: "calls the driver", program: "missing-function" },
  { title: "has a kernel that the virtual GPU cannot run", program: "unsupported-instruction" },
  { title: "has a kernel that the virtual GPU cannot run, under the sanitizer", program: "unsupported-instruction", flags: ["--sanitize"] },
  { title: "gives negative sizes", program: "negative-sizes" },
  { title: "reaches beyond 2 GiB", program: "beyond-two-gib" },
  { title: "compiles with a warning", program: "warns" },
  { title: "does not compile", program: "broken" },
  { title: "has no compiler", program: "vector-add", flags: ["--nvcc", "/nowhere/nvcc"] },
  { title: "is not there", program: "nowhere" },
  { title: "is a folder", program: "folder" },
  { title: "is for a GPU that is none", program: "vector-add", flags: ["--arch", "volta"] },
];

const folder = mkdtempSync(join(tmpdir(), "kernelwright-programs-"));
beforeAll(() => { cpSync(join(projectRoot, "test", "cases", "programs"), folder, { recursive: true, filter: (path) => !path.endsWith(".json") }); });
afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

interface Ended {
  readonly code: number | null;
  readonly output: readonly string[];
  readonly errors: readonly string[];
}

function run(args: readonly string[], input: string): Promise<Ended> {
  const child = spawn(process.execPath, [join(projectRoot, "dist", "kernelwright.js"), "run", ...args], {
    cwd: folder, env: { ...process.env, XDG_CACHE_HOME: join(folder, "cache"), NO_COLOR: "1" }, stdio: ["pipe", "pipe", "pipe"],
  });
  let [output, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => { output += text; });
  child.stderr.setEncoding("utf8").on("data", (text: string) => { errors += text; });
  child.stdin.end(input);
  // Addresses follow from the allocator; what the columns of a profile hold is tested where it is counted.
  // What a report says depends on the compiler; the report's own tests have its figures.
  const lines = (text: string): readonly string[] => text.replace(/0x2[0-9a-f]{11}/g, "ADDRESS").replace(/^(\S+\.cu:\d+) +\d.*/gm, "$1 …").replace(/^( {2}[a-z]+(?: [a-z]+)?) .*/gm, "$1 …").replace(/^(line +cost ).*/gm, "$1…").split("\n").slice(0, -1);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => { resolve({ code, output: lines(output), errors: lines(errors) }); });
  });
}

test.each(cases)("a program $title", { timeout: 300_000 }, async ({ title, program, flags = [], arguments: own, input = "" }) => {
  const ended = await run([`${program}.cu`, ...flags, ...(own ? ["--", ...own] : [])], input);
  expectCase(`programs/expected/${title.replaceAll(" ", "-")}.json`, ended);
});

test("Ctrl-C ends the program and what it started", { timeout: 120_000 }, async () => {
  const child = spawn(process.execPath, [join(projectRoot, "dist", "kernelwright.js"), "run", "endless.cu"], {
    cwd: folder, env: { ...process.env, XDG_CACHE_HOME: join(folder, "cache") }, stdio: ["ignore", "pipe", "ignore"],
  });
  const pid = await new Promise<number>((resolve) => { child.stdout.setEncoding("utf8").on("data", (text: string) => { resolve(Number(/\d+/.exec(text)?.[0])); }); });
  child.kill("SIGINT");
  const code = await new Promise<number | null>((resolve) => { child.on("close", resolve); });
  expect(code).toBe(130);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});
