import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Script,
  type ScriptedAnswer,
  type ScriptedFault,
  type ScriptedReply,
  argumentsOf,
  isFault,
  usualUsage,
} from "./openai-script";
import { conversationOf, responseEvents, wholeResponse } from "./responses-answer";

/** One request as it came in. */
export interface SeenRequest {
  readonly body: ChatBody;
  readonly authorization: string | undefined;
}

/** Of Chat Completions; a body of Responses has `input` in the place of messages. */
export interface ChatBody {
  readonly model?: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly messages: readonly ChatMessage[];
  readonly [key: string]: unknown;
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

export interface OpenAiServer {
  /** With `/v1`, as a client wants it. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Resolves when so many requests have come in. */
  received(count: number): Promise<void>;
  /** Lets the reply go on that waits for it; one that does not wait yet will not. */
  release(): void;
  close(): Promise<void>;
}

/** A real HTTP server that speaks Chat Completions and Responses and plays a script, faults included. */
export async function startOpenAiServer(script: Script, port = 0): Promise<OpenAiServer> {
  const requests: SeenRequest[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const gate = new Gate();
  const server = createServer((request, response) => {
    void answer({ script, gate }, request, response, (seen) => {
      requests.push(seen);
      for (const each of waiting) if (requests.length >= each.count) each.resolve();
      return requests.length;
    }).catch((thrown: unknown) =>
      response.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    received: (count) =>
      requests.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count, resolve })),
    release: () => gate.open(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What a reply waits at; each opening lets one through. */
class Gate {
  private opened = 0;
  private waiting: (() => void) | undefined;

  open(): void {
    if (this.waiting === undefined) this.opened += 1;
    this.waiting?.();
    this.waiting = undefined;
  }

  async pass(): Promise<void> {
    if (this.opened === 0) return new Promise((resolve) => (this.waiting = resolve));
    this.opened -= 1;
  }
}

async function answer(
  { script, gate }: { readonly script: Script; readonly gate: Gate },
  request: IncomingMessage,
  response: ServerResponse,
  note: (seen: SeenRequest) => number,
): Promise<void> {
  const { authorization } = request.headers;
  if (request.method === "GET" && request.url === "/v1/models") {
    if (script.key !== undefined && authorization !== `Bearer ${script.key}`)
      return sendError(response, 401, { message: "no such key" });
    const data = (script.models ?? []).map((id) => ({ id, object: "model" }));
    return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
  }
  const isResponses = request.url === "/v1/responses";
  if (request.method !== "POST" || (!isResponses && request.url !== "/v1/chat/completions"))
    return sendError(response, 404, { message: `no such address: ${request.method} ${request.url}` });
  const body = JSON.parse(await textOf(request)) as ChatBody;
  const fault = faultOf(script, body, authorization);
  if (fault) return sendError(response, fault.status, fault);
  const number = note({ body, authorization });
  const reply = replyFor(script.replies, number);
  if (!reply) return sendError(response, 400, { message: `the script has no reply to request ${number}` });
  if (isFault(reply)) {
    if (reply.retryAfter !== undefined) response.setHeader("retry-after", reply.retryAfter);
    return sendError(response, reply.status, {
      message: reply.message ?? `scripted fault ${reply.status}`,
      ...reply,
    });
  }
  await send(response, { script, gate, reply, number, body, isResponses });
}

interface Answer {
  readonly script: Script;
  readonly gate: Gate;
  readonly reply: ScriptedAnswer;
  readonly number: number;
  readonly body: ChatBody;
  readonly isResponses: boolean;
}

/** The scripted answer in the words of the protocol, whole or as a stream. */
async function send(
  response: ServerResponse,
  { script, gate, reply, number, body, isResponses }: Answer,
): Promise<void> {
  const model = script.model ?? body.model ?? "scripted";
  const usageAsked = body.stream_options?.include_usage === true;
  if (body.stream === true && script.neverStreams !== true)
    await stream(
      response,
      { reply, gate },
      isResponses ? responseEvents(reply, model) : chunksOf({ reply, number, model, usageAsked }),
    );
  else
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(
        JSON.stringify(isResponses ? wholeResponse(reply, model) : wholeCompletion(reply, { number, model })),
      );
}

function replyFor(replies: readonly ScriptedReply[], number: number): ScriptedReply | undefined {
  const endless = replies.findIndex((reply) => reply.forEver === true);
  return endless >= 0 && number > endless ? replies[endless] : replies[number - 1];
}

/** What any server of this protocol refuses. A wrong key is echoed, as some servers do. */
function faultOf(
  script: Script,
  body: ChatBody,
  authorization: string | undefined,
): { readonly status: number; readonly message: string; readonly param?: string } | undefined {
  if (script.key !== undefined && authorization !== `Bearer ${script.key}`)
    return {
      status: 401,
      message: `Incorrect API key provided: ${authorization?.slice("Bearer ".length) ?? "none"}`,
    };
  const unknown = (script.rejects ?? []).find((field) => body[field] !== undefined);
  if (unknown !== undefined)
    return { status: 400, message: `Unsupported parameter: '${unknown}' is not supported`, param: unknown };
  const { refuses } = script;
  if (refuses !== undefined && body.messages?.some((message) => refuses in message))
    return { status: 400, message: `property '${refuses}' is unsupported` };
  const lacks = body.messages?.some(
    (message) => message.tool_calls && !JSON.stringify(message).includes(script.wants?.word ?? ""),
  );
  if (lacks && script.wants) return { status: 400, message: script.wants.refusal };
  const conversation = conversationFault(
    body["input"] === undefined ? body.messages : conversationOf(body["input"]),
  );
  return conversation === undefined ? undefined : { status: 400, message: conversation };
}

/** Every call of a tool must be answered before anything else is said, and its arguments must be JSON. */
function conversationFault(messages: readonly ChatMessage[]): string | undefined {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id ?? ""))
        return `tool message for unknown call ${message.tool_call_id}`;
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) return `calls without an answer: ${open.join(", ")}`;
    for (const call of message.tool_calls ?? []) {
      JSON.parse(call.function.arguments);
      open.push(call.id);
    }
  }
  return open.length > 0 ? `calls without an answer: ${open.join(", ")}` : undefined;
}

