import type { JsonObject } from "../../base/json";
import type { ModelToolCall } from "../../ports/model";
import { Dialogue, Numbers } from "../dialogue/dialogue";
import { ModelTurn } from "../dialogue/model-turn";
import { Patience, type Reaction } from "../dialogue/patience";
import { continuedStart, continuedText } from "../memory/continued";
import { ScratchDesk } from "../dialogue/scratch-desk";
import type { JudgedCandidate, Proposal, Strategy, SharedContext, StrategyResume } from "../strategy";
import { type Going, makeRoom, resumedNote, shorten } from "../dialogue/going-on";
import { commandTalk, kernelTalk, type Talk } from "../dialogue/talk/talk";
import { ToolGateway, modelTools, recalled } from "../dialogue/tool-gateway";
import { foreignTool } from "../tools/foreign";
import { openedRoles } from "../roles/opened-roles";
import type { MadeStrategy, StrategyEntry, StrategyParts } from "./entry";
import { limitsFor, type RefineLimits, type RefineOptions } from "./refine-options";

/** What the model has not been told yet: a verdict on its candidate, or that the session was interrupted. */
type Owed =
  | {
      readonly kind: "verdict";
      readonly call: ModelToolCall;
      /** The best candidate when the call was made. */
      readonly before: JudgedCandidate;
    }
  | { readonly kind: "interruption" };

/** The strategy as settings and command line offer it. */
export const refine: StrategyEntry = {
  id: "refine",
  title: "Refine with a model",
  description: "A model proposes one change after the other; the same checks judge it.",
  needsModel: true,
  roles: ["judge", "tester"],
  make: (parts) => makeRefine(parts, { talk: kernelTalk, roles: true }),
  makeForCommand: (parts) => makeRefine(parts, { talk: commandTalk, roles: false }),
};

/** `roles`: whether the target has counters and cases that other models could be asked of. */
async function makeRefine(
  { files, clock, model, rules, parse }: StrategyParts,
  { talk, roles }: { readonly talk: Talk; readonly roles: boolean },
): Promise<MadeStrategy> {
  const opened = await model();
  const numbers = new Numbers();
  const { judge, tester } = roles ? openedRoles(opened, clock, numbers) : {};
  const rulebook = { rules, parse };
  const parts = { ...opened, ...(judge && { judge }), files, clock, rulebook, talk, numbers };
  return { strategy: refineStrategy(parts), ...(tester && { tester }), model: opened.provider.model };
}

/** One model that edits a scratch copy and submits candidates, one after the other. */
export function refineStrategy(options: RefineOptions): Strategy {
  return new RefineStrategy({ talk: kernelTalk, ...options });
}

class RefineStrategy implements Strategy {
  readonly name = refine.id;
  private readonly limits: RefineLimits;
  private readonly dialogue: Dialogue;
  private readonly gateway: ToolGateway;
  private readonly turn: ModelTurn;
  private readonly desk = new ScratchDesk();
  private queue: ModelToolCall[] = [];
  private owed: Owed | undefined;
  private readonly patience: Patience;

  constructor(private readonly options: RefineOptions & { readonly talk: Talk }) {
    const { clock, prompts, talk } = options;
    const tools = [...talk.tools, ...(options.outside ?? []).map(foreignTool)];
    this.limits = { ...limitsFor(options.provider.limits), ...options.limits };
    this.patience = new Patience(this.limits);
    const numbers = options.numbers ?? new Numbers();
    this.dialogue = new Dialogue({ prompts, system: talk.system }, numbers);
    this.gateway = new ToolGateway({ tools, clock, prompts });
    this.turn = new ModelTurn(
      {
        provider: options.provider,
        clock,
        tools: modelTools(tools),
        maxOutputTokens: this.limits.maxOutputTokens,
      },
      numbers,
    );
  }

  state(): JsonObject {
    // Of several conversations the state must say which one it is of.
    const conversation = this.dialogue.conversation.ids[0] ?? null;
    return { ...this.desk.state(), ...(this.options.wholeState && { conversation }) };
  }

  async restore(resumed: StrategyResume): Promise<void> {
    await this.dialogue.restore(resumed.recorder, resumed.events);
    this.owed = this.dialogue.isEmpty ? undefined : { kind: "interruption" };
    await this.desk.restore(resumed);
  }

  async propose(context: SharedContext, signal: AbortSignal): Promise<Proposal> {
    const { opening } = this.options;
    const before = await this.desk.startBefore(context);
    const start = before ?? opening?.files ?? opening?.start ?? context.continued ?? context.best;
    this.desk.open(start, context);
    await this.begin(context, signal);
    for (;;) {
      for (let call = this.queue.shift(); call; call = this.queue.shift()) {
        const proposal = await this.act(call, context, signal);
        if (proposal) return proposal;
      }
      const end =
        (await this.heed(context, this.patience.beforeAsking())) ?? (await this.ask(context, signal));
      if (end) return end;
    }
  }

  /** The first message, or what the model has not been told yet. */
  private async begin(context: SharedContext, signal: AbortSignal): Promise<void> {
    const { recorder } = context;
    if (this.dialogue.isEmpty) {
      await this.dialogue.open(recorder, await this.firstMessage(context, signal));
      // Where this is one conversation of several, the checkpoint says which one the log ends with.
      if (this.options.wholeState) await this.checkpoint(context);
    }
    const { owed } = this;
    this.owed = undefined;
    switch (owed?.kind) {
      case undefined:
        return;
      case "verdict":
        return this.tellVerdict(owed, context, signal);
      case "interruption":
        this.desk.recognise(context);
        return this.dialogue.inject(recorder, resumedNote(context, this.desk.scratch.parent));
    }
  }

