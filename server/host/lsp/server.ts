import type { Grammars } from "../../core/language/tree";
import { connect } from "./connect";
import { buildContext } from "./build-context";
import { keepMadeHow } from "./handshake/pages";
import { registerFeatures } from "./features";
import { registerRequests } from "./requests";
import type { OpenServices } from "./workspaces";

interface LanguageServerOptions {
  /** Both or none: without them the command line's own transport is used (`--node-ipc`, `--stdio`). */
  readonly input?: NodeJS.ReadableStream;
  readonly output?: NodeJS.WritableStream;
  readonly openServices: OpenServices;
  readonly loadGrammars: () => Promise<Grammars>;
  readonly environment: NodeJS.ProcessEnv;
  /** Path of the page that says how numbers are made. */
  readonly madeHow: string;
  /** How long a text must rest before it is compiled (default 700 ms). */
  readonly restMilliseconds?: number;
}

/**
 * Serves one client. Resolves with the exit code when the client says exit; one that hangs up ends the
 * process, as the protocol asks.
 */
export async function startLanguageServer(options: LanguageServerOptions): Promise<number> {
  keepMadeHow(options.madeHow);
  const context = buildContext({
    connection: connect(options.input, options.output),
    grammars: await options.loadGrammars(),
    openServices: options.openServices,
    environment: options.environment,
    restMilliseconds: options.restMilliseconds ?? 700,
  });
  registerFeatures(context);
  registerRequests(context);
  return new Promise((resolve) => {
    context.connection.onExit(() => resolve(0));
    context.connection.listen();
  });
}
