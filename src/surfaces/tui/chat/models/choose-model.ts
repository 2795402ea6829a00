import { HostError, type Settings } from "../../../../index.ts";
import { nearest } from "../../../../terminal.ts";
import { namedKey } from "./model-key.ts";
import { MODEL_PROVIDERS, type ModelProvider, secretNameOf } from "./model-providers.ts";

/** The settings, variables and secrets that determine the model. */
export interface ModelSources {
  readonly settings: Pick<Settings, "model" | "modelProviders">;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The names of the stored secrets. */
  readonly secrets: readonly string[];
}

export interface ModelChoice {
  readonly provider: ModelProvider;
  /** Undefined for a local provider without a named model. Its first model is used. */
  readonly model: string | undefined;
}

/** Returns the built-in providers and those from the settings. */
export function allProviders({ settings }: Pick<ModelSources, "settings">): ModelProvider[] {
  const added = Object.keys(settings.modelProviders)
    .filter((id) => !MODEL_PROVIDERS.some((provider) => provider.id === id))
    .map((id): ModelProvider => ({ id, speaks: "chat", keyVariables: [] }));
  return [...MODEL_PROVIDERS, ...added];
}

/** Returns a message if the settings name a key that does not exist. */
export function missingKey(
  provider: ModelProvider,
  { settings, env, secrets }: ModelSources,
): string | undefined {
  const named = namedKey(provider, settings);
  if (named === undefined) return undefined;
  const exists = named.kind === "env" ? Boolean(env[named.name]) : secrets.includes(named.name);
  return exists ? undefined : named.missing;
}

/** Returns the providers that have a key, a base URL or settings, and no missing key. */
export function readyProviders(sources: ModelSources): ModelProvider[] {
  return configuredProviders(sources).filter((provider) => missingKey(provider, sources) === undefined);
}

export function configuredProviders(sources: ModelSources): ModelProvider[] {
  const { settings, env, secrets } = sources;
  return allProviders(sources).filter(
    (provider) =>
      provider.keyVariables.some((name) => env[name]) ||
      (provider.speaks === "chat" &&
        provider.addressVariable !== undefined &&
        env[provider.addressVariable]) ||
      secrets.includes(secretNameOf(provider)) ||
      settings.modelProviders[provider.id] !== undefined,
  );
}

/** Chooses the requested model, then the one in the settings, then the first provider that is ready. */
export function chooseModel(asked: string | undefined, sources: ModelSources): ModelChoice {
  const named = asked ?? sources.settings.model;
  if (named !== undefined) return parseModel(named, sources);
  // A provider with a missing key comes last: opening it reports which key is missing.
  const [provider] = [...readyProviders(sources), ...configuredProviders(sources)];
  if (provider === undefined) throw noModel();
  return { provider, model: provider.defaultModel };
}

/** Model names that identify their provider. */
const WELL_KNOWN: readonly [RegExp, string][] = [
  [/^claude-/, "anthropic"],
  [/^(?:gpt-|chatgpt-|o\d)/, "openai"],
  [/^gemini-/, "google"],
];

/** Parses `provider/model`, a provider alone, or a model name that identifies its provider. */
function parseModel(text: string, sources: ModelSources): ModelChoice {
  const providers = allProviders(sources);
  const cut = text.indexOf("/");
  const id = cut === -1 ? text : text.slice(0, cut);
  const provider = providers.find((candidate) => candidate.id === id.toLowerCase() || candidate.id === id);
  if (provider !== undefined) {
    const model = cut === -1 ? "" : text.slice(cut + 1).trim();
    return { provider, model: model === "" ? provider.defaultModel : model };
  }
  const owner = WELL_KNOWN.find(([pattern]) => cut === -1 && pattern.test(text))?.[1];
  const known = providers.find((candidate) => candidate.id === owner);
  if (known !== undefined) return { provider: known, model: text };
  const ids = providers.map((candidate) => candidate.id);
  const close = nearest(id, ids);
  throw new HostError("MODEL_UNKNOWN", `Unknown model provider "${id}".`, {
    hint:
      close === undefined
        ? `Use provider/model with one of ${ids.join(", ")}, or add it to "modelProviders" in settings.json.`
        : `Did you mean "${close}"?`,
  });
}

/** How the error begins if no model is configured. */
export const NO_MODEL = "No model is configured.";

/** The error if no model is configured. `found` are models on this machine. */
export function noModel(found: readonly string[] = []): HostError {
  const local = found
    .slice(0, 3)
    .map((name) => `/model ${name} (found on this machine; --model ${name} for one run)`);
  return new HostError("MODEL_UNKNOWN", `${NO_MODEL} Use one of these:`, {
    hint: [
      ...local,
      "export ANTHROPIC_API_KEY=… (or OPENAI_API_KEY, GEMINI_API_KEY)",
      "plugboard --model ollama/<model> for a model on this machine",
      '"model": "<provider>/<model>" in ~/.plugboard/settings.json',
    ].join("\n"),
  });
}
