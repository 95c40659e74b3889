import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { PathRules, secretPatterns } from "../core/base/path-rules";
import type { ProgramRequest, ProgramResult, ProgramRunner } from "../core/ports/program-runner";
import { usualArguments } from "./services/workload/usual-arguments";
import { WorkspaceFiles } from "./system/workspace-files";

/**
 * Runs a program as it was asked for. One that got no arguments and launched nothing is run again with those
 * that the makefile or the script beside it hands it, in their folder, and says so.
 */
export async function runAsUsual(runner: ProgramRunner, request: ProgramRequest): Promise<ProgramResult> {
  const result = await runner.run(request);
  const { arguments: given, record, signal, say } = request;
  const asked = given.length > 0 || record !== undefined || signal.aborted;
  if (result.kind !== "ran" || result.launches > 0 || result.isCut || asked) return result;
  const usual = await argumentsBeside(request);
  if (usual === undefined) return result;
  const words = usual.words.map((word) => (/[^\w./:=,+@%-]/.test(word) ? JSON.stringify(word) : word));
  say?.(
    `${request.file} launched nothing without arguments: run again as ${usual.where} does, with ${words.join(" ")}`,
  );
  return runner.run({ ...request, arguments: usual.words, startFolder: usual.folder });
}

interface UsualArguments {
  readonly words: readonly string[];
  /** The file that says so, as the user would write it, and its folder. */
  readonly where: string;
  readonly folder: string;
}

async function argumentsBeside({ folder, file }: ProgramRequest): Promise<UsualArguments | undefined> {
  const absolute = resolve(folder, file);
  const own = dirname(absolute);
  if (!existsSync(own)) return undefined;
  const files = new WorkspaceFiles(own, new PathRules(secretPatterns));
  const usual = await usualArguments(files, basename(absolute));
  return usual && { ...usual, where: relative(folder, join(own, usual.where)), folder: own };
}
