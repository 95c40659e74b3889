import type { Clock } from "../../core/ports/clock";
import type { ModelProvider } from "../../core/ports/model";
import type { EditorModels } from "./editor/editor-models";
import type { ModelSettings } from "./model-settings";
import type { Price } from "./pricing";

/** What a provider is opened with. */
export interface ProviderOptions {
  readonly endpoint: string;
  readonly model: string;
  /** Empty for servers that want none. Goes nowhere but into the header of a request. */
  readonly key: string;
  readonly settings: ModelSettings;
  /** From `priceOf`. */
  readonly price: Price | null;
  /** Left out where no editor is at the other end. */
  readonly editor?: EditorModels;
  readonly clock: Clock;
  /** 0 … 1, for the jitter. */
  readonly random: () => number;
}

/** The vendor's own service: it answers nobody without a key. */
export interface VendorService {
  readonly endpoint: string;
  /** Environment variable that holds its key, which is sent to this endpoint only. */
  readonly keyVariable: string;
}

/** One way to reach models. A new one is a file with such an entry and a line of `providers.ts`. */
export interface ProviderEntry {
  readonly serves: (endpoint: string) => boolean;
  readonly service?: VendorService;
  /**
   * Throws OperationalError `usage` for an endpoint that cannot be one, `model-unavailable` for a model that
   * it is known not to have.
   */
  readonly open: (options: ProviderOptions) => ModelProvider | Promise<ModelProvider>;
}
