import type { ElementType } from "../../../workload/probe/observation";
import type { SyntaxNode } from "../../tree";
import { elementTypeOf } from "../launch/element-types";

/** The sources' types: their definitions, and other names of types. */
interface KnownTypes {
  readonly root: SyntaxNode;
  readonly types: ReadonlyMap<string, string>;
}

/**
 * The scalars that a host function takes an untyped pointer (`void *`) for: those of the type that it casts
 * it to. Undefined where it casts it nowhere, to a type that is not known, or to several.
 */
export function castElement(
  pointer: string,
  called: SyntaxNode,
  { root, types }: KnownTypes,
): ElementType | undefined {
  const body = called.childForFieldName("body")?.text.replace(/\/\/.*|\/\*[^]*?\*\//g, "") ?? "";
  const target = String.raw`([\w\s:]+?)\s*\*\s*(?:const\b|__restrict__|__restrict)?\s*`;
  const written = [
    new RegExp(String.raw`\(\s*${target}\)\s*\(?\s*${pointer}\b`, "g"),
    new RegExp(String.raw`_cast\s*<\s*${target}>\s*\(\s*${pointer}\b`, "g"),
  ].flatMap((cast) => [...body.matchAll(cast)].map(([, type = ""]) => type));
  const found = written.map((type) => {
    const resolved = type.replace(/\b[A-Za-z_]\w*\b/g, (word) => types.get(word) ?? word);
    return elementTypeOf(resolved, root)?.dtype;
  });
  const [dtype] = found;
  return dtype === undefined || found.some((each) => each !== dtype) ? undefined : { dtype, width: 1 };
}

/** Whether a host function takes a parameter of another type, as `void *`, for a stream. */
export function isCastToStream(parameter: string, called: SyntaxNode): boolean {
  const body = called.childForFieldName("body")?.text ?? "";
  const stream = String.raw`\s*(?:cudaStream_t|CUstream)\s*`;
  return [
    String.raw`\(${stream}\)\s*\(?\s*${parameter}\b(?!\s*[\[.]|->)`,
    String.raw`_cast\s*<${stream}>\s*\(\s*${parameter}\s*\)`,
  ].some((cast) => new RegExp(cast).test(body));
}
