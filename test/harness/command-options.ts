import { parseArgs, type ParseArgsConfig } from "node:util";

/**
 * The options of a command of this repository. Where they cannot be understood, the program says which there
 * are and ends with code 2.
 */
export function commandOptions<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (thrown) {
    const [reason = ""] = thrown instanceof Error ? thrown.message.split(". ") : [];
    const known = Object.keys(config.options ?? {}).map((name) => `--${name}`);
    process.stderr.write(`${reason}. The options are ${known.join(", ")}.\n`);
    process.exit(2);
  }
}
