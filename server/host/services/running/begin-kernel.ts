import { t } from "../../../core/base/localized";
import { strategyChoices } from "../../../core/agent/strategies";
import { OperationalError } from "../../../core/base/operational-error";
import type { FileReader } from "../../../core/ports/files";
import { firstSource } from "../../../core/workload/begin/first-source";
import type { FoundSpec, KernelName, SpecService } from "../services";
import { isSpecFile, sourceOf } from "../spec-service";

interface Begun {
  readonly name: KernelName;
  /** The file that has to be made first: the kernel has a spec and no source yet. */
  readonly first?: { readonly file: string; readonly text: string; readonly note: string };
}

/**
 * The kernel that a session is asked for, by its name or by its spec's, and what its source begins with where
 * it has none. Throws `usage` where the strategy writes no kernel, `spec-invalid` where the spec does not say
 * enough.
 */
export async function beginKernel(
  { files, specs }: { readonly files: FileReader; readonly specs: SpecService },
  request: KernelName & { readonly strategy: string },
): Promise<Begun> {
  const { file, kernel } = request;
  const name: KernelName = { file, ...(kernel !== undefined && { kernel }) };
  if (!isSpecFile(file) && (await files.read(file)) !== undefined) return { name };
  const found = await specs.stored(name);
  // What has neither source nor spec is told as for every other request.
  if (found === undefined) return { name };
  const named = sourceOf(found);
  if ((await files.read(named.file)) !== undefined) return { name: named };
  return { name: named, first: firstFile(found, named.file, request.strategy) };
}

function firstFile({ spec, specPath }: FoundSpec, file: string, strategy: string): Begun["first"] {
  const chosen = strategyChoices.find(({ id }) => id === strategy);
  if (chosen !== undefined && !chosen.needsModel) {
    const able = strategyChoices.filter(({ needsModel }) => needsModel).map(({ id }) => id);
    throw new OperationalError("usage", {
      forUser: `${file} is not there yet, and no rule writes a kernel: a model can, with the strategy ${able.join(" or ")}`,
    });
  }
  const text = firstSource(spec);
  if (!text.ok)
    throw new OperationalError("spec-invalid", {
      forUser: `${specPath}: ${file} is not there yet and cannot be begun: ${text.problem}. Write the file with empty functions, and a model fills them in.`,
    });
  const note = `${file} was not there: it begins with empty functions, as ${specPath} describes them`;
  return { file, text: text.value, note };
}

/** What a program of the user's says against the kernel, which is what its candidates are compared with. */
export function againstBaseline({ complaint, unknowns }: FoundSpec): readonly string[] {
  if (complaint === undefined)
    return unknowns.filter((each) => /^(?:reference|program): .*\bprogram\b/.test(each));
  const { file, message } = complaint;
  return [
    t`${file} speaks against the kernel as it is: ${message}. Candidates have to leave what it leaves: if that is wrong, mend it first, or name what is right as the reference of a kernel spec.`,
  ];
}
