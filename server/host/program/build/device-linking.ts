import { formatName, readableName } from "../../../core/base/symbols/symbol-name";

/** What ptxas says of a call into another file when device code is not linked. */
const unlinked = /^ptxas fatal\s*: Unresolved extern function '(.+?)'/;

const callsRuntime = "calls a function of CUDA's runtime that the virtual GPU has for host code only";

/** Whether a complaint, as it is explained here, is about CUDA's runtime for kernels. */
export function saysDeviceRuntime(said: string): boolean {
  return said.includes(callsRuntime);
}

/** What nvlink says of a name, and what it means. `found` and `first` are the files that disagree. */
const told: readonly (readonly [RegExp, (name: string, found: string, first: string) => string])[] = [
  [
    /Multiple definition of '(.+?)' in '(.+?)', first defined in '(.+?)'/,
    (name, found, first) =>
      `${name} is defined in ${first} and again in ${found}: define it in one file and declare it extern in the others`,
  ],
  [
    /Undefined reference to '(cuda[A-Z]\w*|__cudaCDP\w*)' in '(.+?)'/,
    (name, found) => `device code in ${found} ${callsRuntime}: ${name.replace("__cudaCDP2", "cuda")}`,
  ],
  [
    /Undefined reference to '(.+?)' in '(.+?)'/,
    (name, found) =>
      `${name} is used in ${found} and defined in no file: name the source or object that defines it`,
  ],
  [
    /Memory space doesn't match for '(.+?)' in '(.+?)', first specified in '(.+?)'/,
    (name, found, first) =>
      `${name} lies in another memory in ${found} than in ${first}: declare it in both as it is defined`,
  ],
  [
    /Size doesn't match for '(.+?)' in '(.+?)', first specified in '(.+?)'/,
    (name, found, first) =>
      `${name} has another size in ${found} than in ${first}: declare it in both as it is defined`,
  ],
  [
    /Prototype doesn't match for '(.+?)' in '(.+?)', first (?:specified|defined) in '(.+?)'/,
    (name, found, first) =>
      `${name} takes or gives other values in ${found} than ${found === first ? "where it is used" : `in ${first}`}: declare it in both as it is defined`,
  ],
];

/**
 * Has a compiler speak of sources instead of the objects that it has made of them: `objects[i]` is that of
 * `sources[i]`.
 */
export function namingSources(said: string, objects: readonly string[], sources: readonly string[]): string {
  return objects.reduce((text, object, index) => text.split(object).join(sources[index] ?? object), said);
}

/**
 * The complaints of the toolkit's assembler and device linker about names as sentences with the names of the
 * sources; everything else as it is.
 */
export function explainDeviceLinking(said: string): string {
  const lines = said.split("\n").map((line) => {
    const [, external = ""] = unlinked.exec(line) ?? [];
    if (external !== "")
      return {
        line: `${formatName(readableName(external))} is defined in no device code of the file that calls it: -rdc=true has the device code of several files linked`,
        isOurs: true,
      };
    for (const [pattern, explain] of told) {
      const [, symbol = "", found = "", first = ""] =
        (/^nvlink error/.test(line) ? pattern.exec(line) : null) ?? [];
      if (symbol !== "")
        return { line: explain(formatName(readableName(symbol)), found, first), isOurs: true };
    }
    return { line, isOurs: false };
  });
  const isExplained = lines.some(({ isOurs }) => isOurs);
  const kept = lines
    .filter(({ line }) => !isExplained || !/^nvlink fatal/.test(line))
    .map(({ line }) => line);
  return kept.filter((line, index) => line === "" || kept.indexOf(line) === index).join("\n");
}
