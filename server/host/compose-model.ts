import type { StrategyParts } from "../core/agent/strategies/entry";
import { OperationalError } from "../core/base/operational-error";
import { promptTexts } from "../core/prompts/render";
import { assetPath } from "./assets";
import type { EditorModels } from "./model/editor/editor-models";
import { openAiEndpoint } from "./model/endpoints";
import { findLocalServers, type LocalServer } from "./model/local/local-servers";
import { modelSettings } from "./model/model-settings";
import { priceOf } from "./model/pricing";
import { readPromptFiles } from "./model/prompt-files";
import { keyVariablesOf, providerOf, serviceAt } from "./model/providers";
import { systemClock } from "./system/clock";

/** What the user said about the model. */
export interface ModelOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly model?: string;
  readonly endpoint?: string;
  /** How the model is asked: `effort=high silence=30`. */
  readonly modelOptions?: string;
  /** `INPUT,OUTPUT` in US dollars for a million tokens, or `free`; KERNELWRIGHT_MODEL_PRICE when left out. */
  readonly modelPrice?: string;
  /** Asks the editor for the key; the environment is asked after it. */
  readonly modelKey?: () => Promise<string | undefined>;
  /** The models of the editor, where one is at the other end. */
  readonly editorModels?: EditorModels;
}

export interface ComposedModel {
  /** Throws OperationalError `model-unavailable` when no model is configured, or no key for it. */
  readonly open: StrategyParts["model"];
  readonly hasKey: () => Promise<boolean>;
  readonly findLocal: (signal: AbortSignal) => Promise<readonly LocalServer[]>;
}

/** Wires the model. Each opening asks for the key and tells it to `learnSecret`, so that no log holds it. */
export function composeModel(options: ModelOptions, learnSecret: (key: string) => void): ComposedModel {
  return {
    open: () => openModel(options, learnSecret),
    hasKey: async () => (await keyOf(options)) !== undefined,
    findLocal: findLocalServers,
  };
}

/**
 * The model's key: the editor's own store first, then the environment. A vendor's key is never sent to
 * another endpoint.
 */
async function keyOf(options: ModelOptions): Promise<string | undefined> {
  const stored = await options.modelKey?.();
  if (stored !== undefined) return stored;
  const names = keyVariablesOf(options.endpoint || openAiEndpoint);
  return names.map((name) => options.environment[name]).find((value) => value !== undefined && value !== "");
}

/** The model that the user configured, with its prompts. Throws `model-unavailable`. */
async function openModel(
  options: ModelOptions,
  learnSecret: (key: string) => void,
): ReturnType<StrategyParts["model"]> {
  const key = await keyOf(options);
  if (key !== undefined) learnSecret(key);
  if (!options.model) {
    throw new OperationalError("model-unavailable", {
      forUser:
        "This strategy needs a model: pass --model NAME (and --endpoint URL for a provider other than OpenAI), or set kernelwright.model.name in the editor. The rulebook strategy needs none.",
    });
  }
  const endpoint = options.endpoint || openAiEndpoint;
  if (key === undefined && serviceAt(endpoint) !== undefined) {
    throw new OperationalError("model-unavailable", {
      forUser: `There is no key for the model: run Set Model Key in the editor, or set ${keyVariablesOf(endpoint).join(" or ")}.`,
    });
  }
  const provider = await providerOf(endpoint).open({
    model: options.model,
    endpoint,
    key: key ?? "",
    settings: modelSettings(options.model, endpoint, options.modelOptions),
    price: priceOf({
      model: options.model,
      endpoint,
      declared: options.modelPrice || options.environment["KERNELWRIGHT_MODEL_PRICE"],
    }),
    ...(options.editorModels === undefined ? {} : { editor: options.editorModels }),
    clock: systemClock,
    random: Math.random,
  });
  const prompts = promptTexts(await readPromptFiles(assetPath("prompts")));
  return { provider, prompts };
}
