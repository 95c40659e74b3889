import type { Clock } from "../../ports/clock";
import type { Numbers } from "../dialogue/dialogue";
import type { OpenedModel } from "../strategies/entry";
import type { Tester } from "../strategy";
import { archivePlanner, type Planner } from "./archive-planner";
import { bottleneckJudge, type Judge } from "./bottleneck-judge";
import { caseTester } from "./case-tester";

/** What stands for each role that the user gave a model. */
interface OpenedRoles {
  readonly judge?: Judge;
  readonly planner?: Planner;
  readonly tester?: Tester;
}

/** `numbers`: those of the strategy's own conversations, which count on through the roles'. */
export function openedRoles(
  { roles, prompts }: Pick<OpenedModel, "roles" | "prompts">,
  clock: Clock,
  numbers: Numbers,
): OpenedRoles {
  const { judge, planner, tester } = roles;
  return {
    ...(judge && { judge: bottleneckJudge({ provider: judge, prompts, clock }) }),
    ...(planner && { planner: archivePlanner({ provider: planner, prompts, clock }) }),
    ...(tester && { tester: caseTester({ provider: tester, prompts, clock }, numbers) }),
  };
}
