import { at } from "../../../base/known";
import type { SyntaxNode } from "../../tree";
import { fileConstants } from "../constants";
import { cudaKernels } from "../kernels";
import type { KernelFacts } from "../../facts";
import { lettersReached, type TextLetters } from "../launch/contents/letters";
import { flagValues } from "../launch/flag-values";
import { endOf, valueEnds } from "../launch/value-ends";
import type { DataType } from "../../../workload/spec";
import type { MadeUpNumber } from "./entry-values";
import { findLaunchSites } from "../model";

export { lettersReached, type TextLetters };

/**
 * The greatest number that a kernel asks elements of flags for, by the names of its pointers, and by those
 * that its launches hand over for them.
 */
export function kernelFlags(all: SyntaxNode, kernel: string): ReadonlyMap<string, number> {
  const found = cudaKernels(all).find(({ facts }) => facts.name === kernel);
  if (found === undefined || !("body" in found)) return new Map();
  const pointers = found.facts.parameters.flatMap(({ name, pointer }) => (pointer ? name : []));
  return withHanded(all, found.facts, flagValues(found.body.text, pointers, fileConstants(all)));
}

/** The ends of ranges of values among a kernel's numbers, by the same names; see `valueEnds`. */
export function kernelValueEnds(all: SyntaxNode, kernel: string): ReadonlyMap<string, number> {
  const found = cudaKernels(all).find(({ facts }) => facts.name === kernel);
  if (found === undefined || !("body" in found)) return new Map();
  const named = (isPointer: boolean): readonly string[] =>
    found.facts.parameters.flatMap(({ name, pointer }) => (pointer === isPointer ? name : []));
  return withHanded(all, found.facts, valueEnds(found.body.text, named(true), named(false)));
}

/** Parameters of a function that leads to a launch: the ends of ranges of values are no sizes. */
export function withValueEnds<Parameter extends { readonly name: string; readonly kind: string }>(
  parameters: readonly Parameter[],
  ends: ReadonlyMap<string, number>,
): readonly (Parameter | ({ readonly name: string } & MadeUpNumber))[] {
  return parameters.map((each) => {
    const { name, kind, dtype } = each as { name: string; kind: string; dtype?: DataType };
    const value = ends.get(name);
    if (kind !== "size" || dtype === undefined || value === undefined) return each;
    return { name, kind: "number", dtype, value: endOf(dtype, value), isStated: false };
  });
}

/** What is known of a kernel's parameters, also by what its launches hand over for them. */
function withHanded(
  all: SyntaxNode,
  { name: kernel, parameters }: KernelFacts,
  known: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  if (known.size === 0) return known;
  const sites = findLaunchSites(all).filter((site) => site.kernel === kernel);
  const handed = sites.flatMap((site) =>
    site.arguments.flatMap((text, index): readonly (readonly [string, number])[] => {
      const most = index < parameters.length ? known.get(at(parameters, index).name) : undefined;
      const name = plainName.exec(text)?.[1];
      return most === undefined || name === undefined ? [] : [[name, most]];
    }),
  );
  return new Map([...handed, ...known]);
}

/** A name alone, also behind a cast. */
const plainName = /^(?:\([^()]*\)\s*)?(\w+)$/;
