import { collapse, fieldText, isInside, partsOf } from "../query";
import type { SyntaxNode } from "../tree";
import { type Constants, initialized, type NamedConstant } from "./constants";

/** One extent of a grid or block. */
export interface Dimension {
  /** The expression, blanks collapsed; `1` where the source leaves the extent out. */
  readonly text: string;
  readonly node: SyntaxNode | undefined;
}

/** Names that a launch may use, and what each stands for there. */
interface HostScope {
  /**
   * Scalars of the host function, then of the file: constants, macros, locals with one value, and members of
   * `dim3` variables (`block.x`).
   */
  readonly scalars: Constants;
  /** `dim3` variables, x first. */
  readonly dimensions: ReadonlyMap<string, readonly Dimension[]>;
}

const left: Dimension = { text: "1", node: undefined };
const members = ["x", "y", "z"];

/**
 * Names as they stand at a launch: declarations and assignments count that stand before it in a block around
 * it. What a branch or a loop before the launch may change has no one value.
 */
export function hostScope(
  host: SyntaxNode | undefined,
  file: { readonly root: SyntaxNode; readonly constants: Constants },
  launch: SyntaxNode,
): HostScope {
  const scope = new ScopeReader(file.constants, launch);
  scope.readDimensions(file.root.namedChildren.filter((child) => child.type === "declaration"));
  if (host !== undefined) scope.readFunction(host);
  return scope.result();
}

const actTypes = ["declaration", "assignment_expression", "update_expression", "pointer_expression"];

class ScopeReader {
  private readonly scalars: Map<string, NamedConstant>;
  private readonly dimensions = new Map<string, readonly Dimension[]>();
  /** Locals that are declared without a value. */
  private readonly open = new Set<string>();

  constructor(
    constants: Constants,
    private readonly launch: SyntaxNode,
  ) {
    this.scalars = new Map(constants);
  }

  result(): HostScope {
    for (const [name, dimensions] of this.dimensions) {
      this.scalars.delete(name);
      for (const [index, member] of members.entries()) {
        const { text, node } = dimensions[index] ?? left;
        const whole = `${name}.${member}`;
        this.scalars.set(whole, { name: whole, text, node });
      }
    }
    return { scalars: this.scalars, dimensions: this.dimensions };
  }

  readFunction(host: SyntaxNode): void {
    for (const act of host.descendantsOfType(actTypes)) {
      if (act.startIndex >= this.launch.startIndex) break;
      if (act.type === "pointer_expression") this.hand(act);
      else if (act.type !== "declaration") this.assign(act);
      else if (this.isSeen(act)) this.declare(act);
    }
  }

  readDimensions(declarations: readonly SyntaxNode[]): void {
    for (const declaration of declarations) {
      const ofDim3 = isDim3(declaration.childForFieldName("type"));
      for (const declarator of declaration.childrenForFieldName("declarator"))
        this.declareDimensions(declarator, ofDim3);
    }
  }

  /** True when what happens at the node has happened whenever the launch is reached. */
  private isSeen(node: SyntaxNode): boolean {
    const block = blockAround(node);
    return block === undefined || isInside(this.launch, block);
  }

  private declare(declaration: SyntaxNode): void {
    const ofDim3 = isDim3(declaration.childForFieldName("type"));
    for (const declarator of declaration.childrenForFieldName("declarator")) {
      if (this.declareDimensions(declarator, ofDim3)) continue;
      const [constant] = initialized(declarator, "value");
      if (declarator.type === "identifier") this.open.add(declarator.text);
      const name = declarator.childForFieldName("declarator")?.text ?? declarator.text;
      if (constant === undefined) this.scalars.delete(name);
      else this.scalars.set(name, constant);
    }
  }

  /** `dim3 a(x, y)`, `dim3 a{x}`, `dim3 a = {x}`, `auto a = dim3(x)`; `dim3 a(x)` may read as a prototype. */
  private declareDimensions(declarator: SyntaxNode, ofDim3: boolean): boolean {
    const name = declarator.childForFieldName("declarator")?.text ?? declarator.text;
    const value = declarator.childForFieldName("value") ?? declarator.childForFieldName("parameters");
    const listed = value === null ? undefined : dimensionsOf(value, ofDim3);
    if (!ofDim3 && listed === undefined) return false;
    if (listed !== undefined) this.dimensions.set(name, listed);
    else if (value === null) this.dimensions.set(name, []);
    else this.dimensions.set(name, this.dimensions.get(value.text) ?? [dimension(value)]);
    return true;
  }

