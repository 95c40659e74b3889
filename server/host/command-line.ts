import { composeCommandLine } from "./compose-command-line";

void composeCommandLine(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
