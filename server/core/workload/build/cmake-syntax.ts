/** One command of a CMakeLists.txt, its name in small letters. */
export interface CMakeCommand {
  readonly name: string;
  readonly line: number;
  readonly arguments: readonly CMakeArgument[];
}

export interface CMakeArgument {
  readonly text: string;
  /** A quoted or bracketed argument stays one word, whatever its variables hold. */
  readonly whole: boolean;
}

const token = new RegExp(
  [
    String.raw`#\[(=*)\[[\s\S]*?\]\1\]`,
    String.raw`#[^\n]*`,
    String.raw`\[(=*)\[([\s\S]*?)\]\2\]`,
    String.raw`"((?:[^"\\]|\\[\s\S])*)"`,
    String.raw`[()]`,
    String.raw`(?:[^\s()#"\\]|\\.|"(?:[^"\\]|\\.)*")+`,
  ].join("|"),
  "g",
);

/** The commands of a file, in order, whatever conditions they stand under. What does not parse is skipped. */
export function cmakeCommands(text: string): readonly CMakeCommand[] {
  const commands: CMakeCommand[] = [];
  let name = "";
  let open: { readonly name: string; readonly line: number; readonly arguments: CMakeArgument[] } | undefined;
  let depth = 0;
  for (const match of text.matchAll(token)) {
    const [word, , , bracketed, quoted] = match;
    if (word.startsWith("#")) continue;
    if (open === undefined) {
      if (word === "(" && name !== "") {
        open = { name: name.toLowerCase(), line: lineAt(text, match.index), arguments: [] };
        depth = 1;
      }
      name = /^\w+$/.test(word) ? word : "";
    } else if (word === "(") depth += 1;
    else if (word === ")") {
      depth -= 1;
      if (depth > 0) continue;
      commands.push(open);
      open = undefined;
      name = "";
    } else {
      const whole = bracketed ?? quoted?.replace(/\\(.)/gs, "$1");
      open.arguments.push({ text: whole ?? word, whole: whole !== undefined });
    }
  }
  return commands;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The words of arguments: variables replaced, generator expressions decided for a release build of CUDA. */
export function cmakeWords(
  words: readonly CMakeArgument[],
  variables: ReadonlyMap<string, string>,
): readonly string[] {
  return words.flatMap(({ text, whole }) => {
    const value = decided(replaced(text, variables));
    // What is left of a variable that is not known says nothing.
    if (value.includes("${") || value.includes("$<")) return [];
    return whole && !text.startsWith("$<") ? [value] : value.split(/[;\s]+/).filter((word) => word !== "");
  });
}

function replaced(text: string, variables: ReadonlyMap<string, string>): string {
  let value = text;
  for (let round = 0; round < 8 && value.includes("${"); round += 1)
    value = value.replace(/\$\{([\w./+-]+)\}/g, (all, name: string) => variables.get(name) ?? all);
  return value;
}

/** Generator expressions from the inside out. */
function decided(text: string): string {
  let value = text;
  for (let round = 0; round < 16; round += 1) {
    const next = value.replace(/\$<([^<>]*)>/, (_, inside: string) => decision(inside));
    if (next === value) return value;
    value = next;
  }
  return value;
}

/** What expressions are worth for a release build of CUDA; those that are not here count as false. */
const expressions: Readonly<Record<string, (rest: string) => string>> = {
  "1": (rest) => rest,
  "0": () => "",
  BUILD_INTERFACE: (rest) => rest,
  INSTALL_INTERFACE: () => "",
  COMPILE_LANGUAGE: (rest) => truth(rest.split(",").includes("CUDA")),
  COMPILE_LANG_AND_ID: (rest) => truth(rest.startsWith("CUDA,")),
  CONFIG: (rest) => truth(/release/i.test(rest)),
  NOT: (rest) => truth(rest !== "1"),
  AND: (rest) => truth(rest.split(",").every((each) => each === "1")),
  OR: (rest) => truth(rest.split(",").includes("1")),
};

function truth(holds: boolean): string {
  return holds ? "1" : "0";
}

function decision(inside: string): string {
  const colon = inside.indexOf(":");
  const [name, rest] = colon < 0 ? [inside, ""] : [inside.slice(0, colon), inside.slice(colon + 1)];
  return expressions[name]?.(rest) ?? "0";
}
