import { type Outcome, fail, succeed } from "../../base/outcome";
import { BodyReader } from "./body";
import { InstructionNames } from "./instruction-names";
import { tokenize } from "./lexer";
import { LocationTable, withoutAssemblyLocations } from "./locations";
import type { Linkage, Parameter, PtxFunction, PtxModule, PtxProblem, StateSpace, Variable } from "./module";
import { PtxSyntaxError, TokenReader } from "./reader";
import { readParameters } from "./parameters";
import { readVariable } from "./variables";

/** A module while it is read. */
interface Draft {
  version: string;
  target: string;
  addressSize: number;
  readonly functions: Map<string, PtxFunction>;
  readonly variables: Map<string, Variable>;
  readonly linkage: Map<string, Linkage>;
  readonly files: Map<number, string>;
  readonly locations: LocationTable;
  readonly names: InstructionNames;
  readonly aliases: { readonly name: string; readonly of: string; readonly line: number }[];
}

/**
 * Reads a PTX module. Never throws and always ends, in time linear in the text for anything a compiler emits:
 * hostile or truncated text gives a problem with its PTX line.
 */
export function parsePtx(text: string): Outcome<PtxModule, PtxProblem> {
  const tokens = tokenize(withoutAssemblyLocations(text));
  if (!tokens.ok) return tokens;
  const reader = new TokenReader(tokens.value);
  const draft: Draft = {
    version: "",
    target: "",
    addressSize: 64,
    functions: new Map(),
    variables: new Map(),
    linkage: new Map(),
    files: new Map(),
    locations: new LocationTable(),
    names: new InstructionNames(),
    aliases: [],
  };
  try {
    while (reader.peek().kind !== "end") readTopLevel(reader, draft);
    nameAliases(draft);
  } catch (thrown) {
    if (thrown instanceof PtxSyntaxError) return fail({ message: thrown.message, line: thrown.line });
    throw thrown;
  }
  if (draft.version === "")
    return fail({ message: "the text has no .version directive, so it is not PTX", line: 1 });
  if (draft.addressSize !== 64) return fail({ message: "only 64-bit PTX is supported", line: 1 });
  const { version, target, addressSize, functions, variables, linkage, files, locations } = draft;
  return succeed({
    version,
    target,
    addressSize,
    functions,
    variables,
    linkage,
    files,
    locations: locations.locations,
  });
}

const spaces: ReadonlyMap<string, StateSpace> = new Map([
  [".global", "global"],
  [".const", "const"],
  [".shared", "shared"],
]);
const linkages: ReadonlyMap<string, Linkage> = new Map([
  [".visible", "visible"],
  [".extern", "extern"],
  [".weak", "weak"],
  [".common", "common"],
]);

function readTopLevel(reader: TokenReader, draft: Draft): void {
  let linkage: Linkage | undefined;
  while (linkages.has(reader.peek().text)) linkage = linkages.get(reader.next().text);
  if (linkage !== undefined && reader.peek().kind === "end") return;
  const { text, line } = reader.next();
  const space = spaces.get(text);
  if (space) readVariables(reader, draft, { space, linkage });
  else if (text === ".entry" || text === ".func")
    readFunction(reader, draft, { isEntry: text === ".entry", linkage });
  else readDirective(reader, draft, { text, line });
}

/** Reads what is neither a variable nor a function (PTX ISA section 11). */
function readDirective(
  reader: TokenReader,
  draft: Draft,
  { text, line }: { readonly text: string; readonly line: number },
): void {
  switch (text) {
    case ";":
      return;
    case ".version":
      draft.version = reader.next().text;
      return;
    case ".target":
      draft.target = readTargets(reader);
      return;
    case ".address_size":
      draft.addressSize = reader.count("an address size", 64);
      return;
    case ".file":
      return readFile(reader, draft);
    case ".section":
      reader.word("a section name");
      return reader.skipBraces();
    case ".pragma":
      return reader.skipTo(";");
    case ".loc":
      return draft.locations.read(reader);
    case ".alias":
      return readAlias(reader, draft, line);
    default:
      throw new PtxSyntaxError(`unexpected "${text}" outside of a function`, line);
  }
}

/** A declaration (`.extern`) of a variable that the module defines as well says nothing new. */
function readVariables(
  reader: TokenReader,
  draft: Draft,
  { space, linkage }: { readonly space: StateSpace; readonly linkage: Linkage | undefined },
): void {
  do {
    const variable = readVariable(reader, space);
    if (linkage === "extern" && draft.variables.has(variable.name)) continue;
    noteLinkage(draft, variable.name, linkage);
    draft.variables.set(variable.name, variable);
  } while (reader.accept(","));
  reader.expect(";");
}

