import { expect, test } from "vitest";
import { HostError } from "../host-error.ts";
import type { ServerFacts, ServerState } from "./server-state.ts";
import { type ServerStatus, statusOf } from "./server-status.ts";

const error = new HostError("CONNECT_FAILED", "nobody answers");

test.each<[ServerState, ServerStatus]>([
  [{ kind: "connected", facts: {} as ServerFacts }, { status: "connected" }],
  [{ kind: "disabled", because: "it is off" }, { status: "disabled" }],
  [{ kind: "needs_auth", error }, { status: "needs_auth" }],
  [
    { kind: "needs_client_registration", error },
    { status: "needs_client_registration", error: "nobody answers" },
  ],
  [
    { kind: "failed", error },
    { status: "failed", error: "nobody answers" },
  ],
  [{ kind: "idle" }, { status: "failed", error: "idle: it starts when it is used", idle: true }],
  [
    { kind: "installing", runner: "npx", package: "acme@1.2.3", elapsedMs: 12_900, output: "fetching" },
    { status: "failed", error: "installing: npx is installing acme@1.2.3 (12 s): fetching" },
  ],
  [
    { kind: "installing", runner: "uvx", package: "acme", elapsedMs: 0 },
    { status: "failed", error: "installing: uvx is installing acme (0 s)" },
  ],
  [{ kind: "connecting" }, { status: "failed", error: "connecting: it has not answered yet" }],
  [
    { kind: "reconnecting", attempt: 3, nextTryAt: 5, error },
    { status: "failed", error: "reconnecting (attempt 3): nobody answers" },
  ],
  [
    { kind: "untrusted", because: "nobody approved it" },
    { status: "failed", error: "untrusted: nobody approved it" },
  ],
  [
    { kind: "invalid", because: "it has both" },
    { status: "failed", error: "invalid: it has both" },
  ],
])("the state $kind has its word among the five", (state, status) => {
  expect(statusOf(state)).toEqual(status);
});
