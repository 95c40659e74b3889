import { at } from "../../base/known";
import { normalizePath } from "../../base/path-rules";
import {
  type BuildPart,
  type CompilerFlag,
  type Define,
  type IncludeFolder,
  isHarmlessWord,
  type LanguageStandard,
  type Sourced,
} from "../build-settings";
import table from "./compiler-options.json";

/** Where words of a compiler's command line were read, and what their paths are relative to. */
export interface WordPlace extends Sourced {
  /** POSIX folder: relative to the top of the workspace, or absolute. */
  readonly folder: string;
  /** Names of the workspace's top as an absolute path: with links, and resolved. */
  readonly tops: readonly string[];
  /** Absolute folder of the project that the workspace is a part of. */
  readonly project?: string;
}

interface Option {
  readonly name: string;
  readonly value: string | undefined;
}

const valued = new Set(table.valued);
const kept = new Set(table.kept);
const silent = new Set(table.silent);
const aliases: Readonly<Record<string, string>> = table.aliases;
const refused: Readonly<Record<string, string>> = table.refused;
const hostOption = new RegExp(table.hostOptions);
/** Options whose value follows without a space or `=`. */
const glued = /^(-(?:isystem|[IDULlO]))(.+)$/s;
/** Folders that compilers and toolkits own: in view of every compilation. */
const systemFolders = ["/usr/", "/opt/cuda", "/nix/store/", "/gnu/store/"];

/**
 * Settings that a compiler's words say. Options that the product sets itself, or that could change what is
 * made of the source, become notes.
 */
export function readOptionWords(words: readonly string[], place: WordPlace): BuildPart & StatedParts {
  const read: StatedParts = { includeFolders: [], defines: [], flags: [], notes: [] };
  let standard: LanguageStandard | undefined;
  for (const option of optionsOf(words)) {
    const { name, value = "" } = option;
    const { origin, where } = place;
    if (name === "-I" || name === "-isystem") {
      const found = readIncludeFolder(value, place);
      if (typeof found === "string") read.includeFolders.push({ folder: found, origin, where });
      else read.notes.push(leftOut(where, `${name}${value}`, found.problem));
    } else if (name === "-D") read.defines.push(readDefine(value, { origin, where }));
    else if (name === "-U") read.defines.push({ name: value, value: false, origin, where });
    else if (name === "-std") standard = { value: value.replace("gnu++", "c++"), origin, where };
    else readFlag(option, place, read);
  }
  return { ...read, ...(standard === undefined ? {} : { standard }) };
}

interface StatedParts {
  readonly includeFolders: IncludeFolder[];
  readonly defines: Define[];
  readonly flags: CompilerFlag[];
  readonly notes: string[];
}

function leftOut(where: string, what: string, why: string): string {
  return `${where}: ${what} is left out: ${why}`;
}

/** An option that is no folder, macro or standard: handed on, passed over, or refused with a note. */
function readFlag(option: Option, { origin, where }: WordPlace, read: StatedParts): void {
  const { name, value = "" } = option;
  const word = wordOf(option);
  const why = refused[name];
  if (why !== undefined) read.notes.push(leftOut(where, word, why));
  else if (name === "-Xcompiler") {
    for (const each of hostWords(value))
      if (hostOption.test(each)) read.flags.push({ word: `-Xcompiler=${each}`, origin, where });
      else
        read.notes.push(leftOut(where, `-Xcompiler=${each}`, "it is no option of a kind that is handed on"));
  } else if (silent.has(name)) return;
  else if (kept.has(name) || origin === "user") {
    if (isHarmlessWord(word)) read.flags.push({ word, origin, where });
    else read.notes.push(leftOut(where, word, "it holds letters that a shell would read"));
  } else if (!hostOption.test(word))
    read.notes.push(
      leftOut(where, word, "the option is not known; name it with --nvcc-flag if the kernel needs it"),
    );
}

/** `N`, `N=4`, `MAX(a,b)=…` */
export function readDefine(text: string, sourced: Sourced): Define {
  const { origin, where } = sourced;
  const equals = text.indexOf("=");
  const [name, value] = equals < 0 ? [text, undefined] : [text.slice(0, equals), text.slice(equals + 1)];
  return { name, ...(value === undefined ? {} : { value: value.replace(/[\r\n]+/g, " ") }), origin, where };
}

/**
 * An include folder as settings name it. What lies outside of the workspace's project and is no toolkit's is
 * the user's to name.
 */
export function readIncludeFolder(text: string, place: WordPlace): string | { readonly problem: string } {
  if (!isHarmlessWord(text) || text === "")
    return { problem: "its name holds letters that a shell would read" };
  const path = joinPath(place, text);
  const top = place.tops.find((each) => path === each || path.startsWith(`${each}/`));
  if (top !== undefined) return path.slice(top.length + 1);
  if (!path.startsWith("/")) return path;
  if (place.origin === "user" || systemFolders.some((folder) => path.startsWith(folder))) return path;
  if (place.project !== undefined && path.startsWith(`${place.project}/`)) return path;
  return {
    problem: "it lies outside of the workspace; name it in kernelwright.json or with -I if it is needed",
  };
}

/** Relative to the top of the workspace, or absolute when it leaves the workspace by `..`. */
function joinPath({ folder, tops }: WordPlace, text: string): string {
  const whole = text.startsWith("/") ? text : `${folder}/${text}`;
  const inside = folder.startsWith("/") || text.startsWith("/") ? undefined : normalizePath(whole);
  if (inside !== undefined) return inside;
  const absolute =
    whole.startsWith("/") && (folder.startsWith("/") || text.startsWith("/"))
      ? whole
      : `${tops[0] ?? ""}/${whole}`;
  return `/${normalizePath(absolute) ?? ""}`;
}

function* optionsOf(words: readonly string[]): Iterable<Option> {
  for (let position = 0; position < words.length; position += 1) {
    const option = readOption(at(words, position));
    if (option === undefined) continue;
    if (option.value === undefined && valued.has(option.name)) {
      position += 1;
      yield { name: option.name, value: words[position] };
    } else yield option;
  }
}

/** One word; undefined for the name of a file. */
function readOption(word: string): Option | undefined {
  if (!word.startsWith("-")) return undefined;
  const short = word.replace(/^--/, "-");
  const equals = short.indexOf("=");
  const spelled = equals < 0 ? short : short.slice(0, equals);
  const name = aliases[spelled] ?? spelled;
  const [, stuck, rest] = isKnown(name) ? [] : (glued.exec(short) ?? []);
  if (stuck !== undefined) return { name: stuck, value: rest };
  return { name, value: equals < 0 ? undefined : short.slice(equals + 1) };
}

function isKnown(name: string): boolean {
  return kept.has(name) || silent.has(name) || valued.has(name) || name in refused;
}

function wordOf({ name, value }: Option): string {
  if (value === undefined) return name;
  return name === "-O" ? `${name}${value}` : `${name}=${value}`;
}

/** `-fopenmp,-Wall`: several options of the host compiler, in quotes or not. */
function hostWords(value: string): readonly string[] {
  return value
    .replace(/^["']|["']$/g, "")
    .split(/[\s,]+/)
    .filter((word) => word !== "");
}
