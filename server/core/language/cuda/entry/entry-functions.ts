import type { ElementType } from "../../../workload/probe/observation";
import type { DataType, StructureSpec } from "../../../workload/spec";
import type { ParameterFacts } from "../../facts";
import { collapse, fieldText } from "../../query";
import type { SyntaxNode } from "../../tree";
import { typeAliases } from "../constants";
import { elementTypeOf, readElementTypeOf, writtenElementTypeOf } from "../launch/element-types";
import { castElement, isCastToStream } from "./cast-types";
import { entryConstants, type LeftConstants } from "./entry-constants";
import { type Launcher, launchersOf } from "./host-callers";
import {
  kernelFlags,
  kernelValueEnds,
  lettersReached,
  type TextLetters,
  withValueEnds,
} from "./kernel-flags";
import { madeUpNumber, type MadeUpNumber, resultOf } from "./entry-values";
import { type SizeCondition, withConditions } from "./parameter-conditions";
import { structureMembers, vectorMembers } from "./structure-members";
import { templateArguments } from "./template-arguments";

/** What can be made up for a parameter of a host function. */
type EntryParameter = { readonly name: string } & (
  | {
      /** `vector`: a std::vector, whose length is its own. */
      readonly kind: "buffer" | "vector";
      /** Undefined for `void *`. */
      readonly element: ElementType | undefined;
      readonly isConst: boolean;
      /** The function looks at its first element alone: `*alpha`. */
      readonly isSingle?: true;
    }
  /** A whole number that may be a size. */
  | {
      readonly kind: "size";
      readonly dtype: DataType;
      /** What the function refuses is left out. */
      readonly asked?: SizeCondition;
      /** Numbers that it is compared with otherwise. */
      readonly compared?: readonly number[];
    }
  | MadeUpNumber
  /** The default stream. */
  | { readonly kind: "stream" }
);

/** A host function that launches a kernel and can be called with what is made up. */
export interface EntryFunction {
  readonly file: string;
  /** With its namespaces. */
  readonly name: string;
  readonly isTemplate: boolean;
  /** Of a structure its members stand here. */
  readonly parameters: readonly EntryParameter[];
  readonly structures: readonly StructureSpec[];
  /** The greatest number that the kernel asks elements of flags for, by the names that it has for them. */
  readonly flags?: ReadonlyMap<string, number>;
  /** The letters of its texts; see `textLetters`. */
  readonly letters: TextLetters;
  /** What its file computes of its sizes; see `sizeTerms`. */
  readonly terms: readonly string[];
  /** What it returns, where that is a result. */
  readonly result?: ElementType;
  /** Constants that other host code sets. */
  readonly left: LeftConstants;
}

/** What is there to call, best first, and why others are not called, as sentences. */
export interface EntryFunctions {
  readonly callable: readonly EntryFunction[];
  readonly refused: readonly string[];
}

/** Parsed files by their paths, and the same as one text, in which types of any of them are found. */
interface EntrySources {
  readonly files: ReadonlyMap<string, SyntaxNode>;
  readonly all: SyntaxNode;
}

/** The host functions that lead to a launch of a kernel: plain ones before templates, the nearest first. */
export function entryFunctions(sources: EntrySources, kernel: string): EntryFunctions {
  const launchers = launchersOf(sources.files, kernel);
  const flags = kernelFlags(sources.all, kernel);
  const ends = kernelValueEnds(sources.all, kernel);
  const ordered = [...launchers].sort(
    (a, b) => Number(isTemplate(a)) - Number(isTemplate(b)) || a.distance - b.distance,
  );
  const types = typeAliases(sources.all);
  const callable: EntryFunction[] = [];
  const refused: string[] = [];
  for (const launcher of ordered) {
    const read = functionOf(launcher, { root: sources.all, types, files: sources.files });
    if (typeof read === "string") refused.push(read);
    else callable.push({ ...read, parameters: withValueEnds(read.parameters, ends), flags });
  }
  return { callable, refused };
}

