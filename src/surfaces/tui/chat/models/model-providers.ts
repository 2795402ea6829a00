/** How the models of one company, or of one program on this machine, are reached. */
export interface ModelProvider {
  readonly id: string;
  /** Whose wire format it speaks. */
  readonly speaks: "anthropic" | "openai" | "google" | "chat";
  /** Variables that hold its key; the first that is set counts. */
  readonly keyVariables: readonly string[];
  /** Used when only the provider is named. */
  readonly defaultModel?: string;
  /** Where it is unless told otherwise; those without have an address of their own in their client. */
  readonly baseURL?: string;
  /** A variable that says where it is. */
  readonly addressVariable?: string;
}

/**
 * The models are those that the AI SDK's clients of this release name: quick enough for a chat, good with tools. They
 * change often; whoever wants another one names it.
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
  { id: "vllm", speaks: "chat", keyVariables: [], baseURL: "http://127.0.0.1:8000/v1" },
];

/** The name of a provider's key among the stored secrets. */
export function secretNameOf({ id }: ModelProvider): string {
  return `${id}-api-key`;
}
