import { shown } from "../handshake/user-language";
import type { DocumentSymbol } from "vscode-languageserver";
import { findSymbols as findPtxSymbols } from "../../../core/language/ptx/symbols";
import { findSymbols } from "../../../core/language/source-file";
import type { ServerContext } from "../context";
import { toDocumentSymbols } from "../views/convert";

/** The outline of a CUDA, Triton or PTX document. */
export const documentSymbol = shown((context: ServerContext, uri: string): DocumentSymbol[] => {
  const document = context.documents.get(uri);
  if (document === undefined) return [];
  if (uri.endsWith(".ptx")) return toDocumentSymbols(findPtxSymbols(document.text));
  const source = document.parsed();
  if (source === undefined) return [];
  return toDocumentSymbols(findSymbols(source, document.findKernels(), document.memory));
});
