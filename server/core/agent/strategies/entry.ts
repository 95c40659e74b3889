import type { Choice } from "../../base/choice";
import type { Clock } from "../../ports/clock";
import type { FileReader } from "../../ports/files";
import type { ModelProvider, OutsideTool } from "../../ports/model";
import type { PromptTexts } from "../../prompts/names";
import type { Role } from "../../trajectory/talk/role";
import type { Rule, RuleParse } from "../rulebook/rule";
import type { Strategy, Tester } from "../strategy";

/** What strategies are made of. A part that costs something to get is a function: only who needs it asks. */
export interface StrategyParts {
  readonly rules: readonly Rule[];
  readonly parse: RuleParse;
  /** The repository, read only. */
  readonly files: FileReader;
  readonly clock: Clock;
  /** Throws OperationalError `model-unavailable` when no model is configured. */
  readonly model: () => Promise<OpenedModel>;
}

/** A model with all that it is told and may call beyond our own tools. */
export interface OpenedModel {
  readonly provider: ModelProvider;
  readonly prompts: PromptTexts;
  /** Tools of servers that the user named. */
  readonly outside: readonly OutsideTool[];
  /** A model for each role that the user gave one. */
  readonly roles: Readonly<Partial<Record<Role, ModelProvider>>>;
}

export interface MadeStrategy {
  readonly strategy: Strategy;
  /** Makes up cases against winners, where the user gave that role a model. */
  readonly tester?: Tester;
  /** Name of the model, for those that use one. */
  readonly model?: string;
}

export interface StrategyChoice extends Choice {
  /** A model's name and, as a rule, a key have to be configured. */
  readonly needsModel: boolean;
  /** The roles beside that of the coder that it asks, where the user gave them a model. */
  readonly roles: readonly Role[];
  /** It works on targets with a command as well. */
  readonly forCommands: boolean;
}

/** One strategy of the catalogue. */
export interface StrategyEntry extends Omit<StrategyChoice, "forCommands"> {
  readonly make: (parts: StrategyParts) => Promise<MadeStrategy>;
  /** The same for targets with a command; left out by strategies that need a kernel. */
  readonly makeForCommand?: (parts: StrategyParts) => Promise<MadeStrategy>;
}
