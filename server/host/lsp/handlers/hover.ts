import type { Hover, Position } from "vscode-languageserver";
import type { ServerContext } from "../context";
import { toRange } from "../views/convert";
import { factsMarkdown, factsOfKernel } from "../views/convert-facts";
import { digestOf } from "../documents";
import { lineMarkdown } from "../views/line-detail";
import { entryMarkdown } from "../views/reference-text";
import { explained, explainedName } from "./language/known-name";

/**
 * Over a kernel's name: what the compiler said. Over a name of CUDA or Triton: what it does. Over a line that
 * was counted: its counters, for clients that do not draw them.
 */
export function hover(context: ServerContext, uri: string, position: Position): Hover | null {
  const document = context.documents.get(uri);
  if (document === undefined) return null;
  const kernel = document
    .findKernels()
    .find(
      ({ nameRange }) =>
        nameRange.start.line === position.line &&
        nameRange.start.character <= position.character &&
        position.character <= nameRange.end.character,
    );
  const compiled = kernel === undefined ? undefined : context.compiles.factsOf(document);
  const facts =
    kernel === undefined || compiled === undefined ? [] : factsOfKernel(compiled.facts, kernel.name);
  if (kernel !== undefined && compiled !== undefined && facts.length > 0) {
    const value = facts
      .map((instance) => factsMarkdown(instance, compiled.launches.get(kernel.name), compiled.stale))
      .join("\n\n---\n\n");
    return { contents: { kind: "markdown", value }, range: toRange(kernel.nameRange) };
  }
  const named = explainedAt(context, uri, position);
  if (named !== undefined) return named;
  const counted = context.client.ownClient ? undefined : context.lineCounters.get(uri);
  const line = counted?.lines.find((candidate) => candidate.line === position.line + 1);
  if (counted === undefined || line === undefined || counted.digest !== digestOf(document.text)) return null;
  return { contents: { kind: "markdown", value: lineMarkdown(line) } };
}

function explainedAt(context: ServerContext, uri: string, position: Position): Hover | undefined {
  const source = explained(context, uri);
  if (source === undefined) return undefined;
  const { document } = source;
  const found = explainedName(source, document.offsetAt(position));
  if (found === undefined) return undefined;
  return {
    contents: { kind: "markdown", value: entryMarkdown(found.entry, source.language) },
    range: { start: document.positionAt(found.start), end: document.positionAt(found.end) },
  };
}
