import { type Form, formOf } from "../../../../language/cuda/body/forms";
import { countedLoops } from "../../../../language/cuda/body/loops";
import type { KernelView } from "../kernel";
import { type Limit, type LimitedLoop, plus } from "./limits";

const places = /^(?:threadIdx|blockIdx|blockDim|gridDim)\.[xyz]$/;

/** True where a limit lies at the first turn or behind it, so that every row has a turn. */
export function isNeverNegativeForm({ view }: LimitedLoop, { form }: Limit, first: Form): boolean {
  return isNonNegative(view, plus(form, first, -1), 8);
}

/** True for a sum of nothing but places of the grid, and of locals and loops that are such sums. */
function isNonNegative(view: KernelView, form: Form, depth: number): boolean {
  let constant = 0;
  let blocks = 0;
  for (const [key, times] of form) {
    if (key === "") constant = times;
    else if (times < 0 || !key.split("*").every((part) => isCount(view, part, depth))) return false;
    else if (/^blockDim\.[xyz]$/.test(key)) blocks += times;
  }
  // A block has a thread at least.
  return constant + blocks >= 0;
}

function isCount(view: KernelView, name: string, depth: number): boolean {
  if (places.test(name)) return true;
  if (depth === 0) return false;
  const inner = /^\((.+)[/%]\d+\)$/.exec(name)?.[1];
  if (inner !== undefined)
    return (
      !/[-(]/.test(inner) &&
      inner.split(/[+*]/).every((part) => /^\d+$/.test(part) || isCount(view, part, depth - 1))
    );
  const meaning = view.scope.meaning(name);
  if (typeof meaning === "string") return /^\d+$/.test(meaning);
  if (meaning !== undefined) return isNonNegative(view, formOf(meaning, view.scope), depth - 1);
  const loops = countedLoops(view.body).filter(({ variable }) => variable === name);
  return (
    loops.length > 0 &&
    loops.every(
      ({ start, step }) => step.operator === "+" && isNonNegative(view, formOf(start, view.scope), depth - 1),
    )
  );
}
