import type { JsonObject } from "../../base/json";
import type { Clock } from "../../ports/clock";
import type { FileReader } from "../../ports/files";
import type { ModelProvider, ModelToolCall } from "../../ports/model";
import type { PromptTexts } from "../../prompts/names";
import { Dialogue } from "../dialogue/dialogue";
import { ModelTurn, type TurnOutcome } from "../dialogue/model-turn";
import { RepetitionWatch } from "../dialogue/repetition";
import { Scratch } from "../scratch";
import type { CorrectCandidate, Proposal, Strategy, StrategyContext, StrategyResume } from "../strategy";
import { resumedNote, taskText } from "../dialogue/task-text";
import { ToolGateway, modelTools } from "../dialogue/tool-gateway";
import type { StrategyEntry } from "./entry";
import { tools } from "../tools/index";
import { budgetText, feedbackText } from "../dialogue/verdict-text";

export interface RefineOptions {
  readonly provider: ModelProvider;
  readonly prompts: PromptTexts;
  /** The repository, read only. */
  readonly files: FileReader;
  readonly clock: Clock;
  readonly limits?: Partial<RefineLimits>;
}

export interface RefineLimits {
  readonly maxOutputTokens: number;
  /** Old tool outputs are taken out of the conversation above this. */
  readonly contextCharacters: number;
  /** Answers without a candidate: told at the first, ended at the second. */
  readonly hurryAfter: number;
  readonly endAfter: number;
}

const defaultRefineLimits: RefineLimits = {
  maxOutputTokens: 8192,
  contextCharacters: 120_000,
  hurryAfter: 12,
  endAfter: 24,
};

/** The strategy as settings and command line offer it. */
export const refine: StrategyEntry = {
  id: "refine",
  title: "Refine with a model",
  description: "A model proposes one change after the other; the same gates judge it.",
  needsModel: true,
  make: async ({ files, clock, model }) => {
    const { provider, prompts } = await model();
    return { strategy: refineStrategy({ provider, prompts, files, clock }), model: provider.model };
  },
};

/** One model that edits a scratch copy and submits candidates, one after the other. */
export function refineStrategy(options: RefineOptions): Strategy {
  return new RefineStrategy(options);
}

class RefineStrategy implements Strategy {
  readonly name = refine.id;
  private readonly limits: RefineLimits;
  private readonly dialogue: Dialogue;
  private readonly gateway: ToolGateway;
  private turn: ModelTurn;
  private scratch: Scratch | undefined;
  private scratchTree: string | undefined;
  private queue: ModelToolCall[] = [];
  /** The submitted call that waits for its verdict, and the best candidate when it was made. */
  private owed: { readonly call: ModelToolCall; readonly before: CorrectCandidate } | undefined;
  private patience = { answers: 0, mute: 0, cutOff: 0, resumed: false };

  constructor(private readonly options: RefineOptions) {
    const { clock, prompts } = options;
    this.limits = { ...defaultRefineLimits, ...options.limits };
    this.dialogue = new Dialogue(prompts);
    this.gateway = new ToolGateway({ tools, clock, prompts, watch: new RepetitionWatch() });
    this.turn = this.newTurn(0);
  }

  state(): JsonObject {
    return { scratch: this.scratchTree ?? null, parent: this.scratch?.parent ?? "baseline" };
  }

  async restore(resumed: StrategyResume): Promise<void> {
    await this.dialogue.restore(resumed.recorder, resumed.events);
    this.gateway.restore(resumed.events);
    this.turn = this.newTurn(resumed.events.filter((event) => event.type === "llm.request").length);
    this.patience.resumed = !this.dialogue.isEmpty;
    const { scratch, parent } = resumed.state;
    if (typeof scratch !== "string") return;
    this.scratchTree = scratch;
    this.scratch = new Scratch(
      await resumed.recorder.loadTree(scratch),
      resumed.editable,
      typeof parent === "string" ? parent : "baseline",
    );
  }

  async propose(context: StrategyContext, signal: AbortSignal): Promise<Proposal> {
    const scratch = (this.scratch ??= new Scratch(
      context.best.candidate.tree,
      context.editable,
      context.best.candidate.id,
    ));
    await this.begin(context, scratch);
    for (;;) {
      for (let call = this.queue.shift(); call; call = this.queue.shift()) {
        const proposal = await this.act(call, { context, scratch, signal });
        if (proposal) return proposal;
      }
      const end = (await this.hurry(context)) ?? (await this.ask(context, signal));
      if (end) return end;
    }
  }

  /** The first message, or the verdict that is owed, or what happened before an interruption. */
  private async begin(context: StrategyContext, scratch: Scratch): Promise<void> {
    const { recorder, feedback } = context;
    if (this.dialogue.isEmpty) await this.dialogue.open(recorder, taskText(context, this.options.prompts));
    const { owed } = this;
    this.owed = undefined;
    if (owed && feedback) {
      if (feedback.kind === "judged") this.patience.answers = 0;
      if (feedback.kind !== "rejected")
        scratch.standOn((feedback.kind === "judged" ? feedback.judged : feedback.of).candidate.id);
      const text = `${feedbackText(feedback, owed.before)}\nBudget left: ${budgetText(context.budget)}.`;
      this.dialogue.answer(owed.call, await this.gateway.answerCall(recorder, "ok", text));
    }
    if (!this.patience.resumed) return;
    this.patience.resumed = false;
    const standing = context.candidates.find((judged) => judged.treeId === this.scratchTree);
    if (standing) scratch.standOn(standing.candidate.id);
    await this.dialogue.inject(recorder, resumedNote(context, scratch.parent));
  }

