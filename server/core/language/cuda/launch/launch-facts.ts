import type { ElementType } from "../../../workload/probe/observation";
import type { DataType } from "../../../workload/spec";
import type { KernelFacts, LaunchSite, ParameterFacts } from "../../facts";
import type { SourceFile } from "../../source-file";
import { dataTypeOf } from "../../spec-draft";
import type { SyntaxNode } from "../../tree";
import { constantElements } from "../constant-variables";
import { fileConstants, typeAliases } from "../constants";
import { assumedTypes, usualNumbers, withTypes } from "./assumed-types";
import { type AskedValues, askedValues, withLetters } from "./compared-values";
import { elementTypeOf, plainName, readElementTypeOf } from "./element-types";
import { cudaKernels } from "../kernels";
import {
  type AccessorType,
  accessorType,
  firstKnown,
  type StructureLayout,
  structureLayout,
  vectorLayout,
} from "./structure-layout";
import { type LaunchProposals, launchProposals } from "./launch-proposals";
import { findLaunchSites } from "../model";

/** What a text says about a parameter, as far as a launch needs it. */
export interface LaunchParameter {
  readonly name: string;
  /** As written. */
  readonly type: string;
  readonly isPointer: boolean;
  readonly isConst: boolean;
  /** What a pointer's elements are. */
  readonly element?: ElementType;
  /** The dtype of a number. */
  readonly dtype?: DataType;
  /** The number that a launch in the text passes. */
  readonly passed?: number;
  /** A whole number that is the end of a range of values; see `valueEnds`. */
  readonly end?: number;
  /** A structure of numbers and pointers that is passed by value; of a pointer, one with pointers in it. */
  readonly structure?: StructureLayout;
  /** Of a pointer to what is only read: where numbers of several types lie in each element. */
  readonly record?: StructureLayout;
  /** An accessor that is passed by value; `element` is then what its tensor is made of. */
  readonly accessor?: AccessorType;
  /** The elements are rows, each behind an address of its own in a table. */
  readonly isOfRows?: true;
  /** Position of the template parameter in its type. */
  readonly typeArgument?: number;
}

