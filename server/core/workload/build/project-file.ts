import * as z from "zod/mini";
import { type Outcome, fail, succeed } from "../../base/outcome";
import { shapeIssues } from "../../base/shape";
import type { BuildPart, Sourced } from "../build-settings";
import { type FileProblem, parseLocatedJson } from "../located-json";
import { readDefine, readIncludeFolder, readOptionWords } from "./option-words";

/** The file at the top of a workspace that says how its kernels are built. */
export const projectFileName = "kernelwright.json";

/** The contents of kernelwright.json; server/protocol/project.schema.json says the same to the editor. */
export interface ProjectFile {
  readonly version: 1;
  /** Relative to the top of the workspace, or absolute. */
  readonly includeFolders?: readonly string[];
  readonly defines?: Readonly<Record<string, string | number | boolean>>;
  readonly standard?: string;
  readonly nvccFlags?: readonly string[];
}

const shape = z.strictObject({
  $schema: z.optional(z.string()),
  version: z.literal(1),
  includeFolders: z.optional(z.array(z.string().check(z.minLength(1)))),
  defines: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  standard: z.optional(z.enum(["c++11", "c++14", "c++17", "c++20", "c++23"])),
  nvccFlags: z.optional(z.array(z.string().check(z.minLength(1)))),
});

const about = {
  what: "settings",
  empty: 'the file is empty: { "version": 1 } and what the kernels are built with was expected',
};

/** Reads the text of kernelwright.json. All problems are reported, in the order of the text. */
export function parseProjectFile(text: string): Outcome<ProjectFile, readonly FileProblem[]> {
  const parsed = parseLocatedJson(text, about);
  if (!parsed.ok) return parsed;
  const { value, problem } = parsed.value;
  const issues = shapeIssues(shape, value);
  if (issues.length === 0) return succeed(value as unknown as ProjectFile);
  return fail(
    issues
      .map(({ path, text: what }) => problem(path as (string | number)[], what))
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