  /** Runs one call; gives a proposal when the model submits or ends. */
  private async act(
    call: ModelToolCall,
    at: { readonly context: StrategyContext; readonly scratch: Scratch; readonly signal: AbortSignal },
  ): Promise<Proposal | undefined> {
    const { context, scratch, signal } = at;
    const { files, provider } = this.options;
    const recall = (id: string): Promise<string | undefined> => this.gateway.recall(context.recorder, id);
    const outcome = await this.gateway.run(call, { context, files, scratch, recall }, signal);
    switch (outcome.kind) {
      case "submit":
        this.owed = { call, before: context.best };
        return {
          kind: "candidate",
          tree: scratch.tree,
          parent: scratch.parent,
          hypothesis: outcome.hypothesis,
          origin: `refine:${provider.model}`,
        };
      case "finish":
        return { kind: "done", reason: `the model finished: ${outcome.reason}` };
      case "stop":
        return { kind: "done", reason: outcome.reason };
      case "answered":
        this.dialogue.answer(call, outcome.text);
        if (outcome.wrote) await this.keepScratch(context, scratch);
        return undefined;
    }
  }

  /** An edit is a tree of its own, and a checkpoint, so that a crash loses none. */
  private async keepScratch(context: StrategyContext, scratch: Scratch): Promise<void> {
    const { recorder, best, baseline } = context;
    this.scratchTree = await recorder.snapshot(scratch.tree, this.scratchTree ?? baseline.treeId);
    const id = best === baseline ? null : best.candidate.id;
    await recorder.append("checkpoint.created", "engine", {
      best: id,
      frontier: [best.candidate.id],
      state: this.state(),
    });
  }

  /** Answers without a candidate are counted: the model is told once, and then the session ends. */
  private async hurry(context: StrategyContext): Promise<Proposal | undefined> {
    const { hurryAfter, endAfter } = this.limits;
    const { answers } = this.patience;
    if (answers >= endAfter)
      return { kind: "done", reason: `the model gave ${answers} answers in a row without a candidate` };
    if (answers === hurryAfter) {
      await this.dialogue.inject(context.recorder, {
        prompt: "refine-hurry",
        fields: { turns: String(answers), limit: String(endAfter) },
        reason: "many answers without a candidate",
      });
    }
    return undefined;
  }

  /**
   * One answer of the model, with its calls put into the queue; gives a proposal when the session cannot go
   * on.
   */
  private async ask(context: StrategyContext, signal: AbortSignal): Promise<Proposal | undefined> {
    const { recorder, budget } = context;
    const { conversation } = this.dialogue;
    const { contextCharacters } = this.limits;
    if (conversation.characters > contextCharacters)
      await this.dialogue.shrink(recorder, contextCharacters * 0.6);
    this.patience.answers += 1;
    const outcome = await this.turn.ask({ conversation, recorder, budget, signal });
    switch (outcome.kind) {
      case "limit":
        return outcome;
      case "unpriced":
        return { kind: "failed", reason: unpricedReason(this.options.provider.model) };
      case "failed": {
        if (
          outcome.failure === "context-too-long" &&
          (await this.dialogue.shrink(recorder, conversation.characters / 2))
        )
          return undefined;
        return {
          kind: "failed",
          reason: `the model could not be asked (${outcome.failure}): ${outcome.message}`,
        };
      }
      case "reply":
        this.queue.push(...outcome.calls);
        return this.weigh(context, outcome);
    }
  }

  /** What to do with an answer that calls no tool: a nudge first, then the end. */
  private async weigh(
    context: StrategyContext,
    { reply, calls }: Extract<TurnOutcome, { kind: "reply" }>,
  ): Promise<Proposal | undefined> {
    const { patience, dialogue, limits } = this;
    if (reply.finish === "refusal")
      return {
        kind: "done",
        reason: `the model refused: ${reply.text.trim().slice(0, 300) || "no reason given"}`,
      };
    patience.cutOff = reply.finish === "length" ? patience.cutOff + 1 : 0;
    patience.mute = reply.finish !== "length" && calls.length === 0 ? patience.mute + 1 : 0;
    if (patience.cutOff > 2)
      return {
        kind: "done",
        reason: `the model's answers were cut off at ${limits.maxOutputTokens} tokens three times in a row`,
      };
    if (patience.mute > 1) return { kind: "done", reason: "the model stopped calling tools" };
    if (patience.cutOff > 0)
      await dialogue.inject(context.recorder, {
        prompt: "refine-cut-off",
        fields: { tokens: String(limits.maxOutputTokens) },
        reason: "the answer was cut off",
      });
    else if (patience.mute > 0)
      await dialogue.inject(context.recorder, {
        prompt: "refine-no-tool",
        fields: {},
        reason: "the answer called no tool",
      });
    return undefined;
  }

  private newTurn(requests: number): ModelTurn {
    const { provider, clock } = this.options;
    return new ModelTurn(
      { provider, clock, tools: modelTools(tools), maxOutputTokens: this.limits.maxOutputTokens },
      requests,
    );
  }
}

function unpricedReason(model: string): string {
  return `the price of the model ${model} is not known, so the budget in money cannot be kept: set KERNELWRIGHT_MODEL_PRICE to INPUT,OUTPUT in US dollars for a million tokens (0,0 when it is free)`;
}
