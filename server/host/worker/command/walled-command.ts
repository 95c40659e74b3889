import { agreeToNoWalls, withoutWallsRemedy } from "../../process/without-walls";
import { OperationalError } from "../../../core/base/operational-error";
import type { CommandLine } from "../../../core/workload/command/command-spec";
import { runProcess } from "../../process/run-process";

/** Exit status and first words of the launcher where walls are missing (walls/launcher.py). */
const wallsMissing = { status: 97, mark: "kernelwright: missing walls: " } as const;
const outputBytes = 1024 * 1024;
/** Processor time that a command may use for each second of its limit: it may have many threads. */
const processors = 64;

/**
 * Puts every file back as it is in the two folders, then becomes the command. It runs behind the walls as
 * well: whatever an earlier command left there, nothing outside of the folder can be written. Folders are
 * only made where they are missing: those of an earlier command belong to another user.
 */
const putBack = [
  "here=$PWD",
  'for folder in "$0" "$1"; do cd "$folder" || exit 98',
  '(find . -type d -print0 | (cd "$here" && xargs -0 mkdir -p)) || exit 98',
  '(find . ! -type d -print0 | tar --null -T - -cf -) | tar -C "$here" -xf - || exit 98; done',
  'cd "$here"; shift; exec "$@"',
].join("; ");

export interface WallTools {
  /** The interpreter and the worker's folder: they close the walls. */
  readonly python: string;
  readonly workerFolder: string;
  readonly requiredWalls: readonly string[];
}

interface WalledRun {
  readonly command: CommandLine;
  /** Its current and only writable folder. */
  readonly folder: string;
  /** Folders whose files are put into it first, the second over the first. */
  readonly sources: readonly [string, string];
  readonly readable: readonly string[];
  readonly seconds: number;
  readonly signal: AbortSignal;
}

export type WalledResult =
  | { readonly kind: "ended"; readonly code: number; readonly output: string; readonly errors: string }
  | { readonly kind: "timed-out" };

/** Runs one command of the user's on files of a candidate. Throws `walls-missing`. */
export async function runWalled(tools: WallTools, run: WalledRun): Promise<WalledResult> {
  const { folder, sources, readable, seconds, signal } = run;
  const walls = [
    "program",
    folder,
    [...sources, ...readable].join("\n"),
    tools.requiredWalls.join(),
    String(Math.ceil(seconds * processors)),
    "",
  ];
  const result = await runProcess({
    command: tools.python,
    arguments: [
      ...["-I", "-S", tools.workerFolder, ...walls, "--"],
      ...["/bin/sh", "-c", putBack, ...sources, "/usr/bin/env", ...run.command],
    ],
    environment: { HOME: folder, TMPDIR: folder, LC_ALL: "C" },
    timeLimitMilliseconds: seconds * 1000,
    outputLimitBytes: outputBytes,
    signal,
  });
  if (result.kind === "timed-out") return { kind: "timed-out" };
  if (result.kind === "killed")
    return {
      kind: "ended",
      code: -1,
      output: result.output,
      errors: `${result.errors}\nended by ${result.signal}`,
    };
  refuseWithoutWalls(result);
  return { ...result, kind: "ended" };
}

function refuseWithoutWalls({ code, errors }: { readonly code: number; readonly errors: string }): void {
  const from = errors.indexOf(wallsMissing.mark);
  if (code !== wallsMissing.status || from < 0) return;
  throw new OperationalError("walls-missing", {
    forUser: `the commands of a target are not run on this machine: they cannot be walled off (missing: ${errors.slice(from + wallsMissing.mark.length).trim()}). ${agreeToNoWalls}`,
    forModel: "the commands of the target cannot be run on this machine",
    remedy: withoutWallsRemedy,
  });
}
