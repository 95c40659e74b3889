import { builtinTypes } from "./symbol-name";
import { sourceName } from "./source-name";

/**
 * The types of a kernel's parameters as its symbol says them, in order: `const float*`, `int`, `__half`.
 * Undefined for a symbol that is not mangled, and where one of its types is of a kind that is not read here.
 * Names, templates and substitutions of the Itanium C++ ABI, sections 5.1.2 to 5.1.10.
 */
export function symbolParameters(linked: string): readonly string[] | undefined {
  const symbol = sourceName(linked);
  if (!symbol.startsWith("_Z")) return undefined;
  try {
    return new EncodingReader(symbol).parameters();
  } catch (thrown) {
    if (thrown instanceof Unread) return undefined;
    throw thrown;
  }
}

class Unread extends Error {}

/** What stands before a type, by its letter, and in C++ before or behind it. */
const modifiers: readonly (readonly [letter: string, before: string, behind: string])[] = [
  ["P", "", "*"],
  ["R", "", "&"],
  ["K", "const ", ""],
  ["V", "volatile ", ""],
];

/** The letters of a symbol, read from front to back. */
class Letters {
  private at = 2;

  constructor(private readonly symbol: string) {}

  get isAtEnd(): boolean {
    return this.at >= this.symbol.length;
  }

  peek(): string {
    return this.symbol[this.at] ?? "";
  }

  startsWith(text: string): boolean {
    return this.symbol.startsWith(text, this.at);
  }

  accept(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.at += text.length;
    return true;
  }

  /** What a pattern that is bound to the start matches; a symbol without it is not read. */
  take(pattern: RegExp): string {
    const found = pattern.exec(this.symbol.slice(this.at))?.[0];
    if (found === undefined) throw new Unread();
    return this.skip(found.length);
  }

  skip(count: number): string {
    const start = this.at;
    this.at += count;
    if (this.at > this.symbol.length) throw new Unread();
    return this.symbol.slice(start, this.at);
  }

  /** `S_` is 0, `S0_` 1, `SA_` 11. */
  numberBehind(letter: string): number {
    const digits = this.take(new RegExp(`^${letter}[0-9A-Z]*_`)).slice(1, -1);
    return digits === "" ? 0 : Number.parseInt(digits, 36) + 1;
  }

  identifier(): string {
    this.accept("L");
    return this.skip(Number(this.take(/^\d+/)));
  }

  literal(): string {
    const value = this.take(/^n?\d+E/);
    return value.slice(0, -1).replace("n", "-");
  }
}

/** Reads a function's encoding from its start, and keeps what later parts refer to. */
class EncodingReader {
  private readonly letters: Letters;
  /** What `S_`, `S0_` … stand for. */
  private readonly kept: string[] = [];
  /** What `T_`, `T0_` … stand for. */
  private templateArguments: readonly string[] = [];

  constructor(symbol: string) {
    this.letters = new Letters(symbol);
  }

  parameters(): readonly string[] {
    const isTemplate = this.functionName();
    // A template's encoding begins with what it returns.
    if (isTemplate) this.type();
    const found: string[] = [];
    while (!this.letters.isAtEnd && this.letters.peek() !== ".") found.push(this.type());
    return found.join() === "void" ? [] : found;
  }

  private keep(type: string): string {
    this.kept.push(type);
    return type;
  }

  private keptAt(index: number): string {
    const found = this.kept[index];
    if (found === undefined) throw new Unread();
    return found;
  }

  /** Whether it ends in template arguments. */
  private functionName(): boolean {
    const { letters } = this;
    if (letters.accept("N")) return this.nestedName(true).isTemplate;
    const name = letters.accept("St") ? `std::${letters.identifier()}` : letters.identifier();
    if (letters.peek() !== "I") return false;
    this.keep(name);
    this.templateArguments = this.argumentList();
    return true;
  }

  /** Behind its `N`. Of a function the whole is no type, so that nothing refers to it. */
  private nestedName(isFunction: boolean): { readonly name: string; readonly isTemplate: boolean } {
    const { letters } = this;
    while (/[rVK]/.test(letters.peek())) letters.skip(1);
    let name = "";
    let isTemplate = false;
    while (!letters.accept("E")) {
      const isReference = letters.peek() === "S" && !letters.startsWith("St");
      isTemplate = letters.peek() === "I";
      if (isTemplate) {
        const given = this.argumentList();
        if (isFunction) this.templateArguments = given;
        name = `${name}<${given.join(", ")}>`;
      } else if (isReference) name = this.keptAt(letters.numberBehind("S"));
      else if (letters.accept("St")) name = "std";
      else name = name === "" ? letters.identifier() : `${name}::${letters.identifier()}`;
      const isWhole = letters.peek() === "E";
      if (!isReference && name !== "std" && !(isWhole && isFunction)) this.keep(name);
    }
    return { name, isTemplate };
  }

  private type(): string {
    const { letters } = this;
    const builtin = builtinTypes[letters.peek()];
    if (builtin !== undefined) {
      letters.skip(1);
      return builtin;
    }
    const [, before = "", behind = ""] = modifiers.find(([letter]) => letters.accept(letter)) ?? [];
    if (before !== "" || behind !== "") return this.keep(`${before}${this.type()}${behind}`);
    if (letters.accept("r")) return this.keep(this.type());
    if (letters.accept("N")) return this.nestedName(false).name;
    if (letters.peek() === "T") return this.keep(this.templateParameter());
    const isStandard = letters.accept("St");
    if (letters.peek() === "S") return this.withArguments(this.keptAt(letters.numberBehind("S")));
    const name = letters.identifier();
    return this.withArguments(this.keep(isStandard ? `std::${name}` : name));
  }

  private withArguments(name: string): string {
    if (this.letters.peek() !== "I") return name;
    return this.keep(`${name}<${this.argumentList().join(", ")}>`);
  }

  private templateParameter(): string {
    const argument = this.templateArguments[this.letters.numberBehind("T")];
    if (argument === undefined) throw new Unread();
    return argument;
  }

  private argumentList(): readonly string[] {
    const { letters } = this;
    letters.accept("I");
    const found: string[] = [];
    while (!letters.accept("E")) found.push(letters.accept("L") ? this.literal() : this.type());
    return found;
  }

  private literal(): string {
    this.type();
    return this.letters.literal();
  }
}
