import * as z from "zod/mini";
import { isJsonObject, type JsonObject } from "../base/json";
import { anyNumber, objectOf } from "../base/shape";
import { stages } from "../judge/candidate";
import type { Verdict } from "../judge/verdict";
import { boundShape, scoreShape, verdictShape } from "../judge/verdict-shape";
import type { Hunk } from "../review/hunk";
import type { FileEdit } from "../review/line-edit";
import { challengedShape } from "./talk/challenged";
import type { Lineage } from "./proposal/lineage";
import { roles } from "./talk/role";
import { countersShape } from "../timing/counters-shape";
import {
  type BlobReference,
  budgetLimits,
  type BudgetLimits,
  type BudgetUsed,
  type EventData,
  type EventType,
  type FaultSide,
  type HeldRule,
  type NamedCause,
  holdReasons,
  type ProposalSide,
  type ScoreSide,
  type SessionTask,
  sessionStatuses,
  type StoredUsage,
  type TreeFiles,
} from "./events";

const json = z.custom<JsonObject>(isJsonObject);
const texts = z.array(z.string());

const blobReference = objectOf<BlobReference>()({
  $blob: z.custom<BlobReference["$blob"]>(
    (value) => typeof value === "string" && value.startsWith("sha256:"),
  ),
  bytes: z.number(),
  media_type: z.string(),
  preview: z.optional(z.string()),
});
const storedText = z.union([z.string(), blobReference]);

const treeFile = z.nullable(
  z.looseObject({
    blob: z.string(),
    mode: z.enum(["100644", "100755"]),
    eol: z.enum(["lf", "crlf"]),
  }),
);
/** Looked at, not copied: a path may have any name, `__proto__` as well. */
const treeFiles = z.custom<TreeFiles>(
  (value) => isJsonObject(value) && Object.values(value).every((file) => treeFile.safeParse(file).success),
);

const limits = objectOf<BudgetLimits>()({
  usd: anyNumber,
  minutes: anyNumber,
  candidates: anyNumber,
  tokens: z.optional(anyNumber),
  gpuMinutes: z.optional(anyNumber),
});
const used = objectOf<BudgetUsed>()({
  usd: anyNumber,
  minutes: anyNumber,
  candidates: anyNumber,
  modelCalls: anyNumber,
  tokens: z.optional(anyNumber),
  gpuMinutes: z.optional(anyNumber),
});
const side = objectOf<ProposalSide>()({
  counters: countersShape,
  bound: boundShape,
});
/** Its kind is one of a verdict; a later version may know more. */
const fault = objectOf<FaultSide>()({
  outcome: z.custom<FaultSide["outcome"]>((value) => typeof value === "string"),
  summary: z.string(),
});
const sides = z.union([objectOf<ScoreSide>()({ score: scoreShape }), side]);
const tokens = z.nullable(z.number());
const role = z.enum(roles);

const task = objectOf<SessionTask>()({
  specPath: z.string(),
  specText: storedText,
  file: z.string(),
  kernel: z.string(),
  target: z.string(),
  strategy: z.string(),
  model: z.optional(z.string()),
  budget: limits,
  build: z.optional(storedText),
  mayTouch: z.optional(z.array(z.string())),
  from: z.optional(
    objectOf<Lineage>()({
      session: z.string(),
      candidate: z.string(),
      tree: z.string(),
      hypothesis: z.string(),
    }),
  ),
});

type Shapes<Types extends EventType> = {
  readonly [Type in Types]: z.ZodMiniType<EventData[Type]>;
};

const lifecycle: Shapes<
  Extract<
    EventType,
    `${"session" | "segment" | "env" | "budget" | "limit" | "loop" | "checkpoint"}.${string}`
  >
