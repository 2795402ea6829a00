import type { LanguageModel } from "ai";
import type { SchemaRules } from "../../../../adapters/ai-sdk/index.ts";
import { type Host, HostError, type Settings } from "../../../../index.ts";
import type { ModelChoice } from "./choose-model.ts";
import { listModels, type ModelListRequest } from "./list-models.ts";
import { createModelFetch } from "./model-fetch.ts";
import { namedKey } from "./model-key.ts";
import { type ModelProvider, secretNameOf } from "./model-providers.ts";
import { createFetch } from "./proxied-fetch.ts";

/** A loaded model. */
export interface OpenModel {
  /** `provider/model`. */
  readonly name: string;
  readonly provider: ModelProvider;
  readonly client: LanguageModel;
  /** The schema rules for its tools. */
  readonly schemas: SchemaRules;
  /** The API key. It must not be printed. */
  readonly key: string | undefined;
}

export interface OpenModelContext {
  readonly host: Pick<Host, "secrets" | "doctor">;
  readonly settings: Pick<Settings, "modelProviders">;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

/** Finds the key and the base URL of a model and loads its client. */
export async function openModel(
  { provider, model }: ModelChoice,
  context: OpenModelContext,
): Promise<OpenModel> {
  const key = await findKey(provider, context);
  const address = findAddress(provider, context);
  if (provider.keyVariables.length > 0 && key === undefined) throw keyMissing(provider);
  if (provider.speaks === "chat" && address === undefined) {
    throw new HostError(
      "MODEL_UNKNOWN",
      `No base URL is configured for the model provider "${provider.id}".`,
      {
        hint: `Add "modelProviders": { "${provider.id}": { "baseURL": "http://…/v1" } } to settings.json.`,
      },
    );
  }
  const send = createFetch(context.host, context.env);
  const list = { provider, baseURL: address, key, fetch: send, signal: context.signal };
  const id = model ?? (await onlyModel(provider, list));
  const name = `${provider.id}/${id}`;
  const settings = {
    ...(address !== undefined && { baseURL: address }),
    ...(key !== undefined && { apiKey: key }),
    fetch: createModelFetch(name, provider.id, send),
  };
  return {
    name,
    provider,
    client: await OPEN[provider.speaks](id, settings, provider.id),
    schemas: SCHEMAS[provider.speaks],
    key,
  };
}

interface ClientSettings {
  readonly apiKey?: string;
  readonly baseURL?: string;
  readonly fetch: typeof fetch;
}

type ApiKind = ModelProvider["speaks"];

/** Each client is loaded only when it is used. */
const OPEN: Readonly<
  Record<ApiKind, (model: string, settings: ClientSettings, name: string) => Promise<LanguageModel>>
> = {
  anthropic: async (model, settings) => (await import("@ai-sdk/anthropic")).createAnthropic(settings)(model),
  openai: async (model, settings) => (await import("@ai-sdk/openai")).createOpenAI(settings)(model),
  google: async (model, settings) =>
    (await import("@ai-sdk/google")).createGoogleGenerativeAI(settings)(model),
  chat: async (model, { baseURL = "", ...settings }, name) => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({ name, baseURL, ...settings, includeUsage: true })(model);
  },
};

const SCHEMAS: Readonly<Record<ApiKind, SchemaRules>> = {
  anthropic: "anthropic",
  openai: "openai",
  google: "gemini",
  chat: "openai", // a gateway to OpenAI or to another provider applies these rules too
};

/** Finds the key in the settings, the environment or the vault. Throws if a key that the settings name is missing. */
export async function findKey(
  provider: ModelProvider,
  { host, settings, env }: OpenModelContext,
): Promise<string | undefined> {
  const named = namedKey(provider, settings);
  if (named === undefined) {
    const variable = provider.keyVariables.find((candidate) => env[candidate]);
    return (variable && env[variable]) || host.secrets.read(secretNameOf(provider));
  }
  const key = named.kind === "env" ? env[named.name] : await host.secrets.read(named.name);
  if (key) return key;
  throw new HostError("MODEL_UNKNOWN", `${named.missing}.`, {
    hint: `"modelProviders" in settings.json reads the API key for "${provider.id}" from it. To set it: ${named.remedy}`,
  });
}

export function findAddress(
  provider: ModelProvider,
  { settings, env }: Pick<OpenModelContext, "settings" | "env">,
): string | undefined {
  const { addressVariable, speaks, baseURL } = provider;
  const given = addressVariable === undefined ? undefined : env[addressVariable] || undefined;
  const fromEnvironment = given === undefined ? undefined : toBaseURL(given, speaks);
  const address = settings.modelProviders[provider.id]?.baseURL ?? fromEnvironment ?? baseURL;
  return address?.replace(/\/+$/, "");
}

/** Adds the scheme that Ollama's variable lacks and the `/v1` that Anthropic's lacks. The clients need both. */
function toBaseURL(given: string, speaks: ApiKind): string {
  const address = (/^https?:\/\//.test(given) ? given : `http://${given}`).replace(/\/+$/, "");
  const reachable = address.replace("://0.0.0.0", "://127.0.0.1");
  return speaks === "openai" || /\/v\d[a-z0-9]*$/.test(reachable) ? reachable : `${reachable}/v1`;
}

async function onlyModel({ id }: ModelProvider, request: ModelListRequest): Promise<string> {
  const [first] = await listModels(request);
  if (first !== undefined) return first;
  throw new HostError("MODEL_UNKNOWN", `"${id}" at ${request.baseURL ?? ""} did not list any models.`, {
    hint: `Start it, or name a model: ${id}/<model>.`,
  });
}

function keyMissing(provider: ModelProvider): HostError {
  const [variable = ""] = provider.keyVariables;
  return new HostError("MODEL_UNKNOWN", `No API key for "${provider.id}".`, {
    hint: `Set it with export ${variable}=…, or store it in the vault: plugboard secret set ${secretNameOf(provider)}`,
  });
}
