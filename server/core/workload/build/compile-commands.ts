import * as z from "zod/mini";
import { last } from "../../base/known";
import { normalizePath } from "../../base/path-rules";
import { readShape } from "../../base/shape";
import type { BuildPart } from "../build-settings";
import { readOptionWords } from "./option-words";
import { shellWords } from "./shell-words";

const commandsShape = z.array(
  z.looseObject({
    directory: z.string(),
    file: z.string(),
    command: z.optional(z.string()),
    arguments: z.optional(z.array(z.string())),
  }),
);

/** Which file is asked about, and what its workspace's top is called, with links and resolved. */
export interface BuildQuestion {
  /** Relative to the top, POSIX. */
  readonly file: string;
  readonly tops: readonly string[];
  /** Absolute folder of the project that the workspace is a part of. */
  readonly project?: string;
}

/** What every folder that a build names is held against. */
export function boundsOf({ tops, project }: BuildQuestion): Pick<BuildQuestion, "tops" | "project"> {
  return { tops, ...(project === undefined ? {} : { project }) };
}

/**
 * What a compilation database (compile_commands.json) says of a file: its own entry, for a header or a file
 * that is in no build the entry of a CUDA source in the nearest folder. Undefined when it says nothing.
 */
export function readCompileCommands(
  path: string,
  text: string,
  question: BuildQuestion,
): BuildPart | undefined {
  const entries = readShape(commandsShape, parsed(text));
  if (!entries.ok)
    return { notes: [`${path} is not read: it is no compilation database (${entries.problem})`] };
  const placed = entries.value.flatMap((entry) => {
    const absolute = entry.file.startsWith("/") ? entry.file : `${entry.directory}/${entry.file}`;
    const normal = `/${normalizePath(absolute) ?? ""}`;
    const top = question.tops.find((each) => normal.startsWith(`${each}/`));
    return top === undefined ? [] : [{ entry, file: normal.slice(top.length + 1) }];
  });
  const sources = placed.filter(({ file }) => /\.(cu|cuh)$/.test(file));
  const chosen = placed.find(({ file }) => file === question.file) ?? nearest(sources, question.file);
  if (chosen === undefined) return undefined;
  const words = chosen.entry.arguments ?? shellWords(chosen.entry.command ?? "");
  const where = chosen.file === question.file ? path : `${path} (as for ${chosen.file})`;
  return readOptionWords(words.slice(1), {
    origin: chosen.file === question.file ? "recorded" : "inferred",
    where,
    folder: chosen.entry.directory,
    ...boundsOf(question),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

function nearest<Placed extends { readonly file: string }>(
  sources: readonly Placed[],
  file: string,
): Placed | undefined {
  const shared = (other: string): number => {
    const [mine, theirs] = [file.split("/").slice(0, -1), other.split("/").slice(0, -1)];
    const apart = mine.findIndex((part, index) => theirs[index] !== part);
    return apart < 0 ? mine.length : apart;
  };
  const ranked = [...sources].sort((a, b) => shared(a.file) - shared(b.file));
  return ranked.length === 0 ? undefined : last(ranked);
}
