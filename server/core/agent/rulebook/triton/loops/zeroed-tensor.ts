import { compact, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import { keyword, launchValue, onlyAssignment, positional, type TritonView } from "../kernel";
import { importsWhole } from "../multiprocessors";
import { libraryOf, statementAround } from "../spread/dimension";

/**
 * The edits that let the tensor of an address begin at 0, in single precision. Of a tensor with a shorter
 * type the sums get memory of their own, which a kernel rounds behind the launch. `short`: whether a type
 * that only a call tells may have 16 bits.
 */
export function zeroedTensor(
  view: TritonView,
  address: SyntaxNode,
  short: boolean,
): readonly TextEdit[] | RuleHold {
  const tensor = madeTensor(view, address);
  if (isNot(tensor)) return tensor;
  const { made, value, maker, passed } = tensor;
  const type = typeOf(value, maker.text);
  if (type !== undefined && /\bu?int|\bbool|\blong/.test(type))
    return not("type", "parts are added up in float32 alone", view.launch.call);
  const begun = replaceNode(maker, maker.text.replace("empty", "zeros"));
  const isSingle = type === undefined || /\bfloat(?:32)?$/.test(type);
  if (isSingle || !isShort(type, short)) return maker.text === begun.text ? [] : [begun];
  return roundedBehind(view, made, passed);
}

/** A tensor that the host makes for a launch. */
interface MadeTensor {
  readonly made: SyntaxNode;
  readonly value: SyntaxNode;
  /** `empty`, `new_zeros` and the like in it. */
  readonly maker: SyntaxNode;
  /** The argument of the launch. */
  readonly passed: SyntaxNode;
}

/** The host's tensor that an address leads to, where the host makes it in front of the launch. */
export function madeTensor(view: TritonView, address: SyntaxNode): MadeTensor | RuleHold {
  const parameter = view.parameters.find(({ name, pointer }) => pointer && usesOf(address, name).length > 0);
  const passed = parameter && launchValue(view, parameter.name);
  const made = passed?.type === "identifier" ? onlyAssignment(view.host, passed.text) : undefined;
  const value = made?.childForFieldName("right");
  const maker = value?.childForFieldName("function")?.childForFieldName("attribute");
  return passed && made && value && maker && /^(?:new_)?(?:zeros|empty)(?:_like)?$/.test(maker.text)
    ? { made, value, maker, passed }
    : not("launch", "the host does not make the tensor of the sums in front of the launch", view.launch.call);
}

/** True for a type with 16 bits, and for one that only a call tells. */
function isShort(type: string, short: boolean): boolean {
  return /(?:float16|half)$/.test(type) || (short && type.endsWith(".dtype"));
}

/** The type that the host asks for, in its words; undefined for torch's own, which is single precision. */
function typeOf(value: SyntaxNode, maker: string): string | undefined {
  const asked = keyword(value, "dtype");
  if (asked !== undefined) return compact(asked);
  const like = maker.endsWith("_like") ? positional(value)[0] : undefined;
  const object = maker.startsWith("new_")
    ? value.childForFieldName("function")?.childForFieldName("object")
    : null;
  const model = like ?? object;
  return model ? `${compact(model)}.dtype` : undefined;
}

/** Sums in memory of their own, and the kernel that rounds them to what the host made. */
function roundedBehind(
  view: TritonView,
  made: SyntaxNode,
  passed: SyntaxNode,
): readonly TextEdit[] | RuleHold {
  const { source, launch, definition, model } = view;
  const [first, behind] = [statementAround(made), statementAround(launch.call)];
  const decorated = definition.parent?.type === "decorated_definition" ? definition.parent : undefined;
  const plain = importsWhole(source, "triton") && importsWhole(source, "torch");
  if (first === undefined || behind === undefined || !decorated || !plain)
    return not("type", "parts are added up in float32 alone", launch.call);
  const name = passed.text;
  const sums = freshName(source, `${name}_sums`);
  const kernel = freshName(source, `round_${name}`);
  const library = libraryOf(view);
  const span = `${library}program_id(0) * SPAN + ${library}arange(0, SPAN)`;
  const lines = [
    "@triton.jit",
    `def ${kernel}(sums, rounded, n, SPAN: ${library}constexpr):`,
    `    i = ${span}`,
    `    value = ${library}load(sums + i, mask=i < n)`,
    `    ${library}store(rounded + i, value.to(rounded.dtype.element_ty), mask=i < n)`,
  ];
  const size = `${name}.numel()`;
  const launched = `${kernel}[(triton.cdiv(${size}, 1024),)](${sums}, ${name}, ${size}, SPAN=1024)`;
  const zeros = `${sums} = torch.zeros(${name}.shape, device=${name}.device, dtype=torch.float32)`;
  const at = (node: SyntaxNode, text: string): TextEdit => ({
    start: node.endIndex,
    end: node.endIndex,
    text: `\n${indentOf(source, node)}${text}`,
  });
  if (model.kernels.length === 0 || behind.type !== "expression_statement")
    return not("launch", "the launch is part of something else", launch.call);
  return [
    { start: decorated.startIndex, end: decorated.startIndex, text: `${lines.join("\n")}\n\n\n` },
    at(first, zeros),
    replaceNode(passed, sums),
    at(behind, launched),
  ];
}
