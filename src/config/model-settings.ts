import type { Path } from "../documents/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/index.ts";

/** Where a company's models, or those on this machine, are reached, and with which key. */
export interface ModelProviderSettings {
  readonly baseURL?: string;
  /** `env:NAME` or `keychain:NAME`; never the key itself. */
  readonly apiKey?: string;
}

export interface ModelSettings {
  /** The model of the chat, as `provider/model`. */
  readonly model: string | undefined;
  /** By the word before the `/`. A name that is not known is a server that speaks OpenAI's chat format. */
  readonly modelProviders: Readonly<Record<string, ModelProviderSettings>>;
}

const KEY_REFERENCE = /^(?:env|keychain):\S+$/;

/** Told what is wrong with the setting at that place. */
export type Complain = (path: Path, message: string) => void;

/** What the settings file says of models. What is wrong is told and left out. */
export function readModelSettings(value: JsonObject, complain: Complain): Partial<ModelSettings> {
  const { model, modelProviders } = value;
  const settings: { model?: string; modelProviders?: Record<string, ModelProviderSettings> } = {};
  if (typeof model === "string" && /^\S+$/.test(model)) settings.model = model;
  else if (model !== undefined)
    complain(["model"], '"model" must be a text such as "ollama/qwen3"; it is ignored');
  if (modelProviders === undefined) return settings;
  if (!isJsonObject(modelProviders)) {
    complain(
      ["modelProviders"],
      '"modelProviders" must be an object of { "baseURL", "apiKey" }; it is ignored',
    );
    return settings;
  }
  const entries = Object.entries(modelProviders).map(([name, entry]) => {
    const wrong = (message: string): void =>
      complain(["modelProviders", name], `"${name}" in "modelProviders": ${message}`);
    return [name, readProvider(entry, wrong)] as const;
  });
  return { ...settings, modelProviders: Object.fromEntries(entries) };
}

function readProvider(entry: JsonValue, wrong: (message: string) => void): ModelProviderSettings {
  if (!isJsonObject(entry)) {
    wrong("it must be an object; it is ignored");
    return {};
  }
  const { baseURL, apiKey } = entry;
  const isAddress = typeof baseURL === "string" && /^https?:\/\//.test(baseURL) && URL.canParse(baseURL);
  const isReference = typeof apiKey === "string" && KEY_REFERENCE.test(apiKey);
  if (baseURL !== undefined && !isAddress) wrong('"baseURL" must be an http address; it is ignored');
  if (apiKey !== undefined && !isReference)
    wrong('"apiKey" must be "env:NAME" or "keychain:NAME", not the key itself; it is ignored');
  return { ...(isAddress && { baseURL }), ...(isReference && { apiKey }) };
}
