import { type Outcome, fail, succeed } from "../../base/outcome";
import type { ArgumentSpec, DataType, KernelSpec, TensorSpec } from "../../workload/spec";
import type { UnknownPart } from "../../workload/spec-write";
import type { KernelFacts, LaunchSite, ParameterFacts } from "../facts";
import { shapeOfAccess, type IndexWords } from "../index-shapes";
import { enclosing } from "../query";
import { baselineUnknown, finishTensor, proposeShapes, type InferredSpec } from "../spec-draft";
import type { SyntaxNode } from "../tree";
import { tritonAccesses } from "./accesses";
import { readWrapper, type Wrapper } from "./wrapper";

interface TritonInferenceInput {
  readonly file: string;
  readonly root: SyntaxNode;
  readonly kernel: KernelFacts;
  /** Launch sites of this kernel in the same file. */
  readonly sites: readonly LaunchSite[];
}

/**
 * Proposes a spec for a kernel that a plain function of the same file launches: that function is the entry.
 * The problem is a sentence.
 */
export function inferSpec(input: TritonInferenceInput): Outcome<InferredSpec, string> {
  const { kernel, root } = input;
  const site = input.sites.find(
    (candidate) => candidate.hostFunction !== undefined && isPlainFunction(root, candidate.hostFunction),
  );
  if (site?.hostFunction === undefined)
    return fail(
      `no function of ${input.file} launches ${kernel.name}: write a kernel spec that names the function as its entry`,
    );
  const wrapper = readWrapper(root, site.hostFunction);
  const bound = bindArguments(kernel, site);
  const found = tritonAccesses(root, kernel);
  const scalars = kernel.parameters.filter((parameter) => !parameter.pointer && !parameter.constexpr);
  const gridNames = site.grid.map((expression) =>
    /^[A-Za-z_]\w*$/.test(expression) ? (kernelName(expression, bound) ?? expression) : undefined,
  );
  const words: IndexWords = {
    sizes: new Set([
      ...scalars.map((parameter) => parameter.name),
      ...gridNames.filter((name) => name !== undefined),
    ]),
    definitions: found.definitions,
    grid: gridNames,
  };
  const shapes = new Map(
    kernel.parameters
      .filter((parameter) => parameter.pointer)
      .map((parameter) => [
        parameter.name,
        found.accesses
          .filter((access) => access.parameter === parameter.name)
          .map((access) => shapeOfAccess(access, words))
          .find((shape) => shape !== undefined),
      ]),
  );
  const sizes = [...new Set([...shapes.values()].flatMap((shape) => shape ?? []))];
  return assemble({
    input,
    site: { ...site, hostFunction: site.hostFunction },
    wrapper,
    bound,
    shapes,
    sizes: sizes.length > 0 ? sizes : scalars.map((parameter) => parameter.name),
  });
}

interface Gathered {
  readonly input: TritonInferenceInput;
  readonly site: LaunchSite & { readonly hostFunction: string };
  readonly wrapper: Wrapper;
  /** Kernel parameter → expression of the host. */
  readonly bound: ReadonlyMap<string, string>;
  readonly shapes: ReadonlyMap<string, readonly string[] | undefined>;
  readonly sizes: readonly string[];
}

function assemble(gathered: Gathered): Outcome<InferredSpec, string> {
  const { input, site, wrapper, bound, shapes, sizes } = gathered;
  const unknowns: UnknownPart[] = [];
  const inputs: Record<string, TensorSpec> = {};
  const outputs: Record<string, TensorSpec> = {};
  const pointers = input.kernel.parameters.filter((parameter) => parameter.pointer);
  for (const parameter of pointers) {
    const hostName =
      bound.get(parameter.name)?.replace(/\.(contiguous|view|reshape|data_ptr)\(.*$/, "") ?? "";
    const made = wrapper.made.get(hostName);
    const given = wrapper.parameters.includes(hostName);
    if (!/^\w+$/.test(hostName) || (!given && made === undefined))
      return fail(
        `the tensor for ${parameter.name} of ${input.kernel.name} is "${hostName}", which is neither a parameter of ${site.hostFunction} nor made there`,
      );
    if (given && !parameter.readOnly)
      unknowns.push({
        path: `outputs.${hostName}`,
        sentence: `${site.hostFunction} fills its argument ${hostName}.`,
      });
    const side = parameter.readOnly ? "inputs" : "outputs";
    const dtype = made?.dtype ?? dtypeLike(made?.like, inputs);
    const finished = finishTensor({ name: hostName, dtype, shape: shapes.get(parameter.name) }, side, sizes);
    (side === "inputs" ? inputs : outputs)[hostName] = finished.tensor;
    unknowns.push(...finished.unknowns);
  }
  if (Object.keys(outputs).length === 0)
    return fail(`${input.kernel.name} stores through none of its parameters: there is no output to check`);
  const spec: KernelSpec = {
    file: input.file,
    kernel: input.kernel.name,
    dialect: "triton",
    run: {
      kind: "entry",
      entry: {
        call: `${input.file}::${site.hostFunction}`,
        arguments: entryArguments(gathered, { inputs, outputs, unknowns }),
      },
    },
    inputs,
    outputs,
    shapes: proposeShapes(sizes),
    reference: { kind: "baseline" },
    objective: "modelled-bound",
  };
  return succeed({ spec, unknowns: [...unknowns, baselineUnknown] });
}

function dtypeLike(
  like: string | undefined,
  inputs: Readonly<Record<string, TensorSpec>>,
): DataType | undefined {
  return like === undefined ? undefined : inputs[like]?.dtype;
}

/** The parameters of the entry in order; those with a default are left to it. */
function entryArguments(
  gathered: Gathered,
  made: { readonly inputs: object; readonly outputs: object; readonly unknowns: UnknownPart[] },
): readonly ArgumentSpec[] {
  const given: ArgumentSpec[] = [];
  for (const name of gathered.wrapper.parameters) {
    if (Object.hasOwn(made.inputs, name) || Object.hasOwn(made.outputs, name)) given.push(name);
    else if (!gathered.wrapper.defaults.has(name)) {
      const value = [kernelName(name, gathered.bound), name].find(
        (size) => size !== undefined && gathered.sizes.includes(size),
      );
      if (value === undefined)
        made.unknowns.push({
          path: `entry.arguments.${given.length}`,
          sentence: `what ${gathered.site.hostFunction} is given for ${name}; 1 is a guess.`,
        });
      given.push({ value: value ?? 1, dtype: "int32" });
    } else break;
  }
  return given;
}

function bindArguments(kernel: KernelFacts, site: LaunchSite): ReadonlyMap<string, string> {
  const positional = kernel.parameters.flatMap((parameter: ParameterFacts, index) =>
    site.arguments[index] === undefined ? [] : [[parameter.name, site.arguments[index]] as const],
  );
  return new Map([...positional, ...Object.entries(site.keywords)]);
}

function kernelName(hostName: string, bound: ReadonlyMap<string, string>): string | undefined {
  return [...bound].find(([, expression]) => expression === hostName)?.[0];
}

function isPlainFunction(root: SyntaxNode, name: string): boolean {
  return root
    .descendantsOfType("function_definition")
    .some(
      (node) =>
        node.childForFieldName("name")?.text === name &&
        enclosing(node, "class_definition", "function_definition") === undefined,
    );
}
