import { createRequire } from "node:module";
import { commands, type Disposable, type ExtensionContext, type Memento, type Uri, window } from "vscode";
import { serveChat } from "./chat/participant";
import type { Parts } from "./commands/command";
import type { ReviewParts } from "./commands/review/review-parts";
import { registerCommands } from "./commands/register";
import { Tasks } from "./commands/tasks";
import { DoctorPage } from "./doctor/doctor-page";
import { colourNames } from "./documents/coloured-names";
import { CandidateDocuments } from "./documents/candidate-documents";
import { ReportDocuments } from "./documents/report-documents";
import { LinkedLines } from "./machine-code/linked-lines";
import { MachineCodeDocuments } from "./machine-code/machine-code-documents";
import { KernelStore } from "./kernels/kernel-store";
import { KernelTests } from "./kernels/kernel-tests";
import { followRenames } from "./kernels/moved-specs";
import { FactsStore } from "./facts/facts-store";
import { LineFacts } from "./facts/line-facts";
import { profileOnSave } from "./facts/profile-on-save";
import { watchKernelFiles } from "./kernel-files";
import { LastingCommands } from "./lasting-commands";
import { PerformancePages } from "./performance/performance-pages";
import { ProgramTerminals } from "./programs/program-terminals";
import { HandMerges } from "./review/by-hand/hand-merges";
import { Decider } from "./review/deciding/decider";
import { HunkHovers } from "./review/hunk-hovers";
import { HunkLenses } from "./review/hunk-lenses";
import { HunkTints } from "./review/hunk-tints";
import { serveEditorModels } from "./models/editor-models";
import { serveQuestions } from "./models/questions";
import { ProposalDocuments } from "./review/proposal-documents";
import { KeptReviews, keptMoves } from "./review/kept-reviews";
import { pastOffers } from "./review/past-offers";
import { ReviewDesk } from "./review/review-desk";
import { ReviewStatus } from "./review/review-status";
import { ReviewStore } from "./review/review-store";
import { UndoWatcher } from "./review/deciding/undo-watcher";
import type * as Library from "./server/language-client";
import { ServerConnection } from "./server/connection";
import { ModelKey } from "./server/model-key";
import { announceEnds } from "./sessions/end-messages";
import { KeptRuns } from "./sessions/kept-runs";
import { RunChannels } from "./sessions/run-channels";
import { SessionFeed } from "./sessions/session-feed";
import { OptionStore } from "./starting/option-store";
import { SampleKernel } from "./starting/sample-kernel";
import { tickOptimized } from "./starting/walkthrough";
import { SessionStore } from "./sessions/session-store";
import { Comparisons } from "./trajectory/comparison";
import { TrajectoryEditor } from "./trajectory/trajectory-editor";
import { KernelTree } from "./views/kernel-tree";
import { LineTree } from "./views/line-tree";
import { RunTree } from "./views/run-tree";
import { SessionTree } from "./views/session-tree";
import { StatusItem } from "./views/status-item";

/** Longer than from one word of a run that waits to its next. */
const waitShownMilliseconds = 10_000;

/** The extension at work. */
export interface Kernelwright {
  stop(): Promise<void>;
}

