import { changes } from "../../../../../language/cuda/body/scope";
import { lastName } from "../../../../../language/cuda/kernels";
import { launchCalls, mayLaunch } from "../../../../../language/cuda/launches";
import { collapse, compact, enclosing, fieldText, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { editedText, freshName, replaceNode, type TextEdit } from "../../../edits";
import { kernelBare, type LaunchUse, standsAmongOthers } from "./launch-use";

/** A function of the file that launches a kernel which it is handed. */
interface Launcher {
  readonly name: string;
  readonly definition: SyntaxNode;
  readonly body: SyntaxNode;
  readonly parameters: readonly LauncherParameter[];
  /** Names of its template's parameters, with what they are where nothing is said. */
  readonly template: readonly { readonly name: string; readonly otherwise: string | undefined }[];
  /** Names of what it launches. */
  readonly kernels: readonly string[];
}

interface LauncherParameter {
  readonly name: string;
  readonly type: string;
  /** True for `args...`. */
  readonly isPack: boolean;
  readonly otherwise: string | undefined;
}

/** What does not keep its meaning in another function, or on one line. */
const unmovable = [
  ...["goto_statement", "labeled_statement", "lambda_expression"],
  ...["preproc_if", "preproc_ifdef", "preproc_def", "preproc_call"],
];
/** Names, numbers, and instances of templates: they may stand wherever a parameter does. */
const plain = /^[\w:.]+$|^[\w:]+<[\w\s:,*]*>$/;

/** The first statement of the file that calls a function which launches the kernel that it is handed. */
export function wrapperUse(root: SyntaxNode): LaunchUse | undefined {
  const launchers = launchersOf(root);
  if (launchers.length === 0) return undefined;
  for (const call of root.descendantsOfType("call_expression")) {
    const callee = call.childForFieldName("function");
    const statement = call.parent;
    if (callee === null || statement === null || !isAlone(call, statement)) continue;
    const named = launchers.filter(({ name }) => name === lastName(callee));
    const fitting = named.filter((each) => takes(each, partsOf(call.childForFieldName("arguments")).length));
    const [launcher, ...others] = fitting;
    if (launcher === undefined || others.length > 0 || isInsideOf(call, launcher)) continue;
    const text = writtenOut(root, { launcher, call, callee, statement });
    if (text !== undefined) return { node: statement, text };
  }
  return undefined;
}

/** `launch(…);` or `return launch(…);`. */
function isAlone(call: SyntaxNode, statement: SyntaxNode): boolean {
  const alone = statement.type === "expression_statement" || statement.type === "return_statement";
  return alone && enclosing(call, "function_definition") !== undefined && standsAmongOthers(statement);
}

function isInsideOf(call: SyntaxNode, { definition }: Launcher): boolean {
  return call.startIndex >= definition.startIndex && call.endIndex <= definition.endIndex;
}

function launchersOf(root: SyntaxNode): readonly Launcher[] {
  return root
    .descendantsOfType("function_definition")
    .filter(mayLaunch)
    .flatMap((definition) => launcherFrom(definition) ?? []);
}

function launcherFrom(definition: SyntaxNode): Launcher | undefined {
  const body = definition.childForFieldName("body");
  const declarator = definition.descendantsOfType("function_declarator")[0];
  const named = declarator?.childForFieldName("declarator");
  if (body === null || declarator === undefined || !named) return undefined;
  if (enclosing(definition, "class_specifier", "struct_specifier") !== undefined) return undefined;
  const parameters = partsOf(declarator.childForFieldName("parameters")).map(parameterOf);
  const kernels = launchCalls(body)
    .map(({ kernel }) => kernel)
    .filter((kernel) => parameters.some(({ name }) => name === kernel));
  if (kernels.length === 0 || body.descendantsOfType(unmovable).length > 0) return undefined;
  const outer = definition.parent?.type === "template_declaration" ? definition.parent : undefined;
  const template = partsOf(outer?.childForFieldName("parameters")).map(templateParameter);
  return { name: lastName(named), definition, body, parameters, template, kernels };
}

function templateParameter(node: SyntaxNode): Launcher["template"][number] {
  const otherwise = node.childForFieldName("default_value") ?? node.childForFieldName("default_type");
  const names = node.descendantsOfType(["type_identifier", "identifier"]);
  const own = names.filter((each) => otherwise === null || each.startIndex < otherwise.startIndex);
  return { name: own.at(-1)?.text ?? "", otherwise: otherwise?.text };
}

function parameterOf(node: SyntaxNode): LauncherParameter {
  const name = node.childForFieldName("declarator")?.descendantsOfType("identifier")[0]?.text ?? "";
  const declared = fieldText(node, "declarator");
  return {
    name,
    type: declared === name ? fieldText(node, "type") : "auto",
    isPack: node.type === "variadic_parameter_declaration",
    otherwise: node.childForFieldName("default_value")?.text,
  };
}

function takes({ parameters }: Launcher, given: number): boolean {
  const single = parameters.filter(({ isPack }) => !isPack);
  const least = single.filter(({ otherwise }) => otherwise === undefined).length;
  return given >= least && (given <= single.length || single.length < parameters.length);
}

interface Use {
  readonly launcher: Launcher;
  readonly call: SyntaxNode;
  readonly callee: SyntaxNode;
  readonly statement: SyntaxNode;
}

/** The function's statements in a block; undefined where they would mean something else there. */
function writtenOut(root: SyntaxNode, use: Use): string | undefined {
  const { launcher, call, callee, statement } = use;
  const given = partsOf(call.childForFieldName("arguments"));
  const passed = passedTo(root, launcher, given);
  const templates = templateArguments(launcher, callee);
  if (passed === undefined || templates === undefined) return undefined;
  const by = new Map([...templates, ...passed.by]);
  const rewrite = (node: SyntaxNode): string | undefined => rewritten(node, { by, passed, launcher, root });
  const text = blockOf(launcher.body, { rewrite, returns: statement.type === "return_statement" });
  return text === undefined ? undefined : kernelBare(`{ ${[...passed.declared, text].join(" ")} }`);
}

interface Passed {
  /** What stands for each parameter, and for a name of the function's own that the call uses as well. */
  readonly by: ReadonlyMap<string, string>;
  readonly pack: { readonly name: string; readonly text: string } | undefined;
  readonly declared: readonly string[];
}

function passedTo(root: SyntaxNode, launcher: Launcher, given: readonly SyntaxNode[]): Passed | undefined {
  const { parameters, body } = launcher;
  const used = new Set(given.flatMap((node) => node.descendantsOfType("identifier").map(({ text }) => text)));
  const own = body
    .descendantsOfType("declaration")
    .flatMap((node) => node.childrenForFieldName("declarator"))
    .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []);
  let taken = root.text;
  const by = new Map<string, string>();
  const anew = (name: string): string => {
    const fresh = used.has(name) ? freshName(taken, name) : name;
    taken += ` ${fresh}`;
    return fresh;
  };
  for (const name of own) by.set(name, anew(name));
  const declared: string[] = [];
  let pack: Passed["pack"];
  for (const [place, { name, type, isPack, otherwise }] of parameters.entries()) {
    if (isPack) {
      pack = {
        name,
        text: given
          .slice(place)
          .map(({ text }) => collapse(text))
          .join(", "),
      };
      continue;
    }
    const whole = collapse(given[place]?.text ?? otherwise ?? "");
    const text = launcher.kernels.includes(name) ? whole.replace(/^&\s*/, "") : whole;
    const changed = changes(body).some(({ target }) => target.text === name);
    if (!changed && plain.test(text)) {
      by.set(name, text);
      continue;
    }
    const fresh = anew(name);
    by.set(name, fresh);
    const found = launcher.template.some((each) => each.name === type);
    declared.push(`${changed ? "" : "const "}${found ? "auto" : type} ${fresh} = ${text};`);
  }
  return { by, pack, declared };
}

