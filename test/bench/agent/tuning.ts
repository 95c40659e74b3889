import type { ModelProvider, ModelReply, ModelRequest } from "../../../server/core/ports/model";
import type { Strategy } from "../../../server/core/agent/strategy";
import { runScripted } from "../../harness/agent-session";
import { kernelFile } from "../../harness/scripted-evaluator";
import { type Measurement, rounded } from "../bench";
import { replyOf } from "./reply";
import { generator } from "./world";

const kernels = 40;
const candidates = 40;
const tiles = [8, 16, 32, 64, 128];
const warps = [1, 2, 4, 8, 16];

/** Values of the two constants of a kernel. */
interface Point {
  readonly tile: number;
  readonly warps: number;
}

/** A kernel that is right as it is but for the values of two constants that depend on each other. */
interface Tunable {
  readonly start: Point;
  readonly best: Point;
}

/**
 * A model that tunes two constants of kernels that have no other fault: with the tool `sweep`, or by
 * candidates of its own, which double or halve one of them as long as that gains.
 */
export async function tuningMeasurements(
  strategyOf: (provider: ModelProvider) => Strategy,
): Promise<readonly Measurement[]> {
  const drawn = Array.from({ length: kernels }, (_, seed) => tunableOf(seed + 1));
  const tunables = drawn.filter(({ start, best }) => start.tile !== best.tile || start.warps !== best.warps);
  const measured: Measurement[] = [];
  for (const [name, modelOf] of [
    ["sweep", () => new SweepingModel()],
    ["no sweep", (of: Tunable) => new ClimbingModel(of)],
  ] as const) {
    const verdicts: number[] = [];
    for (const tunable of tunables) {
      const { log, result } = await runScripted(strategyOf(modelOf(tunable)), {
        baseline: textOf(tunable, tunable.start),
        budget: { usd: 1, minutes: 1000, candidates },
      });
      const isBest = result.best?.candidate.tree[kernelFile] === textOf(tunable, tunable.best);
      if (isBest) verdicts.push(log.events.filter(({ type }) => type === "candidate.created").length - 1);
    }
    const mean = verdicts.reduce((sum, count) => sum + count, 0) / Math.max(1, verdicts.length);
    measured.push({
      metric: `two constants to tune, ${name}: the best values found`,
      value: verdicts.length,
      unit: `of ${tunables.length} kernels`,
      versus: `${rounded(mean)} verdicts on average where they were found`,
    });
  }
  return measured;
}

function tunableOf(seed: number): Tunable {
  const random = generator(seed);
  const pick = (values: readonly number[]): number => values[Math.floor(random() * values.length)] ?? 1;
  const point = (): Point => ({ tile: pick(tiles), warps: pick(warps) });
  return { start: point(), best: point() };
}

function textOf({ best }: Pick<Tunable, "best">, { tile, warps: count }: Point): string {
  const constants = `#define TILE ${tile}\n#define WARPS ${count}\n`;
  return `${constants}// best TILE ${best.tile} WARPS ${best.warps}\n// bound 50000\n`;
}

/** What both models are alike in. */
abstract class TuningModel implements ModelProvider {
  readonly name = "tuning";
  readonly model = "tuning-1";
  readonly limits = { outputTokens: 8192, contextTokens: 128_000, requestsAtOnce: 4 };
  protected answers = 0;

  estimateTokens(): number {
    return 100;
  }

  estimateUsd(): number {
    return 0;
  }

  async complete(request: ModelRequest): Promise<ModelReply> {
    await Promise.resolve();
    this.answers += 1;
    return replyOf(this.model, this.answers, this.next(request) ?? finish);
  }

  /** The next calls; undefined where it has no idea left. */
  protected abstract next(request: ModelRequest): Parameters<typeof replyOf>[2] | undefined;
}

const finish = [{ name: "finish", given: { reason: "no value is left to try" } }];
const submit = { name: "submit_candidate", given: { hypothesis: "other constants" } };

/** Lets the engine try all values, and submits what it found. */
class SweepingModel extends TuningModel {
  protected next(): Parameters<typeof replyOf>[2] | undefined {
    const constants = `TILE = ${tiles.join(", ")}; WARPS = ${warps.join(", ")}`;
    return this.answers > 1 ? undefined : [{ name: "sweep", given: { path: kernelFile, constants } }, submit];
  }
}

/** Submits one value after the other, and goes on in a direction as long as that gains. */
class ClimbingModel extends TuningModel {
  private best: Point;
  private asked: Point | undefined;
  private readonly tried = new Set<string>();

  constructor(private readonly of: Tunable) {
    super();
    this.best = of.start;
    this.tried.add(textOf(of, of.start));
  }

  protected next({ messages }: ModelRequest): Parameters<typeof replyOf>[2] | undefined {
    const last = messages.at(-1);
    if (this.asked && last?.role === "tool" && /: accepted/.test(last.text)) this.best = this.asked;
    const { tile, warps: count } = this.best;
    const steps = [
      { tile: 2 * tile, warps: count },
      { tile: tile / 2, warps: count },
      { tile, warps: 2 * count },
      { tile, warps: count / 2 },
    ];
    this.asked = steps.find(
      (step) =>
        tiles.includes(step.tile) && warps.includes(step.warps) && !this.tried.has(textOf(this.of, step)),
    );
    if (this.asked === undefined) return undefined;
    const text = textOf(this.of, this.asked);
    this.tried.add(text);
    return [{ name: "write_file", given: { path: kernelFile, text } }, submit];
  }
}
