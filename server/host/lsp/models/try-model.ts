import { show, shown } from "../handshake/user-language";
import { retold } from "../../../core/base/localized";
import { t } from "../../../core/base/localized";
import { OperationalError } from "../../../core/base/operational-error";
import type { ModelFailureKind, NamedModel, TriedModel } from "../../../core/ports/model";
import type { ModelMend, TriedModelView } from "../../../protocol/model-views";
import type { Handler } from "../handlers/handler";

/** Failures that a setting would mend. */
const mends: Readonly<Partial<Record<ModelFailureKind, ModelMend>>> = {
  network: "endpoint",
  "refused-credentials": "key",
  "bad-request": "name",
};

/** The setting behind what would mend a model. */
const settingOf: Readonly<Partial<Record<ModelMend, string>>> = {
  endpoint: "kernelwright.model.endpoint",
  name: "kernelwright.model.name",
  price: "kernelwright.model.price",
};

/** Asks the model of the settings for one word. */
export const tryModel: Handler<"kernelwright/tryModel"> = async (context, _, signal) => {
  const { settings } = context.client;
  const named: NamedModel = {
    model: settings["model.name"],
    endpoint: settings["model.endpoint"],
    modelOptions: settings["model.options"],
    modelPrice: settings["model.price"],
  };
  try {
    const { services } = await context.workspaces.first();
    return viewOf(named, await services.models.tryNamed(named, signal));
  } catch (thrown) {
    if (!(thrown instanceof OperationalError) || thrown.code === "cancelled") throw thrown;
    return {
      answered: false,
      text: show(() => retold(thrown.message)),
      mend: named.model === "" ? "name" : "key",
    };
  }
};

const viewOf = shown(({ model, endpoint }: NamedModel, tried: TriedModel): TriedModelView => {
  const where = endpoint === "" ? "" : t`, at ${endpoint}`;
  if (tried.kind === "failed") {
    const mend = mends[tried.failure];
    // What was not reached is named by its address already.
    const at = endpoint !== "" && tried.message.startsWith(endpoint) ? "" : where;
    const setting = mend && settingOf[mend];
    const wrong = `${model}${at}: ${retold(tried.message)} (${retold(tried.failure)})`;
    return {
      answered: false,
      text: setting === undefined ? wrong : t`${wrong}. Setting: ${setting}`,
      mend: mend ?? null,
    };
  }
  const facts = [
    ...(tried.outputTokens === null ? [] : [t`${tried.outputTokens} tokens`]),
    costWords(tried.costUsd),
  ];
  return {
    answered: true,
    text: t`${model} answered in ${(tried.milliseconds / 1000).toFixed(1)} s (${facts.join(", ")})${where}`,
    mend: tried.costUsd === null ? "price" : null,
  };
});

function costWords(usd: number | null): string {
  if (usd === null) return t`its price is not known`;
  return usd === 0 ? t`free` : `$${usd.toFixed(4)}`;
}
