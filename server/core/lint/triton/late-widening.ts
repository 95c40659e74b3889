import { fieldText, operands, partsOf, rangeOf, unwrapped } from "../../language/query";
import type { TritonModel } from "../../language/triton/model";
import type { LintFinding } from "../lint";

/** `(row * stride).to(tl.int64)` where `row` is an index of the program: its product has 32 bits. */
export function lateWidenings({ kernels, names }: TritonModel): readonly LintFinding[] {
  return kernels.flatMap(({ body }) => {
    const programs = new Set(
      body.descendantsOfType("assignment").flatMap((node) => {
        const value = node.childForFieldName("right");
        const isProgram =
          value?.type === "call" && names.isLanguage(value.childForFieldName("function"), "program_id");
        return isProgram ? [fieldText(node, "left")] : [];
      }),
    );
    return body.descendantsOfType("call").flatMap((call): readonly LintFinding[] => {
      const callee = call.childForFieldName("function");
      const [type] = partsOf(call.childForFieldName("arguments"));
      const product = callee?.childForFieldName("object");
      if (!callee || !product || fieldText(callee, "attribute") !== "to" || type === undefined) return [];
      if (!names.isLanguage(type, "int64")) return [];
      const factors = operands(unwrapped(product), "*");
      const factor = factors.length < 2 ? undefined : factors.find(({ text }) => programs.has(text));
      if (factor === undefined) return [];
      const { end } = rangeOf(product);
      const edits = [
        { range: rangeOf(factor), text: `${factor.text}.to(${type.text})` },
        { range: { start: end, end: rangeOf(call).end }, text: "" },
      ];
      const fix = { title: `Widen ${factor.text} first`, edits };
      return [{ id: "late-widening-triton", range: rangeOf(call), blanks: { factor: factor.text }, fix }];
    });
  });
}
