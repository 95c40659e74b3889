import type { CodeLens, TextDocument } from "vscode";
import type { CodeLensMiddleware } from "vscode-languageclient/node";
import type { LastingCommands } from "../lasting-commands";

/**
 * How long lenses are waited for, in milliseconds, where those of the same text are at hand. VS Code asks the
 * less often the longer it waits, and meanwhile shows what is over.
 */
const waitMilliseconds = 150;

/** A lens as it is shown, beside what the server offered by it. */
interface Offer {
  readonly shown: CodeLens;
  readonly offered: Pick<CodeLens, "command">;
}

/** What the lenses of a server are shown with. */
interface LensParts {
  readonly commands: LastingCommands;
  /** What this window knows better than the server did when it answered. */
  readonly isPast: (lens: Pick<CodeLens, "command">) => boolean;
  /** Has the lenses of a document asked for once more. */
  readonly changed: (document: TextDocument) => void;
}

/**
 * Lenses of the server that still lead somewhere when they are clicked while they are drawn anew. A server
 * that takes its time holds none back: those that it gave before are shown until it answers.
 */
export function lastingLenses({ commands, isPast, changed }: LensParts): CodeLensMiddleware {
  const kept = new WeakMap<
    TextDocument,
    { readonly version: number; readonly offers: readonly Offer[]; readonly told: string }
  >();
  const withLasting = (lens: CodeLens): CodeLens => {
    if (lens.command !== undefined) lens.command = commands.lasting(lens.command);
    return lens;
  };
  return {
    provideCodeLenses: async (document, token, next) => {
      const { version } = document;
      const before = kept.get(document);
      let isLate = false;
      const answered = Promise.resolve(next(document, token)).then((lenses) => {
        if (!lenses) return undefined;
        const told = JSON.stringify(lenses);
        const offers = lenses.map((lens) => ({
          offered: { command: lens.command },
          shown: withLasting(lens),
        }));
        if (document.version === version) kept.set(document, { version, offers, told });
        if (isLate && told !== before?.told) changed(document);
        return offers;
      });
      const offers =
        before?.version === version
          ? await Promise.race([answered, later(waitMilliseconds).then(() => before.offers)])
          : await answered;
      isLate = true;
      // Who waited no longer is told nothing of a request that failed.
      answered.catch(() => undefined);
      return offers?.filter(({ offered }) => !isPast(offered)).map(({ shown }) => shown);
    },
    resolveCodeLens: async (lens, token, next) => {
      const resolved = await next(lens, token);
      return resolved && withLasting(resolved);
    },
  };
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
