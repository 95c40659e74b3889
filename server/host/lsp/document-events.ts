import { parseKernelSpec, type SpecProblem } from "../../core/workload/spec-parse";
import type { ServerContext } from "./context";
import type { OpenDocument } from "./documents";
import { markDiagnostics } from "./handlers/spec-file/marks";
import { isSpecFile, specDocument } from "./handlers/spec-file/spec-document";
import { problemDiagnostic } from "./views/convert";

/** Follows what is opened, changed, saved and closed. */
export function registerDocuments(context: ServerContext): void {
  const { connection, documents } = context;
  connection.onDidOpenTextDocument(({ textDocument }) => arrived(context, documents.add(textDocument)));
  connection.onDidChangeTextDocument(({ textDocument, contentChanges }) => {
    const document = documents.get(textDocument.uri);
    if (document === undefined) return;
    document.update(contentChanges, textDocument.version);
    context.diagnostics.follow(document.uri, contentChanges);
    context.diagnostics.dropRuns(document.uri);
    checkSpec(context, document);
    compileIfTrusted(context, document, "at rest");
    context.lints.request(document, "at rest");
    context.reviewBoard.documentChanged(document.uri);
  });
  connection.onDidSaveTextDocument(({ textDocument }) => {
    const document = documents.get(textDocument.uri);
    if (document !== undefined) arrived(context, document);
  });
  connection.onDidChangeWatchedFiles(() => {
    for (const document of documents.all()) if (!isSpec(document)) readSpecs(context, document);
  });
  connection.onDidCloseTextDocument(({ textDocument }) => {
    context.compiles.forget(textDocument.uri);
    context.lints.forget(textDocument.uri);
    context.specs.forget(textDocument.uri);
    context.diagnostics.putAll(`compiler ${textDocument.uri}`, new Map());
    context.diagnostics.forget(textDocument.uri);
    documents.remove(textDocument.uri);
  });
}

/**
 * A document was opened or saved: everything about it is worth looking at anew. A saved spec may give lenses
 * of other documents.
 */
function arrived(context: ServerContext, document: OpenDocument): void {
  checkSpec(context, document);
  compileIfTrusted(context, document, "at once");
  context.lints.request(document, "at once");
  const sources = isSpec(document) ? context.documents.all().filter((other) => !isSpec(other)) : [document];
  for (const source of sources) readSpecs(context, source);
}

/** Reads which kernels of a source have a spec file, for their lenses. */
function readSpecs(context: ServerContext, source: OpenDocument): void {
  context.background(
    "kernel specs",
    context.specs.refresh(source.uri).then((changed) => {
      if (changed) context.refreshLenses();
    }),
  );
}

function isSpec(document: OpenDocument): boolean {
  return isSpecFile(document.uri);
}

/** What is wrong with a spec file; of one that is right, what is a guess or worth a look. */
function checkSpec(context: ServerContext, document: OpenDocument): void {
  const spec = specDocument(document);
  if (spec === undefined) return;
  const parsed = parseKernelSpec(document.text);
  // VS Code has the schema, and tells of unknown names by itself.
  const isOurs = ({ about }: SpecProblem): boolean => about !== "name" || !context.client.ownClient;
  const told = parsed.ok ? markDiagnostics(spec) : parsed.problem.filter(isOurs).map(problemDiagnostic);
  context.diagnostics.put(document.uri, "spec", told);
}

/**
 * Compiling runs the compiler on the user's files (includes, macros, Python imports): only where the
 * workspace is trusted. While the user types only CUDA is compiled, and only here: Python would be run
 * half-written, and another machine be asked at every pause.
 */
export function compileIfTrusted(
  context: ServerContext,
  document: OpenDocument,
  when: "at once" | "at rest",
): void {
  if (!context.client.trusted || !context.client.settings.backgroundCompile || isSpec(document)) return;
  const everyPause = document.dialect === "cuda" && !context.client.settings.target.startsWith("ssh:");
  if (when === "at once" || everyPause) context.compiles.request(document, when);
  else context.compiles.cancel(document.uri);
}
