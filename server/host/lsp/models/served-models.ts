import type { NoList } from "../../../core/ports/model";
import type { ModelMend } from "../../../protocol/model-views";
import type { Handler } from "../handlers/handler";

const mends: Readonly<Record<NoList["kind"], ModelMend>> = {
  unreachable: "endpoint",
  "refused-credentials": "key",
  "no-list": "endpoint",
};

/** The models of an endpoint, with their list prices. */
export const servedModels: Handler<"kernelwright/servedModels"> = async (context, { endpoint }, signal) => {
  const { services } = await context.workspaces.first();
  const found = await services.models.served(endpoint, signal);
  if (!found.ok) return { models: [], problem: found.problem.message, mend: mends[found.problem.kind] };
  const models = found.value.map(({ model, price }) => ({
    name: model,
    price: price === null ? null : `${price.input},${price.output}`,
  }));
  return { models, problem: null, mend: null };
};
