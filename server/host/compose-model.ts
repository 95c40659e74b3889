import type { OpenedModel } from "../core/agent/strategies/entry";
import { unpricedReason } from "../core/agent/strategies/refine";
import { OperationalError } from "../core/base/operational-error";
import { succeed } from "../core/base/outcome";
import type { ModelFinder, ModelProvider } from "../core/ports/model";
import type { Role } from "../core/trajectory/talk/role";
import { promptTexts } from "../core/prompts/render";
import { assetPath } from "./assets";
import { OutsideTools } from "./compose-tool-servers";
import type { EditorModels } from "./model/editor/editor-models";
import { openAiEndpoint } from "./model/endpoints";
import { findLocalServers, localEndpointOf } from "./model/finding/local-servers";
import { priceOf } from "./model/pricing";
import { readPromptFiles } from "./model/prompt-files";
import { keyVariablesOf, providerOf, serviceAt } from "./model/providers";
import { readRoles } from "../core/trajectory/talk/read-roles";
import { heardModel, type OnWords } from "./model/heard-model";
import { servedModels } from "./model/finding/served-models";
import { servedSettings } from "./model/finding/served-window";
import { tryModel } from "./model/finding/try-model";
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
  /** Asks the user for a price that is not known, written like `modelPrice`; undefined where none is said. */
  readonly askPrice?: (model: string) => Promise<string | undefined>;
  /** Models of their own for roles beside that of the coder, at the same endpoint: `judge=MODEL`. */
  readonly role?: readonly string[];
  /** Path of a file that names tool servers; none when empty or left out. */
  readonly toolServers?: string;
  /** Asks the editor for the key of an endpoint; the environment is asked after it. */
  readonly modelKey?: (endpoint: string) => Promise<string | undefined>;
  /** The models of the editor, where one is at the other end. */
  readonly editorModels?: EditorModels;
}

export interface ComposedModel extends ModelFinder {
  /**
   * Throws OperationalError `model-unavailable` when no model is configured, or no key for it, or when its
   * price is not known.
   */
  readonly open: (onWords?: OnWords) => Promise<OpenedModel>;
  /** Ends the tool servers. */
  readonly close: () => Promise<void>;
  readonly hasKey: () => Promise<boolean>;
}

/** Wires the model. Each opening asks for the key and tells it to `learnSecret`, so that no log holds it. */
export function composeModel(options: ModelOptions, learnSecret: (key: string) => void): ComposedModel {
  const outside = new OutsideTools(options, learnSecret);
  return {
    open: async (onWords) => {
      const named = readRoles(options.role ?? []);
      const meant = await withLocalEndpoint(options);
      const provider = await openPriced(meant, learnSecret);
      const roles: Partial<Record<Role, ModelProvider>> = {};
      for (const [role, model] of named)
        roles[role] = await openModel({ ...meant, model }, learnSecret, priceOfRole(meant, model));
      const heard = onWords === undefined ? provider : heardModel(provider, onWords);
      const prompts = promptTexts(await readPromptFiles(assetPath("prompts")));
      return { provider: heard, prompts, roles, outside: await outside.tools() };
    },
    close: () => outside.close(),
    hasKey: async () => (await keyOf(options)) !== undefined,
    findLocal: findLocalServers,
    served: async (endpoint, signal) => {
      const key = (await keyOf({ ...options, endpoint })) ?? "";
      learnSecret(key);
      const found = await servedModels({ endpoint, key, timeLimitMilliseconds: listMilliseconds }, signal);
      if (!found.ok) return found;
      return succeed(found.value.map((model) => ({ model, price: priceOf({ model, endpoint }) })));
    },
    tryNamed: async (named, signal) => {
      const provider = await openModel({ ...options, ...named }, learnSecret);
      return tryModel(provider, signal);
    },
  };
}

/** An endpoint has so long to list its models. */
const listMilliseconds = 15_000;

/**
 * The model's key: the editor's own store first, then the environment. A vendor's key is never sent to
 * another endpoint.
 */
async function keyOf(options: ModelOptions): Promise<string | undefined> {
  const endpoint = options.endpoint || openAiEndpoint;
  const stored = await options.modelKey?.(endpoint);
  if (stored !== undefined) return stored;
  const names = keyVariablesOf(endpoint);
  return names.map((name) => options.environment[name]).find((value) => value !== undefined && value !== "");
}

/**
 * Where no endpoint is named and no key is there, a server of this machine is meant that has a model of this
 * name.
 */
async function withLocalEndpoint(options: ModelOptions): Promise<ModelOptions> {
  if (options.endpoint || !options.model || (await keyOf(options)) !== undefined) return options;
  const endpoint = await localEndpointOf(options.model, new AbortController().signal);
  return endpoint === undefined ? options : { ...options, endpoint };
}

/** What the user said of a price holds for the model that it was said of, or for all: `free`. */
function priceOfRole(options: ModelOptions, model: string): string {
  const declared = declaredPrice(options);
  const isFree = declared === "free" || /^0*\.?0*\s*,\s*0*\.?0*$/.test(declared);
  return isFree || model === options.model ? declared : "";
}

function declaredPrice({ modelPrice, environment }: ModelOptions): string {
  return (modelPrice || environment["KERNELWRIGHT_MODEL_PRICE"] || "").trim();
}

/**
 * The model of a session. Without its price no budget in money can be kept: that is asked for, or refused,
 * before anything is judged.
 */
async function openPriced(options: ModelOptions, learnSecret: (key: string) => void): Promise<ModelProvider> {
  const provider = await openModel(options, learnSecret);
  if (provider.estimateUsd({ messages: [], tools: [], maxOutputTokens: 0 }) !== null) return provider;
  const said = ((await options.askPrice?.(provider.model)) ?? "").trim();
  if (said === "")
    throw new OperationalError("model-unavailable", { forUser: unpricedReason(provider.model) });
  return openModel(options, learnSecret, said);
}

/** The model that the user configured. Throws `model-unavailable`. */
async function openModel(
  options: ModelOptions,
  learnSecret: (key: string) => void,
  declared = declaredPrice(options),
): Promise<ModelProvider> {
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
      forUser: `There is no key for the model: run Set Model Key in the editor, or set ${keyVariablesOf(endpoint).join(" or ")}. No server on the usual ports of this machine (llama.cpp, vLLM, Ollama, LM Studio) has a model of this name either; --endpoint URL names another one.`,
    });
  }
  return providerOf(endpoint).open({
    model: options.model,
    endpoint,
    key: key ?? "",
    settings: await servedSettings({ endpoint, key: key ?? "", model: options.model }, options.modelOptions),
    price: priceOf({
      model: options.model,
      endpoint,
      declared,
    }),
    ...(options.editorModels === undefined ? {} : { editor: options.editorModels }),
    clock: systemClock,
    random: Math.random,
  });
}
