import { type Outcome, fail, succeed } from "../../base/outcome";
import { isSystemFunction } from "../flatten/flatten-system-calls";
import type { Linkage, Location, PtxFunction, PtxModule, Variable } from "../ptx/module";
import { parsePtx } from "../ptx/parser";
import { type Renaming, renameFunction, renameVariable } from "./rename";
import { type LinkPart, type LinkProblem, type Resolved, isVariable, resolveSymbols } from "./symbols";

/** PTX text and what it was compiled from. */
export interface LinkSource {
  /** As the compiler named it; empty when it did not. */
  readonly name: string;
  readonly ptx: string;
}

const remedy =
  "give its source, or compile it with -gencode arch=compute_80,code=[compute_80,sm_80] -Xfatbin -compress=false";
/** Bytes of initial values in all modules together; more is refused as absurd. */
const mostInitialised = 1 << 29;

/**
 * Reads the modules of a program and merges them into one. Never throws; the problem names the text that is
 * no PTX, with the line.
 */
export function linkPtx(sources: readonly LinkSource[]): Outcome<PtxModule, LinkProblem> {
  const parts: LinkPart[] = [];
  let initialised = 0;
  for (const [index, { name: given, ptx }] of sources.entries()) {
    const name = given === "" ? `object ${index + 1}` : given;
    if (ptx === "")
      return fail({ symbol: "", message: `${name} was compiled without PTX that can be read: ${remedy}` });
    const parsed = parsePtx(ptx);
    if (!parsed.ok)
      return fail({
        symbol: "",
        message: `the PTX of ${name} is not understood on its line ${parsed.problem.line}: ${parsed.problem.message}`,
      });
    for (const { initial } of parsed.value.variables.values()) initialised += initial?.byteLength ?? 0;
    if (initialised > mostInitialised)
      return fail({
        symbol: "",
        message: `the initial values of the program's variables take more than ${mostInitialised} bytes`,
      });
    parts.push({ name, module: parsed.value });
  }
  return linkModules(parts);
}

/**
 * Makes one module of several (PTX ISA section 11.6, linking directives). Names that a module keeps to itself
 * stay apart from those of others; lines keep their files. A strong definition too many, declarations that do
 * not fit and names that nobody defines are problems.
 */
function linkModules(parts: readonly LinkPart[]): Outcome<PtxModule, LinkProblem> {
  const resolved = resolveSymbols(parts);
  if (!resolved.ok) return resolved;
  const whole = new Whole(resolved.value);
  for (const part of parts) {
    whole.add(part);
    const problem = whole.unresolved(part);
    if (problem !== undefined) return fail(problem);
  }
  // A program may hand over no modules at all, which make an empty one.
  const [first] = parts;
  return succeed({
    version: first?.module.version ?? "",
    target: first?.module.target ?? "",
    addressSize: 64,
    ...whole.content(),
  });
}

/** The module that the others are put into, one after the other. */
class Whole {
  private readonly functions = new Map<string, PtxFunction>();
  private readonly variables = new Map<string, Variable>();
  private readonly linkage = new Map<string, Linkage>();
  private readonly locations: Location[] = [];
  private readonly fileNumbers = new Map<string, number>();
  /** All names of the whole, and how many others have been made of each. */
  private readonly taken: Map<string, number>;
  private mentioned = new Set<string>();

  constructor(private readonly resolved: ReadonlyMap<string, Resolved>) {
    this.taken = new Map([...resolved.keys()].map((name) => [name, 0]));
  }

  content(): Pick<PtxModule, "functions" | "variables" | "linkage" | "files" | "locations"> {
    const { functions, variables, linkage, locations } = this;
    return {
      functions,
      variables,
      linkage,
      locations,
      files: new Map([...this.fileNumbers].map(([name, number]) => [number, name])),
    };
  }

