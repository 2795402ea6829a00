import { expect, test } from "vitest";
import type { ConnectionState } from "../../connection/index.ts";
import { HostError, type ServerFacts, type ServerState } from "../../model/index.ts";
import { describeConnection, describeState } from "./describe-state.ts";

const FACTS: ServerFacts = {
  name: "x",
  version: "1",
  protocolVersion: "2025-11-25",
  era: "legacy",
  transport: "stdio",
  capabilities: ["tools"],
  instructions: undefined,
};
const TIMEOUT = new HostError("CONNECT_TIMEOUT", "too slow", { hint: "Wait longer." });
const TIMEOUT_DETAILS = { because: "too slow", errorCode: "CONNECT_TIMEOUT", hint: "Wait longer." } as const;

test.each<[ConnectionState, ServerState]>([
  [{ kind: "idle" }, { state: "idle" }],
  [{ kind: "connecting" }, { state: "connecting" }],
  [
    { kind: "connected", facts: FACTS },
    { state: "connected", facts: FACTS },
  ],
  [
    { kind: "installing", runner: "npx", package: "acme", elapsedMs: 1200 },
    {
      state: "installing",
      because: "npx is installing acme (1 s)",
      installing: { runner: "npx", package: "acme", elapsedMs: 1200 },
    },
  ],
  [
    { kind: "failed", error: new HostError("CONNECT_FAILED", "nothing is listening") },
    { state: "failed", because: "nothing is listening", errorCode: "CONNECT_FAILED" },
  ],
  [
    { kind: "failed", error: TIMEOUT },
    { state: "failed", ...TIMEOUT_DETAILS },
  ],
  [
    { kind: "needs_auth", error: new HostError("AUTH_REQUIRED", "sign in") },
    { state: "needs_auth", because: "sign in", errorCode: "AUTH_REQUIRED" },
  ],
  [
    { kind: "needs_client_registration", error: new HostError("AUTH_CLIENT_REQUIRED", "register") },
    { state: "needs_client_registration", because: "register", errorCode: "AUTH_CLIENT_REQUIRED" },
  ],
  [
    { kind: "reconnecting", attempt: 2, nextTryAt: 1_000, error: TIMEOUT },
    { state: "reconnecting", ...TIMEOUT_DETAILS, attempt: 2, nextTry: "1970-01-01T00:00:01.000Z" },
  ],
  [
    { kind: "reconnecting", attempt: 2, nextTryAt: undefined, error: TIMEOUT },
    { state: "reconnecting", ...TIMEOUT_DETAILS, attempt: 2 },
  ],
])("the state $kind has the details that belong to it", (connection, state) => {
  expect(describeConnection(connection)).toStrictEqual(state);
  expect(describeState({ allowed: true, because: "approved" }, connection)).toStrictEqual(state);
});

test("the policy's reason precedes the state of the connection", () => {
  const decision = { allowed: false, reason: "untrusted", because: "not approved yet" } as const;
  expect(describeState(decision, { kind: "connected", facts: FACTS })).toStrictEqual({
    state: "untrusted",
    because: "not approved yet",
  });
  expect(describeState({ allowed: true, because: "your own" }, undefined)).toStrictEqual({ state: "idle" });
});
