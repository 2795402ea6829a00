import { expect, test } from "vitest";
import { HostError } from "../model/index.ts";
import type { CredentialStore } from "./stores.ts";
import { translateErrors } from "./translate-errors.ts";

const KEY = { principal: "", namespace: "n", key: "k" };
const gone = async (): Promise<never> => {
  throw new Error("the database is gone");
};

/** A store that runs exclusive sections and does nothing else. */
function credentials(more: Partial<CredentialStore>): CredentialStore {
  const store: CredentialStore = {
    get: gone,
    set: gone,
    remove: gone,
    list: gone,
    exclusively: (_key, action) => action({ assertHeld: gone }),
    ...more,
  };
  const { credentials: translated } = translateErrors({ credentials: store });
  if (translated === undefined) throw new Error("the store is missing");
  return translated;
}

const UNAVAILABLE = {
  code: "STORE_UNAVAILABLE",
  message: 'The program\'s store "credentials" failed: the database is gone',
};

test("an error of a store, or of its lock, says which store failed", async () => {
  await expect(credentials({}).get(KEY)).rejects.toMatchObject(UNAVAILABLE);
  await expect(credentials({ exclusively: gone }).exclusively(KEY, gone)).rejects.toMatchObject(UNAVAILABLE);
  const held = credentials({}).exclusively(KEY, (lock) => lock.assertHeld());
  await expect(held).rejects.toMatchObject(UNAVAILABLE);
});

test("an error that is thrown synchronously is translated too", async () => {
  const get = (): never => {
    throw new Error("the database is gone");
  };
  await expect(credentials({ get }).get(KEY)).rejects.toMatchObject(UNAVAILABLE);
});

test("the error of an exclusive section reaches the caller unchanged", async () => {
  const own = new TypeError("refused");
  await expect(credentials({}).exclusively(KEY, () => Promise.reject(own))).rejects.toBe(own);
});

test("an error of the store after the section replaces it", async () => {
  const exclusively: CredentialStore["exclusively"] = async (_key, action) => {
    await action({ assertHeld: async () => {} }).catch(() => {});
    return gone();
  };
  const failed = credentials({ exclusively }).exclusively(KEY, () =>
    Promise.reject(new TypeError("refused")),
  );
  await expect(failed).rejects.toMatchObject(UNAVAILABLE);
});

test("a store may throw its own HostError", async () => {
  const own = new HostError("STATE_LOCKED", "busy");
  await expect(credentials({ get: () => Promise.reject(own) }).get(KEY)).rejects.toBe(own);
});

test("a store keeps its own `this`", async () => {
  class Store {
    #text = "kept";
    async get(): Promise<string> {
      return this.#text;
    }
    async set(): Promise<void> {}
    async remove(): Promise<void> {}
  }
  const { catalogs } = translateErrors({ catalogs: new Store() });
  expect(await catalogs?.get({ principal: "", fingerprint: "f" })).toBe("kept");
});
