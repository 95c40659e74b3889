import { localValues } from "../../../../language/cuda/body/scope";
import { numberOf } from "../../../../language/evaluate";
import { partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { evaluateSizeExpression } from "../../../../workload/size-expression";
import type { ArgumentSpec, EntrySpec, ShapeCase } from "../../../../workload/spec";
import type { RuleInput } from "../../rule";
import type { KernelView } from "../kernel";

/** What the kernel spec passes for a parameter of the kernel, by its place; undefined where computed. */
export function passedArgument(
  { spec: { run } }: RuleInput,
  view: KernelView,
  position: number,
): ArgumentSpec | undefined {
  if (run.kind === "launch") return run.launch.arguments[position];
  const passed = passedText(view, position);
  return passed === undefined ? undefined : entryArgument(run.entry, view, passed);
}

/**
 * The number that is passed for a parameter of the kernel, by its place, on a shape: as the spec says it, or
 * as the host function that the spec calls works it out. Undefined where that is not known.
 */
export function passedNumber(
  input: RuleInput,
  view: KernelView,
  position: number,
  { sizes }: Pick<ShapeCase, "sizes">,
): number | undefined {
  const { run } = input.spec;
  if (run.kind === "launch") return valueOf(run.launch.arguments[position], sizes);
  const passed = passedText(view, position);
  const host = view.launches[0]?.host;
  if (passed === undefined || host === undefined) return undefined;
  const locals = new Map(localValues(host).map(({ name, value }) => [name, value.text]));
  return numberOf(
    passed,
    (name) =>
      valueOf(entryArgument(run.entry, view, name), sizes) ??
      locals.get(name) ??
      view.model.constants.get(name)?.text ??
      sizes[name],
  );
}

function valueOf(argument: ArgumentSpec | undefined, sizes: ShapeCase["sizes"]): number | undefined {
  if (argument === undefined || typeof argument === "string" || !("value" in argument)) return undefined;
  const value = evaluateSizeExpression(argument.value, sizes);
  return value.ok ? value.value : undefined;
}

/** What the launch hands over, as it is written. */
function passedText({ launches }: KernelView, position: number): string | undefined {
  return partsOf(launches[0]?.call.childForFieldName("arguments"))[position]?.text;
}

/** What an entry is passed for the host function's parameter of that name. */
function entryArgument(entry: EntrySpec, view: KernelView, name: string): ArgumentSpec | undefined {
  const place = parametersOf(view).findIndex(
    (node) => node.descendantsOfType("identifier").at(-1)?.text === name,
  );
  return place < 0 ? undefined : entry.arguments[place];
}

function parametersOf({ launches }: KernelView): readonly SyntaxNode[] {
  return partsOf(launches[0]?.host?.descendantsOfType("parameter_list")[0]);
}
