import { enclosing } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TritonKernel } from "../../../../language/triton/kernels";
import type { TritonLaunch } from "../../../../language/triton/launches";
import { isNot, not, type RuleHold } from "../../rule";
import { isCallOf, keyword, onlyAssignment, positional, type TritonView } from "../kernel";
import { hostWords } from "./host-words";
import { type Words, wordsOf } from "./kernel-words";

/** A load or store of a kernel that runs once in each program. */
export interface StageAccess {
  readonly call: SyntaxNode;
  /** The parameter that the address begins with. */
  readonly parameter: string;
  /** What the host passes for it. */
  readonly tensor: string;
  /** Address and mask in the host's words, the same text for the same elements. */
  readonly place: string;
  readonly mask: SyntaxNode | undefined;
}

/** One launch of a chain with its kernel. */
export interface Stage {
  readonly kernel: TritonKernel;
  readonly launch: TritonLaunch;
  /** The statement of the host that launches. */
  readonly statement: SyntaxNode;
  /** What the host passes, by parameter. */
  readonly passed: ReadonlyMap<string, SyntaxNode>;
  /** Options of the launch such as `num_warps`, which are no parameters. */
  readonly options: ReadonlyMap<string, SyntaxNode>;
  readonly loads: readonly StageAccess[];
  readonly stores: readonly StageAccess[];
  /** The terms of a sum of the kernel in the host's words, sorted. */
  readonly terms: (node: SyntaxNode) => readonly string[];
  /** An expression of the kernel in the host's words. */
  readonly words: Words;
  /** The grid in the host's words. */
  readonly grid: string;
}

/** Reads a launch as one step of a chain; a guard's answer where its kernel does more than load and store. */
export function stageOf(view: TritonView, launch: TritonLaunch): Stage | RuleHold {
  const { kernel: name } = launch.site;
  const found = view.model.kernels.filter(({ facts }) => facts.name === name);
  const [kernel] = found;
  if (kernel === undefined || found.length > 1 || kernel.decorators.length !== 1)
    return not("launch", `${name} is not one kernel of this file without options`, launch.call);
  const statement = launch.call.parent;
  if (statement?.type !== "expression_statement" || launch.splat !== undefined)
    return not("launch", `the launch of ${name} is part of something else`, launch.call);
  const passed = passedTo(kernel, launch);
  const missing = kernel.facts.parameters.find((parameter) => !passed.has(parameter.name));
  if (missing !== undefined)
    return not("launch", `${missing.name} of ${name} is not passed at the launch`, launch.call);
  const held = moreThanElements(view, kernel);
  if (held !== undefined) return held;
  const options = new Map([...launch.keywords].filter(([key]) => !passed.has(key)));
  const { words, terms } = wordsOf({ view, kernel, passed });
  const loads = accessesOf({ view, kernel, passed, words }, "load");
  const stores = accessesOf({ view, kernel, passed, words }, "store");
  if (isNot(loads)) return loads;
  if (isNot(stores)) return stores;
  const grid = launch.site.grid.map((extent) => gridWords(extent, { view, passed })).join();
  return { kernel, launch, statement, passed, options, loads, stores, terms, words, grid };
}

/** The grid as a launch writes it: `kernel[rows, columns]` has no node for the whole of it. */
export function writtenGrid({ grid, site }: TritonLaunch): string {
  return grid?.text ?? site.grid.join(", ");
}

/** What the host passes, by parameter. */
export function passedTo(
  { facts }: TritonKernel,
  { keywords, positional: places }: TritonLaunch,
): ReadonlyMap<string, SyntaxNode> {
  return new Map(
    facts.parameters.flatMap(({ name }, place) => {
      const value = keywords.get(name) ?? places[place];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Barriers, atomics, early ends and calls of other kernels keep a kernel by itself. */
function moreThanElements({ model }: TritonView, { body, facts }: TritonKernel): RuleHold | undefined {
  const [leaves] = body.descendantsOfType("return_statement");
  if (leaves !== undefined) return not("no-rewrite", `${facts.name} may end early`, leaves);
  const special = body.descendantsOfType("call").find((call) => {
    const callee = call.childForFieldName("function");
    const members = ["debug_barrier", "make_block_ptr", "make_tensor_descriptor"];
    return (
      members.some((member) => model.names.isLanguage(callee, member)) || /\batomic_/.test(callee?.text ?? "")
    );
  });
  return special && not("cooperation", `${facts.name} does more than load and store elements`, special);
}

interface Read {
  readonly view: TritonView;
  readonly kernel: TritonKernel;
  readonly passed: ReadonlyMap<string, SyntaxNode>;
}

function accessesOf(
  { view, kernel, passed, words }: Read & { readonly words: Words },
  which: "load" | "store",
): readonly StageAccess[] | RuleHold {
  const found: StageAccess[] = [];
  for (const call of kernel.body.descendantsOfType("call")) {
    if (!isCallOf(view, call, which)) continue;
    const [pointer, ...others] = positional(call);
    const around = enclosing(call, "for_statement", "while_statement", "if_statement");
    if (around !== undefined)
      return not("no-rewrite", `${kernel.facts.name} has accesses inside a loop or a condition`, call);
    const parameter = pointer === undefined ? undefined : addressed(view, kernel, pointer);
    const value = parameter === undefined ? undefined : passed.get(parameter);
    if (
      pointer === undefined ||
      parameter === undefined ||
      value === undefined ||
      !/^[\w.]+(\.contiguous\(\))?$/.test(value.text)
    )
      return not("no-rewrite", "an address does not begin with a parameter of the kernel", call);
    if (which === "store" && others.length === 0)
      return not("no-rewrite", "a store is given its value by name", call);
    const mask = keyword(call, "mask") ?? others[which === "load" ? 0 : 1];
    const place = `${words(pointer)}|${mask === undefined ? "" : words(mask)}`;
    found.push({ call, parameter, tensor: value.text, place, mask });
  }
  return found;
}

/** The one pointer parameter in an address, followed through locals that are not loaded themselves. */
function addressed(view: TritonView, { body, facts }: TritonKernel, pointer: SyntaxNode): string | undefined {
  const pointers = new Set(facts.parameters.filter((each) => each.pointer).map(({ name }) => name));
  const found = new Set<string>();
  const follow = (node: SyntaxNode, open: readonly string[]): void => {
    for (const { text } of node.descendantsOfType("identifier")) {
      if (pointers.has(text)) found.add(text);
      const value = open.includes(text) ? undefined : onlyAssignment(body, text)?.childForFieldName("right");
      if (value && !isCallOf(view, value, "load")) follow(value, [...open, text]);
    }
  };
  follow(pointer, []);
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

function gridWords(extent: string, { view, passed }: Pick<Read, "view" | "passed">): string {
  const host = new Map(
    view.host
      .descendantsOfType("identifier")
      .map((node) => [node.text, node] as const)
      .filter(([name]) => onlyAssignment(view.host, name) ?? onlyAssignment(view.model.root, name)),
  );
  return extent.replace(/\s+/g, "").replace(/(?<![\w.])[A-Za-z_]\w*(?![\w(.])/g, (name) => {
    const node = passed.get(name) ?? host.get(name);
    return node === undefined ? name : hostWords(node, view);
  });
}
