import type { Variable } from "./module";

interface RegisterRange {
  readonly first: number;
  readonly count: number;
}

/** Names visible in one `{ … }`; registers, variables and labels of inner braces hide those of outer ones (PTX ISA section 5.4). */
export class Scope {
  private readonly registers = new Map<string, RegisterRange>();
  private readonly variables = new Map<string, string>();
  private readonly labels = new Map<string, string>();

  constructor(readonly parent: Scope | undefined, readonly tag: string) {}

  /** Declares `name` or, with a count, `name0` to `name(count-1)`. */
  declareRegisters(name: string, first: number, count: number | undefined): void {
    this.registers.set(count === undefined ? name : `${name}<`, { first, count: count ?? 1 });
  }

  findRegister(name: string): number | undefined {
    const exact = this.registers.get(name);
    if (exact) return exact.first;
    const digits = /(0|[1-9]\d{0,8})$/.exec(name)?.[0];
    if (digits !== undefined) {
      for (let length = digits.length; length >= 1; length -= 1) {
        const range = this.registers.get(`${name.slice(0, name.length - length)}<`);
        const index = Number(name.slice(name.length - length));
        if (range && index < range.count) return range.first + index;
      }
    }
    return this.parent?.findRegister(name);
  }

  /** Gives the variable a name that is unique in its function. */
  declareVariable(variable: Variable): Variable {
    const unique = this.tag === "" ? variable.name : `${variable.name}${this.tag}`;
    this.variables.set(variable.name, unique);
    return { ...variable, name: unique };
  }

  resolveVariable(name: string): string {
    return this.variables.get(name) ?? this.parent?.resolveVariable(name) ?? name;
  }

  declareLabel(name: string): string {
    const unique = `${name}${this.tag}`;
    this.labels.set(name, unique);
    return unique;
  }

  resolveLabel(name: string): string {
    return this.labels.get(name) ?? this.parent?.resolveLabel(name) ?? name;
  }
}