/** What a call says of the template; what the compiler finds out may not stand in the body. */
function templateArguments(
  { template, body }: Launcher,
  callee: SyntaxNode,
): ReadonlyMap<string, string> | undefined {
  const [list] = callee.descendantsOfType("template_argument_list");
  const given = partsOf(list).map(({ text }) => collapse(text));
  const said = template.map(({ name, otherwise }, place) => [name, given[place] ?? otherwise] as const);
  const found = said.flatMap(([name, text]) => (text === undefined ? [name] : []));
  const packs = body.descendantsOfType("parameter_pack_expansion");
  const asks = body
    .descendantsOfType(["type_identifier", "identifier"])
    .filter(
      (node) => !packs.some((pack) => node.startIndex >= pack.startIndex && node.endIndex <= pack.endIndex),
    );
  if (asks.some(({ text }) => found.includes(text))) return undefined;
  return new Map(
    said.flatMap(([name, text]) => (text === undefined ? [] : [[name, collapse(text)] as const])),
  );
}

interface Rewriting {
  readonly by: ReadonlyMap<string, string>;
  readonly passed: Passed;
  readonly launcher: Launcher;
  readonly root: SyntaxNode;
}

/** A part of the body in the words of the call, on one line. */
function rewritten(node: SyntaxNode, { by, passed, root }: Rewriting): string | undefined {
  const packs = node.descendantsOfType("parameter_pack_expansion");
  const edits: TextEdit[] = [];
  for (const pack of packs) {
    const [, name] = /^(?:(?:std::|::)?forward<[^()]*>\()?(\w+)\)?\.\.\.$/.exec(compact(pack)) ?? [];
    if (name === undefined || name !== passed.pack?.name) return undefined;
    edits.push(replaceNode(pack, passed.pack.text));
  }
  const names = node.descendantsOfType(["identifier", "type_identifier"]);
  for (const each of names) {
    const text = by.get(each.text);
    if (text === undefined || text === each.text) continue;
    if (packs.some((pack) => each.startIndex >= pack.startIndex && each.endIndex <= pack.endIndex)) continue;
    edits.push(replaceNode(each, text));
  }
  const pack = passed.pack?.name;
  const left = pack === undefined ? [] : usesOf(node, pack);
  if (left.length > packs.length) return undefined;
  return collapse(editedText(root.text, { start: node.startIndex, end: node.endIndex }, edits));
}

