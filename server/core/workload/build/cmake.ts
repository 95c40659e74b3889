import { type BuildPart, joinBuildParts } from "../build-settings";
import { type CMakeArgument, type CMakeCommand, cmakeCommands, cmakeWords } from "./cmake-syntax";
import { boundsOf, type BuildQuestion } from "./compile-commands";
import { readDefine, readOptionWords, type WordPlace } from "./option-words";
import { shellWords } from "./shell-words";

/** A CMakeLists.txt and the folder that it lies in, relative to the workspace's top. */
interface CMakeFile {
  readonly folder: string;
  readonly text: string;
}

const keywords = new Set(["PUBLIC", "PRIVATE", "INTERFACE", "SYSTEM", "BEFORE", "AFTER"]);

/**
 * What CMake files say of a file, from the top of the workspace downwards, without running CMake: conditions
 * count as true, what a variable or a function of others' holds is not known. Where targets name the file,
 * other targets' settings do not count.
 */
export function readCMake(files: readonly CMakeFile[], question: BuildQuestion): BuildPart {
  const reading = new CMakeReading(question);
  for (const file of files) reading.read(file);
  return reading.result();
}

class CMakeReading {
  private readonly variables = new Map<string, string>();
  private readonly parts: { readonly target: string; readonly part: BuildPart }[] = [];
  /** Targets that compile the file. */
  private readonly owners = new Set<string>();
  /** What each target is linked with, and what another name of one stands for. */
  private readonly links = new Map<string, readonly string[]>();

  constructor(private readonly question: BuildQuestion) {
    for (const name of ["CMAKE_SOURCE_DIR", "PROJECT_SOURCE_DIR"]) this.variables.set(name, top(question));
  }

  read({ folder, text }: CMakeFile): void {
    const place = folder === "" ? top(this.question) : `${top(this.question)}/${folder}`;
    for (const name of ["CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR"])
      this.variables.set(name, place);
    for (const command of cmakeCommands(text)) this.take(command, folder);
    const flags = this.variables.get("CMAKE_CUDA_FLAGS");
    const file = folder === "" ? "CMakeLists.txt" : `${folder}/CMakeLists.txt`;
    if (flags !== undefined) this.keep("", readOptionWords(shellWords(flags), this.place(file, folder)));
  }

  result(): BuildPart {
    const owned = this.owners.size > 0;
    const own = this.parts.filter(({ target }) => !owned || target === "" || this.owners.has(target));
    const linked = this.linked();
    const counting = [...own, ...this.parts.filter(({ target }) => linked.has(target))];
    // A target's own standard counts before the folder's, which is what targets begin with.
    const standards = counting.filter(({ target, part }) => target !== "" && part.standard !== undefined);
    return joinBuildParts([...standards, ...counting].map(({ part }) => part));
  }

  /**
   * Targets that those of the file are linked with, in any number of steps. What they keep to themselves
   * counts too: their sources are compiled together with the file where it calls them.
   */
  private linked(): ReadonlySet<string> {
    const found = new Set(this.owners);
    for (const target of found) for (const next of this.links.get(target) ?? []) found.add(next);
    return new Set([...found].filter((target) => !this.owners.has(target)));
  }

  private link(target: string, others: readonly string[]): void {
    this.links.set(target, [...(this.links.get(target) ?? []), ...others]);
  }

  private take(command: CMakeCommand, folder: string): void {
    const where = `${folder === "" ? "" : `${folder}/`}CMakeLists.txt:${command.line}`;
    const place = this.place(where, folder);
    const words = this.words(command.arguments);
    const [first, ...rest] = words;
    if (first === undefined) return;
    const reader = readers[command.name];
    if (reader !== undefined) {
      const read = reader.ofTarget ? rest : words;
      const part = reader.read(
        read.filter((word) => !keywords.has(word)),
        place,
      );
      this.parts.push({ target: reader.ofTarget ? first : "", part });
    } else if (command.name === "project") this.variables.set(`${first}_SOURCE_DIR`, top(this.question));
    else if (assigning.has(command.name)) this.assign(command.name, words, place);
    else if (command.name === "target_link_libraries") this.link(first, rest);
    else if (building.has(command.name)) {
      if (rest[0] === "ALIAS") this.link(first, rest.slice(1));
      else if (rest.some((word) => this.namesFile(word, folder))) this.owners.add(first);
    } else this.takeStandard(command.name, words, place);
  }

