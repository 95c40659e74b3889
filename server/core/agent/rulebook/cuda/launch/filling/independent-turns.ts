import { type CudaAccess, cudaAccesses } from "../../../../../language/cuda/body/accesses";
import { type Form, sameForm } from "../../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../../language/cuda/body/loops";
import { compact, enclosing, isInside } from "../../../../../language/query";
import { isNot, not, type RuleHold } from "../../../rule";
import { formIn, type KernelView } from "../../kernel";
import { carriedValues } from "../../rows/carried-values";
import { countsUp, handsOnShared } from "../../sums/summed-turns";

const loops = ["for_statement", "while_statement", "do_statement"];

/** The loop that stores all that a kernel stores, each turn elements of its own; else a guard's answer. */
export function independentTurns(view: KernelView): CountedLoop | RuleHold {
  const { body } = view;
  const { accesses, atomics } = cudaAccesses(view.kernel);
  if (atomics[0] !== undefined)
    return not("dependence", `${atomics[0].base} is changed by atomics`, atomics[0].node);
  const stores = accesses.filter((access) => access.stores);
  const outer = countedLoops(body).find(
    ({ loop }) => enclosing(loop, ...loops) === undefined && stores.every(({ node }) => isInside(node, loop)),
  );
  if (outer === undefined || stores.length === 0)
    return not("no-pattern", "no single counted loop stores what the kernel makes", view.line);
  const held = countsUp(outer) ?? handsOnShared(view, outer) ?? waitsBehind(view, outer);
  if (held !== undefined) return held;
  const carried = carriedValues(outer.body, outer.variable);
  if (isNot(carried)) return carried;
  const [first] = carried;
  if (first !== undefined)
    return not("dependence", `${first.name} is carried from one turn to the next`, outer.loop);
  return sharedElement(view, outer, accesses) ?? outer;
}

function waitsBehind(view: KernelView, { loop }: CountedLoop): RuleHold | undefined {
  const text = view.body.text.slice(loop.endIndex - view.body.startIndex);
  return /\b__syncthreads|\bcooperative_groups|\bcg::/.test(text)
    ? not("cooperation", "threads work together behind the loop", loop)
    : undefined;
}

/** An element that two turns may store, or that one loads and another one stores. */
function sharedElement(
  view: KernelView,
  { variable, body }: CountedLoop,
  accesses: readonly CudaAccess[],
): RuleHold | undefined {
  const forms = new Map<string, Form>();
  const inside = accesses.filter(({ node }) => isInside(node, body));
  for (const { node, parameter, indexNode, base, stores } of inside) {
    if (!stores) continue;
    const form = indexNode && base === parameter ? formIn(view, indexNode) : undefined;
    const moves = form && [...form.keys()].some((key) => key.split("*").includes(variable));
    if (form === undefined || !moves)
      return not("dependence", `several turns may store ${compact(node)}`, node);
    const known = forms.get(parameter);
    if (known !== undefined && !sameForm(known, form))
      return not("dependence", `several turns may store ${compact(node)}`, node);
    forms.set(parameter, form);
  }
  const other = accesses.find(({ loads, parameter, base, indexNode }) => {
    const form = loads ? forms.get(parameter) : undefined;
    const own = indexNode !== undefined && base === parameter ? formIn(view, indexNode) : undefined;
    return form !== undefined && (own === undefined || !sameForm(own, form));
  });
  return other && not("dependence", `${compact(other.node)} may be what another turn stores`, other.node);
}
