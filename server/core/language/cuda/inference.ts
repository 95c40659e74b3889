import { known } from "../../base/known";
import { type Outcome, fail, succeed } from "../../base/outcome";
import type { ArgumentSpec, DataType, KernelSpec, TensorSpec } from "../../workload/spec";
import type { UnknownPart } from "../../workload/spec-write";
import type { KernelFacts, LaunchSite, ParameterFacts } from "../facts";
import { shapeOfAccess, type IndexWords } from "../index-shapes";
import { baselineUnknown, dataTypeOf, finishTensor, proposeShapes, type InferredSpec } from "../spec-draft";
import type { SyntaxNode } from "../tree";
import { cudaAccesses, type CudaAccesses } from "./body/accesses";
import { typeAliases } from "./constants";
import { cudaKernels } from "./kernels";

interface CudaInferenceInput {
  /** File of the kernel, relative to the folder of the spec. */
  readonly file: string;
  readonly root: SyntaxNode;
  readonly kernel: KernelFacts;
  /** Launch sites of this kernel in the same file. */
  readonly sites: readonly LaunchSite[];
}

/**
 * Proposes a spec for a kernel: const pointers are inputs, written pointers outputs, whole-number scalars
 * sizes. The problem is a sentence.
 */
export function inferSpec(input: CudaInferenceInput): Outcome<InferredSpec, string> {
  const { kernel } = input;
  const site = input.sites.find((candidate) => candidate.grid.length > 0 && candidate.block.length > 0);
  const types = typesOf(input, site);
  const scalars = kernel.parameters.filter((parameter) => !parameter.pointer);
  const odd = scalars.find((parameter) => dataTypeOf(typeOf(parameter, types)) === undefined);
  if (odd !== undefined)
    return fail(
      `the parameter ${odd.name} of ${kernel.name} has the type ${odd.type}, which a kernel spec cannot pass`,
    );
  const whole = scalars.filter((parameter) => /^u?int/.test(scalarTypeOf(parameter, types)));
  const extra = gridSizes(site, kernel);
  const sizes = [...new Set([...whole.map((parameter) => parameter.name), ...extra.values()])];
  const { inputs, outputs, unknowns } = inferTensors(input, { site, types, sizes, extra });
  if (Object.keys(outputs).length === 0)
    return fail(`${kernel.name} writes through none of its parameters: there is no output to check`);
  const spec: KernelSpec = {
    file: input.file,
    kernel: kernel.name,
    dialect: "cuda",
    run: {
      kind: "launch",
      launch: {
        ...guessedLaunch(site, sizes, kernel, unknowns),
        arguments: kernel.parameters.map((parameter, index) =>
          argumentOf(parameter, { site, index, types, unknowns }),
        ),
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

/** What the host side of a kernel says about its sizes. */
interface SizeFacts {
  readonly site: LaunchSite | undefined;
  readonly types: ReadonlyMap<string, string>;
  readonly sizes: readonly string[];
  /** Grid expressions that are names, with the size that they stand for. */
  readonly extra: ReadonlyMap<string, string>;
}

interface InferredTensors {
  readonly inputs: Readonly<Record<string, TensorSpec>>;
  readonly outputs: Readonly<Record<string, TensorSpec>>;
  readonly unknowns: UnknownPart[];
}

/** Each pointer as a tensor, with the shape that its indices imply. */
function inferTensors(input: CudaInferenceInput, facts: SizeFacts): InferredTensors {
  const { site, types, sizes, extra } = facts;
  const found = accessesOf(input);
  const words: IndexWords = {
    sizes: new Set(sizes),
    definitions: found.definitions,
    grid: (site?.grid ?? []).map((expression) => extra.get(expression)),
  };
  const unknowns: UnknownPart[] = [];
  const inputs: Record<string, TensorSpec> = {};
  const outputs: Record<string, TensorSpec> = {};
  for (const parameter of input.kernel.parameters.filter((candidate) => candidate.pointer)) {
    const { name } = parameter;
    const written = !parameter.readOnly && (found.stored.has(name) || !found.loaded.has(name));
    const shape = found.accesses
      .filter((access) => access.parameter === name)
      .map((access) => shapeOfAccess(access, words))
      .find((candidate) => candidate !== undefined);
    const side = written ? "outputs" : "inputs";
    const draft = { name, dtype: dataTypeOf(typeOf(parameter, types)), shape };
    const finished = finishTensor(draft, side, sizes, threadsOf(site));
    (written ? outputs : inputs)[name] = finished.tensor;
    unknowns.push(...finished.unknowns);
    if (written && found.loaded.has(name)) {
      inputs[name] = finished.tensor;
      unknowns.push({
        path: `outputs.${name}`,
        sentence: `${name} is read as well as written, so it is taken to work in place; if the kernel only reads back what it wrote, take it out of the inputs.`,
      });
    }
  }
  return { inputs, outputs, unknowns };
}

/** The kernel's accesses; none when its body does not parse. */
export function accessesOf({ root, kernel }: Pick<CudaInferenceInput, "root" | "kernel">): CudaAccesses {
  const { start } = kernel.bodyRange;
  const found = cudaKernels(root).find(
    ({ facts }) =>
      facts.bodyRange.start.line === start.line && facts.bodyRange.start.character === start.character,
  );
  return found !== undefined && "body" in found
    ? cudaAccesses(found)
    : { accesses: [], atomics: [], loaded: new Set(), stored: new Set(), definitions: new Map() };
}

/** Threads of a launch whose grid and block stand in the source as numbers. */
function threadsOf(site: LaunchSite | undefined): string | undefined {
  const numbers = [...(site?.grid ?? []), ...(site?.block ?? [])].map((expression) =>
    Number(site?.constants[expression] ?? expression),
  );
  return numbers.length > 0 && numbers.every(Number.isSafeInteger)
    ? String(numbers.reduce((product, number) => product * number, 1))
    : undefined;
}

/** Other names of types, and type parameters with the type of the launch: `scale<float>` makes T a float. */
function typesOf(
  { root, kernel }: CudaInferenceInput,
  site: LaunchSite | undefined,
): ReadonlyMap<string, string> {
  const aliases = typeAliases(root);
  const given = kernel.templateParameters.flatMap((parameter, index) => {
    const type = site?.templateArguments[index];
    return parameter.kind === "type" && type !== undefined
      ? [[parameter.name, aliases.get(type) ?? type] as const]
      : [];
  });
  return new Map([...aliases, ...given]);
}

function typeOf(parameter: ParameterFacts, types: ReadonlyMap<string, string>): string {
  return parameter.type.replace(/\b[A-Za-z_]\w*\b/g, (word) => types.get(word) ?? word);
}

/** The data type of a scalar of a kernel whose scalars have all been found to have one. */
function scalarTypeOf(parameter: ParameterFacts, types: ReadonlyMap<string, string>): DataType {
  return known(dataTypeOf(typeOf(parameter, types)), `the data type of ${parameter.name}`);
}

/**
 * Grid expressions that are one plain name of the host: the kernel's own name for it, or that name as a size
 * of its own.
 */
function gridSizes(site: LaunchSite | undefined, kernel: KernelFacts): ReadonlyMap<string, string> {
  const names = (site?.grid ?? []).filter(
    (expression) => /^[A-Za-z_]\w*$/.test(expression) && site?.constants[expression] === undefined,
  );
  return new Map(
    names.map((name) => [name, kernel.parameters[site?.arguments.indexOf(name) ?? -1]?.name ?? name]),
  );
}

/**
 * Grid and block are read from the launch site when there is one; without, a launch over the first size is
 * guessed and marked.
 */
function guessedLaunch(
  site: LaunchSite | undefined,
  sizes: readonly string[],
  kernel: KernelFacts,
  unknowns: UnknownPart[],
): { grid?: readonly string[]; block?: readonly number[] } {
  if (site !== undefined) return {};
  unknowns.push({
    path: "launch.grid",
    sentence: `no launch of ${kernel.name} was found in its file; one thread for each element of the first size is a guess.`,
  });
  return { grid: [sizes[0] === undefined ? "1" : `ceil_div(${sizes[0]}, 256)`], block: [256] };
}

interface ArgumentContext {
  readonly site: LaunchSite | undefined;
  readonly index: number;
  readonly types: ReadonlyMap<string, string>;
  readonly unknowns: UnknownPart[];
}

function argumentOf(parameter: ParameterFacts, context: ArgumentContext): ArgumentSpec {
  if (parameter.pointer) return parameter.name;
  const dtype = scalarTypeOf(parameter, context.types);
  if (/^u?int/.test(dtype)) return { value: parameter.name, dtype };
  const passed = context.site?.arguments[context.index] ?? parameter.defaultValue;
  const literal = Number(passed?.replace(/[fF]$/, ""));
  if (passed === undefined || !Number.isFinite(literal))
    context.unknowns.push({
      path: `launch.arguments.${context.index}`,
      sentence: `the value of ${parameter.name}; 1 is a guess.`,
    });
  return { value: Number.isFinite(literal) && passed !== undefined ? literal : 1, dtype };
}
