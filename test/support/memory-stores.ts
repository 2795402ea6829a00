import { randomUUID } from "node:crypto";
import type {
  Approval,
  ApprovalStore,
  CatalogStore,
  CredentialKey,
  CredentialStore,
  JsonValue,
  LaunchKey,
  PinStore,
  SecretStore,
  Stores,
} from "../../src/index.ts";

/** Stores in memory, as a program could write them. */
export function createMemoryStores(): Required<Stores> {
  return {
    credentials: createMemoryCredentials(),
    approvals: createMemoryApprovals(),
    pins: createMemoryTexts(),
    catalogs: createMemoryTexts(),
    secrets: createMemorySecrets(),
  };
}

interface Entry extends CredentialKey {
  readonly value: JsonValue;
  readonly generation: string;
}

export function createMemoryCredentials(entries: Map<string, Entry> = new Map()): CredentialStore {
  const nameOf = ({ principal, namespace, key }: CredentialKey): string =>
    JSON.stringify([principal, namespace, key]);
  const queues = new Map<string, Promise<unknown>>();
  return {
    async get(key) {
      const entry = entries.get(nameOf(key));
      return entry && { value: entry.value, generation: entry.generation };
    },
    async set(key, value, generation) {
      if (entries.get(nameOf(key))?.generation !== generation) return false;
      entries.set(nameOf(key), { ...key, value, generation: randomUUID() });
      return true;
    },
    remove: async (key) => entries.delete(nameOf(key)),
    list: async (principal, namespace) =>
      [...entries.values()]
        .filter((entry) => entry.principal === principal && entry.namespace === namespace)
        .map(({ key, value, generation }) => ({ key, value, generation })),
    exclusively(key, action) {
      const turn = (queues.get(nameOf(key)) ?? Promise.resolve()).then(() =>
        action({ assertHeld: async () => {} }),
      );
      queues.set(
        nameOf(key),
        turn.catch(() => {}),
      );
      return turn;
    },
  };
}

function createMemoryApprovals(): ApprovalStore {
  const all = new Map<string, Approval[]>();
  const isIn = (list: readonly Pick<Approval, "file" | "server">[], { file, server }: Approval): boolean =>
    list.some((each) => each.file === file && each.server === server);
  const without = (principal: string, list: readonly Pick<Approval, "file" | "server">[]): Approval[] =>
    (all.get(principal) ?? []).filter((approval) => !isIn(list, approval));
  return {
    list: async (principal) => all.get(principal) ?? [],
    add: async (principal, list) => void all.set(principal, [...without(principal, list), ...list]),
    remove: async (principal, list) => void all.set(principal, without(principal, list)),
  };
}

function createMemoryTexts(): CatalogStore & PinStore {
  const texts = new Map<string, string>();
  const nameOf = ({ principal, fingerprint }: LaunchKey): string => JSON.stringify([principal, fingerprint]);
  return {
    get: async (key) => texts.get(nameOf(key)),
    async set(key: LaunchKey, text: string, how: "first" | "replace" = "replace") {
      if (how === "replace" || !texts.has(nameOf(key))) texts.set(nameOf(key), text);
    },
    remove: async (key) => void texts.delete(nameOf(key)),
  };
}

function createMemorySecrets(): SecretStore {
  const secrets = new Map<string, Map<string, string>>();
  const of = (principal: string): Map<string, string> => {
    const found = secrets.get(principal) ?? new Map<string, string>();
    secrets.set(principal, found);
    return found;
  };
  return {
    get: async (principal, name) => of(principal).get(name),
    set: async (principal, name, text) => void of(principal).set(name, text),
    remove: async (principal, name) => of(principal).delete(name),
    list: async (principal) => [...of(principal).keys()],
  };
}
