import type { InferredSpec } from "../../../../core/language/inference";
import { invariant } from "../../../../core/base/assert";
import type { TritonConstant, TritonLaunchParameter } from "../../../../core/language/triton/launch-facts";
import type { KernelSpec, SizeExpression } from "../../../../core/workload/spec";

/** Elements of a block in the launch of a spec, by those that the probes had: faster ones. */
const wider: Readonly<Record<number, number>> = { 256: 1024, 16: 32 };

/** A spec whose launch is the Python expression `kernel[grid](…)`, with a sentence for what was chosen. */
export function launchedByExpression(
  { spec, unknowns }: InferredSpec,
  facts: readonly TritonLaunchParameter[],
): InferredSpec {
  invariant(spec.run.kind === "launch", "a probed kernel is launched by itself");
  const { grid = [1], arguments: passed } = spec.run.launch;
  const constants = facts.filter((each) => each.kind === "constant");
  const widths = widthsOf(spec, constants);
  const numbers = new Map(constants.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text]])));
  const textOf = (constant: TritonConstant): string | undefined => constantText(constant, widths, numbers);
  const runtime = facts.filter((each) => each.kind !== "constant");
  const values = new Map(
    runtime.map(({ name }, index) => {
      const argument = passed[index];
      const isNumber = typeof argument === "object" && "value" in argument;
      return [name, isNumber ? pythonText(argument.value) : name] as const;
    }),
  );
  let isByName = false;
  const texts = facts.flatMap((each): readonly string[] => {
    isByName ||= each.kind === "constant";
    if (each.kind === "constant" && each.isTuned === true) return [];
    const text = each.kind === "constant" ? textOf(each) : values.get(each.name);
    if (text === undefined) return [];
    return [isByName ? `${each.name}=${text}` : text];
  });
  const tuned = constants.filter(({ isTuned }) => isTuned === true);
  const blocks = grid.map((each) => pythonText(widened(each, widths)));
  const shape = `(${blocks.join(", ")},)`;
  const launched = tuned.length === 0 ? shape : `lambda META: ${byConstants(shape, tuned)}`;
  const call = `${spec.file}::${spec.kernel}[${launched}](${texts.join(", ")})`;
  const chosen = constants.flatMap((each) => {
    if (each.isTuned === true) return [];
    const text = textOf(each);
    return text === undefined ? [] : [`${each.name}=${text}`];
  });
  const origins = Object.entries(spec.origins ?? {}).filter(([path]) => !path.startsWith("launch"));
  const isGuess = spec.origins?.["launch.grid"] === "guessed";
  return {
    spec: {
      ...spec,
      run: { kind: "entry", entry: { call, arguments: [] } },
      origins: { ...Object.fromEntries(origins), "entry.call": isGuess ? "guessed" : "probed" },
    },
    unknowns: [
      {
        path: "entry.call",
        sentence: `nothing launches ${spec.kernel}: its grid follows from what it touches${chosen.length > 0 ? `, ${chosen.join(", ")} ${chosen.length === 1 ? "is" : "are"} chosen` : ""}, and so are the types of its buffers.`,
      },
      ...unknowns.map(({ path, sentence }) => ({
        path: path.startsWith("launch") ? "entry.call" : path,
        sentence,
      })),
    ],
  };
}

/** The grid with the constants of the autotuner in place of what a block covers, each axis its own. */
function byConstants(grid: string, tuned: readonly TritonConstant[]): string {
  const left = [...tuned];
  return grid.replace(/(triton\.cdiv\([^()]*, )(\d+)\)/g, (whole, head: string, span: string) => {
    const index = left.findIndex((each) => each.span === Number(span));
    const [constant] = index < 0 ? [] : left.splice(index, 1);
    return constant === undefined ? whole : `${head}META['${constant.name}'])`;
  });
}

/** Wider blocks, where nothing that is touched depends on how wide they are. */
function widthsOf(spec: KernelSpec, constants: readonly TritonConstant[]): ReadonlyMap<number, number> {
  const shapes = [...Object.values(spec.inputs), ...Object.values(spec.outputs)].map(({ shape }) =>
    shape.join(" "),
  );
  const spans = constants.flatMap(({ span, text, isTuned }) =>
    text === undefined || isTuned === true ? [] : (span ?? []),
  );
  return new Map(
    spans.flatMap((span) => {
      const width = wider[span];
      const isTouched = shapes.some((shape) => new RegExp(String.raw`\b${span}\b`).test(shape));
      return width === undefined || isTouched ? [] : [[span, width]];
    }),
  );
}

function widened(expression: SizeExpression, widths: ReadonlyMap<number, number>): SizeExpression {
  return String(expression).replace(
    /(ceil_div\([^()]*, )(\d+)\)/g,
    (_, head: string, span: string) => `${head}${widths.get(Number(span)) ?? span})`,
  );
}

function constantText(
  { text, span, covers }: TritonConstant,
  widths: ReadonlyMap<number, number>,
  numbers: ReadonlyMap<string, string>,
): string | undefined {
  // What is covered may be a constant as well, whose name means nothing where it is launched.
  if (covers !== undefined) return `triton.next_power_of_2(${numbers.get(covers) ?? covers})`;
  if (text === undefined || span === undefined) return text;
  return String(widths.get(span) ?? span);
}

/** A size expression in Python, where it stands in a list of arguments. */
function pythonText(expression: SizeExpression): string {
  return String(expression)
    .replace(/\bceil_div\(/g, "triton.cdiv(")
    .replace(/(?<!\/)\/(?!\/)/g, "//");
}