/** What the text says about how a kernel is launched: proposals, which runs confirm or refute. */
export interface CudaLaunchFacts extends AskedValues, LaunchProposals {
  readonly parameters: readonly LaunchParameter[];
  readonly sites: readonly LaunchSite[];
  /** What `__constant__` variables that the text does not fill are made of. */
  readonly constants: ReadonlyMap<string, ElementType>;
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
  const sites = findLaunchSites(root).filter((site) => site.kernel === kernel);
  const site = sites.find((each) => each.grid.length > 0 && each.block.length > 0);
  const types = new Map([...typeAliases(included), ...typeAliases(root)]);
  const constants = new Map([...fileConstants(included), ...fileConstants(root)]);
  found.facts.templateParameters.forEach((parameter, index) => {
    const type = site?.templateArguments[index];
    if (parameter.kind === "type" && type !== undefined) types.set(parameter.name, types.get(type) ?? type);
  });
  // A name of the file's may be one of a header's.
  const assumed = assumedTypes(source, found.facts);
  const once = (type: string): string => type.replace(/\b[A-Za-z_]\w*\b/g, (word) => types.get(word) ?? word);
  const resolved = (type: string): string => once(once(type));
  const texts = { roots: [root, included], resolved, text: `${root.text}\n${included.text}` };
  const read = (parameter: ParameterFacts, index: number): LaunchParameter => {
    const type = resolved(parameter.type.replace(/\b__grid_constant__\b/, "").trim());
    const words: readonly string[] = parameter.type.match(/\b[A-Za-z_]\w*\b/g) ?? [];
    const typeArgument = found.facts.templateParameters.findIndex(
      ({ kind, name }) => kind === "type" && words.includes(name),
    );
    const passed = literalOf(site?.arguments[index] ?? parameter.defaultValue);
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
  const [body, pointers] = [bodyOf(source, found.facts), pointersOf(found.facts)];
  const numbers = found.facts.parameters.flatMap(({ name, pointer }) => (pointer ? [] : name));
  const kernelBody = "body" in found ? found.body : undefined;
  const code = { root, sites, parameters: found.facts.parameters, kernel: kernelBody };
  const asked = askedValues(body, { pointers, numbers }, constants, code);
  const parameters = found.facts.parameters.map(read).map((each) => {
    const end = asked.valueEnds.get(each.name);
    return end === undefined ? each : { ...each, end };
  });
  return {
    ...{ ...(usual && { usual }), parameters },
    sites,
    ...launchProposals(root, found.facts, { constants, isLaunched: sites.length > 0 }),
    constants: constantElements([root.text, included.text], (type) =>
      firstKnown([root, included], (each) => elementTypeOf(resolved(type), each)),
    ),
    ...{ ...asked, asked: withLetters(asked.asked, textsOf(parameters), root.text) },
  };
}

/** Pointers to bytes that are only read, which may be letters. */
function textsOf(parameters: readonly LaunchParameter[]): readonly string[] {
  return parameters.flatMap(({ name, isConst, element }) =>
    isConst && /^u?int8$/.test(element?.dtype ?? "") ? name : [],
  );
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

function pointedContent(
  type: string,
  readOnly: boolean,
  { roots, resolved, text }: TypeTexts,
): Partial<LaunchParameter> {
  const plain = elementOf(type, roots, readOnly ? readElementTypeOf : elementTypeOf);
  const layout =
    readOnly || plain.element === undefined ? structureLayout(plainName(type), roots, resolved) : undefined;
  const hasAddress = layout?.members.some(({ isPointer }) => isPointer) === true;
  if (layout !== undefined && hasAddress && plain.element === undefined) return { structure: layout };
  return layout !== undefined && readOnly && isRecord(layout, text) ? { record: layout } : plain;
}

interface TypeTexts {
  readonly roots: readonly SyntaxNode[];
  readonly resolved: (type: string) => string;
  readonly text: string;
}

/**
 * Whether numbers of several types lie in a structure, and the text uses whole ones among them: bits of
 * floats would be no indices and no lengths.
 */
function isRecord({ members }: StructureLayout, text: string): boolean {
  if (members.some(({ isPointer, element }) => isPointer || element.width !== 1)) return false;
  if (new Set(members.map(({ element }) => element.dtype)).size < 2) return false;
  const whole = members.filter(({ element }) => /^u?int(?:32|64)$/.test(element.dtype));
  return whole.some(({ name }) => new RegExp(`(?:\\.|->)\\s*${name}\\b`).test(text));
}

/** What a parameter of a type, other names resolved, is made of. */
function contentOf(
  { name, pointer, readOnly }: ParameterFacts,
  type: string,
  { roots, resolved, text }: TypeTexts,
): Partial<LaunchParameter> {
  // Of a table of addresses it is what they lead to that may be written.
  const [, rows] = /^([^*]*)\*[^*]*\*[^*]*$/.exec(type) ?? [];
  if (pointer && rows !== undefined)
    return { isOfRows: true, isConst: /\bconst\b/.test(rows), ...elementOf(rows, roots) };
  if (pointer) return pointedContent(type, readOnly, { roots, resolved, text });
  const accessor = accessorType(type);
  if (accessor !== undefined)
    return { accessor, isConst: /\bconst\b/.test(accessor.element), ...elementOf(accessor.element, roots) };
  const dtype = dataTypeOf(type);
  if (dtype !== undefined) return { dtype };
  if (type.includes("&")) return {};
  const vector = vectorLayout(name, type);
  if (vector !== undefined) return { structure: vector };
  const structure = structureLayout(type, roots, resolved);
  return structure === undefined ? {} : { structure };
}

function elementOf(
  type: string,
  roots: readonly SyntaxNode[],
  typeOf: (type: string, root: SyntaxNode) => ElementType | undefined = elementTypeOf,
): Partial<LaunchParameter> {
  const element = firstKnown(roots, (root) => typeOf(type, root));
  return element === undefined ? {} : { element };
}

/** The number that an argument is, `0.5f` and `(float)2` included. */
function literalOf(text: string | undefined): number | undefined {
  const plain = text?.replace(/^\(\w+\)/, "").replace(/(?<=[\d.])[fFuUlL]+$/, "");
  const value = plain === undefined || plain.trim() === "" ? Number.NaN : Number(plain);
  return Number.isFinite(value) ? value : undefined;
}
