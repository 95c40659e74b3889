/** OpenAI's own service. */
export const openAiEndpoint = "https://api.openai.com/v1";

/** Stands for the models of the editor itself. */
export const editorEndpoint = "editor";
