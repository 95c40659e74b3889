import { show } from "../../handshake/user-language";
import { describeVerdict, shownShape } from "../../../../core/words/describe";
import type { Verdict } from "../../../../core/judge/verdict";
import {
  type ShownTimeKind,
  shownTimeKind,
  timeOfKind,
} from "../../../../core/trajectory/proposal/shown-time";
import { baselineId } from "../../../../core/trajectory/state";
import type { SessionSummary } from "../../../../core/ports/run-store";
import type { ServerContext } from "../../context";
import type { KernelVerdict } from "../../kernels/kernel-board";
import type { IndexedKernel } from "../../kernels/kernel-index";
import { toKernelView } from "../../views/convert";
import { candidateFigures } from "../../views/convert-candidate";
import { costOf, haveSameSizes, kernelTime, type KnownKernel, rankKernels } from "../../views/rank-kernels";
import type { Handler } from "../handler";

/**
 * Kernels of all files of the workspace with what is known of each; the costliest of a recorded program
 * first.
 */
export const workspaceKernels: Handler<"kernelwright/workspaceKernels"> = async (context) => {
  // Each waits for the disk: while threads read the sources, and while the sources are parsed.
  let specs: Promise<unknown> = Promise.resolve();
  const index = context.kernels.index.all((uris) => (specs = context.specs.refreshAll(uris)));
  const [indexed, newest] = await Promise.all([index, newestSessions(context)]);
  await specs;
  const known: KnownKernel[] = [];
  for (const each of indexed) known.push(await knownOf(context, each, newest));
  return rankKernels(known);
};

/** The newest session of each kernel of each file. */
async function newestSessions(context: ServerContext): Promise<ReadonlyMap<string, SessionSummary>> {
  const { services } = await context.workspaces.first();
  const newest = new Map<string, SessionSummary>();
  for (const summary of await services.sessions.list()) {
    if (!context.workspaces.holds(summary.workspace)) continue;
    const key = sessionKey(summary.workspace, summary.file, summary.kernel);
    if (!newest.has(key)) newest.set(key, summary);
  }
  return newest;
}

function sessionKey(workspace: string, file: string, kernel: string): string {
  return JSON.stringify([workspace, file, kernel]);
}

async function knownOf(
  context: ServerContext,
  { uri, file, kernel, digest, services, workspace }: IndexedKernel,
  newest: ReadonlyMap<string, SessionSummary>,
): Promise<KnownKernel> {
  const view = toKernelView(uri, kernel, context.specs.find(uri, kernel.name));
  const checked = context.kernels.verdicts.get({ uri, kernel: kernel.name });
  const summary = newest.get(sessionKey(workspace, file, kernel.name));
  const session = summary && comparable(await sessionOf(context, summary), checked?.verdict);
  const verdicts = [checked?.verdict, session?.baseline];
  const called = (path: string): string => context.workspaces.withShownFile({ file: path, workspace }).file;
  const recorded = await recordedOf(services, {
    ...{ file, kernel: kernel.name, specUri: view.specUri },
    called,
  });
  return {
    view: {
      ...view,
      file: called(file),
      verdict: checked ? verdictView(checked, digest) : null,
      session: session?.view ?? null,
      time: kernelTime(verdicts, session?.timeKind ?? kindOf(verdicts)),
      recorded,
    },
    cost: costOf(checked?.verdict) ?? costOf(session?.baseline),
    program: recorded?.program,
  };
}

/** Where no figure of a session stands beside it: the simulated time, if that is known of the newest. */
function kindOf(verdicts: readonly (Verdict | null | undefined)[]): ShownTimeKind {
  const [newest] = verdicts.flatMap((verdict) => (verdict?.kind === "correct" ? [verdict] : []));
  return newest && timeOfKind(newest, "simulation") !== undefined ? "simulation" : "bound";
}

/** The program that a kernel's spec was recorded of, and its cases; a spec that cannot be read tells none. */
async function recordedOf(
  { specs }: Pick<IndexedKernel["services"], "specs">,
  {
    specUri,
    called,
    ...name
  }: {
    readonly file: string;
    readonly kernel: string;
    readonly specUri: string | null | undefined;
    /** What people call a file of the folder. */
    readonly called: (path: string) => string;
  },
): Promise<KnownKernel["view"]["recorded"]> {
  if (!specUri) return null;
  const spec = (await specs.stored(name).catch(() => undefined))?.spec;
  if (spec?.program === undefined) return null;
  const { file, arguments: words } = spec.program;
  return {
    program: [called(file), ...words].join(" "),
    cases: show(() => [...new Set(spec.shapes.map(shownShape))]),
  };
}

/** `digest`: of the file's present text. */
function verdictView(
  { verdict, isGuess, digest: judged }: KernelVerdict,
  digest: string,
): KnownKernel["view"]["verdict"] {
  return {
    passed: verdict.kind === "correct",
    isGuess,
    isStale: judged !== digest,
    text: show(() => describeVerdict(verdict)),
  };
}

/** A figure of other sizes than those of the last check would be read as one of the same. */
function comparable(session: KernelSession, checked: Verdict | undefined): KernelSession {
  const { view, baseline } = session;
  return haveSameSizes(baseline, checked)
    ? session
    : { view: { ...view, figure: null }, baseline, timeKind: undefined };
}

interface KernelSession {
  readonly view: NonNullable<KnownKernel["view"]["session"]>;
  /** What the kernel was when the session began. */
  readonly baseline: Verdict | null | undefined;
  /** What the figure is; undefined where there is none. */
  readonly timeKind: ShownTimeKind | undefined;
}

async function sessionOf(context: ServerContext, summary: SessionSummary): Promise<KernelSession> {
  const { sessionId, status } = summary;
  const view = { sessionId, status, figure: null };
  if (status === "damaged") return { view, baseline: undefined, timeKind: undefined };
  const { services } = await context.workspaces.byDigest(summary.workspace);
  const { candidates } = (await services.sessions.read(sessionId)).state;
  const best = candidates.find(({ id }) => id === summary.best && id !== baselineId);
  const isBegun = candidates.some(({ id }) => id === baselineId);
  const baseline = isBegun ? await services.sessions.verdict(sessionId, baselineId) : undefined;
  const figure = (best && show(() => candidateFigures(candidates)(best))) ?? null;
  return {
    view: { ...view, figure },
    baseline,
    timeKind: figure === null ? undefined : shownTimeKind(candidates),
  };
}
