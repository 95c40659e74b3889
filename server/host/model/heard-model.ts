import type { ModelProvider } from "../../core/ports/model";

/** Told of a model's words as they come; for display only. */
export type OnWords = (delta: string) => void;

/** The same model, of which somebody hears the words as they come. */
export function heardModel(provider: ModelProvider, onWords: OnWords): ModelProvider {
  return {
    name: provider.name,
    model: provider.model,
    limits: provider.limits,
    estimateUsd: (request) => provider.estimateUsd(request),
    estimateTokens: (request) => provider.estimateTokens(request),
    complete: (request, signal) =>
      provider.complete(
        {
          ...request,
          onText: onWords,
          onRetry: (attempt, waitMilliseconds, reason) =>
            onWords(
              `\n(attempt ${attempt} failed: ${reason}; asked again in ${seconds(waitMilliseconds)})\n`,
            ),
        },
        signal,
      ),
  };
}

function seconds(milliseconds: number): string {
  return `${Math.max(1, Math.round(milliseconds / 1000))} s`;
}
