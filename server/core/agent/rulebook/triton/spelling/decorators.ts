import { collapse, partsOf, usesOf } from "../../../../language/query";
import type { TritonKernel } from "../../../../language/triton/kernels";
import type { TritonLaunch } from "../../../../language/triton/launches";
import type { TritonModel } from "../../../../language/triton/model";
import { parameterName } from "../../../../language/triton/names";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, replaceNode, type TextEdit } from "../../edits";
import { decorationOf, heuristicsIn } from "../decorators/decoration";
import { firstWrittenOut } from "../decorators/first-configuration";
import { isNot } from "../../rule";

/**
 * The edits that write out the first configuration of a list that is made elsewhere, in front of the others:
 * `configs()` → `[triton.Config({…}), *configs()]`. Undefined where it stands there already, or is not known.
 */
export function configurationWrittenOut(
  model: TritonModel,
  name: string,
  source: string,
): readonly TextEdit[] | undefined {
  const kernel = onlyKernel(model, name);
  const decoration = kernel && decorationOf(model, kernel);
  if (decoration === undefined || isNot(decoration) || decoration.configuration !== undefined)
    return undefined;
  const { list } = decoration;
  const first = list && firstWrittenOut(model, source, list);
  if (list === undefined || first === undefined) return undefined;
  const plain = ["identifier", "call", "list", "list_comprehension", "attribute"].includes(list.type);
  const others = plain ? list.text : `(${list.text})`;
  return [replaceNode(list, `[${first}, *${others}]`)];
}

function onlyKernel(model: TritonModel, name: string): TritonKernel | undefined {
  const [kernel, ...others] = model.kernels.filter(({ facts }) => facts.name === name);
  return others.length === 0 ? kernel : undefined;
}

/**
 * The edits that compute what heuristics give where the kernel is launched: `@triton.heuristics({"NAME":
 * lambda args: …})` → `NAME=…`. Undefined where there are none, or they cannot be.
 */
export function heuristicsWrittenOut(
  model: TritonModel,
  name: string,
  source: string,
): readonly TextEdit[] | undefined {
  const kernel = onlyKernel(model, name);
  const edits = kernel === undefined ? [] : heuristicsEdits(model, source, kernel);
  return edits.length === 0 ? undefined : edits;
}

function heuristicsEdits(model: TritonModel, source: string, kernel: TritonKernel): readonly TextEdit[] {
  const [launch, ...more] = model.launches.filter(({ site }) => site.kernel === kernel.facts.name);
  const last = partsOf(launch?.call.childForFieldName("arguments")).at(-1);
  if (launch?.host === undefined || last === undefined || more.length > 0) return [];
  return kernel.decorators.flatMap((decorator): readonly TextEdit[] => {
    const line = decorator.parent?.type === "decorator" ? decorator.parent : undefined;
    const isHeuristics = model.names.is(decorator.childForFieldName("function"), "heuristics");
    const values = isHeuristics && line ? heuristicsIn(decorator) : undefined;
    const passed = [...(values ?? [])].map(([name, made]) => {
      const text = valueText(source, made, { launch, kernel });
      return text === undefined ? undefined : `, ${name}=${text}`;
    });
    if (line === undefined || passed.length === 0 || passed.includes(undefined)) return [];
    return [
      { start: line.startIndex, end: lineAfter(source, line), text: "" },
      { start: last.endIndex, end: last.endIndex, text: passed.join("") },
    ];
  });
}

/** Where what stands on the next line begins. */
function lineAfter(source: string, line: SyntaxNode): number {
  const rest = /^[^\n]*\n\s*/.exec(source.slice(line.endIndex));
  return line.endIndex + (rest?.[0].length ?? 0);
}

interface Launched {
  readonly launch: TritonLaunch;
  readonly kernel: TritonKernel;
}

/** What a lambda over the launch's arguments gives, in the words of the function that launches. */
function valueText(source: string, made: SyntaxNode, launched: Launched): string | undefined {
  const body = made.type === "lambda" ? made.childForFieldName("body") : null;
  const [given, ...more] = partsOf(made.type === "lambda" ? made.childForFieldName("parameters") : null);
  if (body === null || given?.type !== "identifier" || more.length > 0) return undefined;
  const edits = usesOf(body, given.text).map((use) => {
    const around = use.parent;
    const [key, ...others] = around?.childrenForFieldName("subscript") ?? [];
    const taken = around?.type === "subscript" && key?.type === "string" && others.length === 0;
    const text = taken ? passedText(key.text.replace(/["']/g, ""), launched) : undefined;
    return taken && text !== undefined ? replaceNode(around, text) : undefined;
  });
  if (edits.includes(undefined)) return undefined;
  const known = edits.flatMap((edit) => edit ?? []);
  return collapse(editedText(source, { start: body.startIndex, end: body.endIndex }, known));
}

/** What the launch passes for a parameter, by its name or by a place before anything that is unpacked. */
function passedText(name: string, { launch, kernel }: Launched): string | undefined {
  const place = partsOf(kernel.definition.childForFieldName("parameters")).findIndex(
    (node) => parameterName(node) === name,
  );
  const before = place < 0 ? [] : launch.positional.slice(0, place + 1);
  const placed = before.some(({ type }) => /splat/.test(type)) ? undefined : before[place];
  const value = launch.keywords.get(name) ?? placed;
  if (value === undefined) return undefined;
  const plain = ["identifier", "integer", "attribute", "call", "subscript"].includes(value.type);
  return plain ? value.text : `(${value.text})`;
}
