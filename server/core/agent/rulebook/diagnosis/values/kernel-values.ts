import { readTriton } from "../../../../language/triton/model";
import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { declaredName } from "../../../../language/cuda/body/threads";
import { partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { Measured } from "../measured";
import { type CalledValue, calledValues } from "./called-values";
import { calleeOf, costlyFunctions, cudaSources, loopsAround } from "./cuda-sources";
import { type Digit, digitsOf, influencesByDigits } from "./digits";
import type { Influences } from "./influences";
import { pythonCallee, pythonLoopsAround, tritonSources } from "./triton-sources";

/** What the values of a kernel come from, in either language. */
export interface KernelValues {
  readonly body: SyntaxNode;
  readonly of: Influences;
  readonly digits: readonly Digit[];
  /** Calls of functions that take many instructions, those within another such call left out. */
  readonly costly: readonly SyntaxNode[];
  /** Costly calls of the mathematical library in functions that the kernel calls. */
  readonly called: readonly CalledValue[];
  /** Where results go: indices of stores to memory of the GPU. */
  readonly targets: readonly SyntaxNode[];
  /** Parameters that are arrays. */
  readonly pointers: ReadonlySet<string>;
  /** Functions of the file that give elements of arrays. */
  readonly readers: ReadonlySet<string>;
  /** Functions of the file with loops of their own: what they give is no element. */
  readonly walkers: ReadonlySet<string>;
  /** Loops around a node of the kernel, the innermost first. */
  loopsAround(node: SyntaxNode): readonly SyntaxNode[];
  calleeOf(call: SyntaxNode): string;
}

const costlyName = new RegExp(
  `^_*(?:${[
    "sin|cos|tan|sincos|sinpi|cospi|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow",
    "tanh|sinh|cosh|erf|erfc|atan2?|asin|acos|cbrt",
  ].join("|")})f?$`,
);

/** Reads a kernel; undefined where it does not parse. */
export function kernelValues(measured: Measured): KernelValues | undefined {
  return measured.view === undefined ? tritonValues(measured) : cudaValues(measured.view);
}

function cudaValues({ body, kernel, model }: NonNullable<Measured["view"]>): KernelValues {
  const sources = cudaSources(body);
  const digits = digitsOf(body, sources);
  const own = costlyFunctions(model.root, costlyName);
  const calls = body.descendantsOfType("call_expression").filter((call) => {
    const callee = calleeOf(call);
    return costlyName.test(callee) || own.has(callee);
  });
  const { accesses, atomics } = cudaAccesses(kernel);
  const of = influencesByDigits(sources, digits);
  const isCostly = (call: SyntaxNode): boolean => costlyName.test(calleeOf(call));
  return {
    ...{ body, digits, calleeOf, of, costly: outermost(calls) },
    called: calledValues({ root: model.root, body, of, isCostly }),
    pointers: new Set(kernel.facts.parameters.flatMap(({ name, pointer }) => (pointer ? [name] : []))),
    readers: functionsWith(model.root, "subscript_expression"),
    walkers: functionsWith(model.root, "for_statement", "while_statement"),
    targets: [...accesses.filter(({ stores }) => stores), ...atomics].map(({ node }) => node),
    loopsAround: (node) => loopsAround(node, body),
  };
}

function tritonValues({ input }: Measured): KernelValues | undefined {
  const source = input.tree[input.file];
  const root = source === undefined ? undefined : input.parse(input.file, source);
  const model = root && readTriton(root);
  const name = input.kernel.split("::").at(-1);
  const kernel = model?.kernels.find(({ facts }) => facts.name === name);
  if (model === undefined || kernel === undefined || input.dialect !== "triton") return undefined;
  const { body } = kernel;
  const sources = tritonSources(model, body);
  const digits = digitsOf(body, sources);
  const calls = body.descendantsOfType("call");
  const stores = calls.filter((call) => /^(?:store|atomic_\w+)$/.test(pythonCallee(call)));
  return {
    ...{ body, digits, calleeOf: pythonCallee, pointers: new Set<string>() },
    ...{ readers: new Set<string>(), walkers: new Set<string>(), called: [] },
    costly: outermost(calls.filter((call) => costlyName.test(pythonCallee(call)))),
    of: influencesByDigits(sources, digits),
    targets: stores.flatMap((call) => partsOf(call.childForFieldName("arguments"))[0] ?? []),
    loopsAround: (node) => pythonLoopsAround(node, body),
  };
}

/** Names of the file's functions that hold something of a kind. */
function functionsWith(root: SyntaxNode, ...types: readonly string[]): ReadonlySet<string> {
  const found = root
    .descendantsOfType("function_definition")
    .filter((each) => each.childForFieldName("body")?.descendantsOfType([...types]).length);
  return new Set(found.flatMap((each) => declaredName(each) ?? []));
}

function outermost(calls: readonly SyntaxNode[]): readonly SyntaxNode[] {
  return calls.filter(
    (call) =>
      !calls.some(
        (other) =>
          other.id !== call.id && other.startIndex <= call.startIndex && other.endIndex >= call.endIndex,
      ),
  );
}
