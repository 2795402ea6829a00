import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { JsonValue } from "../model/index.ts";
import type { CredentialKey, CredentialStore } from "../state/index.ts";

/** Long enough for a slow database, and short enough to report a deadlock. */
const DEADLOCK_MS = 20_000;
const WRITERS = 40;

/** Text that stores get wrong: quotes, wildcards, case, accents in two spellings, separators, and very long text. */
const TRICKY_TEXTS: readonly string[] = [
  "a",
  "A",
  "a ",
  "a/b",
  "a'b",
  'a"b',
  "a%",
  "a_",
  "..",
  "\u00e9",
  "e\u0301",
  "\u{1f511}",
  `https://mcp.example/${"x".repeat(1_500)}`,
];

const VALUES: readonly JsonValue[] = [
  "",
  0,
  false,
  null,
  [],
  {},
  {
    text: "quotes \" ' \\ and \u0000 and \u{1f511}",
    list: [1, -0.5, 1e21, null, { deep: [[]] }],
    accessToken: "t",
  },
];

/**
 * Checks that a store behaves as `CredentialStore` requires, even under concurrency. Rejects with the first difference. Uses its own
 * principals and removes what it wrote. `other` is a second instance that uses the same data, as another process would.
 */
export async function verifyCredentialStore(
  store: CredentialStore,
  other: CredentialStore = store,
): Promise<void> {
  const run = randomUUID();
  const written: CredentialKey[] = [];
  const keyOf = (key: string, principal = "p", namespace = "n"): CredentialKey => {
    const full = { principal: `${run} ${principal}`, namespace, key };
    written.push(full);
    return full;
  };
  try {
    await checkValues(store, keyOf);
    await checkGenerations(store, keyOf);
    await checkSeparation(store, keyOf);
    await checkConcurrentWrites(store, other, keyOf);
    await checkExclusiveSections(store, other, keyOf);
  } finally {
    for (const key of written) await store.remove(key);
  }
}

type KeyOf = (key: string, principal?: string, namespace?: string) => CredentialKey;

async function checkValues(store: CredentialStore, keyOf: KeyOf): Promise<void> {
  const absent = keyOf("absent");
  strictEqual(await store.get(absent), undefined, "get() of an absent entry must return undefined");
  strictEqual(await store.remove(absent), false, "remove() of an absent entry must return false");
  deepStrictEqual([...(await store.list(absent.principal, "n"))], [], "list() without entries must be empty");
  for (const [index, value] of VALUES.entries()) {
    const key = keyOf(`value ${index}`);
    strictEqual(await store.set(key, value, undefined), true, "set() of a new entry must return true");
    deepStrictEqual(
      (await store.get(key))?.value,
      value,
      `the value ${JSON.stringify(value)} must be kept as it is`,
    );
    strictEqual(await store.remove(key), true, "remove() of an entry must return true");
    strictEqual(await store.get(key), undefined, "a removed entry must be gone");
  }
}

async function checkGenerations(store: CredentialStore, keyOf: KeyOf): Promise<void> {
  const key = keyOf("generations");
  const seen = new Set<string>();
  const current = async (): Promise<string> => {
    const generation = (await store.get(key))?.generation;
    ok(typeof generation === "string" && generation !== "", "an entry must have a generation, a text");
    ok(!seen.has(generation), "every write must create a generation that never existed before");
    return generation;
  };
  for (let life = 0; life < 3; life += 1) {
    strictEqual(await store.set(key, "first", undefined), true, "a removed entry can be written again");
    strictEqual(
      await store.set(key, "x", undefined),
      false,
      "set() without a generation must not replace an entry",
    );
    for (let write = 0; write < 3; write += 1) {
      const generation = await current();
      for (const old of seen)
        strictEqual(await store.set(key, "x", old), false, "set() must refuse an old generation");
      seen.add(generation);
      strictEqual(
        await store.set(key, `write ${write}`, generation),
        true,
        "set() must accept the generation",
      );
      strictEqual((await store.get(key))?.value, `write ${write}`, "set() must replace the value");
    }
    seen.add(await current());
    await store.remove(key);
    for (const old of seen)
      strictEqual(
        await store.set(key, "x", old),
        false,
        "set() must refuse the generation of a removed entry",
      );
  }
}

