import type { Position } from "../base/text";
import { findFunction } from "./cuda/symbols";
import type { SourceFile } from "./source-file";
import type { KernelFacts } from "./facts";
import type { SyntaxNode } from "./tree";

/** Something of a source that can be run by itself. */
interface ProgramPlace {
  /**
   * Of a Python test, as pytest names it in its file: `TestScale::test_double`. Left out for the file as a
   * whole.
   */
  readonly test?: string;
  readonly position: Position;
}

/** Modules without which a Python file without kernels has nothing to do with a GPU. */
const gpuModules = new Set(["triton", "torch"]);
/** Statements of a script that do something. */
const acting = new Set(["for_statement", "while_statement", "with_statement", "if_statement"]);

/** `main()` of a CUDA program; of a Python file its tests, and where the script begins to act. */
export function findPrograms(source: SourceFile, kernels: readonly KernelFacts[]): readonly ProgramPlace[] {
  if (source.dialect === "cuda") {
    const main = findFunction(source.tree.root, "main", kernels);
    return main === undefined ? [] : [{ position: main.nameRange.start }];
  }
  const statements = source.tree.root.namedChildren;
  if (kernels.length === 0 && !statements.some(importsGpuModule)) return [];
  const tests = testsOf(statements, "");
  const script = statements.find(isGuard) ?? (tests.length === 0 ? statements.find(acts) : undefined);
  return script === undefined ? tests : [...tests, { position: positionOf(script) }];
}

function importsGpuModule(node: SyntaxNode): boolean {
  if (node.type === "import_from_statement") return isGpuModule(node.childForFieldName("module_name"));
  return node.type === "import_statement" && node.childrenForFieldName("name").some(isGpuModule);
}

/** `torch.nn as nn` is one of torch's. */
function isGpuModule(name: SyntaxNode | null): boolean {
  return name !== null && gpuModules.has(name.text.split(/[ .]/, 1).join());
}

/** Functions and, in classes of tests, methods that pytest collects by their names. */
function testsOf(statements: readonly SyntaxNode[], prefix: string): readonly ProgramPlace[] {
  return statements.flatMap((statement): readonly ProgramPlace[] => {
    const definition =
      statement.type === "decorated_definition" ? statement.childForFieldName("definition") : statement;
    const name = definition?.childForFieldName("name");
    if (!definition || !name) return [];
    const test = `${prefix}${name.text}`;
    if (definition.type === "function_definition" && name.text.startsWith("test"))
      return [{ test, position: positionOf(definition) }];
    return definition.type === "class_definition" && name.text.startsWith("Test")
      ? testsOf(definition.childForFieldName("body")?.namedChildren ?? [], `${test}::`)
      : [];
  });
}

/** `if __name__ == "__main__":` */
function isGuard(node: SyntaxNode): boolean {
  const condition = node.type === "if_statement" ? node.childForFieldName("condition") : null;
  return condition !== null && /\b__name__\b/.test(condition.text) && condition.text.includes("__main__");
}

/** A call or a compound statement at the top of a script. */
function acts(node: SyntaxNode): boolean {
  if (node.type !== "expression_statement") return acting.has(node.type);
  const [expression] = node.namedChildren;
  const value = expression?.type === "assignment" ? expression.childForFieldName("right") : expression;
  return value?.type === "call";
}

function positionOf({ startPosition }: SyntaxNode): Position {
  return { line: startPosition.row, character: startPosition.column };
}
