import { mustGet } from "../../base/known";
import { definedName, signatureOf } from "../functions";
import type { PtxFunction, PtxModule } from "../ptx/module";
import { type CallTarget, factsOf } from "./function-facts";
import { strongComponents } from "./strong-components";

/** How the functions that an entry reaches are compiled. */
export interface CallGraph {
  /** Functions with code blocks of their own, those that are called before those that call. */
  readonly procedures: readonly PtxFunction[];
  /** Functions that may be running more than once in one thread. */
  readonly reentrant: ReadonlySet<string>;
  /** True when a direct call is replaced by the function's instructions. */
  isInlined(name: string): boolean;
  /** Functions that a call with this target may reach through a register. */
  reachedBy(target: Extract<CallTarget, { kind: "pointer" }>): readonly PtxFunction[];
}

/** Functions of up to so many instructions are inlined wherever they are called. */
const smallFunction = 200;
/** The limit instead when a kernel would grow beyond `largeProgram` instructions. */
const tinyFunction = 16;
const largeProgram = 20_000;
/** Functions nested more deeply are not inlined. */
const deepestInlining = 24;
/** What a call costs in instructions, roughly. */
const callSize = 8;

/**
 * A function, or the meeting point of all calls through registers with one signature (so that a thousand
 * calls to a thousand functions stay small).
 */
interface Node {
  readonly body?: PtxFunction;
  /** One name a call. */
  readonly callees: readonly string[];
}

/**
 * Finds what an entry calls, directly and through registers, and decides what is inlined (recursive functions
 * and those with alloca never are).
 */
export function analyzeCalls(module: PtxModule, entry: PtxFunction): CallGraph {
  const pointers = new Pointers(module);
  const { nodes, sites, byPointer } = collectNodes(module, entry, pointers);
  const components = strongComponents([entry.name], (name) =>
    mustGet(nodes, name).callees.filter((callee) => nodes.has(callee)),
  );
  const reentrant = new Set(
    components.flatMap((names) => {
      const [only = ""] = names;
      return names.length > 1 || nodes.get(only)?.callees.includes(only) ? names : [];
    }),
  );
  const order = components.flat().map((name) => mustGet(nodes, name));
  const inlined = chooseInlined(module, { order, reentrant, sites, entry });
  const procedures = order.flatMap(({ body }) =>
    body && body !== entry && (byPointer.has(body.name) || !inlined.has(body.name)) ? [body] : [],
  );
  return {
    procedures,
    reentrant,
    isInlined: (name) => inlined.has(name),
    reachedBy: (target) => pointers.reachedBy(target),
  };
}

interface Collected {
  readonly nodes: ReadonlyMap<string, Node>;
  /** Direct calls of each function in the text. */
  readonly sites: ReadonlyMap<string, number>;
  readonly byPointer: ReadonlySet<string>;
}

function collectNodes(module: PtxModule, entry: PtxFunction, pointers: Pointers): Collected {
  const nodes = new Map<string, Node>();
  const byPointer = new Set<string>();
  const sites = new Map<string, number>();
  const pending = [entry];
  const calleeOf = (target: CallTarget): string => {
    if (target.kind === "unknown") return "";
    if (target.kind === "function") {
      sites.set(target.name, (sites.get(target.name) ?? 0) + 1);
      const callee = module.functions.get(target.name);
      if (callee?.hasBody) pending.push(callee);
      return target.name;
    }
    const key = `*${target.signature} ${target.among?.join(" ") ?? ""}`;
    if (!nodes.has(key)) {
      const reached = pointers.reachedBy(target);
      nodes.set(key, { callees: reached.map(({ name }) => name) });
      pending.push(...reached);
      for (const { name } of reached) byPointer.add(name);
    }
    return key;
  };
  for (let body = pending.pop(); body; body = pending.pop()) {
    if (!nodes.has(body.name))
      nodes.set(body.name, { body, callees: factsOf(module, body).calls.map(calleeOf) });
  }
  return { nodes, sites, byPointer };
}

interface Choice {
  /** Functions, those that are called before those that call. */
  readonly order: readonly Node[];
  readonly reentrant: ReadonlySet<string>;
  readonly sites: ReadonlyMap<string, number>;
  readonly entry: PtxFunction;
}

function chooseInlined(module: PtxModule, choice: Choice): ReadonlySet<string> {
  const generous = inlineUpTo(smallFunction, module, choice);
  return generous.total > largeProgram ? inlineUpTo(tinyFunction, module, choice).inlined : generous.inlined;
}

/** A function that is called at one place only is inlined whatever its size, since that adds nothing. */
function inlineUpTo(
  limit: number,
  module: PtxModule,
  { order, reentrant, sites, entry }: Choice,
): { readonly inlined: ReadonlySet<string>; readonly total: number } {
  const inlined = new Set<string>();
  const sizes = new Map<string, { readonly size: number; readonly depth: number }>();
  let total = 0;
  for (const { body, callees } of order) {
    if (!body) continue;
    const facts = factsOf(module, body);
    let [size, depth] = [facts.size, 0];
    for (const name of callees) {
      const callee = inlined.has(name) ? sizes.get(name) : undefined;
      size += callee?.size ?? callSize;
      if (callee) depth = Math.max(depth, callee.depth + 1);
    }
    sizes.set(body.name, { size, depth });
    const possible =
      body !== entry && !reentrant.has(body.name) && !facts.allocates && depth < deepestInlining;
    if (possible && (size <= limit || sites.get(body.name) === 1)) inlined.add(body.name);
    else total += size;
  }
  return { inlined, total };
}

/**
 * Functions whose addresses are values somewhere in the module, by signature. Found when the first call
 * through a register is met.
 */
class Pointers {
  private bySignature: ReadonlyMap<string, readonly PtxFunction[]> | undefined;

  constructor(private readonly module: PtxModule) {}

  reachedBy({ signature, among }: Extract<CallTarget, { kind: "pointer" }>): readonly PtxFunction[] {
    const all = (this.bySignature ??= this.collect()).get(signature) ?? [];
    if (!among) return all;
    return [...new Set(among)].flatMap((name) => {
      const body = this.module.functions.get(name);
      return body?.hasBody && !body.isEntry && signatureOf(body) === signature ? [body] : [];
    });
  }

  private collect(): ReadonlyMap<string, readonly PtxFunction[]> {
    const { functions, variables } = this.module;
    const names = new Set<string>();
    for (const { references } of variables.values())
      for (const { symbol } of references) names.add(definedName(this.module, symbol));
    const bodies = new Set(functions.values());
    for (const body of bodies)
      for (const name of factsOf(this.module, body).addressed) names.add(definedName(this.module, name));
    const found = new Map<string, PtxFunction[]>();
    for (const body of bodies) {
      if (!names.has(body.name) || !body.hasBody || body.isEntry) continue;
      const signature = signatureOf(body);
      const list = found.get(signature) ?? [];
      list.push(body);
      found.set(signature, list);
    }
    return found;
  }
}
