import type { Connection, Diagnostic as LspDiagnostic } from "vscode-languageserver";
import { toOperational } from "../../core/base/operational-error";
import type { Diagnostic } from "../../core/judge/verdict";
import type { Grammars } from "../../core/language/tree";
import type { SessionState } from "../../core/trajectory/reduce";
import { CompileWatch, type CompileRequest, type CompileResult } from "./compile-watch";
import { type ServerContext, initialClientState, readTarget, reviewKey } from "./context";
import { toDiagnostic, toSessionView } from "./views/convert";
import { DiagnosticBoard } from "./diagnostics";
import { DocumentStore } from "./documents";
import { SessionBoard } from "./session-board";
import { SpecIndex } from "./spec-index";
import { type OpenServices, Workspaces } from "./workspaces";

export interface ContextParts {
  readonly connection: Connection;
  readonly grammars: Grammars;
  readonly openServices: OpenServices;
  readonly environment: NodeJS.ProcessEnv;
  readonly restMilliseconds: number;
}

const sessionRestMilliseconds = 100;

/** Makes the parts of the server and ties them together. */
export function buildContext(parts: ContextParts): ServerContext {
  const { connection } = parts;
  const background = (what: string, task: Promise<unknown>): void => {
    task.catch((thrown: unknown) =>
      connection.console.error(`${what}: ${toOperational(thrown, "tool-failed").message}`),
    );
  };
  const client = initialClientState();
  const diagnostics = new DiagnosticBoard((uri, found) =>
    background("diagnostics", connection.sendDiagnostics({ uri, diagnostics: found })),
  );
  const workspaces = new Workspaces({
    openServices: parts.openServices,
    environment: parts.environment,
    settings: () => client.settings,
    modelKey: async () => (client.ownClient ? await askForKey(connection) : undefined),
  });
  const refreshLenses = (): void => {
    if (client.refreshesLenses) background("lenses", connection.sendRequest("workspace/codeLens/refresh"));
  };
  const compiles = new CompileWatch({
    restMilliseconds: parts.restMilliseconds,
    target: () => readTarget(client),
    compile: (request) => compileDocument(workspaces, request),
    finished: (document, found) => {
      diagnostics.putAll(`compiler ${document.uri}`, groupByDocument(workspaces, document.uri, found));
      refreshLenses();
    },
    failed: (problem) => {
      connection.console.warn(
        problem.remedy === undefined ? problem.message : `${problem.message} (${problem.remedy})`,
      );
    },
  });
  const folders = new Map<string, string>();
  const reviews = new Map<string, string>();
  // One after the other: a client must never see an older state of a session after a newer one.
  let telling = Promise.resolve();
  const sessions = new SessionBoard({
    restMilliseconds: sessionRestMilliseconds,
    changed: (sessionId, state, running) => {
      telling = telling.then(() =>
        tellSession({ connection, workspaces, folders }, { sessionId, state, running }),
      );
      background("session", telling);
      telling = telling.catch(() => undefined);
    },
    ended: (uri, sessionId, state) => {
      if (state.task === undefined || state.proposal === undefined) return;
      reviews.set(reviewKey(uri, state.task.kernel), sessionId);
      refreshLenses();
    },
    failed: (sessionId, thrown) =>
      connection.console.error(`session ${sessionId}: ${toOperational(thrown, "tool-failed").message}`),
  });
  return {
    connection,
    client,
    documents: new DocumentStore(parts.grammars),
    workspaces,
    compiles,
    sessions,
    specs: new SpecIndex(),
    diagnostics,
    lineCounters: new Map(),
    reviews,
    refreshLenses,
    background,
  };
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

async function askForKey(connection: Connection): Promise<string | undefined> {
  const answer = await connection.sendRequest<{ readonly value: string | null }>("kernelwright/secret", {
    name: "model-key",
  });
  return answer.value ?? undefined;
}

async function compileDocument(
  workspaces: Workspaces,
  { document, target, signal }: CompileRequest,
): Promise<CompileResult> {
  const { services, file } = await workspaces.placeOf(document.uri);
  return services.compile.facts({ file, text: document.text, target, signal });
}

interface ChangedSession {
  readonly sessionId: string;
  readonly state: SessionState;
  readonly running: boolean;
}

interface Teller extends Pick<ServerContext, "connection" | "workspaces"> {
  /** Folders of the sessions that run here, looked up once for each. */
  readonly folders: Map<string, string>;
}

/** Sends the whole view of a session. */
async function tellSession(
  { connection, workspaces, folders }: Teller,
  { sessionId, state, running }: ChangedSession,
): Promise<void> {
  const { services } = await workspaces.first();
  const folder =
    folders.get(sessionId) ??
    (await services.sessions.list()).find((candidate) => candidate.sessionId === sessionId)?.folder ??
    "";
  if (running) folders.set(sessionId, folder);
  else folders.delete(sessionId);
  await connection.sendNotification(
    "kernelwright/sessionChanged",
    toSessionView({ sessionId, folder, status: running ? "running" : "crashed" }, state),
  );
}
