import * as z from "zod/mini";
import { readShape } from "../../../core/base/shape";
import { editorEndpoint } from "../endpoints";
import { type ModelSettings, modelSettings } from "../model-settings";
import { isLoopback } from "../pricing";
import { serviceAt } from "../providers";

interface WindowQuestion {
  /** With `/v1`, as the setting has it. */
  readonly endpoint: string;
  /** Empty for servers that want none. */
  readonly key: string;
  readonly model: string;
}

const timeLimitMilliseconds = 2_000;

const count = z.optional(z.nullable(z.number()));
const entry = z.looseObject({
  id: z.string(),
  max_model_len: count,
  context_length: count,
  context_window: count,
  loaded_context_length: count,
  meta: z.optional(z.nullable(z.looseObject({ n_ctx: count, n_ctx_train: count }))),
});
type Listed = z.output<typeof entry>;
const list = z.looseObject({ data: z.array(entry) });
const properties = z.looseObject({ default_generation_settings: z.looseObject({ n_ctx: z.number() }) });
const loaded = z.looseObject({
  models: z.array(z.looseObject({ name: z.string(), context_length: count })),
});

/**
 * How a model is asked, within the window that its server tells: that of the model's name may be many times
 * what is served. Throws as `modelSettings` does.
 */
export async function servedSettings(question: WindowQuestion, said = ""): Promise<ModelSettings> {
  const { endpoint, model } = question;
  // A text that cannot be read is told before anybody is asked.
  const settings = modelSettings(model, endpoint, said);
  if (endpoint === editorEndpoint || serviceAt(endpoint) !== undefined || !URL.canParse(endpoint))
    return settings;
  const window = await servedWindow(question);
  return window === undefined ? settings : modelSettings(model, endpoint, said, window);
}

/** Tokens of a conversation with its answer at the server; undefined where it does not tell. Never throws. */
async function servedWindow(question: WindowQuestion): Promise<number | undefined> {
  const { endpoint, key, model } = question;
  const listed = await answerOf(`${endpoint.replace(/\/+$/, "")}/models`, key, list);
  const found = listed?.data.find(({ id }) => id === model);
  const { max_model_len, loaded_context_length, meta, context_length, context_window }: Partial<Listed> =
    found ?? {};
  const told = [max_model_len, loaded_context_length, meta?.n_ctx, context_length, context_window];
  const running = told.find(Boolean) ?? (isLoopback(endpoint) ? await loadedWindow(question) : undefined);
  return running ?? meta?.n_ctx_train ?? undefined;
}

/** Of servers of this machine: llama.cpp and Ollama tell what they loaded beside the protocol. */
async function loadedWindow({ endpoint, key, model }: WindowQuestion): Promise<number | undefined> {
  const [props, running] = await Promise.all([
    answerOf(`${rootOf(endpoint)}/props`, key, properties),
    answerOf(`${rootOf(endpoint)}/api/ps`, key, loaded),
  ]);
  const own = running?.models.find(({ name }) => name === model || name === `${model}:latest`);
  return [props?.default_generation_settings.n_ctx, own?.context_length].find(Boolean) ?? undefined;
}

function rootOf(endpoint: string): string {
  return endpoint.replace(/\/+$/, "").replace(/\/v1$/, "");
}

async function answerOf<Value>(
  address: string,
  key: string,
  shape: z.ZodMiniType<Value>,
): Promise<Value | undefined> {
  const headers = new Headers(key === "" ? [] : [["authorization", `Bearer ${key}`]]);
  try {
    const signal = AbortSignal.timeout(timeLimitMilliseconds);
    const answer = await fetch(address, { headers, signal, redirect: "error" });
    if (!answer.ok) return undefined;
    const read = readShape(shape, await answer.json());
    return read.ok ? read.value : undefined;
  } catch {
    // Whether the endpoint can be reached is told by the first question.
    return undefined;
  }
}
