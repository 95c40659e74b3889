import * as z from "zod/mini";
import { fail, type Outcome, succeed } from "../../../core/base/outcome";
import { readShape } from "../../../core/base/shape";
import type { NoList } from "../../../core/ports/model";
import { redact } from "../redact";

interface ListQuestion {
  /** With `/v1`, as the setting has it. */
  readonly endpoint: string;
  /** Empty for servers that want none. */
  readonly key: string;
  readonly timeLimitMilliseconds: number;
}

const listShape = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

/** Asks an OpenAI-compatible endpoint which models it serves. Never throws; follows no redirect. */
export async function servedModels(
  { endpoint, key, timeLimitMilliseconds }: ListQuestion,
  signal: AbortSignal,
): Promise<Outcome<readonly string[], NoList>> {
  const address = `${endpoint.replace(/\/+$/, "")}/models`;
  const problem = (kind: NoList["kind"], message: string): Outcome<never, NoList> =>
    fail({ kind, message: redact(message, [key]) });
  const headers = new Headers(key === "" ? [] : [["authorization", `Bearer ${key}`]]);
  const within = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMilliseconds)]);
  try {
    const answer = await fetch(address, { headers, signal: within, redirect: "error" });
    if (answer.status === 401 || answer.status === 403)
      return problem(
        "refused-credentials",
        key === ""
          ? `${address} wants a key (status ${answer.status})`
          : `${address} refused the key (status ${answer.status})`,
      );
    if (!answer.ok) return problem("no-list", `${address} has no list of models (status ${answer.status})`);
    const read = readShape(listShape, await answer.json());
    if (!read.ok) return problem("no-list", `${address} answered with something that is no list of models`);
    return succeed(read.value.data.map(({ id }) => id));
  } catch (thrown) {
    if (thrown instanceof SyntaxError)
      return problem("no-list", `${address} answered with something that is no list of models`);
    return problem("unreachable", `${address} could not be reached: ${reasonOf(thrown)}`);
  }
}

/** `fetch` says only that it failed; its cause says why. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown.name === "TimeoutError") return "no answer in time";
  return thrown.cause instanceof Error ? thrown.cause.message : thrown.message;
}
