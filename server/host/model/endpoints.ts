/** OpenAI's own service. */
export const openAiEndpoint = "https://api.openai.com/v1";
