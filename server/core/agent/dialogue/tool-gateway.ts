import { type JsonObject, isJsonObject } from "../../base/json";
import { OperationalError } from "../../base/operational-error";
import type { Clock } from "../../ports/clock";
import type { ModelTool, ModelToolCall } from "../../ports/model";
import type { PromptTexts } from "../../prompts/names";
import { renderPrompt } from "../../prompts/render";
import { isCancellation, untilAborted } from "../abort";
import type { SessionEvent, StoredText } from "../../trajectory/events";
import type { Recorder } from "../recorder";
import { RepetitionWatch } from "./repetition";
import { givenId } from "./conversation/short-calls";
import { parseJson, readArguments, readObject } from "../tools/arguments";
import type { AnyTool, ToolAnswer, Workbench } from "../tools/tool";

type CallOutcome =
  | { readonly kind: "answered"; readonly text: string; readonly wrote: boolean }
  /** The answer comes later, with the verdict, through `answerCall`. */
  | { readonly kind: "submit"; readonly hypothesis: string }
  | { readonly kind: "finish"; readonly reason: string }
  /** The model is stuck in a loop. */
  | { readonly kind: "stop"; readonly reason: string };

interface GatewayOptions {
  readonly tools: readonly AnyTool[];
  readonly clock: Clock;
  readonly prompts: PromptTexts;
}

/** Outputs above this many characters are cut for the model; the log and `recall` have them whole. */
const shownAtMost = 16_000;

/** What the provider is told about the tools. */
export function modelTools(tools: readonly AnyTool[]): readonly ModelTool[] {
  return tools.map(({ definition }) => ({
    name: definition.name,
    description: definition.description,
    parameters: definition.parameters as unknown as JsonObject,
  }));
}

/**
 * The only way from a model's call to a tool: arguments are checked, repetition is noticed, and both ends of
 * the call go into the log.
 */
export class ToolGateway {
  private pending: { readonly call: string; readonly began: number } | undefined;
  private readonly watch = new RepetitionWatch();

  constructor(private readonly options: GatewayOptions) {}

  async run(call: ModelToolCall, workbench: Workbench, signal: AbortSignal): Promise<CallOutcome> {
    const { tools, clock } = this.options;
    const { recorder } = workbench.context;
    const tool = tools.find(({ definition }) => definition.name === call.name);
    await recorder.append("tool.called", "agent", {
      call: call.callId,
      name: call.name,
      arguments: loggedArguments(call),
      effect: tool?.definition.effect ?? "read",
      origin: "model",
    });
    this.pending = { call: call.callId, began: clock.monotonicMicroseconds() };
    const repetition = this.watch.see(call.name, call.rawArguments, workbench.scratch.version);
    if (repetition.kind !== "fresh") return this.repeated(call, recorder, repetition);
    const answer = await this.answerOf(tool, call, workbench, signal);
    if (answer.kind === "submit") return answer;
    const text = answer.kind === "finish" ? answer.reason : answer.text;
    const shown = await this.answerCall(recorder, answer.kind === "error" ? "error" : "ok", text);
    if (answer.kind === "finish") return answer;
    return {
      kind: "answered",
      text: shown,
      wrote: answer.kind === "text" && tool?.definition.effect === "write",
    };
  }

  /** Writes the answer of the call that is open and gives what the model is shown of it. */
  async answerCall(recorder: Recorder, status: "ok" | "error", text: string): Promise<string> {
    const open = this.pending;
    this.pending = undefined;
    if (!open) return text;
    const shown =
      text.length <= shownAtMost
        ? text
        : `${text.slice(0, shownAtMost)}\n(cut at ${shownAtMost} of ${text.length} characters; \`recall\` with call "${open.call}" gives the rest)`;
    const duration_ms = Math.round((this.options.clock.monotonicMicroseconds() - open.began) / 1000);
    const output = await recorder.storeText(text);
    await recorder.append("tool.returned", "engine", {
      call: open.call,
      status,
      output,
      shown: await recorder.storeText(shown),
      duration_ms,
    });
    return shown;
  }

  private async repeated(
    call: ModelToolCall,
    recorder: Recorder,
    repetition: { readonly kind: "told" | "stop"; readonly times: number },
  ): Promise<CallOutcome> {
    const pattern = `${call.name} called ${repetition.times} times with the same arguments and nothing changed between`;
    await recorder.append("loop.detected", "engine", { pattern });
    const note = renderPrompt(this.options.prompts["refine-repeated"], { times: String(repetition.times) });
    const shown = await this.answerCall(recorder, "error", note);
    return repetition.kind === "stop"
      ? { kind: "stop", reason: `the model repeats itself: ${pattern}` }
      : { kind: "answered", text: shown, wrote: false };
  }

  private async answerOf(
    tool: AnyTool | undefined,
    call: ModelToolCall,
    workbench: Workbench,
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    if (!tool)
      return {
        kind: "error",
        text: `There is no tool ${call.name}. There are: ${this.options.tools.map(({ definition }) => definition.name).join(", ")}.`,
      };
    try {
      return await untilAborted(signal, () => checkedRun(tool, call.rawArguments, workbench));
    } catch (thrown) {
      if (isCancellation(thrown, signal) || !(thrown instanceof OperationalError)) throw thrown;
      return { kind: "error", text: thrown.forModel };
    }
  }
}

/** The whole output of an earlier call, or what the model wrote in it, from the log. */
export async function recalled(recorder: Recorder, call: string): Promise<string | undefined> {
  const event = await recorder.logged.findLast(
    (each): each is SessionEvent => textUnder(each, call) !== undefined,
  );
  const stored = event && textUnder(event, call);
  return stored === undefined ? undefined : recorder.loadText(stored);
}

/** What an event holds under the name that references give a text. */
function textUnder(event: SessionEvent, name: string): StoredText | undefined {
  if (event.type === "tool.returned") return event.data.call === name ? event.data.output : undefined;
  if (event.type !== "llm.response") return undefined;
  return event.data.tool_calls.find(({ call }) => givenId(call) === name)?.raw_arguments;
}

async function checkedRun(tool: AnyTool, raw: string, workbench: Workbench): Promise<ToolAnswer> {
  if ("runUnchecked" in tool) {
    const given = readObject(raw);
    return given.ok ? tool.runUnchecked(given.value) : { kind: "error", text: given.problem };
  }
  const given = readArguments(raw, tool.definition);
  return given.ok ? tool.run(given.value, workbench) : { kind: "error", text: given.problem };
}

function loggedArguments(call: ModelToolCall): JsonObject {
  const parsed = parseJson(call.rawArguments);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
}
