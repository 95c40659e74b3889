import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { calledFunctions, cooperationIn, declaredName } from "../../../../language/cuda/body/threads";
import { constantValue } from "../../../../language/cuda/constants";
import type { CudaLaunch } from "../../../../language/cuda/launches";
import { isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { loopReach } from "../elements/item-loops";
import { cudaKernel, type KernelView } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";
import { hostCodeRuns, onlyLaunch } from "../launch/grid-edit";
import { deepSpelling, plainSpelling } from "../spelling/index";
import { type PartValue, partValues } from "./part-values";
import { storesApart } from "./stores-behind";

/** A kernel whose only block walks over an array and puts together what its threads found. */
export interface OneBlock {
  readonly launch: CudaLaunch;
  readonly threads: number;
  readonly loop: CountedLoop;
  /** Declarations in front of the loop, but for those of shared memory. */
  readonly before: readonly SyntaxNode[];
  /** What the loop makes of the elements. */
  readonly values: readonly PartValue[];
}

/** The walk of a kernel's only block; a guard's answer where its turns are not to be dealt out. */
export function oneBlock(input: RuleInput, view: KernelView): OneBlock | RuleHold {
  const launch = loneLaunch(input, view);
  if (isNot(launch)) return launch;
  const block = rowOfThreads(input, view);
  if (isNot(block)) return block;
  const [threads] = block.sizes;
  if (threads % 32 !== 0) return not("launch", `${threads} threads are no whole warps`, launch.call);
  const loop = loneWalk(view, threads);
  if (isNot(loop)) return loop;
  const before = inFront(view, loop);
  if (isNot(before)) return before;
  const deep = readDeeply(input, view, loop);
  const held =
    loopHeld(view, loop) ?? loopHeld(deep.view, deep.loop) ?? called(deep) ?? storesApart(view, loop);
  if (held !== undefined) return held;
  const values = partValues(view, deep.loop, before);
  return isNot(values) ? values : { launch, threads, loop, before, values };
}

/** The one loop over the elements in steps of the block, a statement of the kernel itself. */
function loneWalk(view: KernelView, threads: number): CountedLoop | RuleHold {
  const loops = countedLoops(view.body).filter((each) => loopReach(view, each, threads) === "block");
  const [loop] = loops;
  return loop === undefined || loops.length > 1 || loop.loop.parent?.id !== view.body.id
    ? not("no-pattern", "no single loop walks over the block", loop?.loop ?? view.line)
    : loop;
}

/** A function of the file that the loop calls even as it is read: it may do anything. */
function called({ view, loop }: ReadLoop): RuleHold | undefined {
  const [other] = calledFunctions(view.model, view.kernel, [loop.loop]);
  return other && not("aliasing", `${declaredName(other) ?? "a function"} is called in the loop`, loop.loop);
}

interface ReadLoop {
  readonly view: KernelView;
  readonly loop: CountedLoop;
}

/** The only launch, of one block, in a statement of its own. */
function loneLaunch(input: RuleInput, view: KernelView): CudaLaunch | RuleHold {
  const launch = onlyLaunch(input, view);
  if (isNot(launch)) return launch;
  const sizes = launch.grid.map(({ text }) => constantValue(text, launch.names));
  if (sizes.length === 0 || sizes.some((size) => size !== 1))
    return not("no-pattern", "the kernel is launched with more than one block", launch.call);
  if (!hostCodeRuns(input)) return not("fixed-elsewhere", "the kernel spec launches the kernel", view.line);
  const isAlone = launch.call.parent?.type === "expression_statement";
  if (!isAlone || !launch.call.children.some(({ type }) => type === "kernel_call_syntax"))
    return not("launch", "the launch is no statement of its own", launch.call);
  if (view.kernel.facts.templateParameters.length > 0)
    return not("launch", "the kernel is a template", view.line);
  const { name } = view.kernel.facts;
  const [, , other] = usesOf(view.model.root, name);
  if (other !== undefined) return not("launch", `${name} is named elsewhere`, other);
  const use = ["blockIdx", "gridDim"].flatMap((each) => usesOf(view.body, each))[0];
  return use === undefined ? launch : not("dependence", `${use.text} is used`, use);
}

/** The statements in front of the loop, which make locals alone. */
function inFront(view: KernelView, { loop }: CountedLoop): readonly SyntaxNode[] | RuleHold {
  const all = partsOf(view.body).filter(({ endIndex }) => endIndex <= loop.startIndex);
  const act = all.find(
    (node) => node.type !== "declaration" || /\bthreadIdx\b|\+\+|--|__shfl|atomic/.test(node.text),
  );
  if (act !== undefined) return not("dependence", "something is done in front of the loop", act);
  const shared = all.filter(({ text }) => /\b__shared__\b/.test(text));
  const names = shared
    .flatMap((node) => node.childrenForFieldName("declarator"))
    .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []);
  const own = all.filter((node) => !shared.includes(node));
  const use = names.flatMap((name) => [...own, loop].flatMap((node) => usesOf(node, name)))[0];
  return use === undefined ? own : not("cooperation", `${use.text} is shared by the block`, use);
}

/** The loop with functions of the file written out; as it is where there are none. */
function readDeeply(input: RuleInput, view: KernelView, loop: CountedLoop): ReadLoop {
  const deep = deepSpelling(input, plainSpelling(input));
  const read = deep && cudaKernel(deep);
  if (read === undefined || isNot(read)) return { view, loop };
  const same = countedLoops(read.body).find((each) => lineOf(each.loop) === lineOf(loop.loop));
  return same === undefined ? { view, loop } : { view: read, loop: same };
}

/** Something in the loop that another thread, or another turn, may see. */
function loopHeld(view: KernelView, { loop, body, bound }: CountedLoop): RuleHold | undefined {
  const together = cooperationIn(view.model, view.kernel, [loop]);
  if (together !== undefined)
    return not("cooperation", `the threads work together in the loop (${together.text})`, together.line);
  const { accesses, atomics } = cudaAccesses(view.kernel);
  const store = [...accesses, ...atomics].find(({ node, stores }) => stores && isInside(node, loop));
  if (store !== undefined) return not("dependence", `${store.base} is stored in the loop`, store.node);
  const place = [body, bound].flatMap((node) => usesOf(node, "threadIdx"))[0];
  if (place !== undefined) return not("dependence", "threadIdx is used in the loop", place);
  const [leaves] = body.descendantsOfType(["break_statement", "return_statement", "goto_statement"]);
  return leaves && not("dependence", "the loop may end early", leaves);
}
