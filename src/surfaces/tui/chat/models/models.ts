import type { Host } from "../../../../index.ts";
import { allProviders, chooseModel, type ModelSources, missingKey, readyProviders } from "./choose-model.ts";
import type { ModelProvider } from "./model-providers.ts";
import { type OpenModel, openModel } from "./open-model.ts";

/** The current model, and how to change it. */
export interface Models {
  /** Returns the name of the current model, without reading secrets or loading a client. */
  name(): string | undefined;
  /** Resolves with the current model, loaded on first use. Rejects if no model is configured. */
  current(signal?: AbortSignal): Promise<OpenModel>;
  /** Switches to another model. Keeps the current one if the new model cannot be loaded. */
  use(text: string, signal?: AbortSignal): Promise<OpenModel>;
  /** Returns every provider with its default model, for completion. */
  suggestions(): Promise<{ readonly text: string; readonly note: string; readonly isReady: boolean }[]>;
}

export interface ModelsOptions {
  readonly host: Host;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The value of `--model`. */
  readonly asked?: string | undefined;
}

export function createModels({ host, env, asked }: ModelsOptions): Models {
  const settings = host.config.settings();
  let open: Promise<OpenModel> | undefined;
  let used: string | undefined;
  const sources = async (): Promise<ModelSources> => ({
    settings,
    env,
    secrets: await host.secrets.list().catch(() => []), // without the vault, only environment variables are used
  });
  const load = async (text: string | undefined, signal: AbortSignal | undefined): Promise<OpenModel> => {
    const model = await openModel(chooseModel(text, await sources()), { host, settings, env, signal });
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

function needed({ keyVariables: [variable] }: ModelProvider): string {
  return variable === undefined ? "on this machine" : `needs ${variable}`;
}