/** Makes every part and joins them; all end with the extension's context. */
export function compose(context: ExtensionContext): Kernelwright {
  const own = <Part extends Disposable>(part: Part): Part => {
    context.subscriptions.push(part);
    return part;
  };
  const log = own(window.createOutputChannel("Kernelwright", { log: true }));
  const lasting = own(new LastingCommands(commands.registerCommand, commands.executeCommand));
  const sessions = own(new SessionStore());
  const reviews = own(new ReviewStore(keptMoves(context.workspaceState)));
  const serverModule = context.asAbsolutePath("dist/server.js");
  const isPast = pastOffers(sessions, reviews);
  const library = context.asAbsolutePath("dist/language-client.js");
  const loadLibrary = (): typeof Library => createRequire(library)(library) as typeof Library;
  const connection = own(new ServerConnection({ serverModule, log, lasting, isPast, loadLibrary }));
  const modelKey = new ModelKey(context.secrets);
  own(modelKey.serve(connection));
  own(serveEditorModels(connection));
  own(serveQuestions(connection));
  const feed = own(new SessionFeed(connection, sessions, log));
  const parts: Parts = {
    connection,
    modelKey,
    sessions,
    options: new OptionStore(context.workspaceState),
    feed,
    ...composeReview(own, { connection, reviews, sessions, log }),
    log,
    runs: own(new RunTree(sessions, lasting)),
    ...composeFacts(own, connection),
    reports: own(new ReportDocuments(connection)),
    ...composePages(own, context.extensionUri, connection),
    machineCode: own(new MachineCodeDocuments(connection)),
    trajectories: own(new TrajectoryEditor(context.extensionUri, { connection, sessions })),
    kernels: own(new KernelStore(connection, sessions, log)),
    sessionTree: own(new SessionTree(sessions, feed, { memory: context.workspaceState, commands: lasting })),
    channels: own(new RunChannels(connection)),
    tasks: own(new Tasks()),
    sample: new SampleKernel(context.extensionUri, context.globalStorageUri),
    terminals: own(new ProgramTerminals(connection)),
    version: String((context.extension.packageJSON as { readonly version?: unknown }).version),
  };
  composeViews(own, parts, { memory: context.workspaceState, lasting });
  own(registerCommands(parts));
  own(
    watchKernelFiles(
      () =>
        void connection
          .start()
          .catch((error: unknown) => log.error(`the server did not start: ${String(error)}`)),
    ),
  );
  const runs = own(new KeptRuns(parts, context.workspaceState));
  return {
    stop: () => {
      runs.dispose();
      return connection.stop();
    },
  };
}

/** What proposals are reviewed with. */
function composeReview(
  own: <Part extends Disposable>(part: Part) => Part,
  { connection, reviews, sessions, log }: Pick<Parts, "connection" | "reviews" | "sessions" | "log">,
): ReviewParts {
  const decider = new Decider(connection, reviews);
  return {
    reviews,
    decider,
    merges: own(new HandMerges(connection, reviews, decider)),
    desk: own(new ReviewDesk(connection, reviews, sessions, log)),
  };
}

/** What was counted of lines, and the list of them. */
function composeFacts(
  own: <Part extends Disposable>(part: Part) => Part,
  connection: ServerConnection,
): Pick<Parts, "facts" | "lines"> {
  const facts = own(new FactsStore(connection));
  return { facts, lines: own(new LineTree(facts)) };
}

/** The tabs with pages of our own. */
function composePages(
  own: <Part extends Disposable>(part: Part) => Part,
  extension: Uri,
  connection: ServerConnection,
): Pick<Parts, "performance" | "comparisons" | "doctor"> {
  return {
    performance: own(new PerformancePages(extension, connection)),
    comparisons: own(new Comparisons(extension, connection)),
    doctor: own(new DoctorPage(extension, connection)),
  };
}

/** What shows things and follows changes on its own. */
function composeViews(
  own: (part: Disposable) => unknown,
  parts: Parts,
  { memory, lasting }: { readonly memory: Memento; readonly lasting: LastingCommands },
): void {
  const { sessions } = parts;
  own(
    sessions.onDidChange(
      () =>
        void commands.executeCommand("setContext", "kernelwright.hasRunning", sessions.running().length > 0),
    ),
  );
  own(new KeptReviews(parts, memory));
  own(serveChat(parts));
  own(announceEnds(parts.sessions));
  own(tickOptimized(parts.sessions));
  own(new KernelTree(parts.kernels));
  own(new KernelTests(parts.connection, parts.kernels));
  own(followRenames(parts.connection));
  own(colourNames(parts.connection));
  own(new LineFacts(parts.facts, parts.reviews));
  own(profileOnSave(parts.connection, parts.facts, parts.log));
  own(new LinkedLines(parts.machineCode));
  own(new StatusItem(parts.connection, parts.sessions));
  own(new HunkLenses(parts.reviews, parts.decider.told, lasting));
  own(new HunkTints(parts.reviews));
  own(new HunkHovers(parts.reviews));
  own(new ReviewStatus(parts.reviews));
  own(
    parts.connection.onNotification("kernelwright/reviewChanged", (change) => parts.reviews.change(change)),
  );
  own(
    parts.connection.onNotification("kernelwright/gpuWaited", ({ text }) => {
      window.setStatusBarMessage(`$(watch) ${text}`, waitShownMilliseconds);
    }),
  );
  own(new ProposalDocuments(parts.connection, parts.reviews));
  own(new CandidateDocuments(parts.connection));
  own(new UndoWatcher(parts.reviews, parts.decider, parts.log));
}
