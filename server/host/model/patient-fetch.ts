import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { Readable } from "node:stream";
import { known } from "../../core/base/known";

/** A connection without a word is tested for life this often, so that a dead peer ends it. */
const keepAliveMilliseconds = 30_000;

/**
 * `fetch` for the one use that its time limits forbid: node's own gives up on an answer that is silent for
 * five minutes, and a model may think for longer. Has no limit of its own; follows no redirect; the caller's
 * signal ends it.
 */
export async function patientFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  const send = url.protocol === "https:" ? secureRequest : plainRequest;
  const { body, method = "GET", signal } = init;
  const headers = Object.fromEntries(new Headers(init.headers));
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(url, { method, headers, ...(signal ? { signal } : {}) }, resolve);
    request.on("socket", (socket) => socket.setKeepAlive(true, keepAliveMilliseconds));
    request.on("error", reject);
    request.end(typeof body === "string" ? body : undefined);
  });
  const status = known(answer.statusCode, "the status of an answer to a request");
  const pairs = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const hasBody = status !== 204 && status !== 304;
  const stream = hasBody ? (Readable.toWeb(answer) as unknown as ReadableStream<Uint8Array>) : null;
  return new Response(stream, { status, statusText: answer.statusMessage ?? "", headers: pairs });
}
