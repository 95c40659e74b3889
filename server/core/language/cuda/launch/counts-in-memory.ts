/**
 * Pointers whose element at a fixed place bounds a number that is no element itself, as
 * `if (i >= *n) return;` does, also through a local: counts that lie in the device's memory. Where there are
 * such, others of which nothing but one element is read are leading dimensions and the like: Fortran passes
 * all numbers so. None of them is written. `body`: of the kernel.
 */
export function countsInMemory(body: string, pointers: readonly string[]): ReadonlySet<string> {
  const code = body.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, " ");
  const read = pointers.filter((name) => !isWritten(code, name));
  const bound = read.filter((name) => isBound(code, name));
  return new Set(bound.length === 0 ? [] : read.filter((name) => bound.includes(name) || isOne(code, name)));
}

/** Whether one element is all that is read through a pointer: `*ld`, `ld[0]`. */
function isOne(code: string, name: string): boolean {
  const uses = code.match(new RegExp(String.raw`\b${name}\b`, "g"))?.length ?? 0;
  const first = new RegExp(elementOf(name).replaceAll(String.raw`\d+`, "0"), "g");
  return uses > 0 && (code.match(first)?.length ?? 0) === uses;
}

/** The element of a pointer at a fixed place: `*n`, `n[0]`, `__ldg(n)`. */
function elementOf(name: string): string {
  const cast = String.raw`(?:\(\s*[\w ]+\s*\)\s*)?`;
  const loaded = String.raw`__ldg\s*\(\s*(?:&\s*)?${name}(?:\s*\[\s*\d+\s*\])?\s*\)`;
  const value = String.raw`\*\s*${name}\b(?!\s*[\[+])`;
  return String.raw`(?:(?<![\w)\]]\s*)${value}|\(\s*[\w ]+\s*\)\s*${value}|${cast}\(\s*\*\s*${name}\s*\)|\b${name}\s*\[\s*\d+\s*\]|${loaded})`;
}

function isBound(code: string, name: string): boolean {
  const element = elementOf(name);
  const assigned = new RegExp(String.raw`\b(\w+)\s*=(?!=)([^;{}=]*?${element}[^;{}=]*);`, "g");
  const locals = [...code.matchAll(assigned)].flatMap(([, local = "", value = ""]) =>
    value.replace(new RegExp(element, "g"), "").includes("[") ? [] : String.raw`\b${local}\b`,
  );
  const bound = [element, ...locals].join("|");
  const behind = new RegExp(String.raw`(?<!\])[\w)]\s*(?<![<>])[<>]=?(?![<>])\s*(?:${bound})(?!\s*\[)`);
  const before = new RegExp(String.raw`(?:${bound})\s*(?<![-<>])[<>]=?(?![<>])\s*[A-Za-z_]\w*\b(?!\s*\[)`);
  return behind.test(code) || before.test(code);
}

function isWritten(code: string, name: string): boolean {
  const assigns = String.raw`\s*(?:(?:[-+*/%|&^]|<<|>>)?=(?!=)|\+\+|--)`;
  const forms = [
    String.raw`(?:^|[;{}()])\s*\*\s*${name}\b${assigns}`,
    String.raw`\b${name}\s*\[[^\]]*\]${assigns}`,
    String.raw`\(\s*\*\s*${name}\s*\)${assigns}`,
    String.raw`\batomic\w*\s*\(\s*&?\s*${name}\b`,
  ];
  return forms.some((form) => new RegExp(form).test(code));
}
