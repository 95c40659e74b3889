import * as z from "zod/mini";
import { type Outcome, fail, succeed } from "../../base/outcome";
import { described, notes, shapeIssues } from "../../base/shape";
import { commandShape } from "../command/command-spec";
import type { BuildPart, Sourced } from "../build-settings";
import { type FileProblem, parseLocatedJson } from "../located-json";
import { readDefine, readIncludeFolder, readOptionWords } from "./option-words";

/** The file at the top of a workspace that says how its kernels are built. */
export const projectFileName = "kernelwright.json";

/** The contents of kernelwright.json. The JSON Schema that editors use derives from this. */
export const projectShape = z
  .strictObject({
    $schema: z.optional(z.string()),
    version: z.literal(1).register(notes, { description: "Version of this format." }),
    includeFolders: described(
      z.array(z.string().check(z.minLength(1))),
      "Folders in which included files are searched, in this order: relative to the top of the workspace, or absolute. Those outside of the workspace become readable to the compiler of candidates.",
    ),
    defines: described(
      z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
      "Macros: a name with its value. true defines it as 1, false leaves it undefined.",
    ),
    standard: described(
      z.enum(["c++11", "c++14", "c++17", "c++20", "c++23"]),
      "The C++ standard. Left out: nvcc's own choice.",
    ),
    commands: described(
      z.record(z.string().check(z.regex(/^[A-Za-z][\w.-]*$/)), commandShape),
      "Targets of your own, by name: commands that build, check and measure, and the files that may change. `kernelwright optimize command:NAME` runs them once you have agreed.",
    ),
    nvccFlags: described(
      z.array(z.string().check(z.minLength(1))),
      'Other options for nvcc, one a text: "--use_fast_math", "-maxrregcount=64". The target names the GPU, so that -arch and its like are left out.',
    ),
  })
  .register(notes, {
    title: "Kernelwright project",
    description:
      "How the kernels of this workspace are built. Lies at the top of the workspace as kernelwright.json.",
  });

type ProjectFile = z.output<typeof projectShape>;

const about = {
  what: "settings",
  empty: 'the file is empty: { "version": 1 } and what the kernels are built with was expected',
};

/** Reads the text of kernelwright.json. All problems are reported, in the order of the text. */
export function parseProjectFile(text: string): Outcome<ProjectFile, readonly FileProblem[]> {
  const parsed = parseLocatedJson(text, about);
  if (!parsed.ok) return parsed;
  const { value, problem } = parsed.value;
  const read = projectShape.safeParse(value);
  if (read.success) return succeed(read.data);
  return fail(
    shapeIssues(projectShape, value)
      .map(({ path, text: what }) => problem({ path: path as (string | number)[], message: what }))
      .sort((a, b) => a.line - b.line || a.column - b.column),
  );
}

/** The build settings that the file states. */
export function projectBuildPart(project: ProjectFile, tops: readonly string[]): BuildPart {
  const sourced: Sourced = { origin: "user", where: projectFileName };
  const place = { ...sourced, folder: "", tops };
  const folders = (project.includeFolders ?? []).map((folder) => ({
    folder,
    read: readIncludeFolder(folder, place),
  }));
  const words = readOptionWords(project.nvccFlags ?? [], place);
  const defines = Object.entries(project.defines ?? {}).map(([name, value]) => {
    if (typeof value === "boolean") return value ? { name, ...sourced } : { name, value, ...sourced };
    return readDefine(`${name}=${value}`, sourced);
  });
  return {
    ...words,
    includeFolders: [
      ...folders.flatMap(({ read }) => (typeof read === "string" ? [{ folder: read, ...sourced }] : [])),
      ...words.includeFolders,
    ],
    defines: [...defines, ...words.defines],
    ...(project.standard === undefined ? {} : { standard: { value: project.standard, ...sourced } }),
    notes: [
      ...folders.flatMap(({ folder, read }) =>
        typeof read === "string"
          ? []
          : [`${projectFileName}: the include folder ${folder} is left out: ${read.problem}`],
      ),
      ...words.notes,
    ],
  };
}
