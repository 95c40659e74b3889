import { madeHowPage } from "./assets";
import { composeServices } from "./compose";
import { composePrograms } from "./compose-programs";
import { loadGrammars } from "./toolchain/grammars";
import { exitCodes } from "./cli/exit-codes";
import { runProgram } from "./cli/program";
import type { CommandContext } from "./cli/command-context";
import { keyVariables } from "./model/providers";
import { terminalPrice, terminalUser } from "./cli/session/terminal-user";
import { takeEnvironment } from "./process/own-environment";
import { productVersion } from "./product";

/** How long everything may take to end in order. */
const graceSeconds = 15;

/**
 * Runs one command line over the real streams of this process. The first Ctrl-C asks everything to stop and
 * lets the session be closed in order; what has not ended then, or at a second one, ends with the process. A
 * reader that closes our output early ends the program quietly.
 */
export async function composeCommandLine(argv: readonly string[]): Promise<number> {
  const environment = takeEnvironment(keyVariables);
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
    // Whatever cannot be asked to stop ends with the process; what it has started is killed with it.
    setTimeout(() => {
      process.stderr.write(`kernelwright did not end within ${graceSeconds} s, and was ended\n`);
      process.exit(exitCodes.cancelled);
    }, 1000 * graceSeconds).unref();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  // The terminal was closed: what it started ends in order all the same.
  process.on("SIGHUP", stop);
  const quitOnClosedPipe = (error: NodeJS.ErrnoException): void => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  };
  process.stdout.on("error", quitOnClosedPipe);
  process.stderr.on("error", quitOnClosedPipe);
  const context: CommandContext = {
    terminal: {
      input: process.stdin,
      output: process.stdout,
      errors: process.stderr,
      colour: process.stdout.isTTY === true && (environment["NO_COLOR"] ?? "") === "",
      ...(process.stdout.isTTY === true ? { columns: process.stdout.columns } : {}),
      errorsShown: process.stderr.isTTY === true,
      descriptors: [0, 1, 2],
      environment,
      currentFolder: process.cwd(),
    },
    signal: controller.signal,
    openServices: (workspaceFolder, options) =>
      composeServices({
        ...{ workspaceFolder, environment, currentFolder: process.cwd() },
        ...(process.stdin.isTTY === true && process.stderr.isTTY === true
          ? askingAt({ input: process.stdin, errors: process.stderr }, controller.signal)
          : {}),
        onGpuWait: tellOnce((text) => process.stderr.write(`${text}\n`)),
        ...options,
      }),
    openPrograms: (options) => composePrograms(options, environment),
  };
  return runProgram(context, argv, {
    version: productVersion,
    // Loaded on demand: every other command starts faster without it.
    serveLanguage: async () =>
      (await import("./lsp/server")).startLanguageServer({
        input: process.stdin,
        output: process.stdout,
        openServices: composeServices,
        loadGrammars,
        environment,
        madeHow: madeHowPage(),
      }),
  });
}

/** Who is asked, where somebody sits at the terminal. */
function askingAt(
  streams: Parameters<typeof terminalUser>[0],
  signal: AbortSignal,
): Pick<Parameters<typeof composeServices>[0], "user" | "askPrice"> {
  return { user: terminalUser(streams), askPrice: terminalPrice(streams, signal) };
}

/** Says whom a GPU is waited for, once for each. */
function tellOnce(say: (text: string) => void): (said: () => string) => void {
  let told = "";
  return (said) => {
    const text = said();
    if (text !== told) say(text);
    told = text;
  };
}
