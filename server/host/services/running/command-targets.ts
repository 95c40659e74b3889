import { OperationalError } from "../../../core/base/operational-error";
import type { CommandTask } from "../../../core/ports/evaluator";
import type { FileReader } from "../../../core/ports/files";
import { parseProjectFile, projectFileName } from "../../../core/workload/build/project-file";
import { type CommandSpec, commandSpecOf } from "../../../core/workload/command/command-spec";
import { matchingFiles } from "../sources/matching-files";

/** A target with a command, by its name in kernelwright.json. */
export interface CommandName {
  readonly name: string;
  /** The user has seen the commands and wants them run. */
  readonly agreed: boolean;
  /** The commands as the user has seen them; left out where that was just now. */
  readonly seen?: readonly string[];
}

/** A target with what it runs, a line for each step. */
interface ShownCommand {
  readonly name: string;
  readonly commands: readonly string[];
}

export interface CommandTargets {
  /** The targets with a command that kernelwright.json names. Throws `spec-invalid`. */
  commands(): Promise<readonly ShownCommand[]>;
}

/** The targets with a command that the workspace's kernelwright.json names. Throws `spec-invalid`. */
export async function commandTargets(files: FileReader): Promise<Readonly<Record<string, CommandSpec>>> {
  const text = await files.read(projectFileName);
  if (text === undefined) return {};
  const project = parseProjectFile(text);
  if (!project.ok)
    throw new OperationalError("spec-invalid", {
      forUser: project.problem
        .map(({ line, column, message }) => `${projectFileName}:${line}:${column}: ${message}`)
        .join("\n"),
    });
  return Object.fromEntries(
    Object.entries(project.value.commands ?? {}).map(([name, written]) => [name, commandSpecOf(written)]),
  );
}

/**
 * The task of one of them, with the files that its globs find. Throws `usage` for a name that is not there,
 * and while the user has not agreed to the commands.
 */
export async function commandTask(
  files: FileReader,
  { name, agreed, seen }: CommandName,
): Promise<CommandTask> {
  const targets = await commandTargets(files);
  const command = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (command === undefined) {
    const names = Object.keys(targets).join(", ");
    throw new OperationalError("usage", {
      forUser: `${projectFileName} names no command "${name}". ${names === "" ? 'It names none: add one under "commands".' : `There are: ${names}.`}`,
    });
  }
  if (!agreed)
    throw new OperationalError("usage", {
      forUser: [
        `The target "${name}" runs commands of ${projectFileName}, behind walls, in a copy of the workspace:`,
        ...commandWords(command).map((line) => `  ${line}`),
        "Run it with --agree when these are yours.",
      ].join("\n"),
    });
  if (seen !== undefined && seen.join("\n") !== commandWords(command).join("\n"))
    throw new OperationalError("usage", {
      forUser: `The commands of "${name}" in ${projectFileName} have changed since you agreed to them; nothing was run. Start it again to see them.`,
    });
  return { name, command, baseline: await editableFiles(files, command) };
}

/** `build: make -j2`, a line for each. */
export function commandWords({ build, check, measure }: CommandSpec): readonly string[] {
  return Object.entries({ build, check, measure }).flatMap(([what, line]) =>
    line === undefined ? [] : [`${what}: ${line.join(" ")}`],
  );
}

async function editableFiles(files: FileReader, { editable }: CommandSpec): Promise<CommandTask["baseline"]> {
  const found = await matchingFiles(files, editable);
  const texts = await Promise.all(found.map(async (path) => [path, await files.read(path)] as const));
  const tree = Object.fromEntries(
    texts.flatMap(([path, text]) => (text === undefined ? [] : [[path, text]])),
  );
  if (Object.keys(tree).length === 0)
    throw new OperationalError("spec-invalid", {
      forUser: `${projectFileName}: no file of the workspace matches "editable": ${editable.join(", ")}`,
    });
  return tree;
}