async function checkSeparation(store: CredentialStore, keyOf: KeyOf): Promise<void> {
  const keys = [
    ...TRICKY_TEXTS.map((text) => keyOf(text)),
    ...TRICKY_TEXTS.map((text) => keyOf("a", text)),
    ...TRICKY_TEXTS.map((text) => keyOf("a", "p", text)),
    keyOf("c", "a", "b"),
    keyOf("b", "a", "c"),
    keyOf("bc", "a", ""),
    keyOf("", "a", "bc"),
  ];
  const name = ({ principal, namespace, key }: CredentialKey): string =>
    [principal, namespace, key].join("\n");
  const unique = [...new Map(keys.map((key) => [name(key), key])).values()];
  for (const key of unique)
    ok(await store.set(key, name(key), undefined), `${name(key)} must be a separate entry`);
  for (const key of unique)
    strictEqual((await store.get(key))?.value, name(key), "entries must not be mixed up");
  const lists = new Map(unique.map((key) => [`${key.principal}\n${key.namespace}`, key]));
  for (const { principal, namespace } of lists.values()) {
    const mine = unique.filter((key) => key.principal === principal && key.namespace === namespace);
    const listed = await store.list(principal, namespace);
    deepStrictEqual(
      listed.map(({ key }) => key).sort(),
      mine.map(({ key }) => key).sort(),
      "list() must return the entries of one principal and one namespace",
    );
    for (const { key, value, generation } of listed)
      deepStrictEqual(
        { value, generation },
        await store.get({ principal, namespace, key }),
        "list() and get() must agree",
      );
  }
  for (const key of unique) await store.remove(key);
}

async function checkConcurrentWrites(
  store: CredentialStore,
  other: CredentialStore,
  keyOf: KeyOf,
): Promise<void> {
  const key = keyOf("counter");
  const writers = Array.from({ length: WRITERS }, (_, index) => (index % 2 === 0 ? store : other));
  const created = await Promise.all(writers.map((writer) => writer.set(key, 0, undefined)));
  strictEqual(
    created.filter(Boolean).length,
    1,
    "exactly one of several concurrent set() calls for a new entry must succeed",
  );
  const generation = (await store.get(key))?.generation;
  const replaced = await Promise.all(writers.map((writer) => writer.set(key, 0, generation)));
  strictEqual(
    replaced.filter(Boolean).length,
    1,
    "exactly one of several concurrent set() calls with the same generation must succeed",
  );
  const increment = async (writer: CredentialStore): Promise<void> => {
    for (;;) {
      const entry = await writer.get(key);
      if (entry === undefined) throw new Error("an entry disappeared while it was written");
      if (await writer.set(key, Number(entry.value) + 1, entry.generation)) return;
    }
  };
  await inTime(Promise.all(writers.map(increment)), "concurrent writers");
  strictEqual((await other.get(key))?.value, WRITERS, "concurrent writers must not lose a write");
}

async function checkExclusiveSections(
  store: CredentialStore,
  other: CredentialStore,
  keyOf: KeyOf,
): Promise<void> {
  const key = keyOf("exclusive");
  const instances = Array.from({ length: WRITERS }, (_, index) => (index % 2 === 0 ? store : other));
  let running = 0;
  let total = 0;
  const enter = (instance: CredentialStore): Promise<number> =>
    instance.exclusively(key, async (lock) => {
      running += 1;
      strictEqual(running, 1, "only one exclusive section of a key may run at a time");
      await lock.assertHeld();
      await instance.get(key);
      strictEqual(running, 1, "an exclusive section must stay exclusive while it waits");
      running -= 1;
      total += 1;
      return total;
    });
  const results = await inTime(
    Promise.all(instances.slice(0, 10).map(enter)),
    "exclusive sections of one key",
  );
  deepStrictEqual(
    results.sort((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    "every caller must get its own result",
  );
  const failure = new Error("expected");
  await rejects(
    store.exclusively(key, async () => Promise.reject(failure)),
    failure,
    "an error must reach the caller",
  );
  strictEqual(await inTime(enter(other), "the section after a failed one"), 11);
  // Fails if each section takes a connection from the pool that the methods need.
  const sections = instances.map((instance, index) => {
    const own = keyOf(`exclusive ${index}`);
    return instance.exclusively(own, async () => store.set(own, index, (await store.get(own))?.generation));
  });
  const done = await inTime(Promise.all(sections), "exclusive sections of different keys");
  ok(done.every(Boolean), "an exclusive section can write its entry");
}

/** Rejects if work takes so long that it must be a deadlock. */
async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not finish: they block each other`)), DEADLOCK_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
