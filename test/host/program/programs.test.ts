import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectRoot } from "../../architecture/project";
import { expectCase } from "../../harness/cases";
import { linesOf, type RunningCommand, startCommand } from "../../harness/command-line";
import { eventually } from "../../harness/eventually";
import { isAlive } from "../../harness/marked-processes";
import { ProgramsHere } from "../../harness/programs-here";
import { makeProgramPlace } from "./program-place";
import { joinPrograms } from "./programs-together";

/** Flags of builds that several programs share. */
const HOPPER = ["--arch", "sm_90a"];
const LIBRARIES = ["-lcublas", "-lcusparse"];

/** Whole programs as users write them, through the real command line and the real compiler. */
const cases: readonly {
  readonly title: string;
  readonly program: string;
  readonly flags?: readonly string[];
  readonly arguments?: readonly string[];
  readonly input?: string;
  /** A process of the command line, as a shell starts it. */
  readonly ownProcess?: boolean;
}[] = [
  { title: "adds vectors", program: "vector-add", ownProcess: true },
  {
    title: "adds vectors on another GPU",
    program: "vector-add",
    flags: ["--arch", "sm_120", "--compile-option", "-DUNUSED=1", "--compile-option", "-std=c++20"],
  },
  {
    title: "has clusters of blocks, for a GPU that has them",
    program: "clusters",
    flags: HOPPER,
  },
  { title: "has clusters of blocks, for a GPU that has none", program: "clusters" },
  { title: "multiplies by warpgroups", program: "warpgroups", flags: [...HOPPER, "--sanitize"] },
  { title: "copies tensors", program: "tensor-copies", flags: [...HOPPER, "--sanitize"] },
  { title: "uses streams and events", program: "streams-and-events" },
  { title: "has event times modelled", program: "modelled-times", flags: ["--profile"] },
  { title: "shares managed memory", program: "managed-memory" },
  { title: "shares managed memory under the sanitizer", program: "managed-memory", flags: ["--sanitize"] },
  { title: "changes managed memory together with a kernel", program: "host-meanwhile" },
  { title: "maps and registers host memory", program: "mapped-memory" },
  { title: "uses constants and variables", program: "symbols" },
  { title: "takes addresses of parameters", program: "parameters" },
  {
    title: "takes addresses of parameters under the sanitizer",
    program: "parameters",
    flags: ["--sanitize"],
  },
  { title: "copies rectangles and boxes", program: "pitched-copies" },
  { title: "asks for occupancy", program: "occupancy" },
  { title: "asks another GPU for occupancy", program: "occupancy", flags: HOPPER },
  { title: "instantiates templates", program: "templates" },
  { title: "uses dynamic shared memory", program: "dynamic-shared" },
  { title: "prints from kernels", program: "device-printf" },
  { title: "fails an assertion in a kernel", program: "device-assert" },
  { title: "calls through pointers and allocates in kernels", program: "device-calls" },
  { title: "synchronizes its grid", program: "cooperative" },
  { title: "has kernels that launch kernels", program: "kernels-launch-kernels" },
  { title: "launches by function pointer", program: "launch-calls" },
  {
    title: "reads its input and arguments",
    program: "input-and-arguments",
    arguments: ["7", "--sanitize"],
    input: "1 2 3\n-4\n",
    ownProcess: true,
  },
  { title: "gets no arguments", program: "input-and-arguments" },
  { title: "gets the arguments of its makefile", program: "made/scale-rows.cu" },
  {
    title: "has arguments and a makefile",
    program: "made/scale-rows.cu",
    arguments: ["made/numbers.txt", "2"],
  },
  { title: "reads out of bounds", program: "out-of-bounds" },
  { title: "reads out of bounds under the sanitizer", program: "out-of-bounds", flags: ["--sanitize"] },
  { title: "repeats its launches", program: "repeats" },
  { title: "repeats its launches up to a limit", program: "repeats", flags: ["--repeat-limit", "5"] },
  { title: "never ends", program: "spinning", flags: ["--launch-budget", "1000000"] },
  {
    title: "never ends under the sanitizer",
    program: "spinning",
    flags: ["--launch-budget", "1000000", "--sanitize"],
  },
  { title: "makes launches that no device takes", program: "bad-launches" },
  {
    title: "makes launches that no device takes under the sanitizer",
    program: "bad-launches",
    flags: ["--sanitize"],
  },
  { title: "uses freed memory under the sanitizer", program: "use-after-free", flags: ["--sanitize"] },
  { title: "copies what it must not under the sanitizer", program: "bad-copies", flags: ["--sanitize"] },
  { title: "has structures with padding under the sanitizer", program: "structures", flags: ["--sanitize"] },
  { title: "is clean under the sanitizer", program: "clean", flags: ["--sanitize"] },
  { title: "is profiled and sanitized at once", program: "clean", flags: ["--profile", "--sanitize"] },
  {
    title: "includes the helpers of samples",
    program: "sample-helpers",
    arguments: ["--count=16", "-name=kernel"],
  },
  { title: "captures a graph", program: "captured-graph" },
  { title: "does what captures forbid", program: "invalid-captures" },
  { title: "captures a graph from two streams", program: "forked-capture" },
  { title: "destroys streams and events while it captures", program: "destroyed-handles" },
  { title: "has graphs with memory of their own", program: "graph-memory", flags: ["--sanitize"] },
  { title: "builds a graph node by node", program: "graph-nodes" },
  {
    title: "has a default stream for each thread",
    program: "captured-graph",
    flags: ["--compile-option", "--default-stream=per-thread"],
  },
  { title: "sets limits and asks for properties", program: "limits-and-properties" },
  { title: "names every function of the runtime", program: "every-function" },
  { title: "calls functions that the virtual GPU lacks", program: "refused-functions" },
  { title: "filters images through textures", program: "image-filters" },
  {
    title: "filters images through textures under the sanitizer",
    program: "image-filters",
    flags: ["--sanitize"],
  },
  { title: "writes arrays through surfaces", program: "surfaces" },
  { title: "writes arrays through surfaces under the sanitizer", program: "surfaces", flags: ["--sanitize"] },
  { title: "misuses textures and surfaces", program: "texture-misuse" },
  {
    title: "misuses textures and surfaces under the sanitizer",
    program: "texture-misuse",
    flags: ["--sanitize"],
  },
  { title: "sorts and scans with Thrust", program: "thrust" },
  { title: "frees what it no longer needs", program: "many-allocations" },
  { title: "dies of a signal", program: "dereference", ownProcess: true },
  { title: "calls what the driver lacks", program: "missing-function" },
  { title: "has a kernel that the virtual GPU cannot run", program: "unsupported-instruction" },
  {
    title: "has a kernel that the virtual GPU cannot run, under the sanitizer",
    program: "unsupported-instruction",
    flags: ["--sanitize"],
  },
  { title: "gives negative sizes", program: "negative-sizes" },
  { title: "gives sizes whose product no number holds", program: "absurd-sizes" },
  { title: "forks between a launch and its end", program: "forked" },
  { title: "shares managed memory between threads", program: "threads" },
  { title: "reaches beyond 2 GiB", program: "beyond-two-gib" },
  { title: "compiles with a warning", program: "warns" },
  { title: "does not compile", program: "broken" },
  { title: "has no compiler", program: "vector-add", flags: ["--nvcc", "/nowhere/nvcc"] },
  { title: "is not there", program: "nowhere" },
  { title: "is a folder", program: "folder" },
  { title: "is for a GPU that is none", program: "vector-add", flags: ["--arch", "volta"] },
  { title: "is for a GPU that nobody models", program: "vector-add", flags: ["--arch", "sm_99"] },
  { title: "is for a family of GPUs", program: "vector-add", flags: ["--arch", "sm_120f"] },
  {
    title: "is made of several files",
    program: "several-files",
    flags: [
      "several-files-part.cu",
      "-Iheaders",
      "-D",
      "SCALE=4",
      "-O3",
      "-std=c++17",
      "-lm",
      "-lcudart",
      "--sanitize",
    ],
    arguments: ["several-files-part.cu"],
  },
  {
    title: "links device code of several files",
    program: "several-files",
    flags: ["several-files-part.cu", "-Iheaders", "--compile-option", "-rdc=true"],
  },
  { title: "multiplies with cuBLAS", program: "cublas", flags: LIBRARIES },
  { title: "multiplies with cuBLASLt", program: "cublaslt", flags: LIBRARIES },
  { title: "draws numbers with cuRAND", program: "curand", flags: LIBRARIES },
  { title: "transforms with cuFFT", program: "cufft", flags: LIBRARIES },
  { title: "multiplies with cuSPARSE", program: "cusparse", flags: LIBRARIES },
  { title: "solves and converts with cuSPARSE", program: "cusparse-systems", flags: LIBRARIES },
  { title: "runs nodes of graphs by conditions", program: "conditional-graphs" },
  { title: "has texture references and shuffles of older toolkits", program: "texture-references" },
  {
    title: "compiles kernels while it runs",
    program: "compiled-at-run-time.cpp",
    flags: ["-lnvrtc", "-lcuda"],
  },
  { title: "reads the faces of a cube", program: "cubemaps" },
  { title: "makes textures with the driver API", program: "driver-textures" },
  { title: "maps memory into reserved ranges", program: "reserved-ranges.cpp", flags: ["--sanitize"] },
  { title: "finds libraries while it runs", program: "opens-libraries.cpp" },
  { title: "includes a library that is not there", program: "missing-library" },
  { title: "has only host code", program: "host-only.cpp" },
  { title: "names an output", program: "vector-add", flags: ["-o", "vector-add"] },
];

