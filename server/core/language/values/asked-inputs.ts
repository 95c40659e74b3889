import { cudaKernels } from "../cuda/kernels";
import { fieldText } from "../query";
import { findLaunchSites, type SourceFile } from "../source-file";
import type { SyntaxNode } from "../tree";
import { tritonKernels } from "../triton/kernels";
import { type AskedSigns, askedSigns } from "./asked-signs";

/**
 * What a kernel of a source asks of the signs of its elements, by the names of its pointers and by those that
 * launches hand over for them; undefined where there is no such kernel.
 */
export function askedInputs(source: SourceFile, kernel: string): AskedSigns | undefined {
  const { root } = source.tree;
  const found =
    source.dialect === "cuda"
      ? cudaKernels(root).flatMap((each) => ("body" in each ? each : []))
      : tritonKernels(root);
  const own = found.find(({ facts }) => facts.name === kernel);
  if (own === undefined) return undefined;
  const { parameters } = own.facts;
  const pointers = parameters.flatMap(({ name, pointer }) => (pointer ? name : []));
  const asked = askedSigns(own.body, pointers, functionsIn(root));
  const handed = findLaunchSites(source)
    .filter((site) => site.kernel === kernel)
    .flatMap(({ arguments: given }) =>
      given.flatMap((text, index): readonly (readonly [string, string])[] => {
        const [, name] = handedName.exec(text) ?? [];
        const parameter = parameters[index]?.name;
        return name === undefined || parameter === undefined ? [] : [[parameter, name]];
      }),
    );
  const withHanded = (names: ReadonlySet<string>): ReadonlySet<string> =>
    new Set([...names, ...handed.flatMap(([parameter, name]) => (names.has(parameter) ? name : []))]);
  return {
    positive: withHanded(asked.positive),
    below: withHanded(asked.below),
    compared: withHanded(asked.compared),
  };
}

/** A name behind a cast, or one whose address a method gives: `(float*)x`, `x.data_ptr<float>()`. */
const handedName = /^(?:\([^()]*\)\s*)?([A-Za-z_]\w*)(?:\s*(?:\.|->)\w+(?:<[^<>]*>)?(?:\([^()]*\))?)?$/;

function functionsIn(root: SyntaxNode): ReadonlyMap<string, SyntaxNode> {
  return new Map(
    root.descendantsOfType("function_definition").flatMap((definition) => {
      const [declarator] = definition.descendantsOfType("function_declarator");
      const name =
        declarator === undefined ? fieldText(definition, "name") : fieldText(declarator, "declarator");
      return name === "" ? [] : [[name, definition] as const];
    }),
  );
}