interface Streamed {
  readonly reply: ScriptedAnswer;
  readonly number: number;
  readonly model: string;
  readonly usageAsked: boolean;
}

async function stream(
  response: ServerResponse,
  { reply, gate }: Pick<Answer, "reply" | "gate">,
  chunks: readonly object[],
): Promise<void> {
  const afterText = 1 + pieces(reply.text ?? "").length;
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const [index, chunk] of chunks.entries()) {
    if (index === reply.cutAfter) {
      await new Promise<void>((resolve) => response.write(": the connection ends here\n\n", () => resolve()));
      response.destroy();
      return;
    }
    if (index === 1 && reply.hold === true) {
      await new Promise<void>((resolve) => response.once("close", resolve));
      return;
    }
    if (index === afterText && reply.untilReleased === true) await gate.pass();
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
  response.end("data: [DONE]\n\n");
}

/** A text as it streams. */
function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,24}/g) ?? [];
}

function chunksOf({ reply, number, model, usageAsked }: Streamed): readonly object[] {
  const base = { id: `chatcmpl-${number}`, object: "chat.completion.chunk", created: 0, model };
  const delta = (content: object, finish_reason: string | null = null): object => ({
    ...base,
    choices: [{ index: 0, delta: content, finish_reason }],
  });
  return [
    delta({ role: "assistant", content: "" }),
    ...(reply.before ?? []).map((piece) => delta(piece)),
    ...pieces(reply.text ?? "").map((content) => delta({ content })),
    ...pieces(reply.refusal ?? "").map((refusal) => delta({ refusal })),
    ...(reply.calls ?? []).flatMap((call, index) => [
      delta({
        tool_calls: [
          {
            ...{ index, id: `scripted_${index}`, type: "function" },
            function: { name: call.name, arguments: "" },
            ...(call.extra_content ? { extra_content: call.extra_content } : {}),
          },
        ],
      }),
      ...pieces(argumentsOf(call.arguments)).map((piece) =>
        delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    delta({}, finishOf(reply)),
    ...(usageAsked && reply.usage !== null ? [{ ...base, choices: [], usage: usageOf(reply) }] : []),
  ];
}

function wholeCompletion(
  reply: ScriptedAnswer,
  { number, model }: { readonly number: number; readonly model: string },
): object {
  const tool_calls = (reply.calls ?? []).map((call, index) => ({
    id: `scripted_${index}`,
    type: "function",
    function: { name: call.name, arguments: argumentsOf(call.arguments) },
  }));
  const message = {
    role: "assistant",
    content: reply.text ?? null,
    refusal: reply.refusal ?? null,
    ...(tool_calls.length > 0 ? { tool_calls } : {}),
  };
  return {
    id: `chatcmpl-${number}`,
    object: "chat.completion",
    created: 0,
    model,
    choices: [{ index: 0, message, finish_reason: finishOf(reply) }],
    ...(reply.usage === null ? {} : { usage: usageOf(reply) }),
  };
}

function finishOf(reply: ScriptedAnswer): string {
  return reply.finish ?? ((reply.calls ?? []).length > 0 ? "tool_calls" : "stop");
}

function usageOf(reply: ScriptedAnswer): object {
  const { prompt_tokens, completion_tokens, cached_tokens } = reply.usage ?? usualUsage;
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    ...(cached_tokens === undefined ? {} : { prompt_tokens_details: { cached_tokens } }),
  };
}

function sendError(response: ServerResponse, status: number, error: Partial<ScriptedFault>): void {
  const { message, code = null, param = null } = error;
  const body = error.body ?? { error: { message, type: "scripted", code, param } };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
