import type { Host } from "../../../../index.ts";
import { allProviders, chooseModel, type ModelSources, missingKey, readyProviders } from "./choose-model.ts";
import type { ModelProvider } from "./model-providers.ts";
import { type OpenModel, openModel } from "./open-model.ts";

/** The model that is talked to, and how it becomes another. */
export interface Models {
  /** The name of the one that would answer, as far as it can be told without opening anything. */
  name(): string | undefined;
  /** The one that answers now; found and loaded when it is first needed. Rejects with what to do when there is none. */
  current(signal?: AbortSignal): Promise<OpenModel>;
  /** From now on another; stays with the old one when that cannot be had. */
  use(text: string, signal?: AbortSignal): Promise<OpenModel>;
  /** What could be typed: every provider with the model that is used unless another is named. */
  suggestions(): Promise<{ readonly text: string; readonly note: string; readonly isReady: boolean }[]>;
}

export interface ModelsOptions {
  readonly host: Host;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `--model` says. */
  readonly asked?: string | undefined;
}

export function createModels({ host, env, asked }: ModelsOptions): Models {
  const settings = host.config.settings();
  let open: Promise<OpenModel> | undefined;
  let used: string | undefined;
  const sources = async (): Promise<ModelSources> => ({
    settings,
    env,
    secrets: await host.secrets.list().catch(() => []), // a vault that cannot be opened holds no key for us
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
        return undefined; // why is said when it is needed
      }
    },
    current(signal) {
      const opening = open ?? load(asked, signal);
      open = opening;
      opening.catch(() => {
        if (open === opening) open = undefined; // a key may come
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
