import { type CancellationToken, l10n, Uri } from "vscode";
import type { KernelParams } from "../../../server/protocol/requests";
import type { SessionView } from "../../../server/protocol/views";
import type { Parts } from "../commands/command";
import { startRun } from "../commands/starting/optimize";
import { settleUnsaved } from "../commands/running/unsaved";
import {
  type Answer,
  checked,
  explain,
  type KnownKernel,
  nobodyToTell,
  notProfiled,
  plainAnswer,
  statusOf,
  told,
} from "./answer";
import type { Wish } from "./request";

/** A message and what it is about. */
export interface Asked {
  readonly prompt: string;
  readonly kernel: KernelParams | undefined;
  /** One-based. */
  readonly line: number | undefined;
  /** The run that is meant, while it runs. */
  readonly run: SessionView | undefined;
  readonly token: CancellationToken;
  readonly progress: (text: string) => void;
}

interface Reply {
  /** True when it compiles or runs something of the workspace. */
  readonly runsCode: boolean;
  make(parts: Parts, asked: Asked): Promise<Answer>;
}

/** What is done for each wish. */
export const replies: Readonly<Record<Wish, Reply>> = {
  explain: { runsCode: false, make: withKernel(explainKernel) },
  check: { runsCode: true, make: withKernel(checkKernel) },
  profile: { runsCode: true, make: withKernel(profileKernel) },
  optimize: { runsCode: true, make: withKernel(optimizeKernel) },
  tell: { runsCode: false, make: tellRun },
  status: { runsCode: false, make: tellStatus },
  stop: { runsCode: false, make: stopRun },
};

function withKernel(
  make: (parts: Parts, kernel: KernelParams, asked: Asked) => Promise<Answer>,
): Reply["make"] {
  return (parts, asked) =>
    asked.kernel === undefined
      ? Promise.resolve(
          plainAnswer(
            l10n.t("Which kernel? Put the cursor into it, name it in your message or attach its file."),
          ),
        )
      : make(parts, asked.kernel, asked);
}

async function explainKernel(parts: Parts, kernel: KernelParams, { line }: Asked): Promise<Answer> {
  const present = parts.facts.of(Uri.parse(kernel.uri));
  const own = present?.facts.kernel === kernel.kernel ? present : undefined;
  const listed = (await parts.kernels.all()).find(
    ({ uri, name }) => uri === kernel.uri && name === kernel.kernel,
  );
  const known: KnownKernel = {
    kernel,
    origin: own?.facts.origin,
    lines: own?.lines ?? [],
    isStale: own?.isStale === true,
    verdict: listed?.verdict ?? null,
  };
  return explain(known, line);
}

async function checkKernel(parts: Parts, kernel: KernelParams, asked: Asked): Promise<Answer> {
  if (!(await settleUnsaved(kernel.uri))) return leftAlone();
  asked.progress(l10n.t("Checking {0}", kernel.kernel));
  return checked(kernel, await parts.connection.request("kernelwright/check", kernel, asked.token));
}

async function profileKernel(parts: Parts, kernel: KernelParams, asked: Asked): Promise<Answer> {
  if (!(await settleUnsaved(kernel.uri))) return leftAlone();
  asked.progress(l10n.t("Profiling {0}", kernel.kernel));
  const { summary, refusal } = await parts.connection.request("kernelwright/profile", kernel, asked.token);
  return refusal === null ? explainKernel(parts, kernel, asked) : notProfiled(kernel, summary, refusal);
}

/** Words behind the command go to the model before its first turn. */
async function optimizeKernel(parts: Parts, kernel: KernelParams, { prompt }: Asked): Promise<Answer> {
  const sessionId = await startRun(parts, kernel, { messages: prompt === "" ? [] : [prompt] });
  const run = sessionId === undefined ? undefined : parts.sessions.get(sessionId);
  return run === undefined ? leftAlone() : statusOf(kernel, [run], Date.now());
}

async function tellRun(parts: Parts, { run, kernel, prompt }: Asked): Promise<Answer> {
  if (run === undefined || prompt === "") return nobodyToTell(kernel);
  await parts.connection.request("kernelwright/say", { sessionId: run.sessionId, text: prompt });
  return told(run);
}

async function tellStatus(parts: Parts, { kernel, run }: Asked): Promise<Answer> {
  if (run !== undefined) return statusOf(kernel, [run], Date.now());
  const running = parts.sessions.running();
  const newest = parts.sessions.ofThisWindow().find((each) => each.kernel === kernel?.kernel);
  return statusOf(kernel, running.length === 0 && newest !== undefined ? [newest] : running, Date.now());
}

async function stopRun(parts: Parts, { run }: Asked): Promise<Answer> {
  if (run === undefined) return plainAnswer(l10n.t("Which run? None is on this kernel."));
  await parts.connection.request("kernelwright/cancel", { sessionId: run.sessionId });
  return plainAnswer(l10n.t("The run on {0} ends; what it found stays.", run.kernel));
}

function leftAlone(): Answer {
  return plainAnswer(l10n.t("Nothing was started."));
}
