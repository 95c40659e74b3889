import type { FileReader } from "../../../core/ports/files";
import type { DeviceBody } from "../../../core/workload/build-settings";
import { linkedSources, missingNames, plainSources } from "../workload/linked-sources";
import { areNear, sourcesByDistance } from "../workload/near-sources";
import { hasMain } from "../workload/workspace-programs";
import { withoutComments } from "../../../core/language/cuda/kernel-text";

/**
 * The sources near a file that define functions or variables of the device which it, or one of them, only
 * declares: what a build that links device code would join with it. `own`: the file and its headers.
 */
export async function deviceBodies(
  files: FileReader,
  { file, own }: { readonly file: string; readonly own: Readonly<Record<string, string>> },
  includeFolders: readonly string[],
): Promise<readonly DeviceBody[]> {
  const code = deviceCodeOf(own);
  if (![...missingNames(code)].some((name) => Object.values(code).some((text) => isOfDevice(text, name))))
    return [];
  const near = (await sourcesByDistance(files, file)).filter((path) => path !== file && areNear(path, file));
  const sources = (await plainSources(files, near, hasMain)).map(({ path, text, defines }) => ({
    ...{ path, text },
    defines: defines.filter((name) => isOfDevice(withoutComments(text), name)),
  }));
  const { besides } = await linkedSources(files, own, sources, includeFolders);
  return besides.map((body) => ({ file: body, of: file, origin: "inferred", where: body }));
}

/** The texts without their comments; none where nothing is only declared for the device. */
function deviceCodeOf(own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (!Object.values(own).some((text) => /__device__[^;{}=]*\)\s*;/.test(text))) return {};
  return Object.fromEntries(Object.entries(own).map(([path, text]) => [path, withoutComments(text)]));
}

/** Whether a text declares or defines a function of that name for the device. */
function isOfDevice(text: string, name: string): boolean {
  return new RegExp(String.raw`__device__[^;{}=()]*\b${name}\s*\(`).test(text);
}
