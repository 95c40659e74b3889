import { known } from "../../../../base/known";
import { enclosing } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { readTriton } from "../../../../language/triton/model";
import { counterCatalogue, counterNames } from "../../../../timing/counter-catalogue";
import type { LineCounters } from "../../../../timing/counters";
import { editedTree } from "../../edits";
import type { RuleInput } from "../../rule";
import { straightFunction, inlinedEdits, type Wrapper } from "./inlined";
import { moved } from "./moved";

/** More calls of functions than a kernel has that anyone reads. */
const MOST = 24;

/**
 * The file with the functions that the kernel calls written where it calls them, as far as they are straight
 * code; the functions stay for others. It means the same. Undefined where the kernel calls none.
 */
export function functionsWrittenOut(input: RuleInput): RuleInput | undefined {
  let plain = input;
  for (let place = 0; place < MOST; place += 1) {
    const next = oneWrittenOut(plain);
    if (next === undefined) break;
    plain = next;
  }
  return plain === input ? undefined : plain;
}

function oneWrittenOut(input: RuleInput): RuleInput | undefined {
  const source = input.tree[input.file];
  const root = source === undefined ? undefined : input.parse(input.file, source);
  if (source === undefined || root === undefined || root.hasError) return undefined;
  const model = readTriton(root);
  const kernel = model.kernels.find(({ facts }) => facts.name === input.kernel);
  const functions = root.descendantsOfType("function_definition").flatMap((node) => {
    const jit = node.parent?.type === "decorated_definition" && node.id !== kernel?.definition.id;
    return jit ? (straightFunction(node) ?? []) : [];
  });
  for (const call of kernel?.body.descendantsOfType("call") ?? []) {
    const called = functions.find(({ name }) => name === call.childForFieldName("function")?.text);
    const inner = called && callsOf(call, functions).length === 1 && !isConditional(call);
    const written = inner ? inlinedEdits(source, called, call) : undefined;
    const statement = enclosing(call, "expression_statement");
    if (called === undefined || written === undefined || statement === undefined) continue;
    const { edits, rows } = written;
    const counters = handedOn(input, source, {
      edits,
      rows,
      at: statement.startPosition.row,
      calls: callsOf(root, [called]).length,
    });
    return { ...input, tree: editedTree(input, edits), counters };
  }
  return undefined;
}

function callsOf(node: SyntaxNode, functions: readonly Wrapper[]): readonly SyntaxNode[] {
  return node
    .descendantsOfType("call")
    .filter((call) => functions.some(({ name }) => name === call.childForFieldName("function")?.text));
}

/** In a part of an expression that is not always worked out. */
function isConditional(call: SyntaxNode): boolean {
  return enclosing(call, "conditional_expression", "boolean_operator", "lambda") !== undefined;
}

interface Written {
  readonly edits: Parameters<typeof moved>[2];
  /** Rows that the inserted lines come from. */
  readonly rows: readonly (number | undefined)[];
  /** The row of the statement that calls. */
  readonly at: number;
  /** How many calls of the function there are. */
  readonly calls: number;
}

/** What was counted on the function's lines, an equal share of it for each call. */
function handedOn(
  input: RuleInput,
  source: string,
  { edits, rows, at, calls }: Written,
): RuleInput["counters"] {
  const before = input.counters.lines;
  const { lines, ...counters } = moved(input, source, edits);
  const of = (row: number): boolean => rows.includes(row);
  const kept = lines.map((entry, place) => {
    const row = known(before[place], "the line as it was").line - 1;
    return entry.file === input.file && of(row) ? scaled(entry, 1 - 1 / calls) : entry;
  });
  const handed = rows.flatMap((row, place) =>
    before
      .filter((entry) => entry.file === input.file && entry.line - 1 === row)
      .map((entry) => ({ ...scaled(entry, 1 / calls), line: at + 1 + place })),
  );
  return { ...counters, lines: [...kept, ...handed] };
}

/** Every count of a line taken so many times; greatest values stay. */
function scaled(entry: LineCounters, factor: number): LineCounters {
  const counts = counterNames
    .filter((name) => counterCatalogue[name].greatest !== true)
    .map((name) => [name, (entry[name] ?? 0) * factor]);
  return { ...entry, ...Object.fromEntries(counts) };
}
