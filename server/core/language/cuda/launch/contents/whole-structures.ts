import { withoutComments } from "../../kernel-text";

/**
 * Whether a pointer leads to one structure that is only read, by how a kernel uses it: `g->nx`, `(*g).ny`,
 * `NX(g)` of a macro, also in functions that it hands the pointer on to; but no place behind it. `code`: of
 * the kernel; `reached`: with all that it calls; `text`: with the macros; `type`: the structure's name.
 */
export function isOneStructure(
  name: string,
  { code, reached, text, type }: Readonly<Record<"code" | "reached" | "text" | "type", string>>,
): boolean {
  const body = withoutComments(code);
  const uses = [body, ...macroUses(name, body, macrosOf(text))].join("\n");
  if (!new RegExp(String.raw`\b${name}\s*->|\*\s*${name}\b`).test(uses)) {
    // A function that is handed the pointer may look at it.
    if (!new RegExp(String.raw`[(,]\s*${name}\s*[,)]`).test(body)) return false;
  }
  const handed = new RegExp(
    String.raw`\b${type}\s*(?:const\s*)?\*\s*(?:(?:const|__restrict__)\s*)*(\w+)`,
    "g",
  );
  const plain = withoutComments(reached);
  const others = [...plain.matchAll(handed)].flatMap(([, other]) => other ?? []);
  return !isPlaced(name, uses) && others.every((other) => !isPlaced(other, plain));
}

/** Whether a code goes to places behind a pointer, or writes to what it leads to. */
function isPlaced(name: string, code: string): boolean {
  const forms = [
    String.raw`(?<![\w.>])${name}\s*(?:\[|\+|-(?!>)|=[^=])`,
    String.raw`(?:\+\+|--)\s*${name}\b|\+\s*${name}\b(?!\s*->)`,
    String.raw`\b${name}\s*->[\w.[\]\s>-]*?(?:[-+*/|&^]?=(?!=)|\+\+|--)`,
    String.raw`&\s*${name}\s*->`,
  ];
  return forms.some((form) => new RegExp(form).test(code));
}

interface Macro {
  readonly parameters: readonly string[];
  readonly value: string;
}

function macrosOf(text: string): ReadonlyMap<string, Macro> {
  const defined = /^[ \t]*#\s*define\s+(\w+)\(([^)]*)\)((?:\\\r?\n|[^\n])*)/gm;
  return new Map(
    [...text.matchAll(defined)].map(([, name = "", parameters = "", value = ""]) => [
      name,
      { parameters: parameters.split(",").map((each) => each.trim()), value: withoutComments(value) },
    ]),
  );
}

/** What macros make of a name that they are handed, those within them too. */
function macroUses(name: string, code: string, macros: ReadonlyMap<string, Macro>): readonly string[] {
  const texts = [bare(name, code)];
  const used = new Set<string>();
  for (let next = 0; next < texts.length; next += 1)
    for (const [called, { parameters, value }] of macros) {
      const text = texts[next] ?? "";
      for (const given of argumentsOf(called, text)) {
        const place = given.findIndex((each) => each === name);
        const parameter = parameters[place];
        if (parameter === undefined || parameter === "" || used.has(`${called} ${place}`)) continue;
        used.add(`${called} ${place}`);
        texts.push(bare(name, value.replace(new RegExp(String.raw`\b${parameter}\b`, "g"), name)));
      }
    }
  return texts.slice(1);
}

/** The arguments of each call of a macro. */
function argumentsOf(called: string, text: string): readonly (readonly string[])[] {
  return [...text.matchAll(new RegExp(String.raw`\b${called}\s*\(`, "g"))].map(({ 0: head, index }) => {
    const parts = [""];
    let depth = 1;
    for (const letter of text.slice(index + head.length)) {
      if (letter === "(") depth += 1;
      if (letter === ")") depth -= 1;
      if (depth === 0) break;
      if (letter === "," && depth === 1) parts.push("");
      else parts.push(`${parts.pop() ?? ""}${letter}`);
    }
    return parts.map((each) => each.trim());
  });
}

/** `(g)->nx` is `g->nx`. */
function bare(name: string, code: string): string {
  return code.replace(new RegExp(String.raw`(?<!\w\s*)\(\s*${name}\s*\)`, "g"), name);
}
