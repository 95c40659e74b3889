import * as z from "zod/mini";
import type { JsonObject } from "../../base/json";
import { type BuildPart, joinBuildParts } from "../build-settings";
import { boundsOf, type BuildQuestion } from "./compile-commands";
import { readOptionWords } from "./option-words";

const shape = z.looseObject({
  extensions: z.array(
    z.looseObject({
      line: z.number(),
      includeFolders: z.array(z.string()),
      defines: z.array(z.tuple([z.string(), z.nullable(z.string())])),
      nvccFlags: z.array(z.string()),
    }),
  ),
});
/** Macros that a build for other GPUs defines; branches count as taken. */
const otherVendors = /HIP|ROCM/i;

/** What a setup.py says of its extensions (the worker's answer to `read-setup-file`). */
export function readSetupExtensions(
  answer: JsonObject,
  place: BuildQuestion & { readonly folder: string },
): BuildPart {
  const read = shape.safeParse(answer);
  if (!read.success) return {};
  const { file, folder } = place;
  return joinBuildParts(
    read.data.extensions.map(({ line, includeFolders, defines, nvccFlags }) =>
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
