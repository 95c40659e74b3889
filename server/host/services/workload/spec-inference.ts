import { OperationalError } from "../../../core/base/operational-error";
import { findKernels, findLaunchSites, withSource } from "../../../core/language/source-file";
import type { KernelFacts } from "../../../core/language/facts";
import { handleType } from "../../../core/language/cuda/launch/handle-types";
import { declaredKernels } from "../../../core/language/cuda/declared-kernels";
import { cudaInPython, embeddedSource } from "../../../core/language/cuda-in-python";
import { firstUnreadLine } from "../../../core/language/syntax-errors";
import type { Grammars } from "../../../core/language/tree";
import { writeKernelSpec } from "../../../core/workload/spec-write";
import type { FileReader } from "../../../core/ports/files";
import type { SpecInference } from "../spec-service";
import { missingBody, unfoundHeader } from "../../../core/base/compiling/unfound-header";
import type { WorkloadFinder } from "./finders";
import { kernelHome, programKernels } from "./kernel-home";
import { loopsFirst } from "./kernel-order";

/** Makes a spec for a kernel that has none; the file that it would stand in lies beside the source. */
export function createSpecInference(
  files: FileReader,
  grammars: () => Promise<Grammars>,
  finder: WorkloadFinder,
): SpecInference {
  return {
    home: (name) => kernelHome(files, grammars, name),
    kernels: async (named) => {
      const file = await sourceOf(named, undefined, files);
      const { found } = await kernelsIn(file, files, grammars);
      if (found.kernels.length === 0) throw noSuchKernel(found, undefined);
      return found.ordered;
    },
    infer: async ({ file: python, kernel }, { target, signal }) => {
      const file = await sourceOf(python, kernel, files);
      const { text, found: named } = await kernelsIn(file, files, grammars);
      const chosen = chooseKernel(named, kernel);
      const beside = specPathFor(file, named.kernels, chosen);
      const handle = named.handles.find((each) => each.kernel === chosen);
      const unheld =
        handle &&
        new OperationalError("spec-invalid", {
          forUser: `${file}: ${chosen} ${handle.verb} ${handle.name}, a ${handle.type}, and a kernel spec cannot hold textures or surfaces. kernelwright run PROGRAM --sanitize (or --profile) runs it as part of its program.`,
        });
      if (unheld !== undefined && handle?.isParameter !== true) throw unheld;
      const found = await finder.find({ file, text, kernel: chosen, target, signal });
      if (!found.ok && unheld !== undefined) throw unheld;
      if (!found.ok)
        throw new OperationalError("spec-invalid", {
          forUser: `${file} has no kernel spec, and none can be inferred: ${found.problem}. ${wayOut(found.problem, beside)}`,
        });
      const { spec, unknowns, complaint } = found.value;
      const specFolder = found.value.specFolder ?? folderOf(beside);
      const specPath = specFolder === "" ? baseOf(beside) : `${specFolder}/${baseOf(beside)}`;
      return {
        spec,
        specPath,
        specFolder,
        text: writeKernelSpec(spec, unknowns),
        inferred: true,
        unknowns: unknowns.map((unknown) => `${unknown.path}: ${unknown.sentence}`),
        ...(complaint === undefined ? {} : { complaint }),
      };
    },
  };
}

/** What is to be done about a kernel of which no workload was found. */
function wayOut(problem: string, specPath: string): string {
  const [, header = ""] = /(\S+): No such file or directory\b/.exec(problem) ?? [];
  const why = unfoundHeader(header);
  if (why !== undefined) return `${header} ${why}.`;
  if (header !== "")
    return 'Name the folder that holds that file under "includeFolders" in kernelwright.json, or with -I.';
  const record = `Record a program that launches it (Record above its main(), or kernelwright capture PROGRAM), or write ${baseOf(specPath)} beside it.`;
  const body = missingBody(problem);
  return body === undefined ? record : `${body} ${record}`;
}

