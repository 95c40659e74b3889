import { mayHoldKernel } from "../../../core/language/cuda/kernel-text";
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
  let known: { readonly key: string; readonly found: readonly KernelInstance[] } | undefined;
  return async (files, own) => {
    const mayHave = Object.values(own).filter((text) => /\btemplate\b/.test(text) && mayHoldKernel(text));
    if (mayHave.length === 0) return [];
    const parsers = await grammars();
    const names = mayHave.flatMap((text) => kernelTemplates(parsers, text));
    if (names.length === 0) return [];
    const others = await readOthers(files, own, names);
    const key = JSON.stringify([own, others]);
    if (known?.key === key) return known.found;
    const found = kernelInstances(parsers, own, others).flatMap(({ kernel, instances }) =>
      instances.map((instance) => ({
        text: `${kernel}<${instance.arguments.join(", ")}>`,
        origin: "inferred" as const,
        where: instance.where,
      })),
    );
    known = { key, found };
    return found;
  };
}

/**
 * Sources that name a kernel, and those that name a template of host code in one of the former: a launcher
 * around the kernel may be called elsewhere.
 */
async function readOthers(
  files: FileReader,
  own: Readonly<Record<string, string>>,
  kernels: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {};
  const paths = (await files.list("", suffixes)).filter((path) => own[path] === undefined);
  for (const path of paths.slice(0, mostFiles)) {
    const text = await readIfShown(files, path);
    if (text !== undefined) texts[path] = text;
  }
  const names = wordsOf(kernels);
  const users = Object.fromEntries(Object.entries(texts).filter(([, text]) => names.test(text)));
  const launchers = Object.values({ ...own, ...users }).flatMap(hostTemplates);
  if (launchers.length === 0) return users;
  const calls = wordsOf(launchers);
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => names.test(text) || calls.test(text)));
}

function wordsOf(names: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${names.join("|")})\\b`);
}

/** Names of a text's function templates that are no code of the device. */
function hostTemplates(text: string): readonly string[] {
  return [...text.matchAll(/\btemplate\s*<[^;{}]*?>([^;{}()]*?)\b(\w+)\s*\(/g)].flatMap(
    ([, before = "", name = ""]) => (/__device__|__global__|\brequires\b/.test(before) ? [] : [name]),
  );
}
