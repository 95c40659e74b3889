import type { Disposable, SecretStorage } from "vscode";
import type { ServerConnection } from "./connection";

const storageKey = "kernelwright.model-key";

/**
 * The key of the model endpoint, kept by the editor. It goes to the server on request only and stands in no
 * log.
 */
export class ModelKey {
  constructor(private readonly secrets: SecretStorage) {}

  async read(): Promise<string | null> {
    return (await this.secrets.get(storageKey)) ?? null;
  }

  /** Stores the key; an empty text removes it. */
  async write(value: string): Promise<void> {
    if (value === "") await this.secrets.delete(storageKey);
    else await this.secrets.store(storageKey, value);
  }

  /**
   * Answers the server when it asks. A store that fails (no keyring) counts as no key: the server then looks
   * at the environment.
   */
  serve(connection: ServerConnection): Disposable {
    return connection.onRequest("kernelwright/secret", async () => ({
      value: await this.read().catch(() => null),
    }));
  }
}
