import { at } from "../../../base/known";
import type { SyntaxNode } from "../../tree";
import { fileConstants } from "../constants";
import { cudaKernels } from "../kernels";
import { flagValues } from "../launch/flag-values";
import { findLaunchSites } from "../model";

/**
 * The greatest number that a kernel asks elements of flags for, by the names of its pointers, and by those
 * that its launches hand over for them.
 */
export function kernelFlags(all: SyntaxNode, kernel: string): ReadonlyMap<string, number> {
  const found = cudaKernels(all).find(({ facts }) => facts.name === kernel);
  if (found === undefined || !("body" in found)) return new Map();
  const { parameters } = found.facts;
  const pointers = parameters.flatMap(({ name, pointer }) => (pointer ? name : []));
  const flags = flagValues(found.body.text, pointers, fileConstants(all));
  if (flags.size === 0) return flags;
  const sites = findLaunchSites(all).filter((site) => site.kernel === kernel);
  const handed = sites.flatMap((site) =>
    site.arguments.flatMap((text, index): readonly (readonly [string, number])[] => {
      const most = index < parameters.length ? flags.get(at(parameters, index).name) : undefined;
      const name = plainName.exec(text)?.[1];
      return most === undefined || name === undefined ? [] : [[name, most]];
    }),
  );
  return new Map([...handed, ...flags]);
}

/** A name alone, also behind a cast. */
const plainName = /^(?:\([^()]*\)\s*)?(\w+)$/;