/**
 * Programs that are built together, with the flags of their build. The others are about a build, a name or an
 * argument. Their main() has to end in a `return`, as it is an ordinary function here.
 */
const JOINED: readonly {
  readonly file: string;
  readonly build: readonly string[];
  readonly programs: ReadonlySet<string>;
}[] = [
  {
    file: "together.cu",
    build: [],
    programs: new Set([
      "absurd-sizes",
      "bad-copies",
      "bad-launches",
      "beyond-two-gib",
      "captured-graph",
      "clean",
      "conditional-graphs",
      "cooperative",
      "cubemaps",
      "dereference",
      "destroyed-handles",
      "device-assert",
      "device-calls",
      "device-printf",
      "driver-textures",
      "dynamic-shared",
      "every-function",
      "forked",
      "forked-capture",
      "graph-memory",
      "graph-nodes",
      "host-meanwhile",
      "image-filters",
      "invalid-captures",
      "launch-calls",
      "limits-and-properties",
      "managed-memory",
      "many-allocations",
      "mapped-memory",
      "modelled-times",
      "negative-sizes",
      "occupancy",
      "out-of-bounds",
      "parameters",
      "pitched-copies",
      "refused-functions",
      "repeats",
      "spinning",
      "streams-and-events",
      "structures",
      "surfaces",
      "symbols",
      "templates",
      "texture-misuse",
      "threads",
      "unsupported-instruction",
      "use-after-free",
    ]),
  },
  {
    file: "together-90.cu",
    build: HOPPER,
    programs: new Set(["clusters", "occupancy", "tensor-copies", "warpgroups"]),
  },
  {
    file: "libraries.cu",
    build: LIBRARIES,
    programs: new Set(["cublas", "cublaslt", "cufft", "curand", "cusparse", "cusparse-systems"]),
  },
];

