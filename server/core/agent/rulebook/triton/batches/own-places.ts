import { enclosing, isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { placeOf, pointerOf } from "../fusing/access-places";
import { isCallOf, languageCalls, launchValue, type TritonView } from "../kernel";
import { baseOf, type BatchLoop, isWritten } from "./batch-loop";
import type { HandedOver } from "./handed-over";

/**
 * Why a program might need what another one has left a turn before; undefined where what several turns write
 * is touched at one place alone, the program's own, and nothing else is written twice.
 */
export function ownPlaces(
  view: TritonView,
  { following }: BatchLoop,
  handed: readonly HandedOver[],
): RuleHold | undefined {
  const { launch, parameters, body } = view;
  const odd = languageCalls(view, ["make_block_ptr", "make_tensor_descriptor"])[0];
  if (odd !== undefined) return not("no-rewrite", "a block pointer says where elements are", odd);
  const passed = [...launch.positional, ...launch.keywords.values()];
  for (const { name, pointer } of parameters) {
    if (!pointer || !isWritten(view, name)) continue;
    const own = following.find((each) => each.parameter === name && each.view !== undefined);
    const base = own?.view?.base ?? launchValue(view, name)?.text ?? "";
    const tensors = new Set([base, ...handed.flatMap((each) => (each.written === base ? [each.read] : []))]);
    const sharing = passed.filter((node) => tensors.has(baseOf(following, node)) && isTensor(node));
    if (sharing.length > tensors.size) return not("aliasing", `${base} is passed twice`, sharing[0] ?? body);
    const held = own === undefined ? onePlace(view, [...tensors], name) : undefined;
    if (held !== undefined) return held;
  }
  return undefined;
}

/** A tensor or a part of one, and nothing that is asked of it. */
function isTensor(node: SyntaxNode): boolean {
  return /^[\w.[\]:, ]+$/.test(node.text);
}

/** Why accesses to a tensor that all turns share may be those of other programs, too. */
function onePlace(view: TritonView, tensors: readonly string[], name: string): RuleHold | undefined {
  const own = new Set(
    view.parameters.flatMap((each) =>
      tensors.includes(launchValue(view, each.name)?.text ?? "") ? [each.name] : [],
    ),
  );
  const calls = view.body
    .descendantsOfType("call")
    .filter((call) => /\.(?:load|store|atomic_\w+)$/.test(call.childForFieldName("function")?.text ?? ""))
    .filter((call) => own.has(pointerOf(view, call) ?? name));
  const places = new Set(
    calls.map((call) =>
      tensors.reduce(
        (place, tensor) => place.replaceAll(new RegExp(`(?<![\\w.])${tensor}\\b`, "g"), tensors[0] ?? ""),
        placeOf(view, call),
      ),
    ),
  );
  const looped = calls.find((call) => {
    const loop = enclosing(call, "for_statement", "while_statement");
    return loop !== undefined && isInside(loop, view.body);
  });
  if (looped !== undefined) return not("dependence", `a loop goes over what turns leave in ${name}`, looped);
  const [first] = calls;
  const onlyAdds = calls.every((call) => !isCallOf(view, call, "load") && !isCallOf(view, call, "store"));
  return places.size <= 1 || onlyAdds
    ? undefined
    : not("dependence", `${name} is touched at several places, maybe those of other programs`, first ?? 1);
}
