import type { SizeRelation } from "../../../workload/probe/shapes/size-relations";
import type { LaunchSite, ParameterFacts } from "../../facts";
import type { SyntaxNode } from "../../tree";
import { type Constants, initialized } from "../constants";
import { type SizeCondition, type SizeConditions, sizeConditions } from "../entry/size-conditions";
import { arrayLimits } from "./sizes/array-limits";
import { sizeTerms } from "./sizes/size-terms";
import { statedRelations } from "./sizes/stated-relations";
import { Leaves, passedNumbers } from "./tied-numbers";

/** What code says of the sizes of a kernel. */
export interface SizesInText {
  /** What the kernel computes of its numbers alone; see `sizeTerms`. */
  readonly terms: readonly string[];
  /** What has to hold of its numbers for it, or for the host code that launches it, to go on. */
  readonly relations: readonly SizeRelation[];
  /** What comments say that has to hold of them. */
  readonly stated: readonly SizeRelation[];
}

/** Where a kernel stands, with its launches. */
export interface KernelCode {
  readonly root: SyntaxNode;
  readonly sites: readonly LaunchSite[];
  readonly parameters: readonly ParameterFacts[];
  /** Its body, where that parses. */
  readonly kernel: SyntaxNode | undefined;
}

interface Parameters {
  readonly pointers: readonly string[];
  readonly numbers: readonly string[];
  readonly constants: Constants;
}

/** What a kernel and its launches say of its sizes. */
export function sizesInText(code: KernelCode, known: Parameters): SizesInText {
  const { kernel } = code;
  const own = kernel === undefined ? [] : kernelRelations(kernel, known);
  return {
    terms: kernel === undefined ? [] : sizeTerms(kernel, known.numbers),
    relations: [...own, ...hostRelations(code, known.constants)],
    stated: [
      ...statedRelations(code.root.text, { names: known.numbers, constants: known.constants }),
      ...hostStated(code, known.constants),
      ...(kernel === undefined ? [] : arrayLimits(code.root, kernel, known.constants)),
    ],
  };
}

/** What has to hold of a kernel's numbers for it to go on: `if (d > n || n % heads != 0) return;`. */
function kernelRelations(
  body: SyntaxNode,
  { pointers, numbers, constants }: Parameters,
): readonly SizeRelation[] {
  const { asked } = sizeConditions({
    ...{ body, numbers: new Set(numbers), data: new Set(pointers) },
    constants: withLocals(constants, body),
  });
  return relationsIn(asked);
}

/** What comments of a file say of the names that its host code has for the numbers of a kernel. */
function hostStated({ root, sites, parameters }: KernelCode, constants: Constants): readonly SizeRelation[] {
  const numbers = parameters.map(({ name, pointer }) => (pointer ? undefined : name));
  const [site] = sites;
  if (site === undefined) return [];
  const { owners } = passedNumbers(site, numbers, new Leaves());
  const others = [...owners].flatMap(([name, own]) => (name === own ? [] : name));
  return statedRelations(root.text, { names: others, constants }).map((each) => inOwnNames(each, owners));
}

/**
 * The same of the host functions that launch a kernel, in the kernel's own names: `TORCH_CHECK(x.size(1) %
 * groups == 0)`.
 */
function hostRelations(
  { root, sites, parameters }: KernelCode,
  constants: Constants,
): readonly SizeRelation[] {
  const numbers = parameters.map(({ name, pointer }) => (pointer ? undefined : name));
  return sites.slice(0, 1).flatMap((site) => {
    const { range, hostParameters } = site;
    const host = root
      .descendantsOfType("function_definition")
      .find((each) => each.startPosition.row <= range.start.line && each.endPosition.row >= range.end.line);
    const body = host?.childForFieldName("body");
    if (body === null || body === undefined) return [];
    const leaves = new Leaves();
    const { owners } = passedNumbers(site, numbers, leaves);
    const { asked } = sizeConditions({
      ...{ body, numbers: new Set(owners.keys()), inNames: leaves.inNames },
      data: new Set(hostParameters.filter((name) => !owners.has(name))),
      constants: withLocals(constants, body),
    });
    return relationsIn(asked).map((each) => inOwnNames(each, owners));
  });
}

function withLocals(constants: Constants, body: SyntaxNode): Constants {
  const own = body.descendantsOfType("init_declarator").flatMap((node) => initialized(node, "value"));
  return new Map([...constants, ...own.map((each) => [each.name, each] as const)]);
}

function relationsIn(asked: SizeConditions): readonly SizeRelation[] {
  return [...asked].flatMap(([name, condition]) => [
    ...plainRelations(name, condition),
    ...(condition.related ?? []),
  ]);
}

function plainRelations(
  name: string,
  { multipleOf, least, most, sameAs, isPower, values }: SizeCondition,
): readonly SizeRelation[] {
  const [only, ...others] = values ?? [];
  return [
    ...(only === undefined || others.length > 0 ? [] : [{ kind: "equal" as const, name, value: only }]),
    ...(isPower === true ? [{ kind: "power" as const, name, value: 2 }] : []),
    ...(sameAs === undefined ? [] : [{ kind: "equal" as const, name, value: sameAs }]),
    ...(multipleOf === undefined ? [] : [{ kind: "multiple" as const, name, value: multipleOf }]),
    ...(least === undefined ? [] : [{ kind: "least" as const, name, value: least }]),
    ...(most === undefined ? [] : [{ kind: "most" as const, name, value: most }]),
  ];
}

function inOwnNames(relation: SizeRelation, owners: ReadonlyMap<string, string>): SizeRelation {
  const own = (text: string): string => text.replace(/[A-Za-z_]\w*/g, (word) => owners.get(word) ?? word);
  const { name, value } = relation;
  return { ...relation, name: own(name), value: typeof value === "string" ? own(value) : value };
}
