/**
 * Values by source line. Paths are the keys of the outer map and are never joined with line numbers, so a
 * hostile path of megabytes costs its length once and not once for each instruction.
 */
export class ByLine<Value> {
  private readonly files = new Map<string, Map<number, Value>>();

  /** The value of a line, made when the line is new. */
  at(file: string, line: number, make: () => Value): Value {
    const lines = this.files.get(file) ?? new Map<number, Value>();
    this.files.set(file, lines);
    const value = lines.get(line) ?? make();
    lines.set(line, value);
    return value;
  }

  set(file: string, line: number, value: Value): void {
    const lines = this.files.get(file) ?? new Map<number, Value>();
    this.files.set(file, lines);
    lines.set(line, value);
  }

  /** All values, sorted by file and then by line. */
  sorted(): Value[] {
    const files = [...this.files].sort(([a], [b]) => (a < b ? -1 : 1));
    return files.flatMap(([, lines]) => [...lines].sort(([a], [b]) => a - b).map(([, value]) => value));
  }
}
