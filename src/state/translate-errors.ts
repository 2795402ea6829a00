import { HostError, isHostError, messageOf } from "../model/index.ts";
import type { Clock } from "../platform/index.ts";
import { limitReads } from "./limit-reads.ts";
import type { CredentialStore, EntryLock, Stores } from "./stores.ts";

/**
 * Returns the program's stores, whose errors become a `HostError`: callers decide by its code. Pins and cached lists are read before
 * tools are listed or called, so these reads have a time limit.
 */
export function createProgramStores(given: Stores, clock: Clock): Stores {
  const { pins, catalogs, ...others } = given;
  return translateErrors({
    ...others,
    ...(pins && { pins: limitReads(pins, clock) }),
    ...(catalogs && { catalogs: limitReads(catalogs, clock) }),
  });
}

/** Returns stores whose errors are a `HostError`. */
export function translateErrors(given: Stores): Stores {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, store]) =>
      store === undefined ? [] : [[name, translated(name, store as object)]],
    ),
  );
}

function translated<Store extends object>(name: string, store: Store): Store {
  const exclusively: CredentialStore["exclusively"] = async (key, action) => {
    let thrown: unknown;
    const remember = async (lock: EntryLock): ReturnType<typeof action> => {
      try {
        return await action(translated(name, lock));
      } catch (error) {
        thrown = error;
        throw error;
      }
    };
    try {
      return await (store as unknown as CredentialStore).exclusively(key, remember);
    } catch (error) {
      throw error === thrown ? error : toStoreError(name, error); // the action's own error is not the store's
    }
  };
  return new Proxy(store, {
    get(target, method) {
      if (method === "exclusively") return exclusively;
      const value: unknown = Reflect.get(target, method);
      if (typeof value !== "function") return value;
      return async (...args: readonly unknown[]) => {
        try {
          return await Reflect.apply(value, target, args);
        } catch (error) {
          throw toStoreError(name, error);
        }
      };
    },
  });
}

function toStoreError(name: string, error: unknown): HostError {
  if (isHostError(error)) return error;
  return new HostError("STORE_UNAVAILABLE", `The program's store "${name}" failed: ${messageOf(error)}`, {
    cause: error,
  });
}
