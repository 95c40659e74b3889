import type { JsonObject } from "../../base/json";
import type { Role } from "../talk/role";
import { roleFailure } from "../talk/role-failure";
import { challengedLines, describeChallenged } from "../talk/challenged";
import type { EventData, EventType, SessionEvent } from "../events";
import { blobHex } from "../blobs";
import { isJudged } from "../state";
import { atifTokens } from "../usage";
import type { StepCollector } from "./atif-steps";
import type { AtifMetrics } from "./atif-types";
import { verdictSentence } from "./content";
import type { ExportInput } from "./exporter";

type Writers = {
  readonly [Type in EventType]?: (
    collector: StepCollector,
    data: EventData[Type],
    context: { readonly event: SessionEvent; readonly input: ExportInput },
  ) => Promise<void> | void;
};

const nothing = (): void => undefined;

const lifecycle: Writers = {
  "session.started": async (collector, data, { event }) => {
    const { file, kernel, target, strategy, specPath, specText } = data.task;
    const spec = await collector.text(specText);
    const message = `Optimize kernel ${kernel} in ${file} for ${target}.${spec === "" ? "" : `\n\n${specPath === "" ? "Inferred spec" : `Spec ${specPath}`}:\n${spec}`}`;
    collector.add("user", event, {
      message,
      notes: { strategy, budget: data.task.budget },
    });
  },
  "session.resumed": (collector, data, { event }) => {
    collector.add("system", event, {
      message: `The session was resumed after event ${data.from_seq}.`,
    });
  },
  "session.recovered": (collector, data, { event }) => {
    collector.add("system", event, {
      message: "The process that ran the session had ended; the session was recovered.",
      notes: { torn_bytes: data.torn_bytes, lost: data.lost_calls },
    });
  },
  "limit.reached": (collector, data, { event }) => {
    collector.add("system", event, {
      message: `The budget's limit was reached: ${data.limit}.`,
      notes: { used: data.used },
    });
  },
  "loop.detected": (collector, data, { event }) => {
    collector.add("system", event, {
      message: `The agent went round in circles: ${data.pattern}`,
    });
  },
  "rules.held_back": (collector, data, { event }) => {
    const lines = data.rules.map(({ rule, line, sentence }) => `${rule}, line ${line}: ${sentence}`);
    collector.add("system", event, {
      message: ["No rule has anything new to propose. What holds each back:", ...lines].join("\n"),
      notes: { candidate: data.candidate },
    });
  },
  "checkpoint.created": (collector, data, { event }) => {
    collector.add("system", event, {
      message: "Checkpoint.",
      notes: { best: data.best, frontier: data.frontier },
    });
  },
  "role.failed": (collector, data, { event }) => {
    collector.add("system", event, {
      message: `${roleFailure(data)}.`,
      notes: { role: data.role, model: data.model },
    });
  },
  // These stand at the root of the document, or say nothing that a step does not.
  "session.paused": nothing,
  "session.ended": nothing,
  "segment.opened": nothing,
  "env.captured": nothing,
  "budget.updated": nothing,
  "message.said": nothing,
  "tree.snapshot": nothing,
};

const conversation: Writers = {
  "message.system": async (collector, data, { event }) => {
    collector.add("system", event, {
      message: await collector.text(data.text),
      notes: roleNote(data),
    });
  },
  "message.user": async (collector, data, { event }) => {
    collector.add("user", event, {
      message: await collector.text(data.text),
      notes: data.steer ? { steer: true } : roleNote(data),
    });
  },
  "message.injected": async (collector, data, { event }) => {
    const context_management = { type: "injection", boundary: "append" };
    collector.add("system", event, {
      message: await collector.text(data.text),
      notes: { context_management, reason: data.reason },
    });
  },
  "llm.request": (collector, data) => {
    collector.requests.set(data.request, {
      model: data.model,
      tools: data.tools,
    });
  },
  "llm.response": writeReply,
  "llm.failed": (collector, data, { event }) => {
    const model = collector.requests.get(data.request)?.model;
    collector.add("agent", event, {
      message: "",
      llm_call_count: 1,
      ...(model === undefined ? {} : { model_name: model }),
      ...(data.cost_usd === null ? {} : { metrics: { cost_usd: data.cost_usd } }),
      notes: {
        failure: data.failure,
        failure_message: data.message,
        attempts: data.attempts,
        ...roleNote(data),
      },
    });
  },
  "tool.called": (collector, data, { event }) => {
    if (collector.begin(data.call)) return;
    const step = collector.add("agent", event, {
      message: "",
      llm_call_count: 0,
      notes: { origin: data.origin },
    });
    collector.addCall(step, {
      id: data.call,
      name: data.name,
      arguments: data.arguments,
      extra: { effect: data.effect },
      called: true,
    });
  },
  "tool.returned": async (collector, data, { event, input }) => {
    const digest = typeof data.output === "string" ? input.sha256(data.output) : blobHex(data.output);
    collector.addResult(data.call, event, {
      content: await collector.text(data.shown),
      extra: {
        status: data.status,
        duration_ms: data.duration_ms,
        output_sha256: digest,
      },
    });
  },
};

