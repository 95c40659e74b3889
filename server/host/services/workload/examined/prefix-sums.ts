import { succeed } from "../../../../core/base/outcome";
import { variablesOf, parseSizeExpression } from "../../../../core/workload/size-expression";
import type { KernelSpec, TensorSpec } from "../../../../core/workload/spec";
import type { FoundWorkload, WorkloadFinder } from "../finders";
import { type CleanMeans, isClean } from "./found-task";

/** What arrays are called that say where rows begin: `cu_seqlens`, `row_ptr`, `indptr`, `binOffsets`. */
const prefixName = /^cu_?(?:seq|len|tok)|(?:^|_)(?:prefix\w*|offsets?|indptr|row_?ptrs?|starts?)$|Offsets?$/i;
/** How many sizes are tried as what all rows have together. */
const mostTotals = 4;

/**
 * Draws arrays ascending that are called what says where rows begin, where probes did not see rows: one that
 * is searched through from its start is led nowhere by any number. What all rows have together is a size with
 * which a run finds nothing, those of the grid first.
 */
export function withPrefixSums(finder: WorkloadFinder, means: CleanMeans): WorkloadFinder {
  return {
    looksFor: finder.looksFor,
    find: async (request) => {
      const found = await finder.find(request);
      if (!found.ok) return found;
      let present = found.value;
      for (const [name, tensor] of openPrefixes(present.spec))
        for (const total of totalsFor(present.spec, tensor)) {
          const drawn = withTotal(present, { name, tensor, total });
          if (!(await isClean(means, request, drawn))) continue;
          present = drawn;
          break;
        }
      return succeed(present);
    },
  };
}

/** Inputs with such a name of which no more than their type is known. */
function openPrefixes({ inputs, outputs }: KernelSpec): readonly (readonly [string, TensorSpec])[] {
  return Object.entries(inputs).filter(([name, { dtype, shape, distribution }]) => {
    const isOpen =
      distribution === "integers" ||
      (typeof distribution === "object" &&
        distribution.kind === "range" &&
        typeof distribution.high === "number");
    return prefixName.test(name) && isOpen && /^u?int/.test(dtype) && shape.length === 1 && !outputs[name];
  });
}

/** Sizes but the array's own, those of the grid first. */
function totalsFor({ run, shapes }: KernelSpec, { shape }: TensorSpec): readonly string[] {
  const grid = run.kind === "launch" ? (run.launch.grid ?? []) : [];
  const named = (expression: unknown): readonly string[] => {
    const parsed = parseSizeExpression(String(expression));
    return parsed.ok ? variablesOf(parsed.value) : [];
  };
  const own = shape.flatMap(named);
  const names = [...grid.flatMap(named), ...Object.keys(shapes[0]?.sizes ?? {})];
  return [...new Set(names)].filter((name) => !own.includes(name)).slice(0, mostTotals);
}

function withTotal(
  found: FoundWorkload,
  { name, tensor, total }: { readonly name: string; readonly tensor: TensorSpec; readonly total: string },
): FoundWorkload {
  const { spec, unknowns } = found;
  const path = `inputs.${name}.distribution`;
  const sentence = `${name} is taken to say where rows begin, which have ${total} elements in all, by its name.`;
  const inputs = { ...spec.inputs, [name]: { ...tensor, distribution: { kind: "offsets", total } as const } };
  return {
    ...found,
    spec: { ...spec, inputs, origins: { ...spec.origins, [path]: "guessed" } },
    unknowns: [{ path, sentence }, ...unknowns.filter((each) => each.path !== path)],
  };
}
