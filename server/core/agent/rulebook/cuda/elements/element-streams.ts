import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { bodyNames } from "../../../../language/cuda/body/pointers";
import { coefficient, type Form, formOf, formText, sameForm } from "../../../../language/cuda/body/forms";
import { changes, isAssigned, localValues } from "../../../../language/cuda/body/scope";
import { collapse, fieldText } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, replaceNode } from "../../edits";
import { formIn, type KernelView } from "../kernel";

/** Elements of one array that go with the indices one after the other: one for each index, or a few. */
export interface ElementStream {
  readonly array: string;
  /** The parameter whose memory it is. */
  readonly parameter: string;
  /** The pointer's type as written. */
  readonly type: string;
  /** Elements of an index: two where it has `x[2 * i]` and `x[2 * i + 1]`. */
  readonly each: number;
  /** Where the elements of the index begin. */
  readonly address: string;
  /** True where the array is indexed with nothing but the index. */
  readonly isPlain: boolean;
}

/** An element's place in its stream. */
interface StreamPlace {
  readonly key: string;
  readonly stream: ElementStream;
  readonly offset: number;
}

/** Statements that run for each index. */
export interface IndexedWork {
  readonly statements: readonly SyntaxNode[];
  readonly index: string;
  /** The index as the number of the thread, or of the turn. */
  readonly wanted: Form;
  /** Tells whether the value of a name differs between the threads of a block. */
  varies(name: SyntaxNode): boolean;
}

/** Which element of which stream a subscript is; undefined for any other element. */
export function streamPlace(
  view: KernelView,
  { array, at }: { readonly array: SyntaxNode; readonly at: SyntaxNode },
  work: IndexedWork,
): StreamPlace | undefined {
  const named = ["identifier", "field_expression"].includes(array.type);
  const pointer = named ? pointerNamed(view, work, array.text) : undefined;
  if (pointer === undefined) return undefined;
  const { index, wanted } = work;
  const common = { array: array.text, ...pointer };
  if (sameForm(formIn(view, at), wanted))
    return {
      key: array.text,
      stream: { ...common, each: 1, address: `${array.text} + ${index}`, isPlain: true },
      offset: 0,
    };
  const form = formOf(at, {
    ...view.scope,
    meaning: (name) => (name === index ? undefined : view.scope.meaning(name)),
  });
  const each = coefficient(form, index);
  const offset = coefficient(form, "");
  const rest = new Map([...form].filter(([key]) => key !== index && key !== ""));
  if (![1, 2, 4].includes(each) || offset < 0 || offset >= each || !isSteady(view, work, rest))
    return undefined;
  const own = new Set([index, ...declaredIn(work.statements)]);
  const varying = [array, ...at.descendantsOfType("identifier")].some(
    (name) => !own.has(name.text) && work.varies(name),
  );
  if (varying) return undefined;
  const back = offset === 0 ? "" : ` - ${offset}`;
  return {
    key: `${array.text}[${each}*${formText(rest)}]`,
    stream: {
      ...common,
      each,
      address: `${array.text} + (${expanded(view, work, at)})${back}`,
      isPlain: false,
    },
    offset,
  };
}

type Pointer = Pick<ElementStream, "parameter" | "type">;

/** A parameter, or a local pointer into its memory, that stays what it is. */
function pointerNamed(view: KernelView, { statements }: IndexedWork, name: string): Pointer | undefined {
  const { parameters } = view.kernel.facts;
  const own = parameters.find((each) => each.pointer && each.name === name);
  if (isAssigned(view.body, name)) return undefined;
  if (own !== undefined) return { parameter: name, type: own.type };
  const alias = bodyNames(view.kernel).aliases.get(name);
  const declarations = view.body
    .descendantsOfType("declaration")
    .filter((node) =>
      node
        .childrenForFieldName("declarator")
        .some((each) => each.descendantsOfType("identifier")[0]?.text === name),
    );
  const [declaration, ...others] = declarations;
  if (alias === undefined || declaration === undefined || others.length > 0) return undefined;
  const inside = statements.some(
    ({ startIndex, endIndex }) => declaration.startIndex >= startIndex && declaration.endIndex <= endIndex,
  );
  const type = fieldText(declaration, "type");
  const parameter = parameters.find((each) => each.name === alias.parameter);
  if (inside || parameter === undefined) return undefined;
  return { parameter: parameter.name, type: type === "auto" ? parameter.type : type };
}

/** True where what is added to the index is the same for all indices of a thread and of its neighbours. */
function isSteady(view: KernelView, { statements, index }: IndexedWork, rest: Form): boolean {
  // Along the other axes neighbouring threads are the same.
  const keys = [...rest.keys()].map((key) => key.replace(/\bthreadIdx\.[yz]\b/g, "other"));
  const changing = new Set([
    index,
    "threadIdx",
    ...statements.flatMap(changes).map(({ target }) => target.text),
  ]);
  const isKeptText = (text: string): boolean =>
    // Of a member's name nothing follows: a local may be called y as well.
    (text.match(/(?<![\w.])[A-Za-z_]\w*/g) ?? []).every((name) => !changing.has(name)) &&
    (text.match(/[\w.]+(?=\[)/g) ?? []).every((array) => isKept(view, array));
  // A local that is made of what stays the same does so, too.
  for (const { name, value } of statements.flatMap(localValues))
    if (!isKeptText(value.text.replace(/\bthreadIdx\.[yz]\b/g, "other"))) changing.add(name);
  return keys.every(isKeptText);
}

/** An array of the kernel's parameters to which nothing is stored. */
function isKept({ kernel }: KernelView, array: string): boolean {
  const { stored } = cudaAccesses(kernel);
  return kernel.facts.parameters.some(({ name, pointer }) => pointer && name === array) && !stored.has(array);
}

function declaredIn(statements: readonly SyntaxNode[]): readonly string[] {
  return statements.flatMap((node) => localValues(node).map(({ name }) => name));
}

/** An expression with the locals of the statements as what they stand for. */
function expanded(view: KernelView, work: IndexedWork, node: SyntaxNode): string {
  const own = new Map(
    work.statements.flatMap((statement) => localValues(statement).map(({ name, value }) => [name, value])),
  );
  const edits = node.descendantsOfType("identifier").flatMap((name) => {
    const value = own.get(name.text);
    return value === undefined ? [] : [replaceNode(name, `(${expanded(view, work, value)})`)];
  });
  return collapse(editedText(view.source, { start: node.startIndex, end: node.endIndex }, edits));
}
