import type { DataType } from "../../workload/spec";
import { collapse, fieldText } from "../query";
import type { SyntaxNode } from "../tree";
import { parameterName } from "./names";

/** A tensor that the wrapper makes: `torch.empty_like(x)`, `torch.empty((m, n), dtype=torch.float16)`. */
interface MadeTensor {
  /** Name of the tensor that it is made like. */
  readonly like?: string;
  readonly dtype?: DataType;
}

/** The Python function that launches a kernel. */
export interface Wrapper {
  readonly parameters: readonly string[];
  readonly defaults: ReadonlySet<string>;
  readonly made: ReadonlyMap<string, MadeTensor>;
}

const torchTypes: Readonly<Record<string, DataType>> = {
  float64: "float64",
  double: "float64",
  float32: "float32",
  float: "float32",
  float16: "float16",
  half: "float16",
  bfloat16: "bfloat16",
  int64: "int64",
  long: "int64",
  int32: "int32",
  int: "int32",
  int16: "int16",
  int8: "int8",
  uint8: "uint8",
  bool: "bool",
};

/** Parameters of a function and the tensors that it makes. */
export function readWrapper(root: SyntaxNode, name: string): Wrapper {
  const definition = root
    .descendantsOfType("function_definition")
    .find((node) => node.childForFieldName("name")?.text === name);
  const nodes = definition?.childForFieldName("parameters")?.namedChildren ?? [];
  const named = nodes.filter((node) =>
    ["identifier", "typed_parameter", "default_parameter", "typed_default_parameter"].includes(node.type),
  );
  const made = new Map<string, MadeTensor>();
  for (const assignment of definition?.descendantsOfType("assignment") ?? []) {
    const left = assignment.childForFieldName("left");
    const tensor = madeTensor(assignment.childForFieldName("right"));
    if (left?.type === "identifier" && tensor !== undefined) made.set(left.text, tensor);
  }
  return {
    parameters: named.map(parameterName),
    defaults: new Set(named.filter((node) => /default/.test(node.type)).map(parameterName)),
    made,
  };
}

function madeTensor(value: SyntaxNode | null): MadeTensor | undefined {
  const callee = /^(?:torch|(\w+))\.(new_)?(empty|zeros|ones|full)(_like)?$/.exec(
    fieldText(value, "function"),
  );
  if (value === null || callee === null) return undefined;
  const given = value.childForFieldName("arguments")?.namedChildren ?? [];
  const dtypeText = keywordText(given, "dtype");
  const like = modelOf(callee, given, dtypeText);
  const dtype = torchTypes[dtypeText.replace(/^torch\./, "")] ?? defaultType(like, dtypeText);
  return { ...(like === undefined ? {} : { like }), ...(dtype === undefined ? {} : { dtype }) };
}

/** Name of the tensor whose type a new one takes over: `empty_like(x)`, `x.new_empty(…)`, `dtype=x.dtype`. */
function modelOf(
  [, owner, ofOwner, , likeFirst]: RegExpExecArray,
  given: readonly SyntaxNode[],
  dtypeText: string,
): string | undefined {
  if (likeFirst !== undefined) return collapse(given[0]?.text ?? "");
  const sameAs = /^(\w+)\.dtype$/.exec(dtypeText)?.[1];
  return sameAs ?? (ofOwner === undefined ? undefined : owner);
}

/** Torch makes float32 where nothing names a type. */
function defaultType(like: string | undefined, dtypeText: string): DataType | undefined {
  return like === undefined && dtypeText === "" ? "float32" : undefined;
}

function keywordText(given: readonly SyntaxNode[], name: string): string {
  const keyword = given.find(
    (child) => child.type === "keyword_argument" && child.childForFieldName("name")?.text === name,
  );
  return fieldText(keyword, "value");
}
