import type { Operand, Variable } from "./module";

interface RegisterRange {
  readonly first: number;
  readonly count: number;
}

/**
 * Names visible in one `{ … }`; registers, variables and labels of inner braces hide those of outer ones (PTX
 * ISA section 5.4).
 */
export class Scope {
  private readonly registers = new Map<string, RegisterRange>();
  private readonly variables = new Map<string, string>();
  private readonly labels = new Map<string, string>();
  /** Elements of each declared vector register; its elements are registers in a row. */
  private readonly widths = new Map<string, number>();
  /** What names were found to stand for since something was declared. */
  private readonly meanings = new Map<string, Operand>();

  constructor(
    readonly parent: Scope | undefined,
    readonly tag: string,
  ) {}

  /**
   * What a name stands for, which `find` finds out the first time. Nothing is declared in outer braces while
   * inner ones are open.
   */
  meaning(name: string, find: (scope: Scope, name: string) => Operand): Operand {
    const known = this.meanings.get(name);
    if (known) return known;
    const found = find(this, name);
    this.meanings.set(name, found);
    return found;
  }

  /**
   * Declares `name` or, with a count, `name0` to `name(count-1)`. A vector takes `width` registers, `name.x`
   * and so on.
   */
  declareRegisters(name: string, first: number, count: number | undefined, width = 1): void {
    this.meanings.clear();
    const key = count === undefined ? name : `${name}<`;
    this.registers.set(key, { first, count: count ?? 1 });
    if (width > 1) this.widths.set(key, width);
    else this.widths.delete(key);
  }

  /**
   * The registers of a vector register, or of one of its elements; undefined for anything else (PTX ISA
   * section 5.4.2).
   */
  findVector(name: string): readonly number[] | undefined {
    const [, base = name, element] = /^(.+)\.([xyzwrgba])$/.exec(name) ?? [];
    const found = this.lookUp(base);
    if (!found || found.width === 1) return undefined;
    const list = Array.from({ length: found.width }, (_, index) => found.first + index);
    if (element === undefined) return list;
    const one = list["xyzw".includes(element) ? "xyzw".indexOf(element) : "rgba".indexOf(element)];
    return one === undefined ? undefined : [one];
  }

  findRegister(name: string): number | undefined {
    const found = this.lookUp(name);
    if (found?.width === 1) return found.first;
    const element = found ? undefined : this.findVector(name);
    return element?.[0];
  }

  private lookUp(name: string): { readonly first: number; readonly width: number } | undefined {
    const exact = this.registers.get(name);
    if (exact) return { first: exact.first, width: this.widths.get(name) ?? 1 };
    const digits = /(0|[1-9]\d{0,8})$/.exec(name)?.[0];
    if (digits !== undefined) {
      for (let length = digits.length; length >= 1; length -= 1) {
        const range = this.registers.get(`${name.slice(0, name.length - length)}<`);
        const index = Number(name.slice(name.length - length));
        if (!range || index >= range.count) continue;
        const width = this.widths.get(`${name.slice(0, name.length - length)}<`) ?? 1;
        return { first: range.first + index * width, width };
      }
    }
    return this.parent?.lookUp(name);
  }

  /** Gives the variable a name that is unique in its function. */
  declareVariable(variable: Variable): Variable {
    this.meanings.clear();
    const unique = this.tag === "" ? variable.name : `${variable.name}${this.tag}`;
    this.variables.set(variable.name, unique);
    return { ...variable, name: unique };
  }

  resolveVariable(name: string): string {
    return this.variables.get(name) ?? this.parent?.resolveVariable(name) ?? name;
  }

  declareLabel(name: string): string {
    this.meanings.clear();
    const unique = `${name}${this.tag}`;
    this.labels.set(name, unique);
    return unique;
  }

  resolveLabel(name: string): string {
    return this.labels.get(name) ?? this.parent?.resolveLabel(name) ?? name;
  }
}