> = {
  "session.started": objectOf<EventData["session.started"]>()({
    format_version: z.custom<"1.0">((value) => typeof value === "string"),
    product: z.looseObject({
      name: z.literal("kernelwright"),
      version: z.string(),
    }),
    workspace: z.string(),
    task,
    baseline_tree: z.string(),
    seed: z.string(),
  }),
  "session.resumed": objectOf<EventData["session.resumed"]>()({
    from_seq: z.number(),
  }),
  "session.paused": objectOf<EventData["session.paused"]>()({
    paused: z.boolean(),
  }),
  "session.recovered": objectOf<EventData["session.recovered"]>()({
    torn_bytes: z.number(),
    lost_calls: texts,
  }),
  "session.ended": objectOf<EventData["session.ended"]>()({
    status: z.enum(sessionStatuses),
    ending: z.optional(z.string()),
    reason: z.string(),
    best: z.nullable(z.string()),
    used,
  }),
  "segment.opened": objectOf<EventData["segment.opened"]>()({
    segment: z.number(),
  }),
  "env.captured": objectOf<EventData["env.captured"]>()({ facts: json }),
  "budget.updated": objectOf<EventData["budget.updated"]>()({ limits, used }),
  "limit.reached": objectOf<EventData["limit.reached"]>()({
    limit: z.enum(budgetLimits),
    used,
  }),
  "loop.detected": objectOf<EventData["loop.detected"]>()({
    pattern: z.string(),
  }),
  "checkpoint.created": objectOf<EventData["checkpoint.created"]>()({
    best: z.nullable(z.string()),
    frontier: texts,
    state: json,
  }),
};

const reply = objectOf<EventData["llm.response"]>()({
  request: z.string(),
  message: z.string(),
  text: storedText,
  reasoning: z.nullable(storedText),
  tool_calls: z.array(
    z.looseObject({
      call: z.string(),
      name: z.string(),
      raw_arguments: storedText,
      arguments: z.nullable(json),
    }),
  ),
  finish: z.string(),
  usage: objectOf<StoredUsage>()({
    input_uncached: tokens,
    cache_read: tokens,
    cache_write: tokens,
    output: tokens,
    reasoning: tokens,
  }),
  cost: z.looseObject({ usd: z.nullable(z.number()), source: z.string() }),
  attempts: z.number(),
  total_ms: z.number(),
  role: z.optional(role),
});

const conversation: Shapes<Extract<EventType, `${"message" | "llm" | "role" | "tool"}.${string}`>> = {
  "message.system": objectOf<EventData["message.system"]>()({
    message: z.string(),
    text: storedText,
    role: z.optional(role),
  }),
  "message.said": objectOf<EventData["message.said"]>()({ text: storedText }),
  "message.user": objectOf<EventData["message.user"]>()({
    message: z.string(),
    text: storedText,
    steer: z.optional(z.boolean()),
    role: z.optional(role),
  }),
  "message.injected": objectOf<EventData["message.injected"]>()({
    message: z.string(),
    text: storedText,
    reason: z.string(),
  }),
  "llm.request": objectOf<EventData["llm.request"]>()({
    request: z.string(),
    provider: z.string(),
    model: z.string(),
    messages: texts,
    tools: texts,
    purpose: z.literal("act"),
    max_output_tokens: z.number(),
    role: z.optional(role),
  }),
  "llm.response": reply,
  "llm.failed": objectOf<EventData["llm.failed"]>()({
    request: z.string(),
    failure: z.string(),
    message: z.string(),
    attempts: z.number(),
    cost_usd: z.nullable(z.number()),
    role: z.optional(role),
  }),
  "role.failed": objectOf<EventData["role.failed"]>()({
    role,
    model: z.string(),
    reason: z.string(),
    left: z.boolean(),
  }),
  "tool.called": objectOf<EventData["tool.called"]>()({
    call: z.string(),
    name: z.string(),
    arguments: json,
    effect: z.enum(["read", "write", "exec", "gpu", "network"]),
    origin: z.enum(["model", "user", "engine"]),
  }),
  "tool.returned": objectOf<EventData["tool.returned"]>()({
    call: z.string(),
    status: z.enum(["ok", "error", "timeout", "cancelled", "denied", "lost"]),
    output: storedText,
    shown: storedText,
    duration_ms: z.number(),
  }),
};

