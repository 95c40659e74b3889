import { ownLauncher } from "../../../../../language/cuda/launch/own-launcher";
import { collapse, partsOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { parseSizeExpression } from "../../../../../workload/size-expression";
import type { SizeNode } from "../../../../../workload/size-syntax";
import { isLaunchOfOurs, type LaunchSpec } from "../../../../../workload/spec";
import { freshName } from "../../../edits";
import { isNot, type RuleInput, type RuleProposal } from "../../../rule";
import { cudaKernel, type KernelView } from "../../kernel";

/** What a rule or a counter says of a line. */
export interface ToldOfLine {
  readonly line: number;
  readonly sentence: string;
}

/** A source in which a function says how its kernel is launched. */
interface WithLauncher {
  readonly input: RuleInput;
  /** A rewrite without the function where that is as it was; else it says that the launch is another one. */
  finished(proposal: RuleProposal): RuleProposal;
  /** What is told of a line of the function, as told of the kernel: nobody else sees the function. */
  told<Told extends ToldOfLine>(each: Told): Told;
}

/**
 * A kernel of which no launch is known, with a function that launches it as it was found out: a rewrite may
 * change the launch there, and says with it how the kernel wants to be launched from then on. Where the
 * source has such a function already, that one counts. Undefined where a launch is known, or none can be
 * written.
 */
export function withLauncher(input: RuleInput): WithLauncher | undefined {
  const { spec, file, parse } = input;
  const { run } = spec;
  if (run.kind !== "launch" || spec.program !== undefined || !isLaunchOfOurs(spec)) return undefined;
  const text = input.tree[file] ?? "";
  const root = parse(file, text);
  const own = root && ownLauncher(root, spec.kernel);
  if (own === undefined || own === "other") return undefined;
  const { grid: _grid, block: _block, sharedBytes: _sharedBytes, ...others } = run.launch;
  const freed = { ...input, spec: { ...spec, run: { kind: "launch" as const, launch: others } } };
  if (own !== "none") return { input: freed, finished: (proposal) => proposal, told: (each) => each };
  const view = cudaKernel(input);
  const launcher = isNot(view) || isMentioned(input, view) ? undefined : launcherOf(view, run.launch);
  if (launcher === undefined) return undefined;
  const { place, name, lines } = launcher;
  const added = `\n\n${lines.join("\n")}`;
  const launching = text.slice(0, place) + added + text.slice(place);
  const first = text.slice(0, place).split("\n").length + 2;
  const seen = (line: number): number =>
    line >= first && line < first + lines.length && !isNot(view) ? view.line : line;
  const told = <Told extends ToldOfLine>(each: Told): Told => ({
    ...each,
    line: seen(each.line),
    sentence: each.sentence.replace(/\bline (\d+)\b/g, (_, line: string) => `line ${seen(Number(line))}`),
  });
  return {
    told,
    input: { ...freed, tree: { ...input.tree, [file]: launching } },
    finished: ({ hypothesis, ...proposal }) => {
      const after = proposal.tree[file] ?? "";
      const kept = after.replace(added, () => "");
      const more = `${hypothesis.replace(/\.$/, "")}; ${name} says how the kernel is launched from then on.`;
      return {
        ...proposal,
        tree: { ...proposal.tree, [file]: kept },
        evidence: told(proposal.evidence),
        hypothesis: kept === after ? more : hypothesis,
      };
    },
  };
}

/** True where a source names the kernel beside its definition: it may be launched there. */
function isMentioned({ tree, file }: RuleInput, { kernel, source }: KernelView): boolean {
  const { startIndex, endIndex } = kernel.definition;
  const name = new RegExp(`\\b${kernel.facts.name}\\b`);
  const others = Object.entries(tree).filter(([path]) => path !== file);
  const texts = [...others.map(([, text]) => text), source.slice(0, startIndex) + source.slice(endIndex)];
  return texts.some((text) => name.test(collapse(text)));
}

interface Launcher {
  /** Where the function is put. */
  readonly place: number;
  readonly name: string;
  readonly lines: readonly string[];
}

/** The function at the end of what the kernel stands in. */
function launcherOf({ kernel, source }: KernelView, launch: LaunchSpec): Launcher | undefined {
  const { definition, facts } = kernel;
  const list = definition.descendantsOfType("function_declarator")[0]?.childForFieldName("parameters");
  const place = endOfHolder(definition);
  if (facts.templateParameters.length > 0 || !list || place === undefined) return undefined;
  const names = sizeNames(kernel.facts.parameters, launch);
  const [grid, block] = [launch.grid, launch.block].map((extents) => extentsText(extents ?? [1], names));
  const shared = launch.sharedBytes === undefined ? "0" : sizeText(launch.sharedBytes, names);
  if (grid === undefined || block === undefined || shared === undefined) return undefined;
  const name = freshName(source, `launch_${facts.name}`);
  const stream = freshName(source, "stream");
  const parameters = partsOf(list).map(({ text }) =>
    collapse(text.replace(/\b__restrict__\b|\b__restrict\b|\b__grid_constant__\b/g, "")),
  );
  const passed = facts.parameters.map((parameter) => parameter.name).join(", ");
  return {
    ...{ place, name },
    lines: [
      `// How ${facts.name} is launched.`,
      `inline void ${name}(${[...parameters, `cudaStream_t ${stream} = nullptr`].join(", ")}) {`,
      `  ${facts.name}<<<${grid}, ${block}, ${shared}, ${stream}>>>(${passed});`,
      "}",
    ],
  };
}

/** Behind the last declaration beside the kernel, in the same namespace and the same branch of an `#if`. */
function endOfHolder(definition: SyntaxNode): number | undefined {
  let node = definition;
  while (node.parent?.type === "linkage_specification" || node.parent?.type === "template_declaration")
    node = node.parent;
  const { parent } = node;
  const holds = /^(?:translation_unit|declaration_list|preproc_ifdef|preproc_if)$/.test(parent?.type ?? "");
  return holds ? parent?.namedChildren.at(-1)?.endIndex : undefined;
}

/** The parameter of the kernel that a size of the spec is handed over as. */
function sizeNames(
  parameters: KernelView["kernel"]["facts"]["parameters"],
  { arguments: passed }: LaunchSpec,
): ReadonlyMap<string, string> {
  return new Map(
    passed.flatMap((argument, place) => {
      const name = parameters[place]?.name;
      const isSize =
        typeof argument === "object" && "value" in argument && typeof argument.value === "string";
      return isSize && name !== undefined ? [[String(argument.value), name] as const] : [];
    }),
  );
}

type Names = ReadonlyMap<string, string>;

function extentsText(extents: NonNullable<LaunchSpec["grid"]>, names: Names): string | undefined {
  const texts = extents.map((extent) => sizeText(extent, names));
  const known = texts.flatMap((text) => text ?? []);
  if (known.length < texts.length) return undefined;
  return known.length === 1 ? known[0] : `dim3(${known.join(", ")})`;
}

/** An expression over sizes as one of C over the kernel's parameters; undefined where it says more. */
function sizeText(expression: string | number, names: Names): string | undefined {
  const parsed = parseSizeExpression(String(expression));
  return parsed.ok ? nodeText(parsed.value, names) : undefined;
}

function nodeText(node: SizeNode, names: Names): string | undefined {
  if (node.kind === "number") return node.real ? undefined : String(node.value);
  if (node.kind === "variable") return names.get(node.name);
  if (node.kind === "call" && node.name === "ceil_div") return quotientText(node.operands, names);
  if (node.kind !== "binary" || !/^[-+*/%]$/.test(node.operator)) return undefined;
  const [left, right] = [node.left, node.right].map((side) => nodeText(side, names));
  return left === undefined || right === undefined
    ? undefined
    : `${factorText(left)} ${node.operator} ${factorText(right)}`;
}

function quotientText(operands: readonly SizeNode[], names: Names): string | undefined {
  const [whole, part] = operands.map((operand) => nodeText(operand, names));
  if (whole === undefined || part === undefined) return undefined;
  const less = /^\d+$/.test(part) ? String(Number(part) - 1) : `${factorText(part)} - 1`;
  return `(${factorText(whole)} + ${less}) / ${factorText(part)}`;
}

function factorText(text: string): string {
  return /^\w+$/.test(text) ? text : `(${text})`;
}
