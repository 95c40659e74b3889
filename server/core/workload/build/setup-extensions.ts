import * as z from "zod/mini";
import type { JsonObject } from "../../base/json";
import { type BuildPart, joinBuildParts } from "../build-settings";
import { boundsOf, type BuildQuestion } from "./compile-commands";
import { readOptionWords } from "./option-words";

const shape = z.looseObject({
  extensions: z.array(
    z.looseObject({
      line: z.number(),
      /** Of an extension that is told by them. */
      sources: z.optional(z.array(z.string())),
      includeFolders: z.array(z.string()),
      defines: z.array(z.tuple([z.string(), z.nullable(z.string())])),
      nvccFlags: z.array(z.string()),
    }),
  ),
});
/** Macros that a build for other GPUs defines; branches count as taken. */
const otherVendors = /HIP|ROCM/i;

/**
 * What a setup.py says of its extensions, or a script of those that it loads (the worker's answer to
 * `read-setup-file`). `source`: the file that is to be compiled.
 */
export function readSetupExtensions(
  answer: JsonObject,
  place: BuildQuestion & { readonly folder: string; readonly source: string },
): BuildPart {
  const read = shape.safeParse(answer);
  if (!read.success) return {};
  const { file, folder, source } = place;
  const base = baseOf(source);
  const own = read.data.extensions.filter(
    ({ sources }) => sources === undefined || sources.some((each) => baseOf(each) === base),
  );
  return joinBuildParts(
    own.map(({ line, includeFolders, defines, nvccFlags }) =>
      readOptionWords(
        [
          ...includeFolders.map((each) => `-I${each}`),
          ...defines
            .filter(([name]) => !otherVendors.test(name))
            .map(([name, value]) => (value === null ? `-D${name}` : `-D${name}=${value}`)),
          ...nvccFlags.filter((word) => !/^-[DU]/.test(word) || !otherVendors.test(word)),
        ],
        { origin: "inferred", where: `${file}:${line}`, folder, ...boundsOf(place) },
      ),
    ),
  );
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
