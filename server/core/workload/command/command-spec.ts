import * as z from "zod/mini";
import { type Outcome, succeed } from "../../base/outcome";
import { described, readShape } from "../../base/shape";

/** Where a command's score stands in what the command printed. */
export type ScoreSource =
  /** A regular expression with the group `score`; the last match counts. */
  | { readonly pattern: string }
  /** A JSON pointer (RFC 6901) into the output, which is one JSON text. */
  | { readonly pointer: string };

/** A program and its arguments; no shell reads them. */
export type CommandLine = readonly string[];

/** A target with a command: what is built, run and measured, and which files may change. */
export interface CommandSpec {
  readonly build?: CommandLine;
  /** Its exit status says whether the result is right, before it is measured. */
  readonly check?: CommandLine;
  /** Prints the score. */
  readonly measure: CommandLine;
  readonly score: ScoreSource;
  readonly better: "lower" | "higher";
  /** What the score counts, for people: `cycles`, `s`. */
  readonly unit?: string;
  /** How often `measure` runs for each verdict. */
  readonly runs: number;
  /** Seconds for each single command. */
  readonly seconds: number;
  /** Globs of the files that may change, from the top of the workspace. */
  readonly editable: readonly string[];
  /** Folders outside of the workspace that the commands may read, absolute. */
  readonly readable: readonly string[];
}

const words = z.array(z.string().check(z.minLength(1))).check(z.minLength(1));

const scoreShape = z.union([
  z.strictObject({
    pattern: z.string().check(z.refine(hasScoreGroup, "a regular expression with a group (?<score>…)")),
  }),
  z.strictObject({ pointer: z.string().check(z.regex(/^(?:\/[^/]*)*$/)) }),
]);

/** One entry of `commands` in kernelwright.json. */
export const commandShape = z.strictObject({
  build: described(words, "A program with its arguments that builds the files. No shell reads it."),
  check: described(words, "A program whose exit status 0 says that the result is right."),
  measure: z.array(z.string().check(z.minLength(1))).check(z.minLength(1)),
  score: scoreShape,
  better: z.enum(["lower", "higher"]),
  unit: described(z.string(), 'What the score counts: "cycles", "s".'),
  runs: described(
    z.int().check(z.minimum(1), z.maximum(50)),
    "How often it is measured for each verdict: 3 when left out. The noise is estimated from the runs.",
  ),
  seconds: described(
    z.number().check(z.minimum(1), z.maximum(86_400)),
    "Seconds that each single command may take: 60 when left out.",
  ),
  editable: z.array(z.string().check(z.minLength(1))).check(z.minLength(1)),
  readable: described(
    z.array(z.string().check(z.regex(/^\//))),
    "Absolute paths of folders outside of the workspace that the commands need: a tool's, a data set's.",
  ),
});

/** The settings with their defaults. */
export function commandSpecOf(written: z.output<typeof commandShape>): CommandSpec {
  return {
    ...written,
    runs: written.runs ?? 3,
    seconds: written.seconds ?? 60,
    readable: written.readable ?? [],
  };
}

/** The settings as a log holds them. */
export function readCommandSpec(value: unknown): Outcome<CommandSpec, string> {
  const read = readShape(commandShape, value);
  return read.ok ? succeed(commandSpecOf(read.value)) : read;
}

function hasScoreGroup(pattern: string): boolean {
  try {
    // An empty alternative makes every expression match, so that its groups can be asked for.
    return Object.hasOwn(new RegExp(`${pattern}|`, "u").exec("")?.groups ?? {}, "score");
  } catch {
    return false;
  }
}
