import { compact, partsOf } from "../../../../language/query";
import type { TritonKernel } from "../../../../language/triton/kernels";
import type { TritonLaunch } from "../../../../language/triton/launches";
import type { TritonModel } from "../../../../language/triton/model";
import { parameterName } from "../../../../language/triton/names";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";

/**
 * `*x.stride()`, `*x.size()`, `*x.shape` and `*self.betas`, with the spelling of one of their elements.
 * Behind each may stand the part of it that is meant: `[:3]`.
 */
const unpackedForms: readonly { readonly pattern: RegExp; readonly element: (axis: number) => string }[] = [
  { pattern: /^\*([\w.]+)\.stride\(\)$/, element: (axis) => `.stride(${axis})` },
  { pattern: /^\*([\w.]+)\.size\(\)$/, element: (axis) => `.size(${axis})` },
  { pattern: /^\*([\w.]+)\.shape$/, element: (axis) => `.shape[${axis}]` },
  { pattern: /^\*([\w.]+)$/, element: (axis) => `[${axis}]` },
];

/**
 * The edits that write out `*x.stride()` where the kernel is launched: `x.stride(0), x.stride(1)`. How many
 * there are says the launch, `*x.stride()[:3]`, or the kernel's number of parameters, where all others that
 * are unpacked have equally many. Undefined where nothing is unpacked, or the numbers do not fit.
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
  const parts = unpacked.map(axesMeant);
  const whole = parts.filter((axes) => axes === undefined).length;
  const left = missing - parts.reduce((sum, axes) => sum + (axes?.length ?? 0), 0);
  const each = whole === 0 ? left : left / whole;
  if (unpacked.length === 0 || !Number.isInteger(each) || (whole === 0 ? each !== 0 : each < 1))
    return undefined;
  const all = Array.from({ length: each }, (_, axis) => axis);
  const edits = unpacked.map((node, place) => writtenOut(node, parts[place] ?? all));
  return edits.every((edit) => edit !== undefined) ? edits : undefined;
}

/** `[:3]`, `[1:3]` and `[-2:]` behind what is unpacked. */
const meant = /\[(\d*):(\d+)\]$|\[(-\d+):\]$/;

/** The axes that are unpacked where the launch says which; undefined where it is all of them. */
function axesMeant(node: SyntaxNode): readonly number[] | undefined {
  const found = meant.exec(compact(node));
  if (found === null) return undefined;
  const [, first = "", end = "", last] = found;
  const start = Number(last ?? first);
  return Array.from({ length: (last === undefined ? Number(end) : 0) - start }, (_, place) => start + place);
}

function writtenOut(node: SyntaxNode, axes: readonly number[]): TextEdit | undefined {
  const text = compact(node).replace(meant, "");
  for (const { pattern, element } of unpackedForms) {
    const [, of] = pattern.exec(text) ?? [];
    if (of === undefined) continue;
    return replaceNode(node, axes.map((axis) => `${of}${element(axis)}`).join(", "));
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
