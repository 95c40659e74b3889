import { known } from "../../core/base/known";
import { editorModels } from "./editor/editor-provider";
import { openAi } from "./openai-provider";
import type { ProviderEntry, VendorService } from "./provider";

/** The first that serves an endpoint is taken; the last one serves any. */
const providers: readonly ProviderEntry[] = [editorModels, openAi];

const services: readonly VendorService[] = providers.flatMap(({ service }) => service ?? []);

/** The variable that holds a key for whatever endpoint the user names. */
const ownKeyVariable = "KERNELWRIGHT_MODEL_KEY";

/** Environment variables that may hold a key: no child of ours inherits them. */
export const keyVariables: readonly string[] = [
  ownKeyVariable,
  ...services.map(({ keyVariable }) => keyVariable),
];

/** The provider of an endpoint. */
export function providerOf(endpoint: string): ProviderEntry {
  const serving = providers.find(({ serves }) => serves(endpoint));
  return known(serving, "a provider that serves any endpoint");
}

/** The vendor's service at an endpoint; undefined for gateways and servers of one's own. */
export function serviceAt(endpoint: string): VendorService | undefined {
  return services.find((service) => service.endpoint === endpoint);
}

/** The variables in which a key for an endpoint may stand, in their order. */
export function keyVariablesOf(endpoint: string): readonly string[] {
  const service = serviceAt(endpoint);
  return service === undefined ? [ownKeyVariable] : [ownKeyVariable, service.keyVariable];
}