function isTemplate({ placed }: Launcher): boolean {
  return placed.template !== undefined;
}

interface Types {
  readonly root: SyntaxNode;
  readonly files: EntrySources["files"];
  /** Other names of types. */
  readonly types: ReadonlyMap<string, string>;
}

/** A text says why it cannot be called. */
function functionOf(
  { file, name, placed, parameters: facts }: Launcher,
  known: Types,
): EntryFunction | string {
  const given = templateArguments(placed.template, { name, facts, text: known.root.text });
  if (given === undefined) return `${name} is a template whose arguments are not known`;
  const types = { ...known, types: new Map([...known.types, ...given]) };
  const read = parametersOf({ name, placed, parameters: facts }, types);
  if (typeof read === "string") return read;
  const { parameters, structures } = read;
  const ofFile = known.files.get(file) ?? placed.node;
  const terms = withConditions(parameters, placed.node, { root: known.root, file: ofFile });
  const result = resultOf(collapse(fieldText(placed.node, "type")), parameters, types);
  const hasData = parameters.some(({ kind }) => kind === "buffer" || kind === "vector");
  if (!hasData && result === undefined) return `${name} is given no data and returns none`;
  const isTemplate = placed.template !== undefined;
  const sizes = parameters.flatMap((each) => (each.kind === "size" ? each.name : []));
  const left = entryConstants(
    { name: name.split("::").at(-1) ?? name, parameters: parameters.map((each) => each.name), sizes },
    known,
  );
  const buffers = parameters.filter((each) => each.kind === "buffer" || each.kind === "vector");
  const letters = lettersReached(buffers, placed.node.text, [known.root]);
  const called = isTemplate ? `${name}<${[...given.values()].join(", ")}>` : name;
  return {
    ...{ file, name: called, isTemplate, parameters, structures, left, letters, terms },
    ...(result === undefined ? {} : { result }),
  };
}

interface EntryParameters {
  readonly parameters: EntryParameter[];
  readonly structures: StructureSpec[];
}

/** What a function is passed; a text says of which parameter nothing can be made up. */
function parametersOf(
  { name, placed, parameters: facts }: Pick<Launcher, "name" | "placed" | "parameters">,
  types: Types,
): EntryParameters | string {
  const parameters: EntryParameter[] = [];
  const structures: StructureSpec[] = [];
  for (const [index, each] of facts.entries()) {
    const named = { ...each, name: each.name === "" ? `argument_${index}` : each.name };
    const read = parameterOf(named, types);
    const isOfHost = !named.pointer || isLookedInto(named.name, placed.node);
    // What kernels are handed the address of may lie in arrays of such structures.
    const isWhole = read === undefined || (named.pointer && isHandedWhole(named.name, placed.node));
    const structure = isOfHost && isWhole ? structureOf(named, types, facts) : undefined;
    if (structure !== undefined)
      structures.push({ type: structure.type, first: parameters.length, members: structure.members.length });
    const found = structure?.members ?? (read && [read]);
    if (found === undefined)
      return `nothing can be made up for ${name}'s parameter ${each.name} (${each.type})`;
    parameters.push(...found.map((one) => asLookedAt(asCast(one, placed.node, types), placed.node)));
  }
  return { parameters, structures };
}

/** Whether a function looks at the members of what it is given the address of: then that is of the host. */
function isLookedInto(name: string, called: SyntaxNode): boolean {
  const body = called.childForFieldName("body")?.text ?? "";
  return new RegExp(`\\b${name}\\s*->|\\*\\s*${name}\\b|\\b${name}\\s*\\[`).test(body);
}

/** Whether a function reads what it is given the address of as one value, and nothing behind it. */
function isHandedWhole(name: string, called: SyntaxNode): boolean {
  const body = called.childForFieldName("body")?.text ?? "";
  return new RegExp(`\\b${name}\\s*->|\\*\\s*${name}\\b(?!\\s*[\\[+])`).test(body);
}

