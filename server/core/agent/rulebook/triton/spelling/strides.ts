import { compact, partsOf } from "../../../../language/query";
import type { TritonKernel } from "../../../../language/triton/kernels";
import type { TritonLaunch } from "../../../../language/triton/launches";
import type { TritonModel } from "../../../../language/triton/model";
import { parameterName } from "../../../../language/triton/names";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";

/** `*x.stride()`, `*x.size()`, `*x.shape` and `*self.betas`, with the spelling of one of their elements. */
const unpackedForms: readonly { readonly pattern: RegExp; readonly element: (axis: number) => string }[] = [
  { pattern: /^\*([\w.]+)\.stride\(\)$/, element: (axis) => `.stride(${axis})` },
  { pattern: /^\*([\w.]+)\.size\(\)$/, element: (axis) => `.size(${axis})` },
  { pattern: /^\*([\w.]+)\.shape$/, element: (axis) => `.shape[${axis}]` },
  { pattern: /^\*([\w.]+)$/, element: (axis) => `[${axis}]` },
];

/**
 * The edits that write out `*x.stride()` where the kernel is launched: `x.stride(0), x.stride(1)`. How many
 * there are says the kernel's number of parameters, where all that are unpacked have equally many. Undefined
 * where nothing is unpacked, or the numbers do not fit.
 */
export function stridesWrittenOut(model: TritonModel, kernel: string): readonly TextEdit[] | undefined {
  const definition = model.kernels.find(({ facts }) => facts.name === kernel);
  const launches = model.launches.filter(({ site }) => site.kernel === kernel);
  const edits = definition && launches.map((launch) => editsOf(launch, definition));
  return edits?.every((each) => each !== undefined) ? edits.flat() : undefined;
}

function editsOf(launch: TritonLaunch, kernel: TritonKernel): readonly TextEdit[] | undefined {
  const unpacked = launch.positional.filter(({ type }) => /splat/.test(type));
  const missing = neededByPlace(launch, kernel) - (launch.positional.length - unpacked.length);
  const each = missing / unpacked.length;
  if (unpacked.length === 0 || !Number.isInteger(each) || each < 1) return undefined;
  const edits = unpacked.map((node) => writtenOut(node, each));
  return edits.every((edit) => edit !== undefined) ? edits : undefined;
}

function writtenOut(node: SyntaxNode, count: number): TextEdit | undefined {
  const text = compact(node);
  for (const { pattern, element } of unpackedForms) {
    const [, of] = pattern.exec(text) ?? [];
    if (of === undefined) continue;
    return replaceNode(node, Array.from({ length: count }, (_, axis) => `${of}${element(axis)}`).join(", "));
  }
  return undefined;
}

/** Parameters that the launch passes by their place: those without a default, a name or a tuned value. */
function neededByPlace({ keywords }: TritonLaunch, { definition, decorators }: TritonKernel): number {
  const tuned = decorators.flatMap((node) =>
    node.descendantsOfType("pair").map((pair) => pair.childForFieldName("key")?.text.slice(1, -1)),
  );
  const needed = partsOf(definition.childForFieldName("parameters")).filter((node) => {
    const name = parameterName(node);
    return !/default|splat|separator/.test(node.type) && !keywords.has(name) && !tuned.includes(name);
  });
  return needed.length;
}
