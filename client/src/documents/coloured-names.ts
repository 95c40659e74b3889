import {
  type CancellationToken,
  Disposable,
  EventEmitter,
  languages,
  SemanticTokens,
  SemanticTokensLegend,
  type TextDocument,
} from "vscode";
import { colourModifiers, colourTypes } from "../../../server/protocol/colours";
import { isKernelFile } from "../kernel-files";
import type { ServerConnection } from "../server/connection";

/**
 * Colours of kernels' names, launches and constants. For all languages, which is the weakest claim that an
 * extension can make: where another one colours the whole language, its colours stay.
 */
export function colourNames(connection: ServerConnection): Disposable {
  const changed = new EventEmitter<void>();
  const legend = new SemanticTokensLegend([...colourTypes], [...colourModifiers]);
  const provide = async (
    { uri }: TextDocument,
    token: CancellationToken,
  ): Promise<SemanticTokens | undefined> => {
    const data = await connection.request("kernelwright/colours", { uri: uri.toString() }, token);
    return data === null ? undefined : new SemanticTokens(new Uint32Array(data));
  };
  return Disposable.from(
    changed,
    connection.onDidChangeState((state) => (state === "running" ? changed.fire() : undefined)),
    languages.registerDocumentSemanticTokensProvider(
      { language: "*" },
      {
        onDidChangeSemanticTokens: changed.event,
        // Colours alone are no reason to start the server.
        provideDocumentSemanticTokens: (document, token) =>
          isKernelFile(document) && connection.state === "running" ? provide(document, token) : undefined,
      },
      legend,
    ),
  );
}
