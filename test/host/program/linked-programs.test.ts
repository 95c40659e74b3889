import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot } from "../../architecture/project";
import { expectCase } from "../../harness/cases";
import { linesOf } from "../../harness/command-line";
import { ProgramsHere } from "../../harness/programs-here";
import { makeProgramPlace } from "./program-place";
import { joinPrograms, joinSources } from "./programs-together";

/**
 * Programs whose device code is spread over several files, through the real command line and the real
 * compiler.
 */
const cases: readonly {
  readonly title: string;
  readonly program: string;
  readonly flags?: readonly string[];
  /** Sources and options of a program that is built by itself. */
  readonly words?: readonly string[];
}[] = [
  { title: "uses functions and variables of another file", program: "symbols" },
  { title: "calls through pointers and virtual functions of another file", program: "pointers" },
  { title: "launches kernels of another file", program: "launches" },
  { title: "instantiates templates in both files", program: "templates" },
  { title: "shares memory between functions of both files", program: "shared", flags: ["--sanitize"] },
  { title: "prints and asserts in both files", program: "messages" },
  { title: "recurs between its files", program: "recursion" },
  { title: "has managed variables in another file", program: "managed" },
  {
    title: "has files with names of their own",
    program: "statics",
    words: ["main.cu", "part.cu", "deep/part.cu", "host.cpp", "-dc"],
  },
  {
    title: "reads out of bounds in another file",
    program: "faulty",
    words: ["main.cu", "part.cu", "-rdc=true", "--sanitize"],
  },
  { title: "is profiled over both files", program: "symbols", flags: ["--profile"] },
  { title: "was not told of its other file", program: "shared", words: ["main.cu"] },
  {
    title: "defines a function twice",
    program: "recursion",
    words: ["main.cu", "part.cu", "again.cu", "-rdc=true"],
  },
  { title: "calls what kernels lack", program: "nested", words: ["main.cu", "-rdc=true"] },
];

const { folder, environment, remove } = makeProgramPlace("linked");

/** The programs of two files that are built as one such program. */
const joined = [...new Set(cases.filter(({ words }) => words === undefined).map(({ program }) => program))];
const sources = (file: string): { readonly name: string; readonly source: string }[] =>
  joined.map((name) => ({ name, source: `${name}/${file}` }));

beforeAll(() => {
  cpSync(join(projectRoot, "test", "cases", "programs", "linked"), folder, { recursive: true });
  joinPrograms({ folder, file: "main.cu", programs: sources("main.cu") });
  joinSources({ folder, file: "part.cu", programs: sources("part.cu") });
});
afterAll(remove);

const here = new ProgramsHere(environment);

/**
 * Addresses follow from the allocator. What a report says of a kernel depends on the compiler, and so does
 * what nvlink warns of.
 */
function steady(text: string): readonly string[] {
  return linesOf(
    text
      .replace(/0x2[0-9a-f]{11}/g, "ADDRESS")
      .replace(/^nvlink warning .*\n/gm, "")
      .replace(/^(\S+\.cu:\d+) +\d.*/gm, "$1 …")
      .replace(/^( {2}[a-z]+(?: [a-z]+)?) .*/gm, "$1 …")
      .replace(/^(line +cost ).*/gm, "$1…")
      .replace(/(…\n)(?: {10,}\S.*\n)+/g, "$1"),
  );
}

test.each(cases)("a program of several files $title", async ({ title, program, flags = [], words }) => {
  const { code, output, errors } = words
    ? await here.run(words, { folder: join(folder, program) })
    : await here.run(["main.cu", "part.cu", "-rdc=true", ...flags, "--", program], { folder });
  expectCase(`programs/expected/linked/${title.replaceAll(" ", "-")}.json`, {
    code,
    output: steady(output),
    errors: steady(errors),
  });
});

test("device code of an archive and of an object is linked, and one without readable PTX is refused", async () => {
  const inside = join(folder, "symbols");
  const nvcc = (...args: readonly string[]): void => {
    execFileSync("nvcc", args, { cwd: inside, stdio: "ignore" });
  };
  nvcc(
    "-dc",
    "-gencode",
    "arch=compute_80,code=[compute_80,sm_80]",
    "-Xfatbin",
    "-compress=false",
    "part.cu",
    "-o",
    "part.o",
  );
  nvcc("-lib", "part.o", "-o", "libpart.a");
  nvcc("-dc", "-gencode", "arch=compute_80,code=sm_80", "part.cu", "-o", "machine.o");
  const outcomes = [];
  for (const words of [
    ["part.o", "-rdc=true"],
    ["-L.", "-lpart", "-rdc=true"],
    ["machine.o", "-rdc=true"],
  ]) {
    const { code, output, errors } = await here.run(["main.cu", ...words], { folder: inside });
    outcomes.push({
      code,
      last: linesOf(output).at(-1),
      errors: linesOf(errors).map((line) => line.replace(/: give its source.*/, "")),
    });
  }
  expect(outcomes).toEqual([
    { code: 0, last: "counted: 0", errors: [] },
    { code: 0, last: "counted: 0", errors: [] },
    {
      code: 9,
      last: "first is 0 and not 11.25",
      errors: [
        "the virtual GPU cannot run the program's kernels: object 2 was compiled without PTX that can be read",
        "a kernel did not run, and its results are missing",
      ],
    },
  ]);
});