  add(part: LinkPart): void {
    const { functions, variables } = part.module;
    const renaming = this.renamingOf(part);
    this.addLocations(part.module);
    // A function with several names stays one.
    const renamed = new Map<PtxFunction, PtxFunction>();
    for (const [key, body] of functions) {
      if (!this.isKept(part, key, body)) continue;
      const called =
        functions.get(body.name) === body && this.isKept(part, body.name, body) ? body.name : key;
      const moved = renamed.get(body) ?? renameFunction(body, renaming.nameOf(called), renaming);
      renamed.set(body, moved);
      this.functions.set(renaming.nameOf(key), moved);
      this.keepLinkage(part, key);
    }
    for (const [key, variable] of variables) {
      if (!this.isKept(part, key, variable)) continue;
      const moved = renameVariable(variable, renaming.nameOf(key), renaming);
      this.variables.set(moved.name, {
        ...moved,
        align: Math.max(moved.align, this.resolved.get(moved.name)?.align ?? 0),
      });
      this.keepLinkage(part, key);
    }
  }

  /** Something that the part just added mentions and that no part defines. */
  unresolved({ name: part }: LinkPart): LinkProblem | undefined {
    const mentioned = this.mentioned;
    this.mentioned = new Set();
    for (const name of mentioned) {
      const found = this.resolved.get(name);
      if (found === undefined || found.strength > 0) continue;
      const isElsewhere = isVariable(found.what)
        ? found.what.space === "shared" && found.what.size === 0
        : isSystemFunction(name);
      if (!isElsewhere)
        return {
          symbol: name,
          message: `${name} is used in ${part} and defined in no file: name the source or object that defines it`,
        };
    }
    return undefined;
  }

  /**
   * True for what a module keeps to itself, and for the one definition (or, without any, declaration) of a
   * name that modules share.
   */
  private isKept(part: LinkPart, name: string, what: PtxFunction | Variable): boolean {
    return isOwn(part.module, name, what) || this.resolved.get(name)?.what === what;
  }

  private keepLinkage({ module }: LinkPart, name: string): void {
    const linkage = module.linkage.get(name);
    if (linkage !== undefined) this.linkage.set(name, linkage);
  }

  private renamingOf(part: LinkPart): Renaming {
    const { functions, variables } = part.module;
    const names = new Map<string, string>();
    for (const [name, what] of [...functions, ...variables])
      if (isOwn(part.module, name, what)) names.set(name, this.fresh(name));
    const shared = new Map<string, string>();
    return {
      firstLocation: this.locations.length,
      nameOf: (symbol) => names.get(symbol) ?? symbol,
      sharedNameOf: (symbol) => {
        const name = shared.get(symbol) ?? this.fresh(symbol);
        shared.set(symbol, name);
        return name;
      },
      mentioned: (symbol) => {
        this.mentioned.add(symbol);
      },
    };
  }

  /** A name that nothing else in the whole has: `own`, then `own@1`. No PTX has an @ in a name. */
  private fresh(name: string): string {
    const count = this.taken.get(name);
    this.taken.set(name, (count ?? -1) + 1);
    return count === undefined ? name : `${name}@${count + 1}`;
  }

  private addLocations({ files, locations }: PtxModule): void {
    const first = this.locations.length;
    for (const { file, inlinedAt, ...place } of locations) {
      this.locations.push({
        ...place,
        file: this.fileNumber(files.get(file) ?? `file ${file}`),
        inlinedAt: inlinedAt < 0 ? inlinedAt : inlinedAt + first,
      });
    }
  }

  private fileNumber(name: string): number {
    const number = this.fileNumbers.get(name) ?? this.fileNumbers.size + 1;
    this.fileNumbers.set(name, number);
    return number;
  }
}

/** True for what a module defines and keeps to itself. */
function isOwn({ linkage }: PtxModule, name: string, what: PtxFunction | Variable): boolean {
  return !linkage.has(name) && (isVariable(what) || what.hasBody);
}
