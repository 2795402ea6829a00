/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
import { beforeEach, expect, test } from "vitest";
import { createFakePorts, type FakePorts } from "../../test/support/fake-ports.ts";
import { HostError, type JsonObject } from "../model/index.ts";
import type { Change, TeamStore } from "../store/index.ts";
import { PolicySource } from "./policy-source.ts";

type PolicyVersion = NonNullable<Awaited<ReturnType<TeamStore["policies"]["current"]>>>;

const ADA = {
  id: "1",
  name: "ada",
  names: ["ada"],
  groups: [],
  token: { id: "t", expiresAt: 1, granted: [] },
  scopes: {},
};
const policyThat = (then: string): JsonObject => ({ rules: [{ who: ["*"], then }] });

let ports: FakePorts;
let announce = (_change: Change): void => {};
let reads: (() => Promise<PolicyVersion | undefined>)[];
let source: PolicySource;
const version = (revision: number, then: string): PolicyVersion => ({
  revision,
  document: policyThat(then),
  author: "test",
  createdAt: 0,
});
const decision = (): string => source.for(ADA).decide({ kind: "tool", server: "s", item: "t" }).answer;

beforeEach(() => {
  ports = createFakePorts();
  reads = [];
  const policies = {
    current: () => reads.shift()?.() ?? Promise.resolve(undefined),
    add: () => Promise.reject(new Error("not here")),
    list: () => Promise.resolve([]),
  };
  const revisions = {
    subscribe(listener: (change: Change) => void) {
      announce = listener;
      return () => {};
    },
    raise: () => Promise.resolve(),
  };
  source = new PolicySource({ policies, revisions }, ports, () => {});
  return () => source.close();
});

test("a policy that was announced while the store was unavailable is read afterwards", async () => {
  const away = (): Promise<never> => Promise.reject(new HostError("STORE_UNAVAILABLE", "away"));
  reads = [async () => version(1, "allow"), away, away, async () => version(2, "deny")];
  await source.refresh();
  expect(decision()).toBe("allow");
  announce({ kind: "policy", key: "" });
  await expect.poll(decision).toBe("deny");
});

test("an earlier policy never replaces a later one, even if its read ends last", async () => {
  let resume = (): void => {};
  const held = new Promise<void>((resolve) => (resume = resolve));
  reads = [
    async () => {
      await held;
      return version(1, "allow");
    },
    async () => version(2, "deny"),
  ];
  announce({ kind: "policy", key: "" });
  announce({ kind: "policy", key: "" });
  await new Promise((resolve) => setImmediate(resolve));
  resume();
  await expect.poll(() => reads.length).toBe(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(decision()).toBe("deny");
});

test("an invalid policy changes nothing, and is reported once", async () => {
  reads = [async () => version(1, "allow"), async () => version(2, "perhaps")];
  await source.refresh();
  await source.refresh();
  expect(decision()).toBe("allow");
  expect(ports.logged).toEqual(["error policy.unreadable"]);
});
