import { sourceName } from "./source-name";

/** Builtin types by their letter in the Itanium C++ ABI, section 5.1.5.2. */
export const builtinTypes: Readonly<Record<string, string>> = {
  v: "void",
  w: "wchar_t",
  b: "bool",
  c: "char",
  a: "signed char",
  h: "unsigned char",
  s: "short",
  t: "unsigned short",
  i: "int",
  j: "unsigned int",
  l: "long",
  m: "unsigned long",
  x: "long long",
  y: "unsigned long long",
  f: "float",
  d: "double",
};

interface ReadableName {
  /** The function's own name without namespaces: `scale`. */
  readonly name: string;
  /**
   * Template arguments as text, as far as they are builtin types, named types and literals; `?` for others.
   */
  readonly templateArguments: readonly string[];
}

/**
 * The name of a kernel behind its symbol. A symbol that is not mangled (extern "C", Triton) is its own name.
 * Reads names, nesting and template arguments of the Itanium C++ ABI, which nvcc uses; parameters are not
 * looked at.
 */
export function readableName(linked: string): ReadableName {
  const symbol = sourceName(linked);
  if (!symbol.startsWith("_Z")) return { name: symbol, templateArguments: [] };
  const reader = new SymbolReader(symbol, 2);
  return reader.functionName() ?? { name: symbol, templateArguments: [] };
}

/** The name of a variable behind its symbol, with the namespaces that have a name: `tables::row`. */
export function variableName(linked: string): string {
  const symbol = sourceName(linked);
  return symbol.startsWith("_Z") ? (new SymbolReader(symbol, 2).qualifiedName() ?? symbol) : symbol;
}

/** `scale` or `scale<32, float>`. */
export function formatName(readable: ReadableName): string {
  return readable.templateArguments.length === 0
    ? readable.name
    : `${readable.name}<${readable.templateArguments.join(", ")}>`;
}

class SymbolReader {
  /** The scopes around the function, outermost first, which types of its arguments may lie in. */
  private readonly scopes: string[] = [];

  constructor(
    private readonly symbol: string,
    private at: number,
  ) {}

  functionName(): ReadableName | undefined {
    const nested = this.accept("N");
    while (nested && /[rVK]/.test(this.peek())) this.at += 1;
    let name: string | undefined;
    let templateArguments: readonly string[] = [];
    // An internal-linkage name has an L in front.
    for (this.accept("L"); /[\dSI]/.test(this.peek()); this.accept("L")) {
      if (this.accept("I")) templateArguments = this.templateList();
      else if (this.accept("S")) this.substitution();
      else {
        if (name !== undefined) this.scopes.push([...this.scopes.slice(-1), name].join("::"));
        name = this.sourceName();
        templateArguments = [];
        if (!nested && this.peek() !== "I") break;
      }
    }
    return name === undefined ? undefined : { name, templateArguments };
  }

  /** With the scopes around it, of which those without a name are left out. */
  qualifiedName(): string | undefined {
    const found = this.functionName();
    const [scope = ""] = this.scopes.slice(-1);
    const named = scope.split("::").filter((each) => each !== "" && !/^_(?:GLOBAL__N|INTERNAL_)/.test(each));
    return found && [...named, formatName(found)].join("::");
  }

  private peek(): string {
    return this.symbol[this.at] ?? "";
  }

  private accept(letter: string): boolean {
    if (this.peek() !== letter) return false;
    this.at += 1;
    return true;
  }

  private sourceName(): string {
    const digits = /^\d+/.exec(this.symbol.slice(this.at))?.[0] ?? "0";
    const start = this.at + digits.length;
    this.at = start + Number(digits);
    return this.symbol.slice(start, this.at);
  }

  private substitution(): void {
    const rest = /^(?:[a-z]|[0-9A-Z]*_)/.exec(this.symbol.slice(this.at))?.[0] ?? "";
    this.at += rest.length;
  }

  private templateList(): readonly string[] {
    const found: string[] = [];
    while (this.at < this.symbol.length && !this.accept("E")) found.push(this.templateArgument());
    return found;
  }

  private templateArgument(): string {
    if (this.accept("L")) {
      const type = this.type();
      const end = this.symbol.indexOf("E", this.at);
      const value = this.symbol.slice(this.at, end).replace(/^n/, "-");
      this.at = end + 1;
      return type === "bool" ? String(value !== "0") : value;
    }
    return this.type();
  }

  /** `N3c104HalfE` */
  private nestedType(): string {
    this.at += 1;
    const scope = this.scope();
    if (scope === undefined) return this.unknown();
    const parts = [...scope];
    while (/\d/.test(this.peek())) parts.push(this.sourceName());
    if (this.accept("E")) return parts.join("::");
    return this.unknown();
  }

  /** What a nested name begins with: nothing, or a scope of the function; undefined for any other. */
  private scope(): readonly string[] | undefined {
    if (!this.accept("S")) return [];
    const number = /^([0-9A-Z]*)_/.exec(this.symbol.slice(this.at))?.[1];
    const found =
      number === undefined ? undefined : this.scopes[number === "" ? 0 : parseInt(number, 36) + 1];
    // A name without a name cannot be written.
    if (number === undefined || found === undefined || found.includes("_GLOBAL__N")) return undefined;
    this.at += number.length + 1;
    return [found];
  }

  private type(): string {
    if (this.accept("P")) return `${this.type()}*`;
    if (this.accept("K")) return `const ${this.type()}`;
    if (/\d/.test(this.peek())) return this.sourceName();
    if (/^N[\dS]/.test(this.symbol.slice(this.at, this.at + 2))) return this.nestedType();
    const builtin = builtinTypes[this.peek()];
    this.at += 1;
    if (builtin !== undefined) return builtin;
    return this.unknown();
  }

  /** What is left is rare in a kernel's arguments: the rest of the list is not understood and is skipped. */
  private unknown(): string {
    this.at = Math.max(this.at, this.symbol.indexOf("E", this.at));
    return "?";
  }
}