  private takeStandard(name: string, words: readonly string[], { origin, where }: WordPlace): void {
    const named = words.indexOf("CUDA_STANDARD");
    const feature = words.find((word) => /^cuda_std_\d+$/.test(word))?.slice("cuda_std_".length);
    const property =
      name === "set_target_properties" || name === "set_property" ? words[named + 1] : undefined;
    const number = name === "target_compile_features" ? feature : property;
    if (number === undefined || (feature === undefined && named < 0) || !/^\d+$/.test(number)) return;
    const targets = name === "set_property" ? words.slice(1, words.indexOf("PROPERTY")) : words.slice(0, 1);
    for (const target of targets) this.keep(target, { standard: { value: `c++${number}`, origin, where } });
  }

  private assign(command: string, words: readonly string[], { origin, where }: WordPlace): void {
    const [name = "", value = ""] =
      command === "set" ? [words[0], setValue(words.slice(1))] : this.appended(command, words);
    if (name === "") return;
    this.variables.set(name, value);
    if (name === "CMAKE_CUDA_STANDARD" && /^\d+$/.test(value))
      this.keep("", { standard: { value: `c++${value}`, origin, where } });
  }

  private appended(command: string, [action, name = "", ...more]: readonly string[]): readonly string[] {
    if (action !== "APPEND") return [];
    const before = this.variables.get(name);
    const joint = command === "list" ? ";" : "";
    return [name, [...(before === undefined ? [] : [before]), more.join(joint)].join(joint)];
  }

  private words(words: readonly CMakeArgument[]): readonly string[] {
    return cmakeWords(words, this.variables);
  }

  private namesFile(word: string, folder: string): boolean {
    const path = word.startsWith("/")
      ? word
      : `${top(this.question)}/${folder === "" ? "" : `${folder}/`}${word}`;
    return path.replace(/\/\.\//g, "/") === `${top(this.question)}/${this.question.file}`;
  }

  private keep(target: string, part: BuildPart): void {
    this.parts.push({ target, part });
  }

  private place(where: string, folder: string): WordPlace {
    return { origin: "inferred", where, folder, ...boundsOf(this.question) };
  }
}

function top({ tops }: BuildQuestion): string {
  return tops[0] ?? "";
}

function setValue(words: readonly string[]): string {
  const end = words.findIndex((word) => word === "CACHE" || word === "PARENT_SCOPE");
  return (end < 0 ? words : words.slice(0, end)).join(";");
}

function includes(folders: readonly string[], place: WordPlace): BuildPart {
  return readOptionWords(
    folders.map((folder) => `-I${folder}`),
    place,
  );
}

function definitions(words: readonly string[], { origin, where }: WordPlace): BuildPart {
  const named = words.map((word) => word.replace(/^[-/]D/, "")).filter((word) => !word.startsWith("-"));
  return { defines: named.map((word) => readDefine(word, { origin, where })) };
}

/** Commands that say something about all targets of a folder, or about the one that they name first. */
const readers: Readonly<
  Record<
    string,
    {
      readonly ofTarget: boolean;
      readonly read: (words: readonly string[], place: WordPlace) => BuildPart;
    }
  >
> = {
  include_directories: { ofTarget: false, read: includes },
  cuda_include_directories: { ofTarget: false, read: includes },
  target_include_directories: { ofTarget: true, read: includes },
  add_compile_definitions: { ofTarget: false, read: definitions },
  add_definitions: { ofTarget: false, read: definitions },
  target_compile_definitions: { ofTarget: true, read: definitions },
  add_compile_options: { ofTarget: false, read: readOptionWords },
  target_compile_options: { ofTarget: true, read: readOptionWords },
};
const assigning = new Set(["set", "list", "string"]);
const building = new Set([
  "add_library",
  "add_executable",
  "target_sources",
  "cuda_add_library",
  "cuda_add_executable",
]);
