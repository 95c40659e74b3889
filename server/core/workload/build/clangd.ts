import type { BuildSettings } from "../build-settings";

/** What is compiled with which settings. */
export interface ConfiguredFile {
  /** POSIX, relative to the folder of the configuration. */
  readonly file: string;
  readonly settings: BuildSettings;
}

interface ClangdFacts {
  /** `sm_80` */
  readonly architecture: string;
  /** Absolute; include folders of the workspace lie below it. */
  readonly workspaceFolder: string;
  /** Folder of the CUDA toolkit where the user named one; clangd finds the usual one by itself. */
  readonly toolkit?: string;
}

/** Options of nvcc that clang does not know; they come out of a `compile_commands.json`. */
const nvccOptions = [
  "-gencode*",
  "--generate-code*",
  "-arch*",
  "-code*",
  "--gpu-*",
  "-rdc*",
  "--relocatable-device-code*",
  "-Xcompiler*",
  "--compiler-options*",
  "-Xptxas*",
  "--ptxas-options*",
  "-ccbin*",
  "--compiler-bindir*",
  "--expt-*",
  "--extended-lambda",
  "--use_fast_math",
  "-lineinfo",
  "-maxrregcount*",
  "--maxrregcount*",
  "--threads*",
  "-forward-unknown-to-host-compiler",
] as const;

/**
 * The text of a `.clangd` (clangd.llvm.org/config) with which clangd reads CUDA files as nvcc compiles them:
 * one part for all of them, and one for each group of files that share further settings.
 */
export function clangdConfiguration(files: readonly ConfiguredFile[], facts: ClangdFacts): string {
  const groups = new Map<string, { readonly words: readonly string[]; readonly files: string[] }>();
  for (const { file, settings } of files) {
    const words = wordsOf(settings, facts.workspaceFolder);
    const key = JSON.stringify(words);
    const group = groups.get(key) ?? { words, files: [] };
    group.files.push(file);
    groups.set(key, group);
  }
  const shared = [
    "-xcuda",
    `--cuda-gpu-arch=${facts.architecture}`,
    "--no-cuda-version-check",
    "-Wno-unknown-cuda-version",
    ...(facts.toolkit === undefined ? [] : [`--cuda-path=${facts.toolkit}`]),
  ];
  const all = [
    "If:",
    String.raw`  PathMatch: .*\.(cu|cuh)`,
    "CompileFlags:",
    ...list("Add", shared),
    ...list("Remove", nvccOptions),
  ];
  const parts = [...groups.values()].filter(({ words }) => words.length > 0);
  return [
    "# How clangd reads the CUDA files of this folder, as Kernelwright found that nvcc compiles them.",
    "# Paths are those of this machine.",
    ...all,
    ...parts.flatMap(({ words, files: members }) => [
      "---",
      "If:",
      ...list("PathMatch", members.map(escaped)),
      "CompileFlags:",
      ...list("Add", words),
    ]),
    "",
  ].join("\n");
}

function wordsOf({ includeFolders, defines, standard }: BuildSettings, top: string): readonly string[] {
  return [
    ...(standard === undefined ? [] : [`-std=${standard.value}`]),
    ...includeFolders.map(({ folder }) => `-I${below(top, folder)}`),
    ...defines.map(({ name, value }) => {
      if (value === false) return `-U${name}`;
      return value === undefined ? `-D${name}` : `-D${name}=${value}`;
    }),
  ];
}

function below(top: string, folder: string): string {
  if (/^(\/|[A-Za-z]:)/.test(folder)) return folder;
  return folder === "" ? top : `${top}/${folder}`;
}

function list(name: string, values: readonly string[]): readonly string[] {
  return [`  ${name}:`, ...values.map((value) => `    - ${JSON.stringify(value)}`)];
}

/** A path as a regular expression that is that path alone. */
function escaped(path: string): string {
  return path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
