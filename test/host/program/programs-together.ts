import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the programs include: inside a namespace it must not come for the first time. */
const HEADERS = [
  "cassert",
  "cmath",
  "cooperative_groups.h",
  "cstdio",
  "cstdlib",
  "cstring",
  "cuda.h",
  "cuda_bf16.h",
  "cuda_fp16.h",
  "functional",
  "nvtx3/nvToolsExt.h",
  "string",
  "sys/wait.h",
  "thread",
  "unistd.h",
  "vector",
];

/**
 * Writes one program that is all of the named ones, each in a namespace of its own and run by its name: most
 * of what `nvcc` does for a short program is to read the same headers.
 */
export function writeTogether(folder: string, file: string, names: readonly string[]): void {
  const programs = names.map((name) =>
    [
      `namespace ${identifier(name)} {`,
      "#define main run",
      `#include "${name}.cu"`,
      "#undef main",
      "#undef CHECK",
      "#undef TELL",
      "}\n",
    ].join("\n"),
  );
  const choices = names.map((name) => `  if (name == "${name}") return ${identifier(name)}::run();\n`);
  const text = [
    ...HEADERS.map((header) => `#include <${header}>\n`),
    ...programs,
    "int main(int, char **arguments) {\n  const std::string name = arguments[1];\n",
    ...choices,
    "  return 99;\n}\n",
  ];
  writeFileSync(join(folder, file), text.join(""));
}

function identifier(name: string): string {
  return name.replaceAll("-", "_");
}
