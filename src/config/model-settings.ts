import type { Path } from "../documents/index.ts";
import { isJsonObject, type JsonObject, type JsonValue, nearest } from "../model/index.ts";

/** How to reach a model provider. */
export interface ModelProviderSettings {
  /** The base URL of the provider's API. */
  readonly baseURL?: string;
  /** Where the API key is stored: `env:NAME` or `keychain:NAME`. Never the key itself. */
  readonly apiKey?: string;
}

/** Settings for the chat's model. */
export interface ModelSettings {
  /** The chat's model as `provider/model`. */
  readonly model: string | undefined;
  /** Model providers, by the name before the `/` in `model`. A name that Plugboard does not know must be a server with an OpenAI-compatible chat API. */
  readonly modelProviders: Readonly<Record<string, ModelProviderSettings>>;
}

const PROVIDER_KEYS = ["baseURL", "apiKey"];
const KEY_REFERENCE = /^(?:env|keychain):\S+$/;

/** Reports a problem with the setting at this path, and what is used instead. */
export type ReportProblem = (path: Path, message: string, instead?: string) => void;

/** What is used instead of an invalid setting without a default. */
export const IGNORED = "it is ignored";

/** Reads the model settings from the settings file. Reports and skips invalid ones. */
export function readModelSettings(value: JsonObject, report: ReportProblem): Partial<ModelSettings> {
  const { model, modelProviders } = value;
  const settings: { model?: string; modelProviders?: Record<string, ModelProviderSettings> } = {};
  if (typeof model === "string" && /^\S+$/.test(model)) settings.model = model;
  else if (model !== undefined) report(["model"], '"model" must be a string such as "ollama/qwen3"', IGNORED);
  if (modelProviders === undefined) return settings;
  if (!isJsonObject(modelProviders)) {
    report(["modelProviders"], '"modelProviders" must be an object of { "baseURL", "apiKey" }', IGNORED);
    return settings;
  }
  const entries = Object.entries(modelProviders).map(([name, entry]) => {
    const reportProvider = (message: string): void =>
      report(["modelProviders", name], `"${name}" in "modelProviders": ${message}`, IGNORED);
    const reportKey = (key: string): void => {
      const close = nearest(key, PROVIDER_KEYS);
      const advice = close === undefined ? "" : `; did you mean "${close}"?`;
      const path = ["modelProviders", name, key];
      report(path, `"${name}" in "modelProviders": "${key}" is not a known setting${advice}`);
    };
    return [name, readProvider(entry, reportProvider, reportKey)] as const;
  });
  return { ...settings, modelProviders: Object.fromEntries(entries) };
}

function readProvider(
  entry: JsonValue,
  reportProvider: (message: string) => void,
  reportKey: (key: string) => void,
): ModelProviderSettings {
  if (!isJsonObject(entry)) {
    reportProvider("it must be an object");
    return {};
  }
  const { baseURL, apiKey } = entry;
  for (const key of Object.keys(entry)) if (!PROVIDER_KEYS.includes(key)) reportKey(key);
  const isUrl = typeof baseURL === "string" && /^https?:\/\//.test(baseURL) && URL.canParse(baseURL);
  const isReference = typeof apiKey === "string" && KEY_REFERENCE.test(apiKey);
  if (baseURL !== undefined && !isUrl) reportProvider('"baseURL" must be an http or https URL');
  if (apiKey !== undefined && !isReference)
    reportProvider('"apiKey" must be "env:NAME" or "keychain:NAME", not the key itself');
  return { ...(isUrl && { baseURL }), ...(isReference && { apiKey }) };
}
