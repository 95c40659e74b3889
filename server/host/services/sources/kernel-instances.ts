import { kernelInstances, kernelTemplates } from "../../../core/language/cuda/device/device-code";
import type { Grammars } from "../../../core/language/tree";
import type { FileReader } from "../../../core/ports/files";
import type { KernelInstance } from "../../../core/workload/build-settings";
import { readIfShown } from "./draw-in";

const suffixes = [".cu", ".cuh", ".cpp", ".cc", ".h", ".hpp"];
/** A workspace may have this many sources that are searched for uses of a template. */
const mostFiles = 1000;

/** What the workspace instantiates of the kernel templates in a file's own sources. */
export type InstanceFinder = (
  files: FileReader,
  own: Readonly<Record<string, string>>,
) => Promise<readonly KernelInstance[]>;

export function createInstanceFinder(grammars: () => Promise<Grammars>): InstanceFinder {
  return async (files, own) => {
    const mayHave = Object.values(own).filter((text) => /\btemplate\b/.test(text) && /__global__/.test(text));
    if (mayHave.length === 0) return [];
    const parsers = await grammars();
    const names = mayHave.flatMap((text) => kernelTemplates(parsers, text));
    if (names.length === 0) return [];
    const others = await readOthers(files, own, new RegExp(`\\b(?:${names.join("|")})\\b`));
    // A launcher around the kernel may be called elsewhere: its callers count too.
    return kernelInstances(parsers, own, others).flatMap(({ kernel, instances }) =>
      instances.map((instance) => ({
        text: `${kernel}<${instance.arguments.join(", ")}>`,
        origin: "inferred" as const,
        where: instance.where,
      })),
    );
  };
}

async function readOthers(
  files: FileReader,
  own: Readonly<Record<string, string>>,
  mention: RegExp,
): Promise<Readonly<Record<string, string>>> {
  const others: Record<string, string> = {};
  const paths = (await files.list("", suffixes)).filter((path) => own[path] === undefined);
  for (const path of paths.slice(0, mostFiles)) {
    const text = await readIfShown(files, path);
    if (text !== undefined && (mention.test(text) || /\w<[^;()]*>\s*\(/.test(text))) others[path] = text;
  }
  return others;
}