const search: Shapes<Extract<EventType, `${"tree" | "candidate" | "rules" | "job"}.${string}`>> = {
  "tree.snapshot": objectOf<EventData["tree.snapshot"]>()({
    tree: z.string(),
    parent: z.nullable(z.string()),
    files: treeFiles,
  }),
  "candidate.created": objectOf<EventData["candidate.created"]>()({
    candidate: z.string(),
    parent: z.nullable(z.string()),
    tree: z.string(),
    hypothesis: z.string(),
    strategy: z.string(),
  }),
  "candidate.staged": objectOf<EventData["candidate.staged"]>()({
    candidate: z.string(),
    stage: z.enum(stages),
    accepted: z.boolean(),
    reason: z.string(),
    verdict: z.nullable(verdictShape),
  }),
  "rules.held_back": objectOf<EventData["rules.held_back"]>()({
    candidate: z.string(),
    rules: z.array(
      objectOf<HeldRule>()({
        rule: z.string(),
        title: z.string(),
        because: z.enum(holdReasons),
        sentence: z.string(),
        line: z.number(),
      }),
    ),
    causes: z.optional(
      z.array(
        objectOf<NamedCause>()({
          cause: z.string(),
          words: z.string(),
          share: z.number(),
          line: z.number(),
          sentence: z.string(),
          helps: z.optional(z.string()),
        }),
      ),
    ),
  }),
  "candidate.challenged": challengedShape,
  "candidate.selected": objectOf<EventData["candidate.selected"]>()({
    candidate: z.string(),
    reason: z.string(),
  }),
  "job.queued": objectOf<EventData["job.queued"]>()({
    job: z.string(),
    kind: z.enum(["compile", "check", "profile"]),
    candidate: z.string(),
  }),
  "job.started": objectOf<EventData["job.started"]>()({ job: z.string() }),
  "job.finished": objectOf<EventData["job.finished"]>()({
    job: z.string(),
    status: z.enum(["ok", "failed", "cancelled"]),
    duration_ms: z.number(),
  }),
};

/** Kinds of verdicts; a later version may know more. */
const outcomeName = z.custom<Verdict["kind"]>((value) => typeof value === "string");

const fileEdit = objectOf<FileEdit>()({
  file: z.string(),
  startLine: z.number(),
  endLine: z.number(),
  lines: texts,
});

const review: Shapes<Extract<EventType, `${"proposal" | "edit" | "review"}.${string}`>> = {
  "proposal.ready": objectOf<EventData["proposal.ready"]>()({
    candidate: z.string(),
    hunks: z.array(
      objectOf<Hunk>()({
        id: z.string(),
        file: z.string(),
        baseStart: z.number(),
        baseLines: texts,
        proposedLines: texts,
      }),
    ),
    before: z.union([sides, fault]),
    after: sides,
  }),
  "review.grouped": objectOf<EventData["review.grouped"]>()({
    candidate: z.string(),
    needs: z.record(z.string(), texts),
    bounded: z.boolean(),
    trials: z.array(
      objectOf<EventData["review.grouped"]["trials"][number]>()({
        hunks: texts,
        outcome: outcomeName,
        summary: z.string(),
      }),
    ),
  }),
  "review.checked": objectOf<EventData["review.checked"]>()({
    accepted: texts,
    texts_sha256: z.string(),
    outcome: outcomeName,
    summary: z.string(),
    bound_ns: z.nullable(z.number()),
  }),
  "edit.hunk_decided": objectOf<EventData["edit.hunk_decided"]>()({
    hunks: texts,
    decision: z.enum(["accepted", "rejected", "undone"]),
    edits: z.optional(z.array(fileEdit)),
    conflict: z.optional(z.boolean()),
  }),
};

/**
 * What the data of each type holds. A type without its schema does not compile; a field that came with a
 * later version is optional here and in events.ts, so that older logs stay readable.
 */
export const eventShapes: Shapes<EventType> = {
  ...lifecycle,
  ...conversation,
  ...search,
  ...review,
};
