import type { Command } from "commander";
import type { CommandContext } from "../command-context";
import { importCommand } from "./import";
import { modelCommand } from "./model";
import { buildFlags, type Flags, jsonFlag, machineFlags } from "../flags";

/** What these commands are declared with. */
interface Declared {
  readonly context: CommandContext;
  /** Takes the exit code of the command that ran. */
  readonly settle: (code: number) => void;
}

/** `model FILE`: time from a simulation. */
export function declareModel(command: Command, { context, settle }: Declared): void {
  buildFlags(
    machineFlags(
      command
        .argument("<kernel>", "FILE or FILE::KERNEL")
        .description("simulate a multiprocessor and tell what its warps wait for, by line"),
    ),
  ).action(async (kernel: string, flags: Flags) =>
    settle(await modelCommand(context, kernel, { ...flags, json: flags.json === true })),
  );
}

/** `import FILE...`: time and counts from a GPU, and logs of sessions. */
export function declareImport(command: Command, { context, settle }: Declared): void {
  jsonFlag(
    command
      .argument(
        "<files...>",
        "output of ncu --csv (pages raw, details, source), of compute-sanitizer, or a session's log or folder",
      )
      .description(
        "show on the source lines what NVIDIA's tools measured or found on a GPU; take a session from elsewhere in",
      ),
  ).action(async (files: readonly string[], flags: Flags) =>
    settle(await importCommand(context, files, { json: flags.json === true })),
  );
}