/** What `run` is given for a case. */
function commandOf({ program, flags = [], arguments: own }: (typeof cases)[number]): readonly string[] {
  const joined = JOINED.find(
    ({ build, programs }) =>
      programs.has(program) &&
      build.every((word) => flags.includes(word)) &&
      flags.every((word) => build.includes(word) || !/^--(arch|compile-option)$/.test(word)),
  );
  if (joined) return [joined.file, ...flags, "--", program];
  return [program.includes(".") ? program : `${program}.cu`, ...flags, ...(own ? ["--", ...own] : [])];
}

const { folder, scratch, environment, remove } = makeProgramPlace("programs");
beforeAll(() => {
  cpSync(join(projectRoot, "test", "cases", "programs"), folder, {
    recursive: true,
    filter: (path) => !path.endsWith(".json"),
  });
  for (const { file, programs } of JOINED)
    joinPrograms({
      ...{ folder, file },
      programs: [...programs].map((name) => ({ name, source: `${name}.cu` })),
    });
});
afterAll(remove);

/** One after the other in this process; what is about the process itself starts one. */
const here = new ProgramsHere(environment);

/** `kernelwright run` in a folder of its own, with caches and temporary files of its own. */
function start(args: readonly string[], input = ""): RunningCommand {
  return startCommand(["run", ...args], {
    folder,
    input,
    environment,
  });
}

