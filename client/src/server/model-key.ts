import type { Disposable, SecretStorage } from "vscode";
import { hostOf } from "../models/services";
import type { ServerConnection } from "./connection";

/**
 * The keys of model endpoints, kept by the editor: one for each host, so that none is sent to another. A key
 * goes to the server on request only and stands in no log.
 */
export class ModelKey {
  constructor(private readonly secrets: SecretStorage) {}

  async read(endpoint: string): Promise<string | null> {
    return (await this.secrets.get(storageKey(endpoint))) ?? null;
  }

  /** Stores the key of an endpoint's host; an empty text removes it. */
  async write(endpoint: string, value: string): Promise<void> {
    if (value === "") await this.secrets.delete(storageKey(endpoint));
    else await this.secrets.store(storageKey(endpoint), value);
  }

  /**
   * Answers the server when it asks. A store that fails (no keyring) counts as no key: the server then looks
   * at the environment.
   */
  serve(connection: ServerConnection): Disposable {
    return connection.onRequest("kernelwright/secret", async ({ endpoint }) => ({
      value: await this.read(endpoint).catch(() => null),
    }));
  }
}

function storageKey(endpoint: string): string {
  return `kernelwright.model-key ${hostOf(endpoint)}`;
}
