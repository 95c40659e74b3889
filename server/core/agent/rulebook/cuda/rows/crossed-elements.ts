import type { CudaAccess } from "../../../../language/cuda/body/accesses";
import { constantOf, type Form, formFrom } from "../../../../language/cuda/body/forms";
import type { CountedLoop } from "../../../../language/cuda/body/loops";
import { compact, isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { formIn, type KernelView } from "../kernel";
import { elementsOf, type RowLoop } from "./thread-rows";

/**
 * A guard's answer when an element that one iteration stores may be what another one reads: then lanes would
 * have to wait for each other.
 */
export function crossedElements(view: KernelView, loops: readonly RowLoop[]): RuleHold | undefined {
  const accesses = elementsOf(view);
  const within = (node: SyntaxNode): RowLoop | undefined =>
    loops.find(({ loop }) => isInside(node, loop.body));
  const stores = accesses.filter(({ stores: does, node }) => does && within(node) !== undefined);
  for (const store of stores) {
    const touching = accesses.filter(({ parameter }) => parameter === store.parameter);
    const starts = new Set(
      touching.flatMap(({ node }) => {
        const start = within(node)?.loop.start;
        return start === undefined ? [] : [compact(start)];
      }),
    );
    if (starts.size > 1) return not("dependence", "the walks do not begin at the same element", store.node);
    const own = relativeForm(view, store, within(store.node));
    const walked = { store, loop: within(store.node)?.loop };
    const crossed = touching.find(
      (each) =>
        relativeForm(view, each, within(each.node)) !== own &&
        !isBeyondWalk(view, each, walked) &&
        !isWalkApart(view, each, walked),
    );
    if (crossed !== undefined || own === undefined)
      return not("dependence", `${store.base} is touched at another element too`, (crossed ?? store).node);
  }
  return undefined;
}

/** The index of an access with the loop's variable in a name of its own; undefined outside of the loops. */
function relativeForm(view: KernelView, access: CudaAccess, row: RowLoop | undefined): string | undefined {
  if (row === undefined || access.indexNode === undefined) return undefined;
  const terms = [...formIn(view, access.indexNode)];
  const variable = row.loop.variable;
  if (!terms.some(([key, coefficient]) => key === variable && coefficient === 1)) return undefined;
  const named = terms.map(([key, coefficient]) => [key === variable ? "@" : key, coefficient] as const);
  return `${access.base}[${[...formFrom(Object.fromEntries(named))].sort().join(";")}]`;
}

/** A store in a walk, with the loop that walks. */
interface Walked {
  readonly store: CudaAccess;
  readonly loop: CountedLoop | undefined;
}

/**
 * True for a store outside of a walk to an element before the first or behind the last that the walk stores:
 * `starts[n] = sum` behind a loop over `starts[i]`.
 */
function isBeyondWalk(view: KernelView, access: CudaAccess, { store, loop }: Walked): boolean {
  const [own, walked] = [access.indexNode, store.indexNode];
  if (loop === undefined || own === undefined || walked === undefined || access.loads) return false;
  if (isInside(access.node, loop.loop) || access.base !== store.base) return false;
  const place = formIn(view, own);
  const each = formIn(view, walked);
  if (each.get(loop.variable) !== 1) return false;
  const behind = constantOf(difference(place, placedAt(each, loop.variable, formIn(view, loop.bound))));
  if (behind !== undefined && behind >= (loop.comparison === "<" ? 0 : 1)) return true;
  const before = constantOf(difference(placedAt(each, loop.variable, formIn(view, loop.start)), place));
  return before !== undefined && before >= 1;
}

/**
 * True for an element of the same turn that lies as far from the stored one as the walk is long, or farther,
 * as the other half of a row does: `row[i + half]` beside `row[i]` in a loop to `half`.
 */
function isWalkApart(view: KernelView, access: CudaAccess, { store, loop }: Walked): boolean {
  const [other, walked] = [access.indexNode, store.indexNode];
  if (loop === undefined || other === undefined || walked === undefined) return false;
  if (!isInside(access.node, loop.body) || access.base !== store.base || loop.comparison !== "<")
    return false;
  const [place, stored] = [formIn(view, other), formIn(view, walked)];
  if (place.get(loop.variable) !== 1 || stored.get(loop.variable) !== 1) return false;
  const length = difference(formIn(view, loop.bound), formIn(view, loop.start));
  return [difference(place, stored), difference(stored, place)].some((away) => {
    const left = constantOf(difference(away, length));
    return left !== undefined && left >= 0;
  });
}

/** The form with another one for a variable that stands in it once. */
function placedAt(form: Form, variable: string, value: Form): Form {
  const rest = new Map([...form].filter(([key]) => key !== variable));
  return added(rest, value, 1);
}

function difference(one: Form, other: Form): Form {
  return added(one, other, -1);
}

function added(one: Form, other: Form, times: number): Form {
  const terms: Record<string, number> = Object.fromEntries(one);
  for (const [key, factor] of other) terms[key] = (terms[key] ?? 0) + times * factor;
  return formFrom(Object.fromEntries(Object.entries(terms).filter(([, factor]) => factor !== 0)));
}
