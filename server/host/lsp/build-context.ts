import type { Connection, Diagnostic as LspDiagnostic } from "vscode-languageserver";
import type { Diagnostic } from "../../core/judge/verdict";
import { CompileWatch, type CompileRequest, type CompileResult } from "./handlers/language/compile-watch";
import { type Offer, type ServerContext, initialClientState, readTarget } from "./context";
import { toDiagnostic } from "./views/convert";
import { DiagnosticBoard } from "./diagnostics";
import { DocumentStore } from "./documents";
import { followReviews } from "./sessions/follow-reviews";
import { followSessions } from "./sessions/follow-sessions";
import { showLints } from "./handlers/language/lints";
import { createKernelBoard } from "./kernels/kernel-board";
import { LintWatch } from "./handlers/language/lint-watch";
import { SpecIndex } from "./spec-index";
import { backgroundOf, takingTurns } from "./tasks";
import { type OpenServices, Workspaces } from "./workspaces";

interface ContextParts {
  readonly connection: Connection;
  readonly grammars: ConstructorParameters<typeof DocumentStore>[0];
  readonly openServices: OpenServices;
  readonly environment: NodeJS.ProcessEnv;
  readonly restMilliseconds: number;
}

/** Makes the parts of the server and ties them together. */
export function buildContext(parts: ContextParts): ServerContext {
  const { connection } = parts;
  const background = backgroundOf(connection);
  const client = initialClientState();
  const diagnostics = new DiagnosticBoard((uri, found) =>
    background("diagnostics", connection.sendDiagnostics({ uri, diagnostics: found })),
  );
  const workspaces = new Workspaces({
    openServices: parts.openServices,
    environment: parts.environment,
    settings: (folder) => client.folderSettings.get(folder) ?? client.settings,
    modelKey: async (endpoint) => (client.ownClient ? await askForKey(connection, endpoint) : undefined),
    connection,
    isOwnClient: () => client.ownClient,
  });
  const refreshLenses = (): void => {
    if (client.refreshesLenses) background("lenses", connection.sendRequest("workspace/codeLens/refresh"));
  };
  const compiles = new CompileWatch({
    restMilliseconds: parts.restMilliseconds,
    target: (uri) => readTarget({ client, workspaces }, uri),
    compile: (request) => compileDocument(workspaces, request),
    finished: (document, found) => {
      diagnostics.putAll(`compiler ${document.uri}`, groupByDocument(workspaces, document.uri, found));
      refreshLenses();
    },
    failed: ({ message, remedy }) =>
      connection.console.warn(remedy === undefined ? message : `${message} (${remedy})`),
  });
  const reviews = new Map<string, Offer>();
  const documents = new DocumentStore(parts.grammars);
  const inTurn = takingTurns();
  const told = { connection, workspaces, reviews, refreshLenses, background, inTurn };
  const sessions = followSessions({ ...told, documents, compiles });
  const context: ServerContext = {
    ...{ connection, client, documents, workspaces, compiles },
    lints: new LintWatch(parts.restMilliseconds, (document) => showLints(context, document)),
    sessions,
    inTurn,
    specs: new SpecIndex(),
    kernels: createKernelBoard(workspaces, documents, () =>
      background("kernels", connection.sendNotification("kernelwright/kernelsChanged", {})),
    ),
    diagnostics,
    lineCounters: new Map(),
    counted: new Map(),
    reviews,
    reviewBoard: followReviews({ connection, client, documents, workspaces, background, inTurn }),
    refreshLenses,
    background,
  };
  return context;
}

/**
 * Diagnostics by the document they belong to; the compiled document is always among them, so that what was
 * mended goes.
 */
function groupByDocument(
  workspaces: Workspaces,
  compiledUri: string,
  found: readonly Diagnostic[],
): ReadonlyMap<string, readonly LspDiagnostic[]> {
  const place = workspaces.locate(compiledUri);
  const groups = new Map<string, LspDiagnostic[]>([[compiledUri, []]]);
  for (const diagnostic of found) {
    const uri =
      place === undefined || diagnostic.file === place.file || diagnostic.file === ""
        ? compiledUri
        : workspaces.uriOf(place.folder, diagnostic.file);
    groups.set(uri, [...(groups.get(uri) ?? []), toDiagnostic(diagnostic)]);
  }
  return groups;
}

async function askForKey(connection: Connection, endpoint: string): Promise<string | undefined> {
  const answer = await connection.sendRequest<{ readonly value: string | null }>("kernelwright/secret", {
    name: "model-key",
    endpoint,
  });
  return answer.value ?? undefined;
}

async function compileDocument(
  workspaces: Workspaces,
  { document, target, signal }: CompileRequest,
): Promise<CompileResult> {
  const { services, file } = await workspaces.placeOf(document.uri);
  const compiled = await services.compile.facts({ file, text: document.text, target, signal });
  const { facts, diagnostics, notes } = compiled;
  return { facts, diagnostics: [...diagnostics, ...notesAtError(diagnostics, notes)] };
}

const buildSettings = "build settings";

/** What was not used of the build, beside the first error: it may be what the compiler lacks. */
function notesAtError(found: readonly Diagnostic[], notes: readonly string[]): readonly Diagnostic[] {
  const error = found.find(({ severity }) => severity === "error");
  if (error === undefined) return [];
  return notes.map((message) => ({ ...error, severity: "information", message, source: buildSettings }));
}
