import { compact, enclosing, fieldText, isInside, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../../cuda/kernel";
import { kindOfMethod, type TorchCall } from "./torch-kinds";

/** Members of a tensor that give no tensor. */
const sizes = new RegExp(
  `^(?:${[
    "size|sizes|stride|strides|numel|dim|data_ptr|scalar_type|dtype|device|options|is_contiguous",
    "is_cuda|item|defined|type|element_size|get_device|const_data_ptr|mutable_data_ptr|packed_accessor\\w*",
  ].join("|")})$`,
);
const rearranging = /^(?:t|transpose|permute|movedim|swapaxes|expand|expand_as|narrow|select|slice|mT|flip)$/;
const spaces = /^(?:torch|at)::/;

/** What the function of a torch extension in C++ does with tensors around the launch; in source order. */
export function torchCallsOfExtension(view: KernelView): readonly TorchCall[] {
  const body = view.launches[0]?.host?.childForFieldName("body");
  const host = view.launches[0]?.host;
  if (!body || host === undefined || !/\b(?:torch|at)::Tensor\b/.test(host.text)) return [];
  const reading = { tensors: tensorsOf(host, body), body };
  return body
    .descendantsOfType(["call_expression", "binary_expression", "assignment_expression"])
    .filter((node) => enclosing(node, "subscript_argument_list", "kernel_call_syntax") === undefined)
    .flatMap((node): readonly TorchCall[] => {
      const kind = kindOf(node, reading);
      return kind === undefined ? [] : [{ kind, node, measured: false }];
    });
}

interface Reading {
  readonly tensors: ReadonlySet<string>;
  readonly body: SyntaxNode;
}

function kindOf(node: SyntaxNode, reading: Reading): TorchCall["kind"] | undefined {
  if (node.type !== "call_expression") {
    if (!/^[-+*/]=?$/.test(fieldText(node, "operator"))) return undefined;
    const sides = [node.childForFieldName("left"), node.childForFieldName("right")];
    return sides.some((side) => side !== null && isTensor(side, reading.tensors)) ? "others" : undefined;
  }
  const called = memberOf(node);
  if (called === undefined || !isTensor(called.object, reading.tensors)) return undefined;
  const { object, method } = called;
  return kindOfMethod(method, {
    moved: () => isMoved(object, reading.body, 0),
    converts: () =>
      /k(?:Float|Half|BFloat|Double|Int|Long)|scalar_type|dtype|options/.test(fieldText(node, "arguments")),
  });
}

/** `x.relu()`, `torch::relu(x)`: the tensor, and what is done with it. */
function memberOf(node: SyntaxNode): { readonly object: SyntaxNode; readonly method: string } | undefined {
  const callee = node.childForFieldName("function");
  if (callee?.type === "field_expression") {
    const object = callee.childForFieldName("argument");
    return object === null ? undefined : { object, method: fieldText(callee, "field").replace(/<.*/, "") };
  }
  const [first] = partsOf(node.childForFieldName("arguments"));
  const name = compact(callee);
  return spaces.test(name) && first ? { object: first, method: name.split("::").at(-1) ?? "" } : undefined;
}

function isMoved(node: SyntaxNode, body: SyntaxNode, depth: number): boolean {
  const called = node.type === "call_expression" ? memberOf(node) : undefined;
  if (called !== undefined) return rearranging.test(called.method) || isMoved(called.object, body, depth);
  if (node.type !== "identifier" || depth > 3) return false;
  const given = valuesOf(body).filter(({ name, value }) => name === node.text && !isInside(node, value));
  return given.some(({ value }) => value.startIndex < node.startIndex && isMoved(value, body, depth + 1));
}

function valuesOf(body: SyntaxNode): readonly { readonly name: string; readonly value: SyntaxNode }[] {
  return body.descendantsOfType(["init_declarator", "assignment_expression"]).flatMap((act) => {
    const target = act.childForFieldName("declarator") ?? act.childForFieldName("left");
    const value = act.childForFieldName("value") ?? act.childForFieldName("right");
    return target?.type === "identifier" && value !== null ? [{ name: target.text, value }] : [];
  });
}

/** Parameters and locals that are tensors. */
function tensorsOf(host: SyntaxNode, body: SyntaxNode): ReadonlySet<string> {
  const typed = host
    .descendantsOfType(["parameter_declaration", "declaration"])
    .filter((each) => /\bTensor$/.test(fieldText(each, "type")));
  const tensors = new Set(
    typed.flatMap((each) =>
      each
        .childrenForFieldName("declarator")
        .flatMap((declarator) => declarator.descendantsOfType("identifier")[0]?.text ?? []),
    ),
  );
  for (let before = -1; before !== tensors.size;) {
    before = tensors.size;
    for (const { name, value } of valuesOf(body)) if (isTensor(value, tensors)) tensors.add(name);
  }
  return tensors;
}

function isTensor(node: SyntaxNode, tensors: ReadonlySet<string>): boolean {
  const inner = unwrapped(node);
  if (inner.type === "identifier") return tensors.has(inner.text);
  if (inner.type === "binary_expression") return partsOf(inner).some((part) => isTensor(part, tensors));
  if (inner.type !== "call_expression") return false;
  if (/^(?:torch|at)::(?:empty|zeros|ones|full|rand|arange|cat|stack)/.test(compact(inner))) return true;
  const called = memberOf(inner);
  return called !== undefined && !sizes.test(called.method) && isTensor(called.object, tensors);
}
