import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { OperationalError } from "../../../core/base/operational-error";
import { plural } from "../../../core/words/quantities";
import { buildSettingsOf } from "../../services/sources/source-tree";
import {
  type CommandContext,
  type ServiceOptions,
  readKernelName,
  readTarget,
  workspacePath,
} from "../command-context";
import { exitCodes } from "../exit-codes";
import { plain, printLine, reportLine } from "../terminal";

interface SpecOptions extends ServiceOptions {
  readonly target?: string;
  /** Print the text and write nothing. */
  readonly stdout: boolean;
  /** Replace a spec file that is there. */
  readonly force: boolean;
  readonly json: boolean;
}

/**
 * `spec`: writes the kernel spec that a check would use into a file, for the user to look at and to correct.
 */
export async function specCommand(
  context: CommandContext,
  kernel: string,
  options: SpecOptions,
): Promise<number> {
  const { workspaceFolder, name } = readKernelName(kernel, context.terminal.currentFolder);
  const services = await context.openServices(workspaceFolder, options);
  try {
    const how = { target: readTarget(options.target), signal: context.signal };
    const found = options.force
      ? await services.specs.infer(name, how)
      : await services.specs.find(name, how);
    for (const note of (await buildSettingsOf(services.builds, found)).notes)
      reportLine(context.terminal, plain(note));
    const path = workspacePath(workspaceFolder, found.specPath);
    if (!options.stdout) await writeSpec(path, found.text, { ...options, isThere: !found.inferred });
    if (options.json) {
      const { specPath, unknowns, spec, text } = found;
      printLine(context.terminal, JSON.stringify({ kernel: spec.kernel, specPath, unknowns, text }));
      return exitCodes.done;
    }
    if (options.stdout) context.terminal.output.write(found.text);
    else printLine(context.terminal, plain(`wrote ${found.specPath}`));
    if (found.unknowns.length > 0)
      reportLine(context.terminal, `${plural(found.unknowns.length, "thing")} to look at:`);
    for (const unknown of found.unknowns) reportLine(context.terminal, plain(`  ${unknown}`));
    return exitCodes.done;
  } finally {
    await services.dispose();
  }
}

async function writeSpec(
  path: string,
  text: string,
  { force, isThere }: { readonly force: boolean; readonly isThere: boolean },
): Promise<void> {
  if (!force && (isThere || existsSync(path)))
    throw new OperationalError("usage", {
      forUser: `${path} is there already, and was left as it is`,
      remedy: "pass --force to replace it, or --stdout to see what would be written",
    });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
