import { accessesOf } from "../../../core/language/cuda/inference";
import { typeAliases } from "../../../core/language/cuda/constants";
import { plainStructures } from "../../../core/language/cuda/launch/element-types";
import { kernelParameters, type ProgramTypes } from "../../../core/language/cuda/parameter-types";
import { withPlainParameters } from "../../../core/language/cuda/type-macros";
import type { KernelFacts } from "../../../core/language/facts";
import { findKernels, withSource } from "../../../core/language/source-file";
import type { Grammars, SyntaxNode } from "../../../core/language/tree";
import { readableName } from "../../../core/base/symbols/symbol-name";
import type { ElementType } from "../../../core/workload/probe/observation";
import type { CapturedLaunch } from "../../../core/workload/capture/captured";
import { type KernelParameter, readArguments } from "../../../core/workload/capture/parameters";
import type { UnrecordedKernel } from "../services";

/** A kernel of a program's sources. */
export interface ProgramKernel extends ProgramTypes {
  /** Workspace-relative. */
  readonly file: string;
  readonly facts: KernelFacts;
  /** Names of parameters through which its text stores. */
  readonly stored: ReadonlySet<string>;
}

/** All kernels that the sources define, and the types that any of them names. */
export function kernelsOfSources(
  grammars: Grammars,
  sources: Readonly<Record<string, string>>,
): readonly ProgramKernel[] {
  const types = new Map<string, string>();
  const structures = new Map<string, ElementType>();
  const found = Object.entries(sources).flatMap(([file, text]) => {
    const plain = withPlainParameters(text, Object.values(sources));
    const read = withSource(grammars, file, plain, (source) => ({
      kernels: source.dialect === "cuda" ? withStores(source.tree.root, findKernels(source)) : [],
      aliases: source.dialect === "cuda" ? typeAliases(source.tree.root) : new Map<string, string>(),
      structures: source.dialect === "cuda" ? plainStructures(source.tree.root) : new Map<string, never>(),
    }));
    for (const [name, type] of read?.aliases ?? []) types.set(name, type);
    for (const [name, element] of read?.structures ?? []) structures.set(name, element);
    return (read?.kernels ?? []).map((kernel) => ({ file, ...kernel }));
  });
  return found.map((each) => ({ ...each, types, structures }));
}

function withStores(
  root: SyntaxNode,
  kernels: readonly KernelFacts[],
): readonly Pick<ProgramKernel, "facts" | "stored">[] {
  return kernels.map((facts) => ({ facts, stored: accessesOf({ root, kernel: facts }).stored }));
}

/** The kernel that a symbol of the compiled program stands for; undefined for one of no source. */
export function kernelOfSymbol(kernels: readonly ProgramKernel[], symbol: string): ProgramKernel | undefined {
  const { name } = readableName(symbol);
  return kernels.find(({ facts }) => facts.name === name);
}

/** Its parameters in the instance that the symbol names. */
export function parametersOf(kernel: ProgramKernel, symbol: string): readonly KernelParameter[] {
  return kernelParameters(kernel, kernel, readableName(symbol).templateArguments);
}

/** What a launch that was not recorded passed; nothing for a kernel of no source. */
export function unrecordedOf(
  launch: CapturedLaunch,
  kernel: ProgramKernel | undefined,
): readonly UnrecordedKernel[] {
  const read = kernel && readArguments(launch, parametersOf(kernel, launch.kernel));
  if (kernel === undefined || read?.ok !== true) return [];
  const passed = Object.fromEntries(read.value.scalars.map(({ name, value }) => [name, value]));
  return [{ file: kernel.file, kernel: kernel.facts.name, passed }];
}
