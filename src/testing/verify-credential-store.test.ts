import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createMemoryCredentials } from "../../test/support/memory-stores.ts";
import { createSandbox } from "../../test/support/sandbox.ts";
import { nodeEnvironment, nodePorts } from "../platform/node/index.ts";
import {
  type CredentialKey,
  type CredentialStore,
  createFileCredentials,
  findOwnPaths,
} from "../state/index.ts";
import { verifyCredentialStore } from "./verify-credential-store.ts";

type Entries = NonNullable<Parameters<typeof createMemoryCredentials>[0]>;

test("a correct store passes, and the check leaves nothing in it", async () => {
  const entries: Entries = new Map();
  await verifyCredentialStore(createMemoryCredentials(entries));
  expect(entries.size).toBe(0);
});

test("two hosts' file stores pass", async () => {
  await using sandbox = await createSandbox();
  const environment = { ...nodeEnvironment(), home: sandbox.home, variables: sandbox.env() };
  const open = (): CredentialStore =>
    createFileCredentials(nodePorts(), findOwnPaths(environment), environment);
  await verifyCredentialStore(open(), open());
});

describe("a store is refused that", () => {
  const right = createMemoryCredentials;
  /** A write that waits between the comparison and the write. */
  const slowSet =
    (store: CredentialStore, entries: Entries): CredentialStore["set"] =>
    async (key, value, generation) => {
      const name = JSON.stringify([key.principal, key.namespace, key.key]);
      if (entries.get(name)?.generation !== generation) return false;
      await store.get(key);
      entries.set(name, { ...key, value, generation: randomUUID() });
      return true;
    };
  const numbered = (store: CredentialStore): CredentialStore => {
    const counts = new Map<string, number>();
    return {
      ...store,
      async get(key) {
        const entry = await store.get(key);
        return entry && { ...entry, generation: String(counts.get(key.key) ?? 0) };
      },
      async set(key, value, generation) {
        const entry = await store.get(key);
        const mine = entry && String(counts.get(key.key) ?? 0);
        if (mine !== generation) return false;
        counts.set(key.key, entry === undefined ? 1 : (counts.get(key.key) ?? 0) + 1);
        return store.set(key, value, entry?.generation);
      },
    };
  };
  const CASES: Readonly<Record<string, () => CredentialStore>> = {
    "mixes up principals": () => {
      const store = right();
      const blind = (key: CredentialKey): CredentialKey => ({ ...key, principal: "" });
      return {
        ...store,
        get: (key) => store.get(blind(key)),
        set: (key, ...rest) => store.set(blind(key), ...rest),
      };
    },
    "ignores case": () => {
      const store = right();
      const lower = (key: CredentialKey): CredentialKey => ({ ...key, key: key.key.toLowerCase() });
      return {
        ...store,
        get: (key) => store.get(lower(key)),
        set: (key, ...rest) => store.set(lower(key), ...rest),
      };
    },
    "ignores the generation": () => {
      const store = right();
      return {
        ...store,
        set: async (key, value) => store.set(key, value, (await store.get(key))?.generation),
      };
    },
    "compares and writes in two steps": () => {
      const entries: Entries = new Map();
      const store = createMemoryCredentials(entries);
      return { ...store, set: slowSet(store, entries) };
    },
    "counts generations from one again after a removal": () => numbered(right()),
    "lists other namespaces": () => {
      const entries: Entries = new Map();
      const list: CredentialStore["list"] = async (principal) =>
        [...entries.values()].filter((entry) => entry.principal === principal);
      return { ...createMemoryCredentials(entries), list };
    },
    "has no exclusive sections": () => ({
      ...right(),
      exclusively: (_, action) => action({ assertHeld: async () => {} }),
    }),
    "hides errors of exclusive sections": () => {
      const store = right();
      return {
        ...store,
        exclusively: (key, action) => store.exclusively(key, action).catch(() => 0 as never),
      };
    },
    "loses JSON values": () => {
      const store = right();
      return { ...store, set: (key, value, generation) => store.set(key, value ?? {}, generation) };
    },
  };

  test.each(Object.keys(CASES))("%s", async (name) => {
    await expect(verifyCredentialStore(CASES[name]?.() ?? right())).rejects.toThrow();
  });
});
