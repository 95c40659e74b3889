import { composeCommandLine } from "./compose-command-line";

/** Carries out the command of this process. */
export function runCommandLine(): void {
  void composeCommandLine(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
}