/** Whose conversation it belongs to, where that is not the one of the model that writes candidates. */
function roleNote({ role }: { readonly role?: Role }): { readonly role?: Role } {
  return role === undefined ? {} : { role };
}

async function writeReply(
  collector: StepCollector,
  data: EventData["llm.response"],
  { event }: { readonly event: SessionEvent },
): Promise<void> {
  const model = collector.requests.get(data.request)?.model;
  const { extra, ...tokens } = atifTokens(data.usage);
  const metrics: AtifMetrics = {
    ...tokens,
    ...(data.cost.usd === null ? {} : { cost_usd: data.cost.usd }),
    ...(extra ? { extra: { ...extra } } : {}),
  };
  const step = collector.add("agent", event, {
    message: await collector.text(data.text),
    llm_call_count: 1,
    ...(model === undefined ? {} : { model_name: model }),
    ...(data.reasoning === null ? {} : { reasoning_content: await collector.text(data.reasoning) }),
    ...(Object.keys(metrics).length === 0 ? {} : { metrics }),
    notes: {
      finish: data.finish,
      attempts: data.attempts,
      total_ms: data.total_ms,
      cost_source: data.cost.source,
      ...roleNote(data),
    },
  });
  for (const call of data.tool_calls) {
    const unparsed =
      call.arguments === null ? { extra: { raw_arguments: await collector.text(call.raw_arguments) } } : {};
    collector.addCall(step, {
      id: call.call,
      name: call.name,
      arguments: call.arguments ?? {},
      ...unparsed,
      called: false,
    });
  }
}

const decisionWords = {
  accepted: "accepted",
  rejected: "rejected",
  undone: "took back the decision on",
};

const search: Writers = {
  "candidate.created": (collector, data, { event }) => {
    const { candidate, parent, tree, hypothesis, strategy } = data;
    collector.addCandidate(candidate, event, {
      hypothesis,
      notes: { id: candidate, parent, tree, hypothesis, strategy },
    });
  },
  "candidate.staged": (collector, data, { event }) => {
    const sentence = data.verdict === null ? data.reason : verdictSentence(data.verdict);
    const stage: JsonObject = {
      stage: data.stage,
      accepted: data.accepted,
      reason: data.reason,
      verdict: data.verdict?.kind ?? null,
    };
    const notes = collector.candidate(data.candidate);
    notes?.stages.push(stage);
    if (!notes)
      collector.add("system", event, {
        message: `${data.candidate}: ${sentence}`,
        notes: { ...stage, candidate: data.candidate },
      });
    else if (isJudged(data))
      notes.step?.results.push({
        content: `${data.candidate} reached ${data.stage}: ${sentence}`,
      });
  },
  "candidate.challenged": (collector, data, { event }) => {
    collector.add("system", event, {
      message: [`${describeChallenged(data)} against ${data.candidate}.`, ...challengedLines(data)].join(
        "\n",
      ),
      notes: { candidate: data.candidate, cases: data.cases.map((each) => ({ ...each })) },
    });
  },
  "candidate.selected": (collector, data) => {
    collector.candidate(data.candidate)?.stages.push({ selected: true, reason: data.reason });
  },
  "job.queued": (collector, data) => {
    collector.jobs.set(data.job, {
      kind: data.kind,
      candidate: data.candidate,
    });
  },
  "job.started": nothing,
  "job.finished": (collector, data) => {
    const job = collector.jobs.get(data.job);
    if (job)
      collector.candidate(job.candidate)?.jobs.push({
        job: data.job,
        kind: job.kind,
        status: data.status,
        duration_ms: data.duration_ms,
      });
  },
  "proposal.ready": (collector, data, { event }) => {
    const files = [...new Set(data.hunks.map((hunk) => hunk.file))].sort();
    const message = `Proposal: candidate ${data.candidate} with ${data.hunks.length} hunks in ${files.join(", ")}.`;
    collector.add("agent", event, {
      message,
      llm_call_count: 0,
      notes: {
        proposal: {
          candidate: data.candidate,
          hunks: data.hunks.map((hunk) => hunk.id),
        },
      },
    });
  },
  "edit.hunk_decided": (collector, data, { event }) => {
    const message = `The user ${decisionWords[data.decision]} hunks ${data.hunks.join(", ")}.`;
    collector.add("user", event, {
      message,
      notes: { decision: data.decision, hunks: data.hunks },
    });
  },
};

const writers: Writers = { ...lifecycle, ...conversation, ...search };

/** Takes one event into the steps. Those that could not be read are counted by type, not guessed at. */
export async function writeEvent(
  collector: StepCollector,
  event: SessionEvent,
  input: ExportInput,
): Promise<void> {
  if (event.type === "unread") return collector.passOver(event.data.type);
  const writer = writers[event.type] as
    | ((
        collector: StepCollector,
        data: unknown,
        context: { event: SessionEvent; input: ExportInput },
      ) => Promise<void> | void)
    | undefined;
  // A type of ours that nobody writes steps for is passed over as well.
  if (writer === undefined) collector.passOver(event.type);
  else await writer(collector, event.data, { event, input });
}
