/** A service of models that speaks OpenAI's protocol. */
interface ModelService {
  readonly title: string;
  /** With the version, as the setting has it. */
  readonly endpoint: string;
}

/** Addresses as their vendors document them. A further service is a line here. */
export const modelServices: readonly ModelService[] = [
  { title: "OpenAI", endpoint: "https://api.openai.com/v1" },
  { title: "Anthropic", endpoint: "https://api.anthropic.com/v1" },
  { title: "Google Gemini", endpoint: "https://generativelanguage.googleapis.com/v1beta/openai" },
  { title: "OpenRouter", endpoint: "https://openrouter.ai/api/v1" },
  { title: "DeepSeek", endpoint: "https://api.deepseek.com/v1" },
  { title: "Mistral", endpoint: "https://api.mistral.ai/v1" },
  { title: "Groq", endpoint: "https://api.groq.com/openai/v1" },
  { title: "Together AI", endpoint: "https://api.together.xyz/v1" },
  { title: "xAI", endpoint: "https://api.x.ai/v1" },
];

/** Names of models that hold no conversation, as services list them beside those that do. */
const otherWork = /embed|whisper|tts|dall-e|moderation|transcri|realtime|image|audio|rerank|davinci|babbage/i;

/** Of the models that a service lists, those that may propose kernels. */
export function isConversational(name: string): boolean {
  return !otherWork.test(name);
}

/** The host of an endpoint: a key belongs to it. An endpoint that the settings leave out is OpenAI's. */
export function hostOf(endpoint: string): string {
  if (endpoint === "") return "api.openai.com";
  return URL.canParse(endpoint) ? new URL(endpoint).host : endpoint;
}
