import { succeed } from "../../../../core/base/outcome";
import { withSource } from "../../../../core/language/source-file";
import type { Grammars } from "../../../../core/language/tree";
import { askedInputs } from "../../../../core/language/values/asked-inputs";
import { usualValues } from "../../../../core/workload/comments/usual-values";
import type { TensorSpec } from "../../../../core/workload/spec";
import type { FoundWorkload, WorkloadFinder } from "../finders";

/** Above zero and below one, both by so much that neither a logarithm nor a quotient is extreme. */
const [least, most] = [0.125, 0.9375];

/**
 * Draws floats of which no more is known above zero, where the kernel takes roots, logarithms or quotients
 * of them, or where they are called a mass, a price, a probability: with others there would be no number.
 */
export function withAskedValues(finder: WorkloadFinder, grammars: () => Promise<Grammars>): WorkloadFinder {
  return {
    looksFor: finder.looksFor,
    find: async (request) => {
      const found = await finder.find(request);
      if (!found.ok) return found;
      const asked = withSource(await grammars(), request.file, request.text, (source) =>
        askedInputs(source, request.kernel),
      );
      return succeed(asked === undefined ? found.value : withPositive(found.value, asked));
    },
  };
}

function withPositive(
  found: FoundWorkload,
  asked: NonNullable<ReturnType<typeof askedInputs>>,
): FoundWorkload {
  const { spec } = found;
  const drawn = Object.entries(spec.inputs).flatMap(([name, tensor]) => {
    const isAny = tensor.dtype.includes("float") && (tensor.distribution ?? "normal") === "normal";
    if (!isAny || asked.compared.has(name)) return [];
    const usual = asked.below.has(name) ? undefined : usualValues(name);
    const range = usual ?? (asked.positive.has(name) ? { low: least, high: most } : undefined);
    if (range === undefined) return [];
    const positive: TensorSpec = { ...tensor, distribution: { kind: "range", ...range } };
    return [[name, positive] as const];
  });
  if (drawn.length === 0) return found;
  const origins = drawn.map(([name]) => [`inputs.${name}.distribution`, "inferred" as const]);
  return {
    ...found,
    spec: {
      ...spec,
      inputs: { ...spec.inputs, ...Object.fromEntries(drawn) },
      origins: { ...spec.origins, ...Object.fromEntries(origins) },
    },
  };
}