/** The file that holds a kernel: of one in a text of Python, the source that this text is. */
async function sourceOf(file: string, kernel: string | undefined, files: FileReader): Promise<string> {
  const text = file.endsWith(".py") ? await files.read(file) : undefined;
  if (text === undefined || !/\b__global__\b/.test(text)) return file;
  const [code, name] = [cudaInPython(text, file), kernel?.split("::").at(-1)];
  const isTriton =
    name === undefined ? tritonKernel.test(text) : new RegExp(`\\bdef\\s+${name}\\b`).test(text);
  return code === undefined || isTriton ? file : embeddedSource(file);
}

/** A function under Triton's decorator, with others between them. */
const jitFunction = /^[^\S\n]*@(?:triton\.)?jit\b[^\n]*\n(?:[^\S\n]*@[^\n]*\n)*[^\S\n]*def\s+(\w+)/gm;

const tritonKernel = /^\s*@(?:triton\.)?jit\b/m;

/** A file's text and its kernels. Throws when there is no such file, or when it is in no dialect. */
async function kernelsIn(
  file: string,
  files: FileReader,
  grammars: () => Promise<Grammars>,
): Promise<{ readonly text: string; readonly found: FoundKernels }> {
  const text = await files.read(file);
  if (text === undefined)
    throw new OperationalError("file-not-found", { forUser: `${file}: there is no such file.` });
  const found = withSource(await grammars(), file, text, (source) => ({
    file,
    kernels: namesOf(findKernels(source)),
    ordered: loopsFirst(source, namesOf(findKernels(source))),
    handles: findKernels(source).flatMap((kernel) => handlesOf(kernel, text)),
    launched: [...new Set(findLaunchSites(source).map((site) => site.kernel))],
    declared: declaredKernels(file, text),
    parts: file.endsWith(".py") ? [...text.matchAll(jitFunction)].map(([, name = ""]) => name) : [],
    unread: firstUnreadLine(source),
    isInText: file.endsWith(".py") && /\b__global__\b/.test(text),
  }));
  if (found === undefined)
    throw new OperationalError("kernel-not-found", {
      forUser: `${file} is no CUDA or Triton source: a file that ends in .cu, .cuh, .cpp, .h or .py is expected.`,
    });
  const homes = found.kernels.length > 0 ? [] : await programKernels(files, grammars, { file, text });
  return { text, found: { ...found, homes } };
}

function specPathFor(file: string, kernels: readonly string[], kernel: string): string {
  return kernels.length > 1
    ? `${file}.${kernel.split("::").at(-1) ?? kernel}.kernel.json`
    : `${file}.kernel.json`;
}

interface FoundKernels {
  readonly file: string;
  readonly kernels: readonly string[];
  /** The same in the order in which they are looked at. */
  readonly ordered: readonly string[];
  /** Parameters and variables that name objects of the driver. */
  readonly handles: readonly {
    readonly kernel: string;
    readonly name: string;
    /** What the kernel does with it. */
    readonly verb: string;
    readonly type: string;
    /** Host code makes it, and passes it. */
    readonly isParameter: boolean;
  }[];
  /** Kernels that the file launches, its own or others'. */
  readonly launched: readonly string[];
  /** Kernels that it declares without a body. */
  readonly declared: readonly string[];
  /** Of a program without kernels the files that have those which are linked with it. */
  readonly homes: readonly string[];
  /** Functions under Triton's decorator, whether they are kernels or called by some. */
  readonly parts: readonly string[];
  /** The first line that does not parse. */
  readonly unread: number | undefined;
  /** A Python file with CUDA code in its texts. */
  readonly isInText: boolean;
}

/**
 * Each kernel's name once: what specialises a template, and what branches of an `#if` define, is one kernel.
 * Others of the same name in another namespace or with more parameters are not.
 */
function namesOf(kernels: readonly KernelFacts[]): readonly string[] {
  const each = new Map(
    kernels.map(({ name, qualifiedName, parameters }) => [`${qualifiedName} ${parameters.length}`, name]),
  );
  return [...each.values()];
}

