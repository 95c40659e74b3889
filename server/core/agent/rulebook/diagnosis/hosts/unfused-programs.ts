import { collapse, fieldText, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TritonKernel } from "../../../../language/triton/kernels";
import type { TritonLaunch } from "../../../../language/triton/launches";
import { readTriton, type TritonModel } from "../../../../language/triton/model";
import { type Finding, fraction, type Measured, shareOn, sumOf } from "../measured";

/** A launch of a kernel that works element by element, with the accesses to each tensor that it is given. */
interface Pass {
  readonly launch: TritonLaunch;
  readonly kernel: TritonKernel;
  readonly accesses: readonly Access[];
}

interface Access {
  /** The tensor, in the host's words. */
  readonly tensor: string;
  readonly call: SyntaxNode;
  readonly stores: boolean;
}

/**
 * Tensors that one kernel of a Triton wrapper stores and a later one loads, each element by element: one
 * kernel could do both, however often the wrapper launches them.
 */
export function unfusedPrograms(measured: Measured): readonly Finding[] {
  const { input, totals } = measured;
  const source = input.tree[input.file];
  const root = source === undefined ? undefined : input.parse(input.file, source);
  if (root === undefined || input.dialect !== "triton") return [];
  const model = readTriton(root);
  const own = input.kernel.split("::").at(-1);
  const host = model.launches.find(({ site }) => site.kernel === own)?.host;
  if (host === undefined) return [];
  const passes = model.launches
    .filter((launch) => launch.host?.id === host.id)
    .flatMap((launch) => passOf(model, launch) ?? []);
  const pairs = passes.flatMap((first, place) =>
    passes.slice(place + 1).flatMap((second) => handedOn(first, second)),
  );
  const found = pairs.find(({ kernels }) => kernels.some(({ facts }) => facts.name === own));
  if (found === undefined) return [];
  const touched = new Set(pairs.flatMap(({ calls }) => calls.map(lineOf)));
  const { globalLoadSectors, globalStoreSectors } = sumOf(
    measured.lines.filter(({ line }) => touched.has(line)),
  );
  // Of what is handed on, each element is stored and loaded once too often at most.
  const all = totals.globalLoadSectors + totals.globalStoreSectors;
  const part = 0.7 * fraction(globalLoadSectors + globalStoreSectors, all);
  const names = [...new Set(found.kernels.map(({ facts }) => facts.name))].join(" and ");
  const share = shareOn(measured, ["dram", "l2", "latency"], part);
  return [{ line: lineOf(found.launch.call), share, blanks: { names, array: found.tensor } }];
}

/** A launch whose kernel has neither loops nor values that depend on several elements. */
function passOf(model: TritonModel, launch: TritonLaunch): Pass | undefined {
  const kernel = model.kernels.find(({ facts }) => facts.name === launch.site.kernel);
  if (kernel === undefined || launch.splat !== undefined) return undefined;
  const { body } = kernel;
  const calls = body.descendantsOfType("call");
  const members = calls.map((call) => fieldText(call.childForFieldName("function"), "attribute"));
  const isPointwise =
    body.descendantsOfType(["for_statement", "while_statement"]).length === 0 &&
    !members.some((name) =>
      /^(?:sum|max|min|arg\w+|dot|reduce|cumsum|associative_scan|sort|atomic_\w+)$/.test(name),
    );
  if (!isPointwise) return undefined;
  const accesses = calls.flatMap((call) => {
    const callee = call.childForFieldName("function");
    const stores = model.names.isLanguage(callee, "store");
    if (!stores && !model.names.isLanguage(callee, "load")) return [];
    const [address] = partsOf(call.childForFieldName("arguments"));
    const words = (address?.text.match(/[A-Za-z_]\w*/g) ?? []).filter((word) => given(kernel, word));
    const [parameter] = words;
    const tensor = parameter === undefined ? undefined : passedFor(launch, kernel, parameter);
    return tensor === undefined ? [] : [{ tensor, call, stores }];
  });
  return { launch, kernel, accesses };
}

function given({ facts }: TritonKernel, word: string): boolean {
  return facts.parameters.some(({ name, constexpr }) => name === word && !constexpr);
}

/** The name of a tensor that the launch passes for a parameter; undefined for anything but a name. */
function passedFor(launch: TritonLaunch, { facts }: TritonKernel, parameter: string): string | undefined {
  const place = facts.parameters.findIndex(({ name }) => name === parameter);
  const node = launch.keywords.get(parameter) ?? launch.positional[place];
  const text = node === undefined ? "" : collapse(node.text);
  return /^[A-Za-z_][\w.]*$/.test(text) ? text : undefined;
}

interface HandedOn {
  readonly launch: TritonLaunch;
  readonly kernels: readonly TritonKernel[];
  readonly tensor: string;
  readonly calls: readonly SyntaxNode[];
}

/** Tensors that the first stores and the second loads, in the same grid. */
function handedOn(first: Pass, second: Pass): readonly HandedOn[] {
  if (collapse(first.launch.grid?.text ?? "") !== collapse(second.launch.grid?.text ?? "")) return [];
  return first.accesses.flatMap(({ tensor, call, stores }) => {
    const loads = second.accesses.filter((access) => access.tensor === tensor && !access.stores);
    if (!stores || loads.length === 0) return [];
    const calls = [call, ...loads.map((access) => access.call)];
    return [{ launch: second.launch, kernels: [first.kernel, second.kernel], tensor, calls }];
  });
}
