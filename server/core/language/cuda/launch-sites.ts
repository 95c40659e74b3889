import type { LaunchSite } from "../facts";
import { collapse, enclosing, rangeOf } from "../query";
import type { SyntaxNode } from "../tree";
import { dimensionTexts, fileConstants, hostScope, neededConstants, type HostScope } from "./host-scope";
import { lastName, parametersOf } from "./kernels";

/** Every `kernel<<<grid, block, shared, stream>>>(arguments)` of a CUDA text, in source order. */
export function findLaunchSites(root: SyntaxNode): readonly LaunchSite[] {
  const launches = root.descendantsOfType("kernel_call_syntax");
  if (launches.length === 0) return [];
  const constants = fileConstants(root);
  return launches.map((launch) => launchSiteOf(launch, constants)).filter((site) => site !== undefined);
}

function launchSiteOf(launch: SyntaxNode, constants: ReadonlyMap<string, string>): LaunchSite | undefined {
  const call = launch.parent;
  const callee = call?.childForFieldName("function");
  if (!call || !callee) return undefined;
  const host = enclosing(call, "function_definition");
  const declarator = host?.descendantsOfType("function_declarator")[0];
  const hostName = declarator?.childForFieldName("declarator");
  const scope = hostScope(host, constants, call.startIndex);
  const [grid, block, shared] = launch.namedChildren.filter((child) => child.type !== "comment");
  const passed = (call.childForFieldName("arguments")?.namedChildren ?? [])
    .filter((child) => child.type !== "comment")
    .map((child) => collapse(child.text));
  const site = {
    kernel: lastName(callee),
    dialect: "cuda" as const,
    grid: grid === undefined ? [] : dimensionsOf(grid, scope),
    block: block === undefined ? [] : dimensionsOf(block, scope),
    ...(shared === undefined || shared.text === "0" ? {} : { shared: collapse(shared.text) }),
    arguments: passed,
    keywords: {},
    templateArguments: templateArgumentsOf(callee),
    ...(hostName ? { hostFunction: lastName(hostName) } : {}),
    hostParameters:
      declarator === undefined ? [] : parametersOf(declarator).map((parameter) => parameter.name),
    range: rangeOf(call),
  };
  const expressions = [
    ...site.grid,
    ...site.block,
    ...(site.shared === undefined ? [] : [site.shared]),
    ...site.arguments,
  ];
  const visible = new Map([...scope.scalars].filter(([name]) => !site.hostParameters.includes(name)));
  return { ...site, constants: neededConstants(expressions, visible) };
}

function dimensionsOf(expression: SyntaxNode, scope: HostScope): readonly string[] {
  const text = collapse(expression.text);
  const braced = /^\{(.*)\}$/.exec(text)?.[1];
  return (
    scope.dimensions.get(text) ??
    dimensionTexts(expression) ??
    (braced === undefined ? [text] : splitAtCommas(braced))
  );
}

function templateArgumentsOf(callee: SyntaxNode): readonly string[] {
  const lists = callee
    .descendantsOfType("template_argument_list")
    .filter((list) => list.endIndex === callee.endIndex);
  return (lists[0]?.namedChildren ?? []).map((child) => collapse(child.text));
}

/** Splits at the commas that stand in no bracket. */
function splitAtCommas(text: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if ("([{".includes(character)) depth += 1;
    if (")]}".includes(character)) depth -= 1;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
