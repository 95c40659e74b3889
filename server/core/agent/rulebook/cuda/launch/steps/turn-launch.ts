import { localValues, changes, isPure } from "../../../../../language/cuda/body/scope";
import { type CountedLoop, countedLoops, statementsOf } from "../../../../../language/cuda/body/loops";
import type { CudaLaunch } from "../../../../../language/cuda/launches";
import { compact, enclosing, isInside, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { loopTypes } from "../../../diagnosis/places";
import { not, type RuleHold } from "../../../rule";
import type { KernelView } from "../../kernel";
import { isLaunchCheck } from "../fusing/launch-pair";

/** What a launch passes for one parameter. */
export interface Passed {
  readonly parameter: string;
  readonly node: SyntaxNode;
  /** True where it differs from turn to turn of the loop around the launch. */
  readonly byTurn: boolean;
}

/** A loop of the host that launches the kernel once in each turn, for a part of its own. */
export interface TurnLaunch {
  readonly loop: CountedLoop;
  readonly launch: CudaLaunch;
  /** Declarations of the loop that what is passed is made of. */
  readonly declarations: readonly SyntaxNode[];
  /** In the order of the parameters. */
  readonly passed: readonly Passed[];
}

/** The loop around the kernel's only launch, where turns differ by what is made of their number alone. */
export function turnLaunch(view: KernelView): TurnLaunch | RuleHold {
  const [launch, ...more] = view.launches;
  const host = launch?.host;
  if (launch === undefined || host === undefined || more.length > 0)
    return not("launch", "the kernel is not launched once, by a function of the file", view.line);
  const around = enclosing(launch.call, ...loopTypes);
  if (around === undefined) return not("no-pattern", "no loop launches the kernel", launch.call);
  const loop = countedLoops(host).find((each) => each.loop.id === around.id);
  if (loop === undefined) return not("no-rewrite", "the loop does not count its turns in its head", around);
  if (!countsUp(loop)) return not("no-rewrite", "the loop does not count up by one", around);
  const own = statementsOf(loop.body).filter((each) => !isLaunchCheck(each));
  const declarations = own.filter(({ type }) => type === "declaration");
  const [statement, ...others] = own.filter(({ type }) => type !== "declaration");
  if (statement === undefined || others.length > 0 || statement.id !== launch.call.parent?.id)
    return not("no-rewrite", "the loop does more than launch the kernel", around);
  return passedByTurn(view, { loop, launch, declarations });
}

function countsUp({ step, comparison, start, bound }: CountedLoop): boolean {
  const byOne = step.operator === "+" && ["", "1"].includes(compact(step.amount));
  return byOne && ["<", "<="].includes(comparison) && isPure(start) && isPure(bound);
}

function passedByTurn(
  { kernel }: KernelView,
  { loop, launch, declarations }: Pick<TurnLaunch, "loop" | "launch" | "declarations">,
): TurnLaunch | RuleHold {
  const values = declarations.flatMap((each) => [...localValues(each), ...pointerValues(each)]);
  const declarators = declarations.flatMap((each) => each.childrenForFieldName("declarator"));
  const odd = declarations.find((each) => !isPure(each) || each.descendantsOfType(neverPlaces).length > 0);
  const loadedValue = values.find(({ value }) => !isPlace(value));
  if (loadedValue !== undefined)
    return not("dependence", `${compact(loadedValue.value)} is read where the host runs`, loadedValue.value);
  if (odd !== undefined || values.length !== declarators.length)
    return not("dependence", "a turn works out more than numbers and places", odd ?? loop.loop);
  const isOfElement = ({ act, target }: ReturnType<typeof changes>[number]): boolean =>
    act.type === "pointer_expression" && target.type === "subscript_expression";
  if (changes(loop.body).some((each) => !isInside(each.act, launch.call) && !isOfElement(each)))
    return not("dependence", "the loop changes what it launches with", loop.loop);
  const turns = [loop.variable, ...values.map(({ name }) => name)];
  const isByTurn = (node: SyntaxNode): boolean => turns.some((name) => usesOf(node, name).length > 0);
  const configuration = launch.call.children.find(({ type }) => type === "kernel_call_syntax");
  if (configuration === undefined || isByTurn(configuration))
    return not("launch", "the grid or the stream differs from turn to turn", launch.call);
  const parameters = kernel.facts.parameters.filter(({ name }) => !name.includes("."));
  const given = partsOf(launch.call.childForFieldName("arguments"));
  if (given.length !== parameters.length) return not("launch", "not every parameter is passed", launch.call);
  const passed = parameters.flatMap(({ name }, place) => {
    const node = given[place];
    return node === undefined ? [] : [{ parameter: name, node, byTurn: isByTurn(node) }];
  });
  const loaded = passed.find(({ node, byTurn }) => byTurn && !isPlace(node));
  if (loaded !== undefined)
    return not("dependence", `${compact(loaded.node)} is read where the host runs`, loaded.node);
  return passed.some(({ byTurn }) => byTurn)
    ? { loop, launch, declarations, passed }
    : not("no-pattern", "every turn of the loop launches the same", launch.call);
}

/** Functions of the host's own, and its memory. */
const neverPlaces = ["lambda_expression", "new_expression"];
/** What reads memory of the host, or comes of functions of its own. */
const hostOnly = ["subscript_expression", "pointer_expression", ...neverPlaces];

/** Pointers that a declaration sets, each with its name and value. */
export function pointerValues(
  node: SyntaxNode,
): readonly { readonly name: string; readonly value: SyntaxNode }[] {
  return node.descendantsOfType("init_declarator").flatMap((declarator) => {
    const [bare, value] = ["declarator", "value"].map((field) => declarator.childForFieldName(field));
    const name = bare?.childForFieldName("declarator");
    if (bare?.type !== "pointer_declarator" || name?.type !== "identifier" || !value) return [];
    return [{ name: name.text, value }];
  });
}

/** A number or a place that a kernel can work out as well: `x + row * n`, `&x[row * n]`. */
function isPlace(node: SyntaxNode): boolean {
  if (!isPure(node)) return false;
  const odd = node.descendantsOfType(hostOnly);
  const isAddress = node.type === "pointer_expression" && node.text.startsWith("&");
  const inside = node.childForFieldName("argument");
  if (isAddress && inside?.type === "subscript_expression")
    return odd.every(({ id }) => id === node.id || id === inside.id);
  return odd.length === 0;
}
