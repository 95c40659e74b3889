import type { CodeLens } from "vscode";
import type { CodeLensMiddleware } from "vscode-languageclient/node";
import type { LastingCommands } from "../lasting-commands";

/**
 * Lenses of the server that still lead somewhere when they are clicked while they are drawn anew. `isPast`:
 * what this window knows better than the server did when it answered.
 */
export function lastingLenses(
  commands: LastingCommands,
  isPast: (lens: CodeLens) => boolean,
): CodeLensMiddleware {
  const withLasting = (lens: CodeLens): CodeLens => {
    if (lens.command !== undefined) lens.command = commands.lasting(lens.command);
    return lens;
  };
  return {
    provideCodeLenses: async (document, token, next) =>
      (await next(document, token))?.filter((lens) => !isPast(lens)).map(withLasting),
    resolveCodeLens: async (lens, token, next) => {
      const resolved = await next(lens, token);
      return resolved && withLasting(resolved);
    },
  };
}
