import { compact, fieldText, partsOf, usesOf } from "../../../../language/query";
import type { TritonLaunch } from "../../../../language/triton/launches";
import type { TritonModel } from "../../../../language/triton/model";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { onlyAssignment } from "../kernel";

/**
 * The edits that write out `**options` at every launch that unpacks it, where `options = dict(BLOCK=1024)` or
 * `{"BLOCK": 1024}` is set once and serves nothing else. Undefined where the kernel's launch unpacks no such
 * names.
 */
export function keywordsWrittenOut(
  model: TritonModel,
  kernel: string,
  source: string,
): readonly TextEdit[] | undefined {
  const own = model.launches.find(({ site }) => site.kernel === kernel);
  if (own?.host === undefined || own.splat === undefined) return undefined;
  const edits = model.launches
    .filter(({ host }) => host?.id === own.host?.id)
    .flatMap((launch) => launchEdits(model, launch));
  const { host } = own;
  return edits.length === 0 ? undefined : [...edits, ...unusedIn(source, host, edits)];
}

/** The statements of the host that set names which nothing unpacks any more. */
function unusedIn(source: string, host: SyntaxNode, edits: readonly TextEdit[]): readonly TextEdit[] {
  const starts = new Set(edits.map(({ start }) => start));
  const unpacked = host.descendantsOfType("dictionary_splat").filter((node) => starts.has(node.startIndex));
  const names = new Set(unpacked.flatMap((node) => partsOf(node)[0]?.text ?? []));
  return [...names].flatMap((name) => {
    const statement = onlyAssignment(host, name)?.parent;
    const uses = usesOf(host, name).filter(({ parent }) => parent?.type === "dictionary_splat");
    const all = uses.every(({ parent }) => parent !== null && starts.has(parent.startIndex));
    if (statement?.type !== "expression_statement" || !all) return [];
    const start = source.lastIndexOf("\n", statement.startIndex);
    return [{ start, end: statement.endIndex, text: "" }];
  });
}

function launchEdits(model: TritonModel, { call, host }: TritonLaunch): readonly TextEdit[] {
  if (host === undefined) return [];
  return partsOf(call.childForFieldName("arguments")).flatMap((node) => {
    const name = node.type === "dictionary_splat" ? partsOf(node)[0] : undefined;
    const options = name?.type === "identifier" ? optionsIn(model, host, name.text) : undefined;
    return options === undefined ? [] : [replaceNode(node, options)];
  });
}

/** What the name holds, as keywords of a call. */
function optionsIn({ root }: TritonModel, host: SyntaxNode, name: string): string | undefined {
  const own = onlyAssignment(host, name);
  const value = (own ?? onlyAssignment(root, name))?.childForFieldName("right");
  const isCall = value?.type === "call" && fieldText(value, "function") === "dict";
  if (!value || (!isCall && value.type !== "dictionary")) return undefined;
  const scope = own === undefined ? root : host;
  const others = usesOf(scope, name).filter(({ parent }) => parent?.type !== "dictionary_splat");
  const parts = partsOf(isCall ? value.childForFieldName("arguments") : value);
  const written = parts.map(keywordText);
  const plain = written.every((text) => text !== undefined) && parts.every(isSteady);
  return others.length === 1 && plain ? written.join(", ") : undefined;
}

/** `BLOCK=1024`, be it written so or as `"BLOCK": 1024`. */
function keywordText(part: SyntaxNode): string | undefined {
  if (part.type === "keyword_argument") return part.text;
  const [, name] = /^["'](\w+)["']$/.exec(fieldText(part, "key")) ?? [];
  return part.type === "pair" && name !== undefined ? `${name}=${fieldText(part, "value")}` : undefined;
}

/** Worth the same wherever it stands: numbers, sizes, and what triton makes of them. */
function isSteady(part: SyntaxNode): boolean {
  return part
    .descendantsOfType("call")
    .every((call) =>
      /^(?:triton\.\w+|min|max|int|\w+(?:\.\w+)*\.(?:size|numel|stride))$/.test(
        compact(call.childForFieldName("function")),
      ),
    );
}
