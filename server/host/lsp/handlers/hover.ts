import type { Hover, Position } from "vscode-languageserver";
import type { ServerContext } from "../context";
import { toRange } from "../views/convert";
import { factsMarkdown, factsOfKernel } from "../views/convert-facts";
import { digestOf } from "../documents";
import { lineMarkdown } from "../views/line-detail";

/**
 * Over a kernel's name: what the compiler said. Over a line that was counted: its counters, for clients that
 * do not draw them.
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
  const counted = context.client.ownClient ? undefined : context.lineCounters.get(uri);
  const line = counted?.lines.find((candidate) => candidate.line === position.line + 1);
  if (counted === undefined || line === undefined || counted.digest !== digestOf(document.text)) return null;
  return { contents: { kind: "markdown", value: lineMarkdown(line) } };
}
