import { shown } from "../handshake/user-language";
import type { Hover, Position } from "vscode-languageserver";
import type { KernelFacts } from "../../../core/language/facts";
import type { ServerContext } from "../context";
import { toRange } from "../views/convert";
import { factsMarkdown, factsOfKernel } from "../views/facts/compiled-facts";
import { digestOf, type OpenDocument } from "../documents";
import { lineMarkdown } from "../views/line-detail";
import { entryMarkdown } from "../views/reference-text";
import { explained, explainedName } from "./language/known-name";

/**
 * Over a kernel's name: what the compiler said. Over a name of CUDA or Triton: what it does. Over a line that
 * was counted: its counters, for clients that do not draw them.
 */
export const hover = shown((context: ServerContext, uri: string, position: Position): Hover | null => {
  const document = context.documents.get(uri);
  if (document === undefined) return null;
  const counted = context.lineCounters.get(uri);
  const present = counted?.digest === digestOf(document.text) ? counted : undefined;
  const kernel = kernelAt(document, position);
  // Our own client shows what was counted of the kernel here, with what the compiler said.
  if (kernel !== undefined && context.client.ownClient && present?.kernels.includes(kernel.name) === true)
    return null;
  const told = (kernel && compiledHover(context, document, kernel)) ?? explainedAt(context, uri, position);
  if (told !== undefined) return told;
  const line = present?.lines.find((candidate) => candidate.line === position.line + 1);
  if (line === undefined || context.client.ownClient) return null;
  return { contents: { kind: "markdown", value: lineMarkdown(line) } };
});

/** The kernel whose name stands at a place. */
function kernelAt(document: OpenDocument, { line, character }: Position): KernelFacts | undefined {
  return document
    .findKernels()
    .find(
      ({ nameRange: { start, end } }) =>
        start.line === line && start.character <= character && character <= end.character,
    );
}

/** What the last compile said of a kernel; undefined where it said nothing. */
function compiledHover(
  context: ServerContext,
  document: OpenDocument,
  kernel: KernelFacts,
): Hover | undefined {
  const compiled = context.compiles.factsOf(document);
  const facts = compiled === undefined ? [] : factsOfKernel(compiled.facts, kernel.name);
  if (compiled === undefined || facts.length === 0) return undefined;
  const value = facts
    .map((instance) => factsMarkdown(instance, compiled.launches.get(kernel.name), compiled.stale))
    .join("\n\n---\n\n");
  return { contents: { kind: "markdown", value }, range: toRange(kernel.nameRange) };
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
