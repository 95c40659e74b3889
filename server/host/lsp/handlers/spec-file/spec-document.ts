import { dirname, join } from "node:path";
import type { Range } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { KernelSpec } from "../../../../core/workload/spec";
import { parseKernelSpec } from "../../../../core/workload/spec-parse";
import { readSpecMarks, type Span, type SpecMark } from "../../../../core/workload/spec-text/marks";
import type { OpenDocument } from "../../documents";
import { pathOfUri, uriOfPath } from "../../uris";

/** A spec file as it stands in the editor. */
export interface SpecDocument {
  readonly uri: string;
  readonly text: string;
  /** Absolute. */
  readonly folder: string;
  readonly marks: readonly SpecMark[];
  /** Undefined while something is wrong with it. */
  readonly spec: KernelSpec | undefined;
  rangeOf(span: Span): Range;
  offsetOf(position: Range["start"]): number;
}

export function isSpecFile(uri: string): boolean {
  return uri.endsWith(".kernel.json");
}

/** Undefined for a document that is no spec file. */
export function specDocument({ uri, text }: Pick<OpenDocument, "uri" | "text">): SpecDocument | undefined {
  const path = pathOfUri(uri);
  if (!isSpecFile(uri) || path === undefined) return undefined;
  const lines = TextDocument.create(uri, "jsonc", 0, text);
  const parsed = parseKernelSpec(text);
  return {
    uri,
    text,
    folder: dirname(path),
    marks: readSpecMarks(text),
    spec: parsed.ok ? parsed.value : undefined,
    rangeOf: ({ start, end }) => ({ start: lines.positionAt(start), end: lines.positionAt(end) }),
    offsetOf: (position) => lines.offsetAt(position),
  };
}

/** A file that the spec names, by its path there. */
export function uriBeside({ folder }: SpecDocument, file: string): string {
  return uriOfPath(join(folder, ...file.split("/")));
}

/** The part of a span on its first line: what is long is not underlined whole. */
export function firstLine({ text }: SpecDocument, { start, end }: Span): Span {
  const lineEnd = text.indexOf("\n", start);
  return { start, end: lineEnd < 0 ? end : Math.min(end, lineEnd) };
}
