import { constantValue } from "../../../../language/cuda/constants";
import { localValues } from "../../../../language/cuda/body/scope";
import {
  compact,
  enclosing,
  fieldText,
  isInside,
  operands,
  partsOf,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { insertBefore, replaceNode } from "../../edits";
import type { KernelView } from "../kernel";
import type { Spelling } from "./spelling";

/**
 * A template parameter that is the block in every launch of the file, as `blockDim.x`: beside `blockIdx.x`
 * and `gridDim.x`, and in a block of one dimension wherever a loop starts from it or steps by it.
 */
export const blockNamed: Spelling = (view) => {
  const names = view.kernel.facts.templateParameters.flatMap(({ name }, place) =>
    isBlock(view, place) ? [name] : [],
  );
  for (const name of names) {
    for (const use of usesOf(view.body, name)) {
      if (isBesidePlace(use)) return [replaceNode(use, "blockDim.x")];
      if (isInHead(use) && isRow(view)) return [replaceNode(use, "(int)blockDim.x")];
    }
  }
  return undefined;
};

/** `blockIdx.z * blockDim.z + threadIdx.z` as `blockIdx.z`, where blocks are one thread deep. */
export const layerNamed: Spelling = (view) => {
  const flat = view.launches.every(({ block, names }) => constantValue(block[2]?.text ?? "1", names) === 1);
  if (view.launches.length === 0 || !flat) return undefined;
  for (const { value } of localValues(view.body)) {
    const sum = operands(value, "+");
    const product = sum.find((term) =>
      /^(blockIdx\.z\*blockDim\.z|blockDim\.z\*blockIdx\.z)$/.test(compact(term)),
    );
    const own = sum.find((term) => compact(term) === "threadIdx.z");
    if (product === undefined || own === undefined) continue;
    return [replaceNode(product, "blockIdx.z"), replaceNode(own, "0")];
  }
  return undefined;
};

/** True for a factor of `blockIdx.x` or `gridDim.x`. */
function isBesidePlace(use: SyntaxNode): boolean {
  const product = use.parent;
  if (product?.type !== "binary_expression" || fieldText(product, "operator") !== "*") return false;
  const sides = [product.childForFieldName("left"), product.childForFieldName("right")];
  return sides.some((side) => /^(blockIdx|gridDim)\.x$/.test(compact(side)));
}

/** True in the start or the step of a loop. */
function isInHead(use: SyntaxNode): boolean {
  const loop = enclosing(use, "for_statement");
  const heads = [loop?.childForFieldName("initializer"), loop?.childForFieldName("update")];
  return heads.some((head) => head && use.startIndex >= head.startIndex && use.endIndex <= head.endIndex);
}

/** True where every launch has a block of one dimension. */
function isRow({ launches }: KernelView): boolean {
  return launches.every(({ block }) => block.slice(1).every(({ text }) => text === "1"));
}

/** True where the template argument at that place is the x extent of the block in every launch. */
function isBlock({ launches, kernel }: KernelView, place: number): boolean {
  const otherwise = kernel.templateParameters[place]?.childForFieldName("default_value");
  return (
    launches.length > 0 &&
    launches.every(({ block, names, templateArguments }) => {
      const passed = templateArguments[place] ?? otherwise;
      const value = passed ? constantValue(passed.text, names) : undefined;
      return value !== undefined && value === constantValue(block[0]?.text ?? "", names);
    })
  );
}

/**
 * A template parameter that is the same number in every launch of the file as that number, which an assertion
 * in front of the body holds to: another instance does not compile.
 */
export const instanceNamed: Spelling = (view) => {
  const { body, kernel } = view;
  for (const [place, { name, kind }] of kernel.facts.templateParameters.entries()) {
    const value = kind === "value" ? numberOf(view, place) : undefined;
    const asserted = body.descendantsOfType("static_assert_declaration");
    const uses = usesOf(body, name).filter((use) => !asserted.some((node) => isInside(use, node)));
    const [first] = partsOf(body);
    if (value === undefined || first === undefined || uses.length === 0) continue;
    const told = `static_assert(${name} == ${value}, "the kernel is written for ${name} = ${value}"); `;
    const known = asserted.some((node) => usesOf(node, name).length > 0);
    return [
      ...(known ? [] : [insertBefore(first, told)]),
      ...uses.map((use) => replaceNode(use, String(value))),
    ];
  }
  return undefined;
};

/** The number that all launches of the file pass for a parameter of the template. */
function numberOf({ kernel, launches }: KernelView, place: number): number | undefined {
  const otherwise = kernel.templateParameters[place]?.childForFieldName("default_value");
  const values = launches.map(({ names, templateArguments }) => {
    const passed = templateArguments[place] ?? otherwise;
    return passed ? constantValue(passed.text, names) : undefined;
  });
  const [value] = values;
  return value !== undefined && values.every((each) => each === value) ? value : undefined;
}
