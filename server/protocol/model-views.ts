/** What would mend a model that cannot be asked. */
export type ModelMend = "key" | "endpoint" | "name" | "price";

/** What an endpoint said when it was asked for its models. */
export interface ServedModelsView {
  readonly models: readonly ServedModelView[];
  /** Why there is no list, naming the address; null where there is one. */
  readonly problem: string | null;
  /** What would mend that; null where nothing of the settings would. */
  readonly mend: ModelMend | null;
}

export interface ServedModelView {
  readonly name: string;
  /** `INPUT,OUTPUT` in US dollars for a million tokens, from the list prices; null where it is not known. */
  readonly price: string | null;
}

/** What came of asking the model of the settings for one word. */
export interface TriedModelView {
  readonly answered: boolean;
  /** In words for the user: how long it took and cost, or what failed and where. */
  readonly text: string;
  readonly mend: ModelMend | null;
}
