import type { Host } from "../../../../index.ts";
import {
  allProviders,
  chooseModel,
  configuredProviders,
  type ModelChoice,
  type ModelSources,
  missingKey,
  noModel,
  readyProviders,
} from "./choose-model.ts";
import { listModels } from "./list-models.ts";
import type { ModelProvider } from "./model-providers.ts";
import { findAddress, findKey, type OpenModel, openModel } from "./open-model.ts";
import { createFetch } from "./proxied-fetch.ts";

/** The current model, and how to change it. */
export interface Models {
  /** Returns the name of the current model, without reading secrets or loading a client. */
  name(): string | undefined;
  /** Resolves with the current model, loaded on first use. Rejects if no model is configured. */
  current(signal?: AbortSignal): Promise<OpenModel>;
  /** Switches to another model. Keeps the current one if the new model cannot be loaded. */
  use(text: string, signal?: AbortSignal): Promise<OpenModel>;
  /** Returns the models that the configured providers and the servers on this machine offer, as `provider/model`. */
  offered(signal?: AbortSignal): Promise<readonly OfferedModel[]>;
  /** Returns every provider with its default model, for completion. */
  suggestions(): Promise<{ readonly text: string; readonly note: string; readonly isReady: boolean }[]>;
}

export interface OfferedModel {
  readonly name: string;
  /** Whether the model runs on this machine. */
  readonly isLocal: boolean;
}

export interface ModelsOptions {
  readonly host: Host;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The value of `--model`. */
  readonly asked?: string | undefined;
  /** Whether to look for model servers on this machine. They are only listed, never used without a choice. Default: `true`. */
  readonly findsLocal?: boolean | undefined;
}

export function createModels({ host, env, asked, findsLocal = true }: ModelsOptions): Models {
  const settings = host.config.settings();
  let open: Promise<OpenModel> | undefined;
  let used: string | undefined;
  const sources = async (): Promise<ModelSources> => ({
    settings,
    env,
    secrets: await host.secrets.list().catch(() => []), // without the vault, only environment variables are used
  });
  /** Asks the providers for their models. Those on this machine are asked even if nothing names them. */
  const offered: Models["offered"] = async (signal) => {
    const from = await sources();
    const ready = readyProviders(from);
    const asks = findsLocal ? [...new Set([...ready, ...allProviders(from).filter(isLocalServer)])] : ready;
    const lists = await Promise.all(
      asks.map(async (provider) => {
        const key = await findKey(provider, { host, settings, env }).catch(() => undefined);
        const baseURL = findAddress(provider, { settings, env });
        const request = { provider, baseURL, key, fetch: createFetch(host, env), signal };
        const isLocal = baseURL !== undefined && LOOPBACK.test(baseURL);
        return (await listModels(request)).map((model) => ({ name: `${provider.id}/${model}`, isLocal }));
      }),
    );
    return lists.flat();
  };
  const choose = async (text: string | undefined, signal: AbortSignal | undefined): Promise<ModelChoice> => {
    const from = await sources();
    const isNothingNamed = (text ?? settings.model) === undefined && configuredProviders(from).length === 0;
    if (!isNothingNamed) return chooseModel(text, from);
    throw noModel((await offered(signal)).map(({ name }) => name));
  };
  const load = async (text: string | undefined, signal: AbortSignal | undefined): Promise<OpenModel> => {
    const model = await openModel(await choose(text, signal), { host, settings, env, signal });
    used = model.name;
    return model;
  };
  return {
    name() {
      if (used !== undefined) return used;
      try {
        const { provider, model } = chooseModel(asked, { settings, env, secrets: [] });
        return model === undefined ? provider.id : `${provider.id}/${model}`;
      } catch {
        return undefined; // `current` reports the error
      }
    },
    current(signal) {
      const opening = open ?? load(asked, signal);
      open = opening;
      opening.catch(() => {
        if (open === opening) open = undefined; // try again next time
      });
      return opening;
    },
    async use(text, signal) {
      const model = await load(text, signal);
      open = Promise.resolve(model);
      return model;
    },
    offered,
    async suggestions() {
      const from = await sources();
      const ready = new Set(readyProviders(from).map(({ id }) => id));
      return allProviders(from).map((provider) => {
        const { id, defaultModel } = provider;
        const isReady = ready.has(id);
        return {
          text: defaultModel === undefined ? `${id}/` : `${id}/${defaultModel}`,
          isReady,
          note: isReady ? "ready" : (missingKey(provider, from) ?? needed(provider)),
        };
      });
    },
  };
}

const LOOPBACK = /^https?:\/\/(?:127\.|localhost[:/]|\[::1\])/;

/** Returns whether a provider is a program such as Ollama, which has a fixed address on this machine. */
function isLocalServer({ baseURL = "" }: ModelProvider): boolean {
  return LOOPBACK.test(baseURL);
}

function needed({ keyVariables: [variable] }: ModelProvider): string {
  return variable === undefined ? "on this machine" : `needs ${variable}`;
}