/**
 * Addresses follow from the allocator. What a report says depends on the compiler; the report's own tests
 * have its figures.
 */
function steady(text: string): readonly string[] {
  return linesOf(
    text
      .replace(/0x2[0-9a-f]{11}/g, "ADDRESS")
      .replace(/^(\S+\.cu:\d+) +\d.*/gm, "$1 …")
      .replace(/^( {2}[a-z]+(?: [a-z]+)?) .*/gm, "$1 …")
      .replace(/^(line +cost ).*/gm, "$1…")
      .replace(/(…\n)(?: {10,}\S.*\n)+/g, "$1"),
  );
}

test.each(cases)("a program $title", async (entry) => {
  const { input = "", ownProcess = false } = entry;
  const { code, output, errors } = await (ownProcess
    ? start(commandOf(entry), input).ended
    : here.run(commandOf(entry), { folder, input }));
  expectCase(`programs/expected/${entry.title.replaceAll(" ", "-")}.json`, {
    code,
    output: steady(output),
    errors: steady(errors),
  });
});

const oddNames = ["-o.cu", "ü b/$(touch x) `touch x`;touch x.cu"];

test.each(oddNames)("a program named %s runs, and nothing of its name does", async (name) => {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  copyFileSync(join(folder, "out-of-bounds.cu"), join(folder, name));
  const { code, output } = await start(["--sanitize", "--", name]).ended;
  expect({
    code,
    place: /^(.*):\d+: out of bounds/m.exec(output)?.[1],
    touched: existsSync(join(folder, "x")),
  }).toEqual({ code: 1, place: name, touched: false });
});

/** The process number that `endless.cu` says. */
function processOf(said: string): number {
  return Number(/\d+/.exec(said)?.[0]);
}

/** Waits until a process is no more. */
async function endOf(pid: number): Promise<void> {
  await eventually({
    what: "the end of the program",
    read: () => Promise.resolve(isAlive(pid)),
    accept: (alive) => !alive,
  });
}

describe("Ctrl-C", () => {
  test("ends the program and what it started", async () => {
    const running = start(["endless.cu"]);
    const pid = processOf(await running.sees("process", "output"));
    running.kill("SIGINT");
    expect([(await running.ended).code, isAlive(pid), readdirSync(scratch)]).toEqual([130, false, []]);
  });

  test("ends a kernel whose program is over", async () => {
    const running = start(["endless.cu", "--", "leave"]);
    const pid = processOf(await running.sees("over", "output"));
    await endOf(pid);
    running.kill("SIGINT");
    expect([(await running.ended).code, readdirSync(scratch)]).toEqual([130, []]);
  });

  test("a second time ends everything at once and leaves nothing", async () => {
    const running = start(["endless.cu"]);
    const pid = processOf(await running.sees("process", "output"));
    running.kill("SIGINT");
    await running.sees("asked to end", "output");
    running.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    await endOf(pid);
    expect(readdirSync(scratch)).toEqual([]);
  });
});
