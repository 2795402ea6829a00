import { expect, test } from "vitest";
import type { ServerStatus } from "../model/index.ts";
import type { ServerView } from "../operations/index.ts";
import { statusOf } from "./status.ts";

const because = "nothing is listening";

test.each<[Pick<ServerView, "state" | "because" | "attempt">, ServerStatus]>([
  [{ state: "connected" }, { status: "connected" }],
  [{ state: "disabled", because: "it is off" }, { status: "disabled" }],
  [{ state: "needs_auth", because }, { status: "needs_auth" }],
  [
    { state: "needs_client_registration", because },
    { status: "needs_client_registration", error: because },
  ],
  [
    { state: "failed", because },
    { status: "failed", error: because },
  ],
  [{ state: "idle" }, { status: "failed", error: "idle: it starts when it is used", idle: true }],
  [
    { state: "installing", because: "npx is installing acme@1.2.3 (12 s): fetching" },
    { status: "failed", error: "installing: npx is installing acme@1.2.3 (12 s): fetching" },
  ],
  [{ state: "connecting" }, { status: "failed", error: "connecting: it has not answered yet" }],
  [
    { state: "reconnecting", attempt: 3, because },
    { status: "failed", error: `reconnecting (attempt 3): ${because}` },
  ],
  [
    { state: "untrusted", because: "not approved yet" },
    { status: "failed", error: "untrusted: not approved yet" },
  ],
  [
    { state: "invalid", because: "it has both" },
    { status: "failed", error: "invalid: it has both" },
  ],
])("a server that is $state has one of the five values", (view, status) => {
  const server = { name: "a", ...view } as ServerView;
  expect(statusOf({ servers: () => [server] })).toEqual({ a: status });
});
