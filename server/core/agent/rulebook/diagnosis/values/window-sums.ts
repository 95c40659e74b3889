import type { CountedLoop } from "../../../../language/cuda/body/loops";
import { coefficient, type Form } from "../../../../language/cuda/body/forms";
import { isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { formIn, type KernelView } from "../../cuda/kernel";
import { turnOf } from "./influences";
import type { KernelValues } from "./kernel-values";
import { givenValues } from "./looked-up";

/** A loop over the places of a window, and what the kernel's values come from. */
interface Window {
  readonly view: KernelView;
  readonly values: KernelValues;
  readonly loop: CountedLoop;
}

/** True where a value depends on thread and turn by their sum alone. */
export function slidesAlone(window: Window, node: SyntaxNode): boolean {
  let joint = false;
  const open = new Set<string>();
  const names = givenValues(window.view);
  const holds = (part: SyntaxNode): boolean => {
    if (!dependsOnPlace(window, part)) return true;
    if (part.type !== "call_expression" && isSum(window, formIn(window.view, part))) {
      joint = true;
      return true;
    }
    if (part.type === "call_expression")
      return part.childForFieldName("arguments")?.namedChildren.every(holds) ?? false;
    if (part.type !== "identifier") return part.namedChildren.length > 0 && part.namedChildren.every(holds);
    if (open.has(part.text)) return true;
    open.add(part.text);
    const given = names.get(part.text) ?? [];
    return given.length > 0 && given.every((value) => isInside(value, window.loop.body) && holds(value));
  };
  return holds(node) && joint;
}

function dependsOnPlace({ values, loop }: Window, node: SyntaxNode): boolean {
  const sources = values.of(node);
  return sources.has(turnOf(loop.loop)) || [...sources].some(isThread);
}

/** True for a source that tells threads of a block apart. */
export function isThread(source: string): boolean {
  return /^(?:threadIdx|digit)/.test(source);
}

/** True for `i + k` and `i + 2 * k`: another thread comes to the same sum. */
function isSum({ view, values, loop }: Window, form: Form): boolean {
  const step = Math.abs(coefficient(form, loop.variable));
  if (step === 0) return false;
  return placesIn(view, values, form).some((each) => step % Math.abs(each) === 0);
}

/** What threads' numbers are multiplied by in a sum. */
export function placesIn({ body }: KernelView, values: KernelValues, form: Form): readonly number[] {
  return [...form].flatMap(([key, each]) => {
    if (/^threadIdx\.[xyz]$/.test(key)) return [each];
    const [name] = body.descendantsOfType("identifier").filter(({ text }) => text === key);
    return name !== undefined && [...values.of(name)].some(isThread) ? [each] : [];
  });
}