interface Block {
  rewrite(node: SyntaxNode): string | undefined;
  /** The call's result is returned. */
  readonly returns: boolean;
}

/** The statements of the body; a way out in front of them becomes a condition around the rest. */
function blockOf(body: SyntaxNode, { rewrite, returns }: Block): string | undefined {
  const statements = partsOf(body);
  const texts: string[] = [];
  let open = 0;
  for (const [place, node] of statements.entries()) {
    const exit = returns ? undefined : exitOf(node);
    const isLast = place === statements.length - 1;
    if (exit !== undefined) {
      const condition = rewrite(exit);
      if (condition === undefined) return undefined;
      texts.push(`if (!${condition}) {`);
      open += 1;
    } else if (!returns && isLast && node.type === "return_statement") {
      const [value] = partsOf(node);
      const text = value === undefined ? "" : rewrite(value);
      if (text === undefined) return undefined;
      if (text !== "") texts.push(`${text};`);
    } else {
      const leaves =
        node.type === "return_statement" || node.descendantsOfType("return_statement").length > 0;
      const text = leaves && !returns ? undefined : rewrite(node);
      if (text === undefined) return undefined;
      texts.push(text);
    }
  }
  return `${texts.join(" ")}${" }".repeat(open)}`;
}

/** The condition in parentheses of `if (…) return;`, also with a plain result that nobody asks for. */
function exitOf(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type !== "if_statement" || node.childForFieldName("alternative") !== null) return undefined;
  const leaves = /^\{?return(?:;|\s+[\w:]+;)\}?$/.test(
    collapse(fieldText(node, "consequence")).replace(/^\{ | \}$/g, ""),
  );
  return leaves ? (node.childForFieldName("condition") ?? undefined) : undefined;
}
