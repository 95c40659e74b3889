import {
  comparisonOf,
  type CountedLoop,
  countedLoops,
  statementsOf,
} from "../../../../../language/cuda/body/loops";
import { changes, isPure } from "../../../../../language/cuda/body/scope";
import { collapse, compact, enclosing, partsOf, usesOf } from "../../../../../language/query";
import type { CudaLaunch } from "../../../../../language/cuda/launches";
import type { SyntaxNode } from "../../../../../language/tree";
import { not, type RuleHold } from "../../../rule";
import type { KernelView } from "../../kernel";
import { isLaunchCheck } from "../fusing/launch-pair";

/** A loop of the host that does nothing but launch the kernel, with the same arguments but for the turn. */
export interface StepLoop {
  readonly loop: CountedLoop;
  readonly launch: CudaLaunch;
  readonly statement: SyntaxNode;
  /** What the host passes, by the names of the parameters, in their order. */
  readonly passed: ReadonlyMap<string, SyntaxNode>;
  /** The parameter that gets the number of the turn. */
  readonly turn: string | undefined;
}

/** The loop around the kernel's only launch. */
export function stepLoop(view: KernelView): StepLoop | RuleHold {
  const [launch, ...more] = view.launches;
  const host = launch?.host;
  if (launch === undefined || host === undefined || more.length > 0)
    return not("launch", "the kernel is not launched once, by a function of the file", view.line);
  const around = enclosing(launch.call, "for_statement", "while_statement", "do_statement");
  const loop = countedLoops(host).find((each) => each.loop.id === around?.id);
  if (around === undefined) return not("no-pattern", "no loop launches the kernel", launch.call);
  if (loop === undefined) return not("no-rewrite", "the loop does not count its turns in its head", around);
  const own = statementsOf(loop.body).filter((each) => !isLaunchCheck(each));
  const [statement] = own;
  if (own.length !== 1 || statement === undefined || statement.id !== launch.call.parent?.id)
    return not("no-rewrite", "the loop does more than launch the kernel", around);
  const parameters = view.kernel.facts.parameters.filter(({ name }) => !name.includes("."));
  const given = partsOf(launch.call.childForFieldName("arguments"));
  const passed = new Map(
    parameters.flatMap(({ name }, place) =>
      given[place] === undefined ? [] : [[name, given[place]] as const],
    ),
  );
  if (passed.size !== parameters.length || given.length !== parameters.length)
    return not("launch", "not every parameter is passed", launch.call);
  return isSteady({ loop, launch, statement, passed, turn: undefined });
}

/** The loop, where nothing but one whole number differs from turn to turn. */
function isSteady(found: StepLoop): StepLoop | RuleHold {
  const { loop, launch, passed } = found;
  const { step, comparison, start, bound, variable } = loop;
  const byOne = step.operator === "+" && ["", "1"].includes(compact(step.amount));
  if (!byOne || !["<", "<="].includes(comparison) || comparisonOf(loop.condition, variable) === undefined)
    return not("no-rewrite", "the loop does not count up by one", loop.loop);
  if (![start, bound, ...passed.values()].every(isPure))
    return not("dependence", "what the loop or the launch is given comes of calls", loop.loop);
  if (changes(loop.body).length > 0)
    return not("dependence", "the loop changes what it launches with", loop.loop);
  const configuration = launch.call.children.find(({ type }) => type === "kernel_call_syntax");
  if (configuration === undefined || usesOf(configuration, variable).length > 0)
    return not("launch", "the grid differs from turn to turn", launch.call);
  const turns = [...passed].filter(([, node]) => usesOf(node, variable).length > 0);
  const [turn, ...others] = turns;
  if (others.length > 0 || (turn !== undefined && collapse(turn[1].text) !== variable))
    return not("dependence", "what is passed depends on the turn by more than its number", launch.call);
  return { ...found, turn: turn?.[0] };
}
