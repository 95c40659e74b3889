import { invariant } from "../../base/assert";
import { flatten } from "./byte-sink";
import { type ValueType, type Wasm, get, typeCodes, unsigned } from "./code";

/** What a function takes and gives. */
export interface Signature {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
}

/** Which locals a function has and which of them are free. */
export interface LocalsState {
  readonly locals: readonly ValueType[];
  readonly free: ReadonlyMap<ValueType, readonly number[]>;
}

/** Adds locals to a function while its body is composed. */
export class FunctionBuilder {
  private locals: ValueType[] = [];
  private free = new Map<ValueType, number[]>();

  constructor(private readonly parameterCount: number) {}

  /** Index of a new local; it holds zero at first unless it was freed before. */
  local(type: ValueType): number {
    const reused = this.free.get(type)?.pop();
    if (reused !== undefined) return reused;
    this.locals.push(type);
    return this.parameterCount + this.locals.length - 1;
  }

  /** Lets later code reuse a local whose value is no longer needed. */
  release(index: number): void {
    const type = this.locals[index - this.parameterCount];
    invariant(type, "only locals of this function are released");
    const list = this.free.get(type) ?? [];
    list.push(index);
    this.free.set(type, list);
  }

  /** The locals as they are now, to be taken up by another function. */
  save(): LocalsState {
    return { locals: [...this.locals], free: copyLists(this.free) };
  }

  /** True when code composed here from now on would use the same locals as code composed then. */
  isAt({ locals, free }: LocalsState): boolean {
    return (
      isEqual(this.locals, locals) &&
      this.free.size === free.size &&
      [...free].every(([type, list]) => isEqual(this.free.get(type) ?? [], list))
    );
  }

  /** Goes on as if the code that led to `state` had been composed here. */
  takeUp({ locals, free }: LocalsState): void {
    this.locals = [...locals];
    this.free = copyLists(free);
  }

  /** The function in binary form: local declarations, body, end. */
  encode(body: Wasm): Wasm {
    const groups: [number, ValueType][] = [];
    for (const type of this.locals) {
      const last = groups.at(-1);
      if (last && last[1] === type) last[0] += 1;
      else groups.push([1, type]);
    }
    const code = flatten([
      unsigned(groups.length),
      groups.map(([count, type]) => [unsigned(count), typeCodes[type]]),
      body,
      0x0b,
    ]);
    return [unsigned(code.length), code];
  }
}

function copyLists(lists: ReadonlyMap<ValueType, readonly number[]>): Map<ValueType, number[]> {
  return new Map([...lists].map(([type, list]) => [type, [...list]]));
}

function isEqual<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

export interface ImportedFunction extends Signature {
  readonly name: string;
}

/**
 * Builds one WebAssembly module. Imports and globals are fixed at the start; functions are reserved by name
 * first and defined once, so that library functions may call each other and only the ones in use are emitted.
 */
export class ModuleBuilder {
  private readonly types: string[] = [];
  private readonly typeBytes: Wasm[] = [];
  private readonly functions: { type: number; code: Wasm | undefined }[] = [];
  private readonly exported: { readonly name: string; readonly index: number }[] = [];
  private elements: number[] = [];

  /** `globals`: names of imported i32 globals; each with `mutable`. */
  constructor(
    private readonly imports: readonly ImportedFunction[],
    private readonly globals: readonly {
      readonly name: string;
      readonly type: ValueType;
      readonly mutable: boolean;
    }[],
  ) {}

  type(signature: Signature): number {
    const key = `${signature.parameters.join(" ")}>${signature.results.join(" ")}`;
    const known = this.types.indexOf(key);
    if (known >= 0) return known;
    this.types.push(key);
    const list = (values: readonly ValueType[]): Wasm => [
      unsigned(values.length),
      values.map((value) => typeCodes[value]),
    ];
    this.typeBytes.push([0x60, list(signature.parameters), list(signature.results)]);
    return this.types.length - 1;
  }

  /** Index of an imported function. */
  imported(name: string): number {
    const index = this.imports.findIndex((entry) => entry.name === name);
    invariant(index >= 0, `the import ${name} is declared`);
    return index;
  }

  /** Reserves the index of a function to be defined later. */
  reserve(signature: Signature): number {
    this.functions.push({ type: this.type(signature), code: undefined });
    return this.imports.length + this.functions.length - 1;
  }

  define(index: number, code: Wasm): void {
    const entry = this.functions[index - this.imports.length];
    invariant(entry && entry.code === undefined, "a function is defined once");
    entry.code = code;
  }

  /** Reserves and defines in one step. `build` gets the builder for locals and getters for the parameters. */
  add(signature: Signature, build: (builder: FunctionBuilder, parameters: readonly Wasm[]) => Wasm): number {
    const index = this.reserve(signature);
    const builder = new FunctionBuilder(signature.parameters.length);
    this.define(
      index,
      builder.encode(
        build(
          builder,
          signature.parameters.map((_, at) => get(at)),
        ),
      ),
    );
    return index;
  }

  export(name: string, index: number): void {
    this.exported.push({ name, index });
  }

  /** Functions reachable by `callIndirect`, in order. */
  setTable(elements: readonly number[]): void {
    this.elements = [...elements];
  }

  /** The module in binary form; `shared`: its memory is one that threads share, of up to 4 GiB. */
  build(shared = false): Uint8Array<ArrayBuffer> {
    const importTypes = this.imports.map((entry) => this.type(entry));
    return flatten([
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, vector(this.typeBytes)),
      section(
        2,
        vector([
          [text("host"), text("memory"), 0x02, shared ? [0x03, 1, unsigned(65536)] : [0x00, 1]],
          ...this.imports.map(({ name }, at) => {
            const type = importTypes[at];
            invariant(type !== undefined, "each imported function has its type");
            return [text("host"), text(name), 0x00, unsigned(type)];
          }),
          ...this.globals.map(({ name, type, mutable }) => [
            text("host"),
            text(name),
            0x03,
            typeCodes[type],
            mutable ? 1 : 0,
          ]),
        ]),
      ),
      section(3, vector(this.functions.map(({ type }) => unsigned(type)))),
      section(4, vector([[0x70, 0x00, unsigned(this.elements.length)]])),
      section(7, vector(this.exported.map(({ name, index }) => [text(name), 0x00, unsigned(index)]))),
      section(9, vector([[0x00, 0x41, 0x00, 0x0b, vector(this.elements.map(unsigned))]])),
      section(
        10,
        vector(
          this.functions.map(({ code }) => {
            invariant(code !== undefined, "every reserved function is defined");
            return code;
          }),
        ),
      ),
    ]);
  }
}

function vector(items: readonly Wasm[]): Wasm {
  return [unsigned(items.length), items];
}

function section(id: number, contents: Wasm): Wasm {
  const bytes = flatten(contents);
  return [id, unsigned(bytes.length), bytes];
}

function text(value: string): Wasm {
  const bytes = [...new TextEncoder().encode(value)];
  return [unsigned(bytes.length), bytes];
}
