import type { ElementType } from "../../../workload/probe/observation";
import type { KernelFacts, LaunchSite, ParameterFacts } from "../../facts";
import type { SourceFile } from "../../source-file";
import type { SyntaxNode } from "../../tree";
import { constantElements } from "../constant-variables";
import { constantValue, fileConstants, typeAliases } from "../constants";
import { assumedTypes, usualNumbers, withTypes } from "./assumed-types";
import { type AskedValues, askedValues } from "./compared-values";
import { contentOf, type LaunchParameter } from "./contents/parameter-content";
import { lettersReached, type TextLetters, withLetters } from "./contents/letters";
import { elementTypeOf } from "./element-types";
import { cudaKernels } from "../kernels";
import { firstKnown } from "./structure-layout";
import { type LaunchProposals, launchProposals } from "./launch-proposals";
import { type HostTensors, launchesOf, withHostTensors } from "./sizes/host-tensors";

export type { LaunchParameter };

/** What the text says about how a kernel is launched: proposals, which runs confirm or refute. */
export interface CudaLaunchFacts extends AskedValues, LaunchProposals {
  readonly parameters: readonly LaunchParameter[];
  readonly sites: readonly LaunchSite[];
  /** What sizes of accessors are by host code; see `hostTensors`. */
  readonly accessorSizes: HostTensors["sizes"];
  /** What `__constant__` variables that the text does not fill are made of. */
  readonly constants: ReadonlyMap<string, ElementType>;
  /** The letters of texts; see `textLetters`. */
  readonly letters: TextLetters;
  /** Arguments of the template that are chosen where no source makes an instance; see `usualInstance`. */
  readonly usual?: readonly string[];
}

/**
 * Undefined when there is no such kernel, or its definition does not parse. `included`: the headers that the
 * file draws in, as one text; the file's own types and constants come first.
 */
export function cudaLaunchFacts(
  source: SourceFile,
  kernel: string,
  included: SyntaxNode = source.tree.root,
): CudaLaunchFacts | undefined {
  const { root } = source.tree;
  const found = cudaKernels(root).find(({ facts }) => facts.name === kernel);
  if (found === undefined) return undefined;
  const launches = launchesOf(root, kernel);
  const sites = launches.map(({ site }) => site);
  const site = sites.find((each) => each.grid.length > 0 && each.block.length > 0);
  const constants = new Map([...fileConstants(included), ...fileConstants(root)]);
  const resolved = typeResolver(found.facts, site, [included, root]);
  const assumed = assumedTypes(source, found.facts);
  const code = bodyOf(source, found.facts);
  const roots = [root, included];
  const texts = { roots, resolved, text: `${root.text}\n${included.text}`, code };
  const read = (parameter: ParameterFacts, index: number): LaunchParameter => {
    const type = resolved(parameter.type.replace(/\b__grid_constant__\b/, "").trim());
    const words: readonly string[] = parameter.type.match(/\b[A-Za-z_]\w*\b/g) ?? [];
    const typeArgument = found.facts.templateParameters.findIndex(
      ({ kind, name }) => kind === "type" && words.includes(name),
    );
    const usually = literalOf(site?.arguments[index]) ?? literalOf(parameter.defaultValue);
    const passed = usually ?? constantValue(parameter.defaultValue ?? "", constants);
    return {
      name: parameter.name === "" ? `argument_${index}` : parameter.name,
      type: parameter.type,
      isPointer: parameter.pointer,
      isConst: parameter.readOnly,
      ...contentOf(parameter, parameter.pointer ? type : withTypes(type, assumed), texts),
      ...(passed === undefined ? {} : { passed }),
      ...(typeArgument < 0 ? {} : { typeArgument }),
    };
  };
  const usual = usualNumbers(source, found.facts);
  const pointers = pointersOf(found.facts);
  const numbers = found.facts.parameters.flatMap(({ name, pointer }) => (pointer ? [] : name));
  const kernelBody = "body" in found ? found.body : undefined;
  const kernelCode = { root, roots, sites, parameters: found.facts.parameters, kernel: kernelBody };
  const asked = askedValues(code, { pointers, numbers }, constants, kernelCode);
  const parameters = found.facts.parameters.map(read).map((each) => {
    const [end, way] = [asked.valueEnds.get(each.name), asked.ways.get(each.name)];
    return { ...each, ...(end !== undefined && { end }), ...(way !== undefined && { way }) };
  });
  const letters = lettersReached(parameters, code, roots);
  return {
    ...{ ...(usual && { usual }), parameters, letters },
    ...withHostTensors(launches, parameters),
    ...launchProposals(root, found.facts, { constants, sites }),
    constants: constantElements([root.text, included.text], (type) =>
      firstKnown([root, included], (each) => elementTypeOf(resolved(type), each)),
    ),
    ...{ ...asked, asked: withLetters(asked.asked, letters) },
  };
}

/** Says what stands behind the names of a type; of equal ones those of the later text count. */
function typeResolver(
  { templateParameters }: KernelFacts,
  site: LaunchSite | undefined,
  roots: readonly SyntaxNode[],
): (type: string) => string {
  const types = new Map(roots.flatMap((root) => [...typeAliases(root)]));
  templateParameters.forEach((parameter, index) => {
    const type = site?.templateArguments[index];
    if (parameter.kind === "type" && type !== undefined) types.set(parameter.name, types.get(type) ?? type);
  });
  const once = (type: string): string => type.replace(/\b[A-Za-z_]\w*\b/g, (word) => types.get(word) ?? word);
  // A name of the file's may be one of a header's.
  return (type) => once(once(type));
}

function bodyOf({ text }: SourceFile, { bodyRange: { start, end } }: KernelFacts): string {
  return text
    .split("\n")
    .slice(start.line, end.line + 1)
    .join("\n");
}

function pointersOf({ parameters }: KernelFacts): readonly string[] {
  return parameters.flatMap(({ name, pointer }) => (pointer ? name : []));
}

/** The number that an argument is, `0.5f` and `(float)2` included. */
function literalOf(text: string | undefined): number | undefined {
  const plain = text?.replace(/^\(\w+\)/, "").replace(/(?<=[\d.])[fFuUlL]+$/, "");
  const value = plain === undefined || plain.trim() === "" ? Number.NaN : Number(plain);
  return Number.isFinite(value) ? value : undefined;
}
