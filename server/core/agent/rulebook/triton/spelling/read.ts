import { isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { readTriton, type TritonModel } from "../../../../language/triton/model";
import type { TextEdit } from "../../edits";
import type { RuleInput } from "../../rule";
import { entryCall } from "./entry-call";

/** A file that a spelling reads. */
interface Read {
  readonly source: string;
  readonly model: TritonModel;
}

/** The judged file; undefined where it does not parse. */
export function readSource({ tree, file, parse }: RuleInput): Read | undefined {
  const source = tree[file];
  const root = source === undefined ? undefined : parse(file, source);
  return source === undefined || root === undefined || root.hasError
    ? undefined
    : { source, model: readTriton(root) };
}

/** Definitions behind all others, in front of what runs as a program. */
export function placedAtEnd({ source, model }: Read, texts: readonly string[]): TextEdit {
  const main = mainOf(model.root);
  const end = main ?? source.length;
  const text = texts.map((each) => (main === undefined ? `\n\n${each}\n` : `${each}\n\n\n`)).join("");
  return { start: end, end, text };
}

/** True for the function that the spec calls. */
export function isEntry(input: Pick<RuleInput, "spec">, definition: SyntaxNode): boolean {
  const called = entryCall(input)?.name;
  return called !== undefined && called === definition.childForFieldName("name")?.text;
}

/** The function with the most launches, that of the kernel among them; of equals the one that is called. */
export function chainOfMost(input: RuleInput, { root, launches }: TritonModel): SyntaxNode | undefined {
  const { kernel } = input;
  const countIn = (definition: SyntaxNode): number =>
    launches.filter(({ call }) => isInside(call, definition)).length + (isEntry(input, definition) ? 0.5 : 0);
  return root
    .descendantsOfType("function_definition")
    .filter((node) => launches.some(({ site, call }) => site.kernel === kernel && isInside(call, node)))
    .sort((a, b) => countIn(b) - countIn(a))[0];
}

/** Where `if __name__ == "__main__":` begins. */
function mainOf(root: SyntaxNode): number | undefined {
  return partsOf(root).find((part) => part.type === "if_statement" && part.text.includes("__name__"))
    ?.startIndex;
}
