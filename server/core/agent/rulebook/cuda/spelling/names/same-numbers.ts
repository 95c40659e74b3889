import type { CudaLaunch } from "../../../../../language/cuda/launches";
import { changes } from "../../../../../language/cuda/body/scope";
import { collapse, compact, enclosing, fieldText, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { replaceNode } from "../../../edits";
import type { KernelView } from "../../kernel";
import { structureNamed } from "../../structures/structure-layout";
import type { Spelling } from "../spelling";

const whole = /^(?:unsigned |signed )?(?:int|unsigned|long|size_t|u?int(?:32|64)_t)$/;

/**
 * Numbers that the only launch passes twice, as parameters or as members of structures, under one name: of
 * `B.rows` that is passed what `A.cols` is, `A.cols` remains.
 */
export const sameNumbers: Spelling = (view) => {
  const [launch, ...others] = view.launches;
  if (launch === undefined || others.length > 0) return undefined;
  const changed = new Set(changes(view.body).map(({ target }) => compact(target)));
  const first = new Map<string, string>();
  for (const { name, type, passed } of numbersOf(view, launch)) {
    const key = `${type} ${passed}`;
    const known = first.get(key);
    if (changed.has(name) || changed.has(name.split(".")[0] ?? "")) continue;
    if (known === undefined) {
      first.set(key, name);
      continue;
    }
    const [use] = usesOf(view.body, name);
    if (use !== undefined) return [replaceNode(use, known)];
  }
  return undefined;
};

/** A whole number that the kernel is handed, with the host's expression for it. */
interface Passed {
  readonly name: string;
  readonly type: string;
  readonly passed: string;
}

function numbersOf({ kernel, model }: KernelView, launch: CudaLaunch): readonly Passed[] {
  const given = partsOf(launch.call.childForFieldName("arguments"));
  const declared = kernel.facts.parameters.filter(({ name }) => !name.includes("."));
  return declared.flatMap(({ name, type, pointer }, place): readonly Passed[] => {
    const argument = given[place];
    const plain = plainType(type);
    if (argument === undefined || pointer) return [];
    if (whole.test(plain)) return isName(argument) ? [{ name, type: plain, passed: compact(argument) }] : [];
    const structure = structureNamed(model.root, plain);
    const values = structure === undefined ? undefined : valuesOf(argument, launch);
    const fields = structure === undefined ? [] : fieldsOf(structure.body);
    if (values === undefined || values.length > fields.length) return [];
    return fields.flatMap((field, index) => {
      const value = values[index];
      return value !== undefined && whole.test(field.type) && isName(value)
        ? [{ name: `${name}.${field.name}`, type: field.type, passed: compact(value) }]
        : [];
    });
  });
}

function plainType(type: string): string {
  return collapse(type.replace(/\b(?:const|volatile|struct|class)\b(?![^<]*>)|&/g, " "));
}

/** A name, or a member of a name: what is the same wherever the launch says it. */
function isName(node: SyntaxNode): boolean {
  return /^[A-Za-z_]\w*(?:\.\w+)*$/.test(compact(node));
}

/** The values in `T{a, b}`, there and behind a local that begins so and does not change. */
function valuesOf(argument: SyntaxNode, { host }: CudaLaunch): readonly SyntaxNode[] | undefined {
  const [list] = argument.type === "identifier" ? [] : argument.descendantsOfType("initializer_list");
  if (list !== undefined) return partsOf(list);
  if (argument.type !== "identifier" || host === undefined) return undefined;
  const uses = usesOf(host, argument.text);
  const changed = changes(host).some(({ target }) => usesOf(target, argument.text).length > 0);
  const begun = uses
    .map((use) => enclosing(use, "init_declarator"))
    .find((node) => fieldText(node, "declarator") === argument.text);
  const value = begun?.childForFieldName("value");
  return value?.type === "initializer_list" && !changed ? partsOf(value) : undefined;
}

/** Members in their order, one for each name; none where the structure is made by a function of its own. */
function fieldsOf(body: SyntaxNode): readonly { readonly name: string; readonly type: string }[] {
  const members = body.namedChildren.filter(({ type }) => type === "field_declaration");
  const fields = members.flatMap((member) =>
    member.childrenForFieldName("declarator").map((declarator) => ({
      name: declarator.descendantsOfType("field_identifier")[0]?.text ?? declarator.text,
      type: declarator.type === "field_identifier" ? plainType(fieldText(member, "type")) : "",
    })),
  );
  const made = body.descendantsOfType("function_declarator").some((node) => {
    const name = fieldText(node, "declarator");
    return name !== "" && name === fieldText(body.parent, "name");
  });
  return made ? [] : fields;
}
