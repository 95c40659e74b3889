import { Numbers } from "../../../server/core/agent/dialogue/dialogue";
import { caseTester } from "../../../server/core/agent/roles/case-tester";
import { searchStrategy } from "../../../server/core/agent/strategies/search/search";
import { runScripted } from "../../harness/agent-session";
import { kernelFile } from "../../harness/scripted-evaluator";
import { type Measurement, rounded } from "../bench";
import { FixedTester } from "./fixed-tester";
import { type World, textOf, withRareFaults } from "./world";

/** What one session came to. */
interface Course {
  /** Whether the version that it proposes has a fault that the ordinary check does not find. */
  readonly proposesFault: boolean;
  /** Whether it proposes the best version without one. */
  readonly findsBest: boolean;
  /** Questions to the tester, and its cases that were run. */
  readonly asked: number;
  readonly ran: number;
}

/**
 * `search` on kernels where a third of the rewrites have a fault that only a rare size or input shows: with
 * nobody who looks for such and with a tester that draws its cases at random.
 */
export async function testerMeasurements(
  worlds: readonly World[],
  { partsOf, candidates }: { readonly partsOf: PartsOf; readonly candidates: number },
): Promise<readonly Measurement[]> {
  const courses: Record<"no tester" | "a tester", Course[]> = { "no tester": [], "a tester": [] };
  for (const [index, world] of worlds.entries()) {
    const faulty = withRareFaults(world, index + 1);
    courses["no tester"].push(await courseOf(faulty, { partsOf, candidates }));
    const testing = new FixedTester(index + 1);
    courses["a tester"].push(await courseOf(faulty, { partsOf, candidates, testing }));
  }
  const unit = `of ${worlds.length} kernels`;
  const mean = (numbers: readonly number[]): number =>
    rounded(numbers.reduce((sum, each) => sum + each, 0) / Math.max(1, numbers.length));
  return Object.entries(courses).flatMap(([name, each]) => {
    const [questions, ran] = [each.map(({ asked }) => asked), each.map((course) => course.ran)].map(mean);
    const asked = { versus: `${questions} questions and ${ran} cases in a session` };
    return [
      {
        metric: `search, rare faults, ${name}: a version with a fault is proposed`,
        value: each.filter(({ proposesFault }) => proposesFault).length,
        unit,
      },
      {
        metric: `search, rare faults, ${name}: the best version without one is proposed`,
        value: each.filter(({ findsBest }) => findsBest).length,
        unit,
        ...(name === "a tester" && asked),
      },
    ];
  });
}

type PartsOf = (world: World) => Parameters<typeof searchStrategy>[0];

async function courseOf(
  world: World,
  given: { readonly partsOf: PartsOf; readonly candidates: number; readonly testing?: FixedTester },
): Promise<Course> {
  const { partsOf, candidates, testing } = given;
  const parts = partsOf(world);
  const numbers = new Numbers();
  const strategy = searchStrategy({ ...parts, numbers });
  const tester = testing && caseTester({ ...parts, provider: testing }, numbers);
  const { result, log } = await runScripted(strategy, {
    ...(tester && { tester }),
    baseline: textOf(world, []),
    budget: { usd: 1, minutes: 1000, candidates },
  });
  const { best } = result;
  const proposed = best?.candidate.tree[kernelFile] ?? textOf(world, []);
  const hasFault = proposed.includes("// fails ");
  const bound = best?.verdict.kind === "correct" ? best.verdict.bound.nanoseconds : Infinity;
  const ran = log.events.flatMap(({ type, data }) => (type === "candidate.challenged" ? data.cases : []));
  return {
    proposesFault: hasFault,
    findsBest: !hasFault && bound <= world.best,
    asked: testing?.asked ?? 0,
    ran: ran.length,
  };
}
