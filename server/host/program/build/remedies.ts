import { join } from "node:path";
import { namedOptions, optionNote } from "../../../core/base/compiling/named-options";
import { newerGpu } from "../../../core/base/compiling/newer-gpu";
import { olderHeaders } from "../../../core/base/compiling/older-cuda";
import { saysOtherTarget } from "../../../core/timing/gpu-model";
import { buildWords } from "./build-sources";
import { saysDeviceRuntime } from "./device-linking";
import { missingHeader } from "./missing-headers";
import { namedLibraries } from "./named-libraries";
import { unnamedSources } from "./unnamed-sources";

/** What a build lacked, and the words for nvcc with which it is tried again. */
interface Remedy {
  readonly words: readonly string[];
  /** What the user is told, a line each. */
  readonly notes: readonly string[];
  /** The architecture to compile for instead. */
  readonly architecture?: string;
}

interface FailedBuild {
  /** What the compiler said. */
  readonly said: string;
  readonly file: string;
  readonly folder: string;
  readonly compileOptions: readonly string[];
  /** The include folder with our headers of NVIDIA's libraries. */
  readonly headers: string;
  /** What the sources include, as the compiler listed it. */
  readonly included: readonly string[];
  /** The GPU that is modelled: `sm_80`. */
  readonly architecture: string;
}

const linkOption = "-rdc=true";

/**
 * What a program needs that was not named, when that is certain: names that CUDA 13 has removed, an option
 * that the compiler itself asks for, the folder of a header, the sources that define what the linker misses,
 * else the libraries that the program's build names.
 * Without words when there is nothing to try.
 */
export async function remedyFor(build: FailedBuild): Promise<Remedy & { readonly advice: string }> {
  const again = [olderCuda, namedByCompiler, deviceRuntime, ownCode]
    .map((find) => find(build))
    .find((each) => each !== undefined);
  if (again) return { ...again, advice: "" };
  const header = await missingHeader(build.said, { folder: build.folder, options: build.compileOptions });
  if (header) {
    const { words, note, advice } = header;
    return { words, notes: words.length > 0 ? [note] : [], advice };
  }
  const newer = newerGpu(build.said);
  if (newer === undefined) return await moreSources(build);
  // Nobody but the user knows which GPU a program is for: it is told how one is named.
  const advice = `kernelwright: the GPU that is modelled is ${build.architecture}: --arch ${newer} models one that has this\n`;
  return { words: [], notes: [], advice };
}

function olderCuda({ said, headers, compileOptions }: FailedBuild): Remedy | undefined {
  const needed = olderHeaders(said)
    .map(({ file, note }) => ({ path: join(headers, file), note }))
    .filter(({ path }) => !compileOptions.includes(path));
  if (needed.length === 0) return undefined;
  return {
    words: needed.flatMap(({ path }) => ["-include", path]),
    notes: needed.map(({ note }) => note),
  };
}

function namedByCompiler({ said, compileOptions }: FailedBuild): Remedy | undefined {
  const options = namedOptions(said, compileOptions);
  return options.length === 0 ? undefined : { words: options, notes: options.map(optionNote) };
}

/** Instructions that one architecture alone has, as `wgmma`, are in its code with a letter: `sm_90a`. */
function ownCode({ said, architecture }: FailedBuild): Remedy | undefined {
  if (!saysOtherTarget(said, architecture)) return undefined;
  const own = `${architecture}a`;
  return {
    words: [],
    notes: [`instructions of ${architecture} alone: compiled for ${own}`],
    architecture: own,
  };
}

/** Kernels that launch kernels need what the toolkit's linker takes from CUDA's runtime for kernels. */
function deviceRuntime({ said, headers, compileOptions }: FailedBuild): Remedy | undefined {
  const source = join(headers, "kernelwright_device_runtime.cu");
  const asks =
    /launch from __device__ or __global__ functions requires separate compilation mode/.test(said) ||
    saysDeviceRuntime(said);
  if (!asks || compileOptions.includes(source)) return undefined;
  const isLinked = buildWords("", compileOptions).relocatable;
  return {
    words: [...(isLinked ? [] : [linkOption]), source],
    notes: isLinked ? [] : [`kernels launch kernels: compiled with ${linkOption}`],
  };
}

async function moreSources(build: FailedBuild): Promise<Remedy & { readonly advice: string }> {
  const { said, file, folder, compileOptions, included } = build;
  const { sources } = buildWords(file, compileOptions);
  const { sure, advice } = await unnamedSources(said, { folder, sources, included });
  if (sure.length === 0 && advice === "") return await libraries(build, sources);
  const isDeviceCode = / is defined in no device code of the file/.test(said);
  const linking = isDeviceCode && sure.length > 0 && !compileOptions.includes(linkOption) ? [linkOption] : [];
  return {
    words: [...linking, ...sure.map(({ path }) => path)],
    notes: sure.map(({ path, names }) => `${path} is compiled as well: ${names.join(", ")} is defined there`),
    advice,
  };
}

/** What no source defines may be of a library that the program's build names. */
async function libraries(
  { said, folder, compileOptions }: FailedBuild,
  sources: readonly string[],
): Promise<Remedy & { readonly advice: string }> {
  const { found, advice } = await namedLibraries(said, { folder, sources, given: compileOptions });
  return {
    words: found.map(({ word }) => word),
    notes: found.map(({ word, where }) => `linked with ${word}, as ${where} does`),
    advice,
  };
}
