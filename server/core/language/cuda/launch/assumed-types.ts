import type { KernelFacts } from "../../facts";
import type { SourceFile } from "../../source-file";
import { explicitInstances } from "../device/instances";
import { usualInstance } from "../device/usual-instance";

/** The usual arguments of a template that has numbers among its parameters. */
export function usualNumbers({ text, tree }: SourceFile, facts: KernelFacts): readonly string[] | undefined {
  const hasNumbers = facts.templateParameters.some(({ kind }) => kind === "value");
  return hasNumbers ? usualInstance(facts, { text, root: tree.root }) : undefined;
}

/** What a template's types are taken for in structures: those of an explicit instance, else usual ones. */
export function assumedTypes(source: SourceFile, facts: KernelFacts): ReadonlyMap<string, string> {
  const { text, tree } = source;
  const [told] = explicitInstances(facts.name, { path: "", text });
  const usual = told === undefined ? usualInstance(facts, { text, root: tree.root }) : undefined;
  const open = facts.templateParameters.filter((each) => usual === undefined || !each.text.includes("="));
  return new Map(
    open.flatMap(({ name, kind }, index) => {
      const argument = (told?.arguments ?? usual)?.[index];
      return kind === "type" && argument !== undefined ? [[name, argument] as const] : [];
    }),
  );
}

/** A type with other meanings of its words. */
export function withTypes(type: string, meanings: ReadonlyMap<string, string>): string {
  return type.replace(/\b[A-Za-z_]\w*\b/g, (word) => meanings.get(word) ?? word);
}
