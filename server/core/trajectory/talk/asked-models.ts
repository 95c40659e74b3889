import { plural } from "../../words/quantities";
import type { SessionEvent } from "../events";
import { addUsage } from "../usage";
import type { StoredUsage } from "./stored";
import type { Role } from "./role";

/** What was asked of one model for one purpose, and what it took. */
interface AskedModel {
  /** `coder` writes the candidates. */
  readonly role: Role | "coder";
  readonly model: string;
  readonly calls: number;
  /** US dollars as far as they are known. */
  readonly usd: number;
  /** From question to answer, of the answers that came. */
  readonly seconds: number;
  readonly tokens: StoredUsage;
}

const noTokens: StoredUsage = { input_uncached: 0, cache_read: 0, cache_write: 0, output: 0, reasoning: 0 };

/** What each model of a session took: the coder and the roles, in the order of their first questions. */
export function askedModels(events: readonly SessionEvent[]): readonly AskedModel[] {
  const asked = new Map<string, AskedModel>();
  const open = new Map<string, string>();
  const add = (request: string, part: (before: AskedModel) => Partial<AskedModel>): void => {
    const key = open.get(request);
    const before = key === undefined ? undefined : asked.get(key);
    if (key !== undefined && before !== undefined) asked.set(key, { ...before, ...part(before) });
  };
  for (const event of events) {
    if (event.type === "llm.request") {
      const { request, model, role = "coder" } = event.data;
      const key = `${role} ${model}`;
      const before = asked.get(key) ?? { role, model, calls: 0, usd: 0, seconds: 0, tokens: noTokens };
      asked.set(key, { ...before, calls: before.calls + 1 });
      open.set(request, key);
    } else if (event.type === "llm.response") {
      const { request, cost, total_ms, usage } = event.data;
      add(request, ({ usd, seconds, tokens }) => ({
        usd: usd + (cost.usd ?? 0),
        seconds: seconds + total_ms / 1000,
        tokens: addUsage(tokens, usage),
      }));
    } else if (event.type === "llm.failed") {
      const { request, cost_usd: paid } = event.data;
      add(request, ({ usd }) => ({ usd: usd + (paid ?? 0) }));
    }
  }
  return [...asked.values()];
}

/** `judge m2: 3 calls, 0.02 USD, 1200 tokens in, 300 out, 12 s`, without what an endpoint does not say. */
export function describeAsked({ role, model, calls, usd, seconds, tokens }: AskedModel): string {
  const { input_uncached: fresh, cache_read: read, cache_write: written, output } = tokens;
  const input = fresh === null ? [] : [`${fresh + (read ?? 0) + (written ?? 0)} tokens in`];
  return [
    `${role} ${model}: ${plural(calls, "call")}`,
    `${Number(usd.toPrecision(2))} USD`,
    ...input,
    ...(output === null ? [] : [`${output} out`]),
    `${Number(seconds.toFixed(1))} s`,
  ].join(", ");
}