  private async firstMessage(context: SharedContext, signal: AbortSignal): Promise<string> {
    const { prompts, opening } = this.options;
    const start = opening?.start ?? continuedStart(context);
    const task = this.options.talk.task(context, prompts, start);
    const advice = await this.advice(context, start ?? context.baseline, signal);
    const texts = [task, continuedText(context, this.desk.scratch.parent), opening?.text ?? "", advice];
    return texts.filter((text) => text !== "").join("\n\n");
  }

  private async tellVerdict(
    { call, before }: Extract<Owed, { kind: "verdict" }>,
    context: SharedContext,
    signal: AbortSignal,
  ): Promise<void> {
    const { feedback, recorder } = context;
    let text = this.options.talk.verdict(context, before);
    if (feedback?.kind === "judged") {
      const advice = await this.advice(context, feedback.judged, signal);
      if (advice !== "") text += `\n\n${advice}`;
      this.patience.progress();
      this.desk.scratch.standOn(feedback.judged.candidate.id);
    }
    if (feedback?.kind === "duplicate") this.desk.scratch.standOn(feedback.of.candidate.id);
    this.dialogue.answer(call, await this.gateway.answerCall(recorder, "ok", text));
  }

  /** What the judge says of a version, where there is one. */
  private async advice(
    context: SharedContext,
    judged: JudgedCandidate,
    signal: AbortSignal,
  ): Promise<string> {
    const { judge } = this.options;
    return (await judge?.read(judged, { context, numbers: this.dialogue.numbers, signal })) ?? "";
  }

  /** Runs one call; gives a proposal when the model submits or ends. */
  private async act(
    call: ModelToolCall,
    context: SharedContext,
    signal: AbortSignal,
  ): Promise<Proposal | undefined> {
    const { scratch } = this.desk;
    const { files, provider, rulebook } = this.options;
    const recall = (id: string): Promise<string | undefined> => recalled(context.recorder, id);
    const outcome = await this.gateway.run(call, { context, files, scratch, rulebook, recall }, signal);
    switch (outcome.kind) {
      case "submit":
        this.owed = { kind: "verdict", call, before: context.best };
        return {
          kind: "candidate",
          tree: scratch.tree,
          parent: scratch.parent,
          hypothesis: outcome.hypothesis,
          origin: `refine:${provider.model}`,
        };
      case "finish":
        return {
          kind: "done",
          ending: "model-finished",
          reason: `the model finished: ${outcome.reason}`,
        };
      case "stop":
        return { kind: "done", ending: "model-stuck", reason: outcome.reason };
      case "answered":
        this.dialogue.answer(call, outcome.text);
        if (!outcome.wrote) return undefined;
        // An edit is a tree of its own, and a checkpoint, so that a crash loses none.
        await this.desk.save(context);
        await this.checkpoint(context);
        return undefined;
    }
  }

  /** What a session that is interrupted goes on from. */
  private async checkpoint({ recorder, best, baseline }: SharedContext): Promise<void> {
    const id = best === baseline ? null : best.candidate.id;
    await recorder.append("checkpoint.created", "engine", {
      best: id,
      frontier: [best.candidate.id],
      state: this.options.wholeState?.() ?? this.state(),
    });
  }

  /**
   * One answer of the model, with its calls put into the queue; gives a proposal when the session cannot go
   * on.
   */
  private async ask(context: SharedContext, signal: AbortSignal): Promise<Proposal | undefined> {
    const { recorder, budget, baton } = context;
    const { contextCharacters: most } = this.limits;
    await context.guidance.control.passed(signal);
    const [before] = this.dialogue.conversation.ids;
    if (this.dialogue.conversation.characters > most) await makeRoom(this.going(context), most * 0.6);
    if (this.options.wholeState && this.dialogue.conversation.ids[0] !== before)
      await this.checkpoint(context);
    await this.dialogue.listen(recorder, context.guidance);
    const { conversation } = this.dialogue;
    const outcome = await this.turn.ask({
      conversation,
      recorder,
      budget,
      baton,
      signal,
    });
    switch (outcome.kind) {
      case "limit":
        return outcome;
      case "unpriced":
        return {
          kind: "failed",
          ending: "no-price",
          reason: unpricedReason(this.options.provider.model),
        };
      case "failed": {
        if (outcome.failure === "context-too-long" && (await shorten(this.going(context)))) return undefined;
        return {
          kind: "failed",
          ending: "model-unreachable",
          reason: `the model could not be asked (${outcome.failure}): ${outcome.message}`,
        };
      }
      case "reply":
        this.queue.push(...outcome.calls);
        return this.heed(context, this.patience.afterAnswer(outcome.reply, outcome.calls.length));
    }
  }

  private going(context: SharedContext): Going {
    const { dialogue, desk, options } = this;
    return {
      dialogue,
      talk: options.talk,
      context,
      prompts: options.prompts,
      scratchParent: desk.scratch.parent,
    };
  }

  /** Carries out what patience asks for; gives the end of the session if that is it. */
  private async heed(context: SharedContext, reaction: Reaction): Promise<Proposal | undefined> {
    if (reaction.kind === "end") return { kind: "done", ending: "model-stuck", reason: reaction.reason };
    if (reaction.kind === "note") await this.dialogue.inject(context.recorder, reaction.note);
    return undefined;
  }
}

/** Why a model without a price is not asked. */
export function unpricedReason(model: string): string {
  return `the price of the model ${model} is not known, so the budget in money cannot be kept: set KERNELWRIGHT_MODEL_PRICE (in the editor: kernelwright.model.price) to INPUT,OUTPUT in US dollars for a million tokens (0,0 when it is free)`;
}
