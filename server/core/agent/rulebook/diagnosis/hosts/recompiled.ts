import { collapse, compact, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TritonKernel } from "../../../../language/triton/kernels";
import type { TritonLaunch } from "../../../../language/triton/launches";
import { readTriton } from "../../../../language/triton/model";
import { type DiagnosisEntry, limitIn } from "../entry";
import type { Finding, Measured } from "../measured";

/** Numbers that every step of a training or a generation has anew. */
const counted =
  /^(?:cur(?:rent)?_?)?(?:step|seed|iter|iteration|epoch|pos|position|offset|kv_len|cache_len|time|t_now)$/i;
/** Sizes of a batch or a sequence, by name. */
const lengths =
  /(?:^|_)(?:seq_?len|seqlen\w*|(?:n_?|num_)?tokens|numel|(?:n|num)_elements|batch(?:_size)?|n_?rows)$/i;
/** First dimensions that count what a call happens to have; a layer's own sizes stay the same. */
const rows = /^(?:[NBMTLS]|[nbmtl]|rows?|num_rows|n_rows|batch\w*|seq\w*|tokens?|length|size|count)$/;
const ofLayer = /(?:^|[._])(?:w\d?|weights?|b|bias|gamma|beta|emb\w*|table|codebook)\./i;

/**
 * Numbers that the launch passes as `tl.constexpr` though calls differ by them: Triton compiles the kernel
 * anew for each. The time of a call alone does not show it.
 */
export function recompiledSizes({ input }: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const launched = launchedKernel(input);
  if (launched === undefined) return [];
  const { model, kernel, launch } = launched;
  const changing = kernel.facts.parameters.flatMap(({ name, constexpr }, place) => {
    const given = launch.keywords.get(name) ?? launch.positional[place];
    const passed = given !== undefined && constexpr && !shapesBlocks(kernel, name, model.names);
    return passed && differs(name, given, launch) ? [{ name, given }] : [];
  });
  const [first] = changing;
  if (first === undefined) return [];
  const names = changing.map(({ name }) => name).join(", ");
  const share = limitIn(entry, "share");
  return [{ line: lineOf(first.given), share, blanks: { names } }];
}

/** The Triton kernel that is looked at, and its first launch in the file. */
function launchedKernel(input: Measured["input"]) {
  const source = input.tree[input.file];
  const root = source === undefined ? undefined : input.parse(input.file, source);
  if (root === undefined || input.dialect !== "triton") return undefined;
  const model = readTriton(root);
  const own = input.kernel.split("::").at(-1);
  const kernel = model.kernels.find(({ facts }) => facts.name === own);
  const launch = model.launches.find(({ site }) => site.kernel === own);
  return kernel && launch && { root, model, kernel, launch };
}

/** Sizes in an autotuner's key that the calls of a loop of the file change: each new one is tuned for. */
export function retunedSizes({ input }: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const launched = launchedKernel(input);
  if (launched === undefined) return [];
  const { root, kernel, launch } = launched;
  const key = kernel.decorators
    .flatMap((decorator) => decorator.descendantsOfType("keyword_argument"))
    .find((argument) => argument.childForFieldName("name")?.text === "key");
  if (launch.host === undefined || key === undefined) return [];
  const keys = [...key.text.matchAll(/["'](\w+)["']/g)].map(([, name]) => name);
  const changing = kernel.facts.parameters.flatMap(({ name }, place) => {
    const given = launch.keywords.get(name) ?? launch.positional[place];
    return given !== undefined && keys.includes(name) && differs(name, given, launch) ? [name] : [];
  });
  if (changing.length === 0 || !isCalledWithSizes(root, launch.host)) return [];
  return [{ line: lineOf(key), share: limitIn(entry, "share"), blanks: { names: changing.join(", ") } }];
}

/** True where a loop calls the function with a tensor that it makes anew, of a size that it works out. */
function isCalledWithSizes(root: SyntaxNode, host: SyntaxNode): boolean {
  const name = host.childForFieldName("name")?.text ?? "";
  return root.descendantsOfType("for_statement").some((loop) => {
    const given = loop
      .descendantsOfType("call")
      .filter((call) => compact(call.childForFieldName("function")).split(".").at(-1) === name)
      .flatMap((call) => partsOf(call.childForFieldName("arguments")));
    const made = new Map(
      loop
        .descendantsOfType("assignment")
        .map((act) => [act.childForFieldName("left")?.text ?? "", act.childForFieldName("right")] as const),
    );
    const turns = loop.childForFieldName("left");
    return given.some(({ text }) => {
      const maker = made.get(text);
      const sizes = maker?.type === "call" ? maker.descendantsOfType("identifier") : [];
      return sizes.some((size) => made.has(size.text) || (turns && usesOf(turns, size.text).length > 0));
    });
  });
}

/** True for a number that sizes of tensors in the kernel are made of, which have to be constants. */
function shapesBlocks(
  { body }: TritonKernel,
  name: string,
  names: ReturnType<typeof readTriton>["names"],
): boolean {
  const shaped = [
    "arange",
    "zeros",
    "full",
    "static_range",
    "make_block_ptr",
    "reshape",
    "broadcast_to",
    "view",
  ];
  const needed = body
    .descendantsOfType("call")
    .filter((call) => shaped.some((member) => names.isLanguage(call.childForFieldName("function"), member)))
    .map((call) => call.childForFieldName("arguments"));
  const made = body
    .descendantsOfType("assignment")
    .filter((act) =>
      needed.some(
        (list) => list !== null && usesOf(list, act.childForFieldName("left")?.text ?? "").length > 0,
      ),
    )
    .map((act) => act.childForFieldName("right"));
  return [...needed, ...made].some((list) => list !== null && usesOf(list, name).length > 0);
}

/** True for a count of elements, a first dimension of a tensor, or a name of a number that grows. */
function differs(name: string, given: SyntaxNode, { host }: TritonLaunch): boolean {
  if (/^(?:integer|float|true|false|none|string)$/.test(given.type)) return false;
  const text = meaningOf(given, host);
  if (/next_power_of_2|cdiv/.test(text)) return false;
  if (counted.test(name) || counted.test(given.text)) return true;
  const whole = /^[\w.]+\.numel\(\)$|^[\w.]+\.nelement\(\)$/.test(text);
  const first = /^[\w.]+\.(?:shape\[0\]|size\(0\))$/.test(text);
  return whole || (first && rows.test(name) && !ofLayer.test(text)) || lengths.test(name);
}

/** What a name of the launching function stands for, as text without blanks. */
function meaningOf(given: SyntaxNode, host: SyntaxNode | undefined): string {
  if (given.type !== "identifier" || host === undefined) return compact(given);
  const acts = host
    .descendantsOfType("assignment")
    .filter((act) => usesOf(act.childForFieldName("left") ?? act, given.text).length > 0);
  const [act] = acts;
  const [left, right] = [act?.childForFieldName("left"), act?.childForFieldName("right")];
  if (acts.length !== 1 || !left || !right) return given.text;
  if (left.type === "identifier") return compact(right);
  // `rows, columns = x.shape`
  const place = partsOf(left).findIndex(({ text }) => text === given.text);
  return /\.(?:shape|size\(\))$/.test(collapse(right.text))
    ? `${compact(right).replace(/\.size\(\)$/, ".shape")}[${place}]`
    : given.text;
}
