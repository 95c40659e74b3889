import type { ModelProvider, ModelReply, ModelRequest } from "../../../server/core/ports/model";
import type { Strategy } from "../../../server/core/agent/strategy";
import { runScripted } from "../../harness/agent-session";
import { type Measurement, rounded } from "../bench";
import { SkilledModel } from "./skilled-model";
import { type World, textOf } from "./world";

const candidates = 40;
/** Characters of a token, as estimates have it. */
const charactersOfToken = 4;

/** Strategies by name; with the model that they ask, where it is not the usual one. */
export type Strategies = Readonly<Record<string, (world: World, provider?: ModelProvider) => Strategy>>;

/** What a gain takes in tokens: those sent, those of them that no request before had, and those answered. */
export async function tokenMeasurements(
  worlds: readonly World[],
  strategies: Strategies,
): Promise<readonly Measurement[]> {
  const measured: Measurement[] = [];
  for (const [name, strategyOf] of Object.entries(strategies)) {
    const spent = { sent: 0, fresh: 0, answered: 0, gains: 0 };
    for (const world of worlds) {
      const model = new CountingModel(world);
      const { log } = await runScripted(strategyOf(world, model), {
        baseline: textOf(world, []),
        budget: { usd: 1, minutes: 1000, candidates },
      });
      spent.sent += model.sent;
      spent.fresh += model.fresh;
      spent.answered += model.answered;
      spent.gains += log.events.filter(({ type }) => type === "candidate.selected").length;
    }
    const each = (characters: number): number => rounded(characters / charactersOfToken / spent.gains / 1000);
    measured.push({
      metric: `${name}: tokens sent for each gain`,
      value: each(spent.sent),
      unit: "thousand",
      versus: `${each(spent.fresh)} thousand of them new, ${each(spent.answered)} thousand answered`,
    });
  }
  return measured;
}

/** The model of fixed skill, with what goes to it and comes from it in characters. */
class CountingModel extends SkilledModel {
  sent = 0;
  fresh = 0;
  answered = 0;
  private before: readonly string[] = [];

  override async complete(request: ModelRequest): Promise<ModelReply> {
    const reply = await super.complete(request);
    const parts = [request.tools, ...request.messages].map((part) => JSON.stringify(part));
    const same = parts.findIndex((part, index) => part !== this.before[index]);
    const characters = (of: readonly string[]): number => of.reduce((sum, { length }) => sum + length, 0);
    this.sent += characters(parts);
    this.fresh += same < 0 ? 0 : characters(parts.slice(same));
    this.answered += reply.kind === "reply" ? JSON.stringify(reply.toolCalls).length : 0;
    this.before = parts;
    return reply;
  }
}
