/** How to reach the models of a company or of a local program. */
export interface ModelProvider {
  readonly id: string;
  /** The wire format of its API. */
  readonly speaks: "anthropic" | "openai" | "google" | "chat";
  /** Environment variables for the API key. The first one that is set is used. */
  readonly keyVariables: readonly string[];
  /** The model to use if only the provider is named. */
  readonly defaultModel?: string;
  /** The default base URL. If undefined, the client library's default is used. */
  readonly baseURL?: string;
  /** An environment variable for the base URL. */
  readonly addressVariable?: string;
}

/**
 * The built-in providers. The default models are named by the AI SDK's clients of this release, fast enough for a chat
 * and good with tools. Users can name any other model.
 */
export const MODEL_PROVIDERS: readonly ModelProvider[] = [
  {
    id: "anthropic",
    speaks: "anthropic",
    keyVariables: ["ANTHROPIC_API_KEY"],
    defaultModel: "claude-sonnet-5-5",
    addressVariable: "ANTHROPIC_BASE_URL",
  },
  {
    id: "openai",
    speaks: "openai",
    keyVariables: ["OPENAI_API_KEY"],
    defaultModel: "gpt-5.6",
    addressVariable: "OPENAI_BASE_URL",
  },
  {
    id: "google",
    speaks: "google",
    keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    defaultModel: "gemini-3.8-flash",
  },
  {
    id: "ollama",
    speaks: "chat",
    keyVariables: [],
    baseURL: "http://127.0.0.1:11434/v1",
    addressVariable: "OLLAMA_HOST",
  },
  { id: "lmstudio", speaks: "chat", keyVariables: [], baseURL: "http://127.0.0.1:1234/v1" },
  { id: "llamacpp", speaks: "chat", keyVariables: [], baseURL: "http://127.0.0.1:8080/v1" },
  { id: "vllm", speaks: "chat", keyVariables: [], baseURL: "http://127.0.0.1:8000/v1" },
];

/** Returns the name of the stored secret for a provider's key. */
export function secretNameOf({ id }: ModelProvider): string {
  return `${id}-api-key`;
}
