import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** One program of several, each by its name and its source, relative to `folder`. */
export interface TogetherPrograms {
  readonly folder: string;
  /** The source that is written. */
  readonly file: string;
  readonly programs: readonly { readonly name: string; readonly source: string }[];
}

/**
 * Writes one source that is all of the named ones, each in a namespace of its own: most of what `nvcc` does
 * for a short program is to read the same headers.
 */
export function joinSources({ folder, file, programs }: TogetherPrograms): void {
  const texts = programs.map((program) => ({
    ...program,
    text: readFileSync(join(folder, program.source), "utf8"),
  }));
  // Inside a namespace a header must not come for the first time.
  const headers = texts.flatMap(({ source, text }) => [
    ...[...text.matchAll(/^#include <.*>$/gm)].map(([line]) => line),
    ...[...text.matchAll(/^#include "(\.\.\/.*)"$/gm)].map(
      ([, path]) => `#include "${dirname(source)}/${path}"`,
    ),
  ]);
  const pieces = texts.flatMap(({ name, source, text }) => [
    `namespace ${identifier(name)} {`,
    "#define main run",
    `#include "${source}"`,
    "#undef main",
    ...[...text.matchAll(/^#define (\w+)/gm)].map(([, macro]) => `#undef ${macro}`),
    "}\n",
  ]);
  writeFileSync(join(folder, file), [...new Set(headers), ...pieces].join("\n"));
}

/**
 * The same with a main() that runs the program that its first argument names. It stands in a file of its own,
 * so that places in host code are told in the sources of the programs: a frame in the source that `run` is
 * given would come first.
 */
export function joinPrograms(together: TogetherPrograms): void {
  joinSources(together);
  const { folder, file, programs } = together;
  const choice = `${file}.choice.h`;
  const choices = programs.map(({ name }) => `  if (name == "${name}") return ${identifier(name)}::run();\n`);
  writeFileSync(
    join(folder, choice),
    [
      "#include <string>\nint main(int, char **arguments) {\n  const std::string name = arguments[1];\n",
      ...choices,
      "  return 99;\n}\n",
    ].join(""),
  );
  writeFileSync(join(folder, file), `${readFileSync(join(folder, file), "utf8")}#include "${choice}"\n`);
}

function identifier(name: string): string {
  return `${name.replaceAll("-", "_")}_program`;
}
