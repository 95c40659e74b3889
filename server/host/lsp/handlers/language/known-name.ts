import { type CallSite, callAround, nameAt } from "../../../../core/reference/call-site";
import {
  type ReferenceEntry,
  type ReferenceLanguage,
  referenceLanguages,
} from "../../../../core/reference/entry";
import { referenceOf } from "../../../../core/reference/tables";
import { tritonNames } from "../../../../core/language/triton/names";
import type { ServerContext } from "../../context";
import type { OpenDocument } from "../../documents";

/** A document in which names of CUDA or Triton may be explained. */
export interface ExplainedDocument {
  readonly document: OpenDocument;
  readonly language: ReferenceLanguage;
}

/** Undefined for a document of another language, and where the user has switched the help off. */
export function helped(context: ServerContext, uri: string): ExplainedDocument | undefined {
  const document = context.documents.get(uri);
  const language = referenceLanguages.find((each) => each === document?.dialect);
  if (document === undefined || language === undefined) return undefined;
  return context.client.settings.languageHelp ? { document, language } : undefined;
}

/** As `helped`; undefined for Python that does not use Triton as well. */
export function explained(context: ServerContext, uri: string): ExplainedDocument | undefined {
  const source = helped(context, uri);
  return source === undefined || (source.language === "triton" && !usesTriton(source)) ? undefined : source;
}

function usesTriton({ document }: ExplainedDocument): boolean {
  return /\btriton\b/.test(document.text);
}

/**
 * Whether a name may be a kernel's here. Python without Triton is asked for by other extensions all the time:
 * there a name must be launched for the workspace to be searched.
 */
export function mayBeKernel(source: ExplainedDocument, name: string): boolean {
  if (source.language === "cuda" || usesTriton(source)) return true;
  return new RegExp(`\\b${name}\\s*\\[`).test(source.document.text);
}

/** The name of an entry as a text writes it, under the name of the tables. */
function entryName({ document, language }: ExplainedDocument, written: string): string | undefined {
  if (language === "cuda") return written.replace(/^.*::/, "");
  const root = document.parsed()?.tree.root;
  return root === undefined ? undefined : tritonNames(root).canonical(written);
}

/** The entry of a name as a text writes it. */
export function entryOf(source: ExplainedDocument, written: string): ReferenceEntry | undefined {
  const name = entryName(source, written);
  return name === undefined ? undefined : referenceOf(source.language, name);
}

/** Comments and strings explain nothing. */
export function inCode({ document }: ExplainedDocument, offset: number): boolean {
  const { line, character } = document.positionAt(offset);
  const point = { row: line, column: character };
  const node = document.parsed()?.tree.root.namedDescendantForPosition(point);
  return node === undefined || node === null || !/comment|string|char_literal|system_lib/.test(node.type);
}

/** The name at an offset and its entry. */
export function explainedName(
  source: ExplainedDocument,
  offset: number,
): { readonly entry: ReferenceEntry; readonly start: number; readonly end: number } | undefined {
  const name = nameAt(source.document.text, offset);
  if (name === undefined || !inCode(source, offset)) return undefined;
  const entry = entryOf(source, name.name);
  if (entry !== undefined) return { entry, start: name.start, end: name.end };
  const object = name.name.slice(0, name.name.indexOf("."));
  const built = source.language === "cuda" ? referenceOf("cuda", object) : undefined;
  return built === undefined ? undefined : { entry: built, start: name.start, end: name.end };
}

/** The call around an offset. */
export function callAt({ document, language }: ExplainedDocument, offset: number): CallSite | undefined {
  return callAround(document.text, offset, language);
}
