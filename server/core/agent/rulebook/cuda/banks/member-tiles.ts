import { elementOf, type KernelArray } from "../../../../language/cuda/body/arrays";
import { collapse, enclosing, fieldText, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { estimatedValue, type KernelView } from "../kernel";

/** An array of a structure that lies in shared memory: a tile with functions of its own. */
export interface MemberTile extends KernelArray {
  /** Where the kernel uses what it has of the structure: its functions may end up there. */
  readonly objects: readonly SyntaxNode[];
  /** The size as the kernel declares the structure; undefined where it takes more than names. */
  estimate(size: SyntaxNode): number | undefined;
}

/** Arrays of two and more dimensions of the structures that the kernel has in shared memory. */
export function memberTiles(view: KernelView): readonly MemberTile[] {
  const structures = view.model.root
    .descendantsOfType(["struct_specifier", "class_specifier"])
    .filter((node) => node.childForFieldName("body") !== null);
  const shared = view.body
    .descendantsOfType("declaration")
    .filter((node) => node.children.some(({ text }) => text === "__shared__"));
  const found = new Map<number, MemberTile>();
  for (const declaration of shared) {
    const type = declaration.childForFieldName("type");
    const name = type?.descendantsOfType("type_identifier")[0]?.text;
    const [structure, ...others] = structures.filter((node) => fieldText(node, "name") === name);
    if (type === null || structure === undefined || others.length > 0) continue;
    const names = declaration
      .childrenForFieldName("declarator")
      .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []);
    const objects = names.flatMap((each) => usesOf(view.body, each));
    for (const tile of tilesOf(view, structure, type)) {
      const known = found.get(tile.declaration.id)?.objects ?? [];
      found.set(tile.declaration.id, { ...tile, objects: [...known, ...objects] });
    }
  }
  return [...found.values()];
}

function tilesOf(
  view: KernelView,
  structure: SyntaxNode,
  type: SyntaxNode,
): readonly Omit<MemberTile, "objects">[] {
  const given = argumentsOf(structure, type);
  const fields = partsOf(structure.childForFieldName("body")).filter(
    ({ type: kind }) => kind === "field_declaration",
  );
  return fields.flatMap((declaration) => {
    const [declarator, ...more] = declaration.childrenForFieldName("declarator");
    const sizes = declarator === undefined ? [] : sizesOf(declarator);
    const name = declarator?.descendantsOfType("field_identifier")[0]?.text;
    if (name === undefined || more.length > 0 || sizes.length < 2) return [];
    const written = collapse(fieldText(declaration, "type"));
    return [
      {
        ...{
          name,
          type: given.get(written)?.text ?? written,
          storage: "shared" as const,
          declaration,
          sizes,
        },
        ...usesOfField(view, structure, { name, dimensions: sizes.length, declaration }),
        estimate: (size: SyntaxNode) => estimatedValue(view, given.get(size.text) ?? size),
      },
    ];
  });
}

function sizesOf(declarator: SyntaxNode): readonly SyntaxNode[] {
  const sizes: SyntaxNode[] = [];
  for (let at: SyntaxNode | null = declarator; at?.type === "array_declarator";) {
    const size = at.childForFieldName("size");
    if (size !== null) sizes.unshift(size);
    at = at.childForFieldName("declarator");
  }
  return sizes;
}

/** What stands for the structure's template parameters where the kernel declares it. */
function argumentsOf(structure: SyntaxNode, type: SyntaxNode): ReadonlyMap<string, SyntaxNode> {
  const template = structure.parent?.type === "template_declaration" ? structure.parent : null;
  const names = partsOf(template?.childForFieldName("parameters")).map(
    (node) => node.descendantsOfType(["identifier", "type_identifier"]).at(-1)?.text,
  );
  const given = partsOf(type.descendantsOfType("template_argument_list")[0]);
  return new Map(
    names.flatMap((name, place) => {
      const argument = given[place];
      return name === undefined || argument === undefined ? [] : [[name, argument] as const];
    }),
  );
}

interface Field {
  readonly name: string;
  readonly dimensions: number;
  readonly declaration: SyntaxNode;
}

/** Its elements; it escapes where it is used as a whole, or the structure is anything but shared memory. */
function usesOfField(
  { model }: KernelView,
  structure: SyntaxNode,
  { name, dimensions, declaration }: Field,
): Pick<KernelArray, "accesses" | "escape"> {
  const { root } = model;
  const plain = structure.descendantsOfType("identifier").filter(({ text }) => text === name);
  const members = root
    .descendantsOfType("field_identifier")
    .filter((node) => node.text === name && !isInside(node, declaration))
    .flatMap(({ parent }) => parent ?? []);
  const chains = [...plain, ...members].map((use) => ({ use, access: elementOf(use, dimensions) }));
  const loose = chains.find(({ access }) => access === undefined || access.node.text.startsWith("&"));
  const own = fieldText(structure, "name");
  const named = root
    .descendantsOfType("type_identifier")
    .find((node) => node.text === own && !isInside(node, structure) && !isShared(node));
  return { accesses: chains.flatMap(({ access }) => access ?? []), escape: loose?.use ?? named };
}

/** A declaration of shared memory, or a reference to it that a function takes. */
function isShared(name: SyntaxNode): boolean {
  const parameter = enclosing(name, "parameter_declaration", "declaration");
  if (parameter?.type === "parameter_declaration")
    return parameter.childForFieldName("declarator")?.type === "reference_declarator";
  return parameter?.children.some(({ text }) => text === "__shared__") ?? false;
}
