import { type CudaAccess, cudaAccesses } from "../../../../../language/cuda/body/accesses";
import { arraysOf } from "../../../../../language/cuda/body/arrays";
import { coefficient, type Form, formFrom, sameForm } from "../../../../../language/cuda/body/forms";
import { countedLoops } from "../../../../../language/cuda/body/loops";
import { changes } from "../../../../../language/cuda/body/scope";
import { calledFunctions, cooperation } from "../../../../../language/cuda/body/threads";
import { collapse, compact, fieldText, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { isNot, not, type RuleHold, type RuleInput } from "../../../rule";
import { formIn, type KernelView } from "../../kernel";
import { blockShape } from "../block-shape";
import type { StepLoop } from "./step-loop";

/**
 * Why threads might see what others store: then a step has to end before the next begins. Undefined where
 * each thread touches its own elements alone of all that the kernel stores.
 */
export function sharedElements(input: RuleInput, view: KernelView, steps: StepLoop): RuleHold | undefined {
  const { kernel, model } = view;
  const together = cooperation(model, kernel);
  if (together !== undefined)
    return not("cooperation", `threads work together (${together.text})`, together.line);
  const { accesses, atomics } = cudaAccesses(kernel);
  const [atomic] = atomics;
  if (atomic !== undefined) return not("cooperation", "atomics pass values between threads", atomic.node);
  const stores = storesElsewhere(view);
  if (stores !== undefined) return stores;
  const array = (parameter: string): string => collapse(steps.passed.get(parameter)?.text ?? parameter);
  const stored = new Set(accesses.filter((each) => each.stores).map(({ parameter }) => array(parameter)));
  const touched = accesses.filter(({ parameter }) => stored.has(array(parameter)));
  const escaped = escapedPointer(
    view,
    accesses,
    [...steps.passed.keys()].filter((name) => stored.has(array(name))),
  );
  if (escaped !== undefined) return escaped;
  const aliased = overlapping(steps, stored);
  if (aliased !== undefined) return aliased;
  const own = ownNumbers(input, view, steps);
  const foreign = touched.find((access) => !isOwn(view, access, own));
  return (
    foreign && not("dependence", `${foreign.node.text} need not be the thread's own element`, foreign.node)
  );
}

/** Two arguments that may be parts of one buffer, of which the kernel stores to one. */
function overlapping({ passed, launch }: StepLoop, stored: ReadonlySet<string>): RuleHold | undefined {
  const names = (text: string): readonly string[] => text.match(/[A-Za-z_]\w*/g) ?? [];
  const taken = new Set([...stored].flatMap(names));
  const other = [...passed.values()].find(
    (node) => !stored.has(collapse(node.text)) && names(node.text).some((name) => taken.has(name)),
  );
  return other && not("aliasing", `${other.text} may be a part of what the kernel stores`, launch.call);
}

/** Stores to anything but parameters and the thread's own locals, by the kernel or by what it calls. */
export function storesElsewhere(
  { kernel, model, body }: KernelView,
  called: readonly SyntaxNode[] = calledFunctions(model, kernel),
): RuleHold | undefined {
  const known = new Set(kernel.facts.parameters.map(({ name }) => name));
  for (const { name } of arraysOf(body)) known.add(name);
  for (const declaration of body.descendantsOfType("declaration"))
    for (const name of declaration.descendantsOfType("identifier")) known.add(name.text);
  const unknown = changes(body).find(
    ({ target }) => !known.has(target.descendantsOfType("identifier")[0]?.text ?? ""),
  );
  if (unknown !== undefined) return not("aliasing", "the kernel changes what is no parameter", unknown.act);
  const storing = called.find((each) =>
    changes(each).some(({ target }) => target.type !== "identifier" && target.type !== "field_expression"),
  );
  return storing && not("aliasing", "a function that the kernel calls stores", storing);
}

/** A use of a stored array that is no access to one of its elements. */
function escapedPointer(
  { body }: KernelView,
  accesses: readonly CudaAccess[],
  names: readonly string[],
): RuleHold | undefined {
  for (const name of names) {
    const elements = accesses.filter(({ base }) => base === name).map(({ node }) => node);
    const escape = usesOf(body, name).find(
      (use) =>
        !elements.some((node) => node.startIndex === use.startIndex && node.type === "subscript_expression"),
    );
    if (escape !== undefined)
      return not("aliasing", `${name} is used otherwise than by its elements`, escape);
  }
  return undefined;
}

/** Numbers that no two threads of the grid share. */
function ownNumbers(input: RuleInput, view: KernelView, { launch }: StepLoop): readonly Form[] {
  const extents = launch.site.grid.filter((extent) => extent !== "1").length;
  const shape = blockShape(input, view);
  const [wide, high, deep] = isNot(shape) ? [0, 0, 0] : shape.sizes;
  const line = [formFrom({ "blockDim.x*blockIdx.x": 1, "threadIdx.x": 1 })];
  if (high === 1 && deep === 1) line.push(formFrom({ "blockIdx.x": wide, "threadIdx.x": 1 }));
  const all = compact(view.body).includes("gridDim.x") ? countedLoops(view.body) : [];
  const strided = all.filter(({ start, step }) => {
    const begins = line.some((form) => sameForm(formIn(view, start), form));
    const amount = step.amount && formIn(view, step.amount);
    const whole = [formFrom({ "blockDim.x*gridDim.x": 1 }), formFrom({ "gridDim.x": wide })];
    return (
      begins && step.operator === "+" && amount !== undefined && whole.some((form) => sameForm(amount, form))
    );
  });
  const walked = strided.filter(
    ({ variable }) => !all.some((each) => each.variable === variable && !strided.includes(each)),
  );
  const inRow = high === 1 && deep === 1 && extents === 1;
  const flat = inRow ? [...line, ...walked.map(({ variable }) => formFrom({ [variable]: 1 }))] : [];
  return [...flat, ...(deep === 1 && extents === 2 ? planes(view, [wide, high]) : [])];
}

/** `y * width + x` of the thread's numbers along two axes, where a condition keeps `x` below the width. */
function planes(view: KernelView, [wide, high]: readonly [number, number]): readonly Form[] {
  const across = [
    formFrom({ "blockDim.x*blockIdx.x": 1, "threadIdx.x": 1 }),
    formFrom({ "blockIdx.x": wide, "threadIdx.x": 1 }),
  ];
  const widths = view.body.descendantsOfType("binary_expression").flatMap((node) => {
    const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
    const compares = /^(?:<|>=)$/.test(fieldText(node, "operator"));
    const isAcross = compares && left !== null && across.some((form) => sameForm(formIn(view, left), form));
    return isAcross && right?.type === "identifier" ? [right.text] : [];
  });
  const times = (...factors: readonly string[]): string => [...factors].sort().join("*");
  return [...new Set(widths)].flatMap((width) => [
    formFrom({
      [times("blockDim.y", "blockIdx.y", width)]: 1,
      [times("threadIdx.y", width)]: 1,
      "blockDim.x*blockIdx.x": 1,
      "threadIdx.x": 1,
    }),
    formFrom({
      [times("blockIdx.y", width)]: high,
      [times("threadIdx.y", width)]: 1,
      "blockIdx.x": wide,
      "threadIdx.x": 1,
    }),
  ]);
}

/** True for `3 * i + 1` of a number that no other thread has, and for `step * n + i` of one below `n`. */
function isOwn(view: KernelView, { indexNode, base, parameter }: CudaAccess, own: readonly Form[]): boolean {
  if (indexNode === undefined || base !== parameter) return false;
  const form = formIn(view, indexNode);
  if (own.some((number) => isWholePartsOn(view, form, number))) return true;
  const added = coefficient(form, "");
  return own.some((number) => {
    const [key] = number.keys();
    const first = key === undefined ? 0 : (number.get(key) ?? 0);
    const times = key === undefined || first === 0 ? 0 : coefficient(form, key) / first;
    if (!Number.isInteger(times) || times < 1 || added < 0 || added >= times) return false;
    const scaled = [...number].map(([name, value]) => [name, value * times] as const);
    return sameForm(form, formFrom({ ...Object.fromEntries(scaled), ...(added === 0 ? {} : { "": added }) }));
  });
}

/**
 * True for `step * n + i` where the kernel compares `i` with `n`: such places leave the same rest in the
 * length of the parts, whatever stands before it, and no other thread has that rest.
 */
function isWholePartsOn(view: KernelView, form: Form, number: Form): boolean {
  if ([...number].some(([key, value]) => coefficient(form, key) !== value)) return false;
  const before = [...form.keys()].filter((key) => !number.has(key));
  const ends = endsOf(view, number);
  return before.every((key) => ends.some((end) => key.split("*").includes(end)));
}

/** Sizes that the kernel compares a number with. */
function endsOf(view: KernelView, number: Form): readonly string[] {
  return view.body.descendantsOfType("binary_expression").flatMap((node) => {
    const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
    const compares = /^(?:<|>=)$/.test(fieldText(node, "operator"));
    if (!compares || left === null || right?.type !== "identifier") return [];
    return sameForm(formIn(view, left), number) ? [right.text] : [];
  });
}