function noteLinkage({ linkage: noted }: Draft, name: string, linkage: Linkage | undefined): void {
  if (linkage === undefined) noted.delete(name);
  else noted.set(name, linkage);
}

function readAlias(reader: TokenReader, { aliases }: Draft, line: number): void {
  const name = reader.word("a function name");
  reader.expect(",");
  aliases.push({ name, of: reader.word("a function name"), line });
  reader.expect(";");
}

/** Gives functions their other names, which only have a prototype (PTX ISA section 11.2, ".alias"). */
function nameAliases({ aliases, functions }: Draft): void {
  for (const { name, of, line } of aliases) {
    const body = functions.get(of);
    if (!body?.hasBody || body.isEntry)
      throw new PtxSyntaxError(`"${of}" is no function with a body, so it can have no alias`, line);
    if (functions.get(name)?.hasBody) throw new PtxSyntaxError(`"${name}" is an alias and has a body`, line);
    functions.set(name, body);
  }
}

function readTargets(reader: TokenReader): string {
  const first = reader.word("a target");
  while (reader.accept(",")) reader.word("a target option");
  return first;
}

function readFile(reader: TokenReader, draft: Draft): void {
  const number = reader.count("a file number", 1 << 30);
  const name = reader.next();
  if (name.kind !== "string") throw new PtxSyntaxError("expected a file name in quotes", name.line);
  draft.files.set(number, nameOnDisk(name.text));
  while (reader.accept(",")) reader.integer("a time stamp or size");
}

/** Compilers write each byte beyond ASCII of a file's name as a backslash and three octal digits. */
function nameOnDisk(written: string): string {
  return written.replace(/(?:\\[0-7]{3})+/g, (escapes) =>
    new TextDecoder().decode(
      Uint8Array.from(escapes.slice(1).split("\\"), (octal) => Number.parseInt(octal, 8)),
    ),
  );
}

/** What a definition says of its name counts, whatever declarations before or behind it say. */
function readFunction(
  reader: TokenReader,
  draft: Draft,
  { isEntry, linkage }: { readonly isEntry: boolean; readonly linkage: Linkage | undefined },
): void {
  const { line } = reader.peek();
  const results = reader.peek().text === "(" ? readParameters(reader) : [];
  const name = reader.word("a function name");
  const parameters =
    reader.peek().text === "(" ? readParameters(reader, results.filter(isRegister).length) : [];
  const limits = readLimits(reader);
  const signature = { name, isEntry, parameters, results, ptxLine: line, ...limits };
  draft.locations.reset();
  if (draft.functions.get(name)?.hasBody !== true) noteLinkage(draft, name, linkage);
  if (reader.accept(";")) {
    if (!draft.functions.has(name))
      draft.functions.set(name, {
        ...signature,
        statements: [],
        registers: [],
        variables: [],
        hasBody: false,
      });
    return;
  }
  if (draft.functions.get(name)?.hasBody) throw new PtxSyntaxError(`"${name}" is defined twice`, line);
  const body = new BodyReader(reader, draft.locations, draft.names).read(
    [...results, ...parameters].filter(isRegister),
  );
  draft.functions.set(name, { ...signature, ...body, hasBody: true });
}

function isRegister({ register }: Parameter): boolean {
  return register !== undefined;
}

type Limits = Pick<PtxFunction, "maxThreads" | "requiredThreads" | "cluster">;

/** Directives between the parameters and the body (PTX ISA section 11.4). */
function readLimits(reader: TokenReader): Limits {
  let limits: Limits = {};
  while (reader.peek().text.startsWith(".")) {
    const { text, line } = reader.next();
    if (text === ".maxntid") limits = { ...limits, maxThreads: readTriple(reader) };
    else if (text === ".reqntid") limits = { ...limits, requiredThreads: readTriple(reader) };
    else if (oneNumber.has(text)) reader.count("a limit", 1 << 30);
    else if (text === ".reqnctapercluster") limits = { ...limits, cluster: readTriple(reader) };
    else if (text === ".blocksareclusters")
      throw new PtxSyntaxError("grids that are counted in clusters are not supported", line);
    else if (text === ".pragma") reader.skipTo(";");
    else if (text !== ".noreturn" && text !== ".explicitcluster")
      throw new PtxSyntaxError(`unexpected "${text}"`, line);
  }
  return limits;
}

const oneNumber: ReadonlySet<string> = new Set([
  ".minnctapersm",
  ".maxnreg",
  ".maxnctapersm",
  ".maxclusterrank",
]);

function readTriple(reader: TokenReader): [number, number, number] {
  const triple: [number, number, number] = [1, 1, 1];
  for (let index = 0; index < 3; index += 1) {
    triple[index] = reader.count("a thread count", 1 << 20);
    if (!reader.accept(",")) break;
  }
  return triple;
}