  private assign(act: SyntaxNode): void {
    const target = act.childForFieldName("left") ?? act.childForFieldName("argument");
    const value = act.childForFieldName("operator")?.text === "=" ? act.childForFieldName("right") : null;
    const plain = value !== null && this.isSeen(act) ? value : undefined;
    if (target?.type === "identifier") this.assignName(target.text, plain);
    if (target?.type === "field_expression")
      this.assignMember(fieldText(target, "argument"), fieldText(target, "field"), plain);
  }

  /** What a function is handed the address of, it may change: `cudaGetDevice(&device)`. */
  private hand(address: SyntaxNode): void {
    const target = address.childForFieldName("argument");
    if (target?.type !== "identifier" || !address.text.startsWith("&")) return;
    let node = address;
    while (node.parent?.type === "cast_expression") node = node.parent;
    if (node.parent?.type === "argument_list") this.assignName(target.text, undefined);
  }

  private assignName(name: string, value: SyntaxNode | undefined): void {
    const wasOpen = this.open.delete(name);
    if (this.dimensions.has(name)) {
      const listed = value === undefined ? undefined : dimensionsOf(value, true);
      if (listed === undefined) this.dimensions.delete(name);
      else this.dimensions.set(name, listed);
    } else if (wasOpen && value !== undefined)
      this.scalars.set(name, { name, text: collapse(value.text), node: value });
    else this.scalars.delete(name);
  }

  /** `grid.x = …`. */
  private assignMember(name: string, member: string, value: SyntaxNode | undefined): void {
    const known = this.dimensions.get(name);
    const position = members.indexOf(member);
    if (known === undefined || position < 0) return;
    if (value === undefined) this.dimensions.delete(name);
    else
      this.dimensions.set(
        name,
        members.map((_, index) => (index === position ? dimension(value) : (known[index] ?? left))),
      );
  }
}

function isDim3(type: SyntaxNode | null): boolean {
  return type?.text.replace(/^.*::/, "") === "dim3";
}

function dimension(node: SyntaxNode): Dimension {
  return { text: collapse(node.text), node };
}

/**
 * The extents in `dim3(…)` and `dim3{…}`, and in a bare list where a `dim3` is expected; undefined for any
 * other expression.
 */
export function dimensionsOf(value: SyntaxNode, expected: boolean): readonly Dimension[] | undefined {
  if (value.type === "parenthesized_expression") return listed(value, expected);
  if (["argument_list", "initializer_list", "parameter_list"].includes(value.type))
    return expected ? partsOf(value).map(dimension) : undefined;
  const callee = value.childForFieldName("function") ?? value.childForFieldName("type");
  const list = value.childForFieldName("arguments") ?? value.childForFieldName("value");
  return isDim3(callee) && list !== null ? dimensionsOf(list, true) : undefined;
}

/** A bare list, which `prepareText` has put in parentheses. */
function listed(value: SyntaxNode, expected: boolean): readonly Dimension[] | undefined {
  const inner = partsOf(value)[0];
  if (inner?.type !== "comma_expression" || !expected) return undefined;
  const extents: SyntaxNode[] = [];
  for (let at: SyntaxNode | null = inner; at !== null; at = at.childForFieldName("left")) {
    const last = at.type === "comma_expression" ? at.childForFieldName("right") : at;
    if (last !== null) extents.unshift(last);
    if (at.type !== "comma_expression") break;
  }
  return extents.map(dimension);
}

/** The block or branch in which a statement stands: what runs only when its owner lets it. */
function blockAround(node: SyntaxNode): SyntaxNode | undefined {
  for (let at: SyntaxNode = node; at.parent !== null; at = at.parent) {
    const { parent } = at;
    if (parent.type === "function_definition" || parent.type === "lambda_expression") return undefined;
    const branch = parent.childForFieldName("condition") !== null && at.type !== "condition_clause";
    if (parent.type === "compound_statement" || branch || parent.type === "else_clause") return parent;
  }
  return undefined;
}

/** Names of an expression, `block.x` and `config::kTile` whole. */
function wordsIn(expression: string): readonly string[] {
  const withoutStrings = expression.replace(/"[^"]*"|'[^']*'/g, " ");
  return [...withoutStrings.matchAll(/(?<![\w.:])[A-Za-z_]\w*(?:(?:::|\.)[A-Za-z_]\w*)*/g)].map(
    ([name]) => name,
  );
}

/** The constants that the expressions name, followed until nothing new is named. */
export function neededConstants(
  expressions: readonly string[],
  lookup: (name: string) => string | undefined,
): Readonly<Record<string, string>> {
  const needed: Record<string, string> = {};
  const pending = expressions.flatMap(wordsIn);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const value = Object.hasOwn(needed, name) ? undefined : lookup(name);
    if (value === undefined) continue;
    needed[name] = value;
    pending.push(...wordsIn(value));
  }
  return needed;
}
