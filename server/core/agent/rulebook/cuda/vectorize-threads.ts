import type { TextEdit } from "../edits";
import { editedTree, replaceNode } from "../edits";
import type { RuleInput, RuleNode } from "../rule";
import { defineRule, fillSentence } from "../rule-table";
import { compact, isInside, operands, usesOf } from "../syntax";
import { isAssigned } from "./dependence";
import type { ElementStatement } from "./element-statement";
import {
  elementStatement,
  endOf,
  guardedElement,
  threadsStandAlone,
  vectorPath,
  vectorWidth,
} from "./element-statement";
import { gridDivisor } from "./grid-divisor";
import type { CudaKernel } from "./kernel-source";
import { cudaKernel } from "./kernel-source";
import { narrowAccess } from "./narrow-access";
import { isGlobalThreadIndex, localValues } from "./thread-items";

/** An element-wise kernel with what has to change around its statement. */
interface Found {
  readonly element: ElementStatement;
  readonly edits: readonly TextEdit[];
}

/**
 * Gives each thread of an element-wise kernel four neighbouring elements instead of one: one thread an
 * element (the grid shrinks with it), or a grid-stride loop (its steps grow). The tail and unaligned arrays
 * take the scalar path.
 */
export const vectorizeThreads = defineRule("cuda-vectorize-threads", (input, entry) => {
  const kernel = cudaKernel(input);
  if (kernel === undefined || !threadsStandAlone(kernel)) return [];
  return [
    oneElementEach(input, kernel),
    ...kernel.body.descendantsOfType("for_statement").map((loop) => gridStride(kernel, loop)),
  ].flatMap((found) => {
    const narrow = found === undefined ? undefined : narrowAccess(input, entry, found.element);
    if (found === undefined || narrow === undefined) return [];
    const tree = editedTree(input, [...found.edits, vectorPath(kernel, found.element)]);
    return [
      { tree, hypothesis: fillSentence(entry.hypothesis, { vector: found.element.vector }), ...narrow },
    ];
  });
});

/**
 * `int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = …;` with a grid of n over the block.
 */
function oneElementEach(input: RuleInput, kernel: CudaKernel): Found | undefined {
  const index = localValues(kernel.body).find((local) => isGlobalThreadIndex(local.value));
  const guard = kernel.body.namedChildren.find((node) => node.type === "if_statement");
  const element = index === undefined ? undefined : guardedElement(kernel, guard, index.name);
  if (
    index === undefined ||
    element === undefined ||
    guard === undefined ||
    isAssigned(kernel.body, index.name)
  )
    return undefined;
  const inside = usesOf(kernel.body, index.name).every(
    (use) => isInside(use, guard) || isInside(use, index.declaration),
  );
  const grid = gridDivisor(input, kernel);
  if (!inside || grid === undefined) return undefined;
  return {
    element,
    edits: [replaceNode(index.value, `(${index.value.text}) * ${vectorWidth}`), ...grid.times(vectorWidth)],
  };
}

/** `for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = …;`. */
function gridStride(kernel: CudaKernel, loop: RuleNode): Found | undefined {
  const declarator = loop.childForFieldName("initializer")?.descendantsOfType("init_declarator")[0];
  const [index, start] = [
    declarator?.childForFieldName("declarator"),
    declarator?.childForFieldName("value"),
  ];
  const [condition, update, body] = [
    loop.childForFieldName("condition"),
    loop.childForFieldName("update"),
    loop.childForFieldName("body"),
  ];
  const step =
    update?.type === "assignment_expression" &&
    update.childForFieldName("operator")?.text === "+=" &&
    compact(update.childForFieldName("left")) === index?.text
      ? update.childForFieldName("right")
      : null;
  if (index?.type !== "identifier" || !start || !isGlobalThreadIndex(start) || !condition || !body || !step)
    return undefined;
  if (operands(step, "*").map(compact).sort().join() !== "blockDim.x,gridDim.x") return undefined;
  const end = endOf(condition, index.text);
  const [statement] = body.type === "compound_statement" ? body.namedChildren : [body];
  const element =
    end === undefined || statement === undefined
      ? undefined
      : elementStatement(kernel, { node: statement, body, index: index.text, end });
  if (element === undefined) return undefined;
  return {
    element,
    edits: [
      replaceNode(start, `(${start.text}) * ${vectorWidth}`),
      replaceNode(step, `${step.text} * ${vectorWidth}`),
    ],
  };
}