function handlesOf(
  { name: kernel, parameters, bodyRange: { start, end } }: KernelFacts,
  text: string,
): FoundKernels["handles"] {
  const taken = parameters.flatMap(({ name, type }) => {
    const handle = handleType(type);
    return handle === undefined ? [] : [{ kernel, name, verb: "takes", type: handle, isParameter: true }];
  });
  const body = text
    .split("\n")
    .slice(start.line, end.line + 1)
    .join("\n");
  const fetched = [...text.matchAll(textureReference)]
    .filter(([, name = ""]) => new RegExp(`\\b${name}\\b`).test(body))
    .map(([, name = ""]) => ({ kernel, name, verb: "reads", type: "texture reference", isParameter: false }));
  return [...taken, ...fetched];
}

/** `texture<float, 2, cudaReadModeElementType> field;`, as CUDA had them up to version 11. */
const textureReference = /^[^\S\n]*(?:static\s+)?texture\s*<[^;{}()]*>\s*(\w+)\s*;/gm;

function chooseKernel(found: FoundKernels, wanted: string | undefined): string {
  const plain = wanted?.split("::").at(-1);
  const matching = plain === undefined ? found.kernels : found.kernels.filter((name) => name === plain);
  const [only] = matching;
  if (only === undefined || matching.length > 1) throw noSuchKernel(found, wanted);
  return only;
}

/** What is said of a file in which there is no kernel, and of where there may be some. */
function noKernelIn({ file, launched, declared, homes, parts, unread, isInText }: FoundKernels): string {
  if (isInText)
    return `${file} has no kernel that can be checked: its CUDA code stands in a text of Python that is put together while the program runs. Put that code into a .cu file, load it from there (torch.utils.cpp_extension.load), and check that file; kernelwright run ${file} runs the program as it is.`;
  const place =
    unread === undefined ? "" : ` What begins on line ${unread} does not parse; a kernel there is not found.`;
  const linked =
    homes.length === 0 ? "" : ` Its program has kernels in ${homes.join(", ")}: name one of these files.`;
  const elsewhere =
    definedElsewhere("launches", launched) || definedElsewhere("only declares", declared) || linked;
  return `${file} has no kernel: a __global__ function or one under @triton.jit is expected.${elsewhere}${calledBySome(parts)}${place}`;
}

function noSuchKernel(found: FoundKernels, wanted: string | undefined): OperationalError {
  const { file, kernels, declared } = found;
  if (kernels.length === 0) return new OperationalError("kernel-not-found", { forUser: noKernelIn(found) });
  const plain = wanted?.split("::").at(-1);
  if (plain !== undefined && declared.includes(plain))
    return new OperationalError("kernel-not-found", {
      forUser: `${file} only declares ${plain}, and no source of the workspace, or more than one, defines it: name the file that does, as FILE::${plain}.`,
    });
  const repeated = plain ?? (new Set(kernels).size === 1 ? kernels[0] : undefined);
  const count = kernels.filter((name) => name === repeated).length;
  if (repeated !== undefined && count > 1)
    return new OperationalError("kernel-not-found", { forUser: namesakes(file, repeated, count) });
  const names = `it has ${[...new Set(kernels)].join(", ")}`;
  const what = wanted === undefined ? "one kernel is expected" : `there is no kernel ${wanted}`;
  return new OperationalError("kernel-not-found", {
    forUser: `${file}: ${what}; ${names}. Name one as ${file}::KERNEL.`,
  });
}

function namesakes(file: string, kernel: string, count: number): string {
  return `${file} defines ${count} kernels of the name ${kernel}, with other parameters or in other namespaces. Write a kernel spec for the one that is meant: of overloads the one is run whose parameters take the arguments of its launch. Or give each a name of its own; kernelwright run PROGRAM --sanitize (or --profile) runs them as they are.`;
}

function calledBySome(parts: readonly string[]): string {
  if (parts.length === 0) return "";
  const what = parts.length === 1 ? "returns a value, as functions do" : "return values, as functions do";
  return ` ${parts.join(", ")} ${what} that kernels call: check the file of a kernel that calls ${parts.length === 1 ? "it" : "one of them"}.`;
}

function definedElsewhere(does: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  return ` It ${does} ${names.join(", ")}: name the file that defines ${names.length === 1 ? "it" : "one of them"}.`;
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}
