import type { CudaKernel } from "../../language/cuda/kernels";
import { type LocalValue, localValues } from "../../language/cuda/body/scope";
import { collapse, fieldText, rangeOf } from "../../language/query";
import type { LintFinding } from "../lint";
import type { LintedKernel } from "./linted-kernel";

const wide = /^(?:const )?(?:std::)?(?:size_t|u?int64_t|ptrdiff_t|(?:unsigned )?long(?: long)?(?: int)?)$/;
const builtIns = /^(?:threadIdx|blockIdx|blockDim|gridDim|warpSize)$/;
const narrow = /^(?:const )?(?:unsigned|int|unsigned int|u?int32_t|short|uint)$/;

/** `size_t i = blockIdx.x * blockDim.x + …`: every operand has 32 bits, the variable has 64. */
export function lateWidenings({ kernel }: LintedKernel): readonly LintFinding[] {
  return localValues(kernel.body)
    .filter(({ declaration }) => wide.test(collapse(fieldText(declaration, "type"))))
    .flatMap((local) => findingOf(kernel, local));
}

function findingOf({ facts }: CudaKernel, { value, declaration }: LocalValue): readonly LintFinding[] {
  const names = value.descendantsOfType("identifier").map(({ text }) => text);
  const types = new Map(facts.parameters.map(({ name, type }) => [name, type]));
  const allNarrow = names.every((name) => builtIns.test(name) || narrow.test(types.get(name) ?? ""));
  const product = value
    .descendantsOfType("binary_expression")
    .find((node) => fieldText(node, "operator") === "*" && /\bblockIdx\b/.test(node.text));
  const factor = product
    ?.descendantsOfType("field_expression")
    .find(({ text }) => text.startsWith("blockIdx"));
  const casts = value.descendantsOfType(["cast_expression", "call_expression"]).length > 0;
  if (!allNarrow || casts || product === undefined || factor === undefined) return [];
  const type = collapse(fieldText(declaration, "type")).replace(/^const /, "");
  const text = `static_cast<${type}>(${factor.text})`;
  const fix = { title: `Widen ${factor.text} first`, edits: [{ range: rangeOf(factor), text }] };
  return [{ id: "late-widening", range: rangeOf(product), blanks: {}, fix }];
}
