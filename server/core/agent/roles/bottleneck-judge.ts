import type { Clock } from "../../ports/clock";
import type { ModelProvider } from "../../ports/model";
import type { PromptTexts } from "../../prompts/names";
import { renderPrompt } from "../../prompts/render";
import { type JudgedCandidate, type StrategyContext, isCorrect } from "../strategy";
import { readJudgeAnswer } from "./judge-answer";
import { judgeTask } from "./judge-task";
import { RoleModel, type RoleSession } from "./role-model";

/** Reads what was counted of a version. */
export interface Judge {
  /** A text for the model that writes the candidates; empty where the judge has nothing to say. */
  read(judged: JudgedCandidate, session: RoleSession): Promise<string>;
}

export interface RoleOptions {
  readonly provider: ModelProvider;
  readonly prompts: PromptTexts;
  readonly clock: Clock;
}

/** A model of its own that names one bottleneck of a correct version. */
export function bottleneckJudge(options: RoleOptions): Judge {
  const { prompts } = options;
  const model = new RoleModel({ ...options, role: "judge" });
  const system = renderPrompt(prompts["judge-system"], {});
  return {
    read: async (judged, session: RoleSession & { readonly context: StrategyContext }) => {
      if (!isCorrect(judged)) return "";
      const task = judgeTask(prompts, session.context, judged);
      const read = (text: string): ReturnType<typeof readJudgeAnswer> =>
        readJudgeAnswer(text, judged.verdict);
      const named = await model.ask({ system, task, read }, session);
      if (named === undefined) return "";
      return renderPrompt(prompts["judge-note"], { candidate: judged.candidate.id, ...named });
    },
  };
}