/** An untyped pointer has the type that the function casts it to; what it casts to a stream is one. */
function asCast(parameter: EntryParameter, called: SyntaxNode, known: Types): EntryParameter {
  if (isCastToStream(parameter.name, called)) return { name: parameter.name, kind: "stream" };
  if (parameter.kind !== "buffer" || parameter.element !== undefined) return parameter;
  return { ...parameter, element: castElement(parameter.name, called, known) };
}

/** A buffer is a single number where the function does nothing with its pointer but `*alpha`. */
function asLookedAt(parameter: EntryParameter, called: SyntaxNode): EntryParameter {
  if (parameter.kind !== "buffer") return parameter;
  const body = called.childForFieldName("body")?.text.replace(/\/\/.*|\/\*[^]*?\*\//g, "") ?? "";
  const uses = [...body.matchAll(new RegExp(`(\\*\\s*)?\\b${parameter.name}\\b(\\s*\\[)?`, "g"))];
  const isSingle = uses.every(([, star, bracket]) => star !== undefined && bracket === undefined);
  return uses.length > 0 && isSingle ? { ...parameter, isSingle } : parameter;
}

/** A structure of numbers and pointers; its members are named after it where their names are others' too. */
function structureOf(
  { name, type }: ParameterFacts,
  known: Types,
  all: readonly ParameterFacts[],
): { readonly type: string; readonly members: readonly EntryParameter[] } | undefined {
  const resolved = type.replace(/\b[A-Za-z_]\w*\b/g, (word) => known.types.get(word) ?? word);
  const vector = vectorMembers(resolved);
  const found = vector ?? structureMembers(resolved, known.root);
  if (found === undefined || type.replace(/[^*]/g, "").length > 1) return undefined;
  const base = found.type.replace(/<.*/, "");
  const isAlone = all.filter((other) => other.type.includes(base)).length === 1;
  const members = found.members.map((member) => {
    const isFree = vector === undefined && isAlone && all.every((other) => other.name !== member.name);
    return parameterOf({ ...member, name: isFree ? member.name : `${name}_${member.name}` }, known);
  });
  if (members.some((each) => each === undefined)) return undefined;
  return { type: found.type, members: members.filter((each) => each !== undefined) };
}

function parameterOf(facts: ParameterFacts, { root, types }: Types): EntryParameter | undefined {
  const { name } = facts;
  const type = facts.type.replace(/\b[A-Za-z_]\w*\b/g, (word) => types.get(word) ?? word);
  if (/\b(?:cudaStream_t|CUstream)\b/.test(type)) return { name, kind: "stream" };
  const [, listed] = /\bvector\s*<\s*([^<>]+?)\s*>/.exec(type) ?? [];
  if (listed !== undefined) {
    const element = elementTypeOf(listed, root);
    const isConst = /\bconst\b/.test(type) || !type.includes("&");
    return element && { name, kind: "vector", element, isConst };
  }
  if (facts.pointer) return bufferOf(facts, type, root);
  const isOut = type.includes("&") && !/\bconst\b/.test(type);
  const element = elementTypeOf(type, root);
  if (isOut || element?.width !== 1) return undefined;
  return madeUpNumber(facts, element.dtype, type);
}

function bufferOf(facts: ParameterFacts, type: string, root: SyntaxNode): EntryParameter | undefined {
  const stars = type.replace(/[^*[]/g, "").length;
  if (stars !== 1 || type.includes("&")) return undefined;
  const common = { name: facts.name, kind: "buffer", isConst: facts.readOnly } as const;
  if (/\bvoid\b/.test(type)) return { ...common, element: undefined };
  const element = facts.readOnly ? readElementTypeOf(type, root) : writtenElementTypeOf(type, root);
  return element && { ...common, element };
}
