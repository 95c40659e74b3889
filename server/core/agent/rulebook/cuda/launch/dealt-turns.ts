import { arraysOf } from "../../../../language/cuda/body/arrays";
import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { formFrom, sameForm } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { changes, isPure } from "../../../../language/cuda/body/scope";
import { variesWithThread } from "../../../../language/cuda/body/threads";
import { compact, enclosing, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import { formIn, type KernelView } from "../kernel";
import { carriedValues } from "../rows/carried-values";

const LOOPS = ["for_statement", "while_statement", "do_statement"];

/** The outermost loop whose turns may be dealt out to several blocks, with the edits that do so. */
interface DealtTurns {
  readonly loop: CountedLoop;
  edits(axis: "y" | "z"): readonly TextEdit[];
}

/**
 * A loop of the kernel whose turns have nothing to do with each other: over elements in steps of the block,
 * or over rows one after the other.
 */
export function dealtTurns(view: KernelView, threads: number | undefined): DealtTurns | RuleHold {
  const outer = countedLoops(view.body).filter(({ loop }) => enclosing(loop, ...LOOPS) === undefined);
  const [loop] = outer;
  if (loop === undefined || outer.length > 1)
    return not("no-rewrite", "no loop walks over the block or the grid", loop?.loop ?? view.line);
  const edits = dealt(view, loop, threads);
  if (edits === undefined) return not("no-rewrite", "no loop walks over the block or the grid", loop.loop);
  const held = tied(view, loop) ?? (edits.strided ? undefined : recurring(view, loop));
  return held ?? { loop, edits: edits.along };
}

interface Dealing {
  readonly strided: boolean;
  along(axis: "y" | "z"): readonly TextEdit[];
}

function dealt(view: KernelView, loop: CountedLoop, threads: number | undefined): Dealing | undefined {
  const { start, step, comparison } = loop;
  const up = step.operator === "+" && (comparison === "<" || comparison === "<=");
  return up && isPure(start) ? (overElements(view, loop, threads) ?? overRows(view, loop)) : undefined;
}

/** Steps of the block: the blocks take their steps in turn. */
function overElements(
  view: KernelView,
  { start, step: { amount: by } }: CountedLoop,
  threads: number | undefined,
): Dealing | undefined {
  const first = formIn(view, start);
  const block = [formFrom({ "blockDim.x": 1 }), formFrom({ "": threads ?? Number.NaN })];
  if (by === undefined || first.get("threadIdx.x") !== 1) return undefined;
  if (!block.some((each) => sameForm(each, formIn(view, by)))) return undefined;
  const plain = sameForm(first, formFrom({ "threadIdx.x": 1 }));
  const { text } = start;
  return {
    strided: true,
    along: (axis) => [
      replaceNode(
        start,
        plain ? `blockIdx.${axis} * blockDim.x + threadIdx.x` : `(${text}) + blockIdx.${axis} * blockDim.x`,
      ),
      replaceNode(by, `blockDim.x * gridDim.${axis}`),
    ],
  };
}

/** Steps of one, the same for all threads: the blocks take the rows in turn. */
function overRows(view: KernelView, loop: CountedLoop): Dealing | undefined {
  const { start, step, update, variable, bound } = loop;
  const byOne = step.amount === undefined || sameForm(formIn(view, step.amount), formFrom({ "": 1 }));
  const varies = variesWithThread(view.model, view.body, "x");
  // A few items of each thread are no rows.
  if (!byOne || view.scope.value(bound) !== undefined || varies(start) || varies(bound)) return undefined;
  const zero = formIn(view, start).size === 0;
  return {
    strided: false,
    along: (axis) => [
      replaceNode(start, zero ? `blockIdx.${axis}` : `(${start.text}) + blockIdx.${axis}`),
      replaceNode(update, `${variable} += gridDim.${axis}`),
    ],
  };
}

/** What a thread hands on from one turn to the next, or does beside the loop. */
function tied(view: KernelView, { loop, body, variable }: CountedLoop): RuleHold | undefined {
  const carried = carriedValues(body, variable);
  if (isNot(carried)) return carried;
  const [value] = carried;
  if (value !== undefined) return not("dependence", `${value.name} is used behind the loop`, loop);
  const { accesses, atomics } = cudaAccesses(view.kernel);
  const store = [...accesses, ...atomics].find(({ node, stores }) => stores && !isInside(node, loop));
  if (store !== undefined)
    return not("dependence", `${store.base} is stored outside of the loop`, store.node);
  const leaving = body
    .descendantsOfType(["break_statement", "return_statement", "goto_statement"])
    .find(
      (node) =>
        node.type !== "break_statement" || enclosing(node, ...LOOPS, "switch_statement")?.id === loop.id,
    );
  return leaving && not("dependence", "the loop may end early", leaving);
}

/** An element that more than one turn of the loop touches, or an array of the thread that outlives a turn. */
function recurring(view: KernelView, { loop, body, variable }: CountedLoop): RuleHold | undefined {
  const { accesses } = cudaAccesses(view.kernel);
  const inside = accesses.filter(({ node }) => isInside(node, body));
  for (const store of inside.filter(({ stores }) => stores)) {
    const form = store.indexNode && formIn(view, store.indexNode);
    const names = [...(form?.keys() ?? [])].flatMap((key) => key.split("*"));
    if (form === undefined || !names.includes(variable))
      return not("dependence", `${compact(store.node)} may be the element of another turn`, store.node);
    const other = inside.find(
      ({ parameter, indexNode }) =>
        parameter === store.parameter && !(indexNode && sameForm(formIn(view, indexNode), form)),
    );
    if (other !== undefined)
      return not("dependence", `${other.base} is touched at another element too`, other.node);
  }
  const kept = arraysOf(view.body).find(
    ({ name, storage, declaration }) =>
      storage === "local" &&
      !isInside(declaration, body) &&
      changes(body).some(({ target }) => usesOf(target, name).length > 0),
  );
  return kept && not("dependence", `${kept.name} is carried from one turn to the next`, loop);
}

/** An axis of the grid that nothing in the kernel knows of. */
export function freeAxis({ body }: KernelView, used: (axis: "y" | "z") => boolean): "y" | "z" | SyntaxNode {
  const uses = body
    .descendantsOfType("field_expression")
    .filter((node) => /^(?:gridDim|blockIdx)\./.test(compact(node)));
  const whole = uses.find((node) => /^gridDim\./.test(compact(node)));
  if (whole !== undefined) return whole;
  const free = (["y", "z"] as const).find(
    (axis) => !used(axis) && !uses.some((node) => compact(node) === `blockIdx.${axis}`),
  );
  return free ?? uses[0] ?? body;
}
