import { expect, test } from "vitest";
import { PROJECT, serverOf, USER } from "../../../test/support/entries.ts";
import { HostError, type ServerState } from "../../model/index.ts";
import { describeServer } from "./describe-server.ts";

const IDLE: ServerState = { kind: "idle" };

test("the view of a local server contains variable names but not their values", () => {
  const server = serverOf("files", {
    command: "npx",
    args: ["server", "--token", "hunter22", "https://me:hunter22@x.dev/?key=hunter22"],
    env: { API_KEY: "hunter22", MODE: "fast" },
    cwd: "/repo",
  });
  expect(describeServer({ ...server, shadowed: [serverOf("files", {}, PROJECT)] }, IDLE)).toEqual({
    name: "files",
    transport: "stdio",
    state: "idle",
    enabled: true,
    tier: "user",
    command: "npx",
    args: ["server", "--token", "[secret]", "https://me:[secret]@x.dev/?key=[secret]"],
    env: ["API_KEY", "MODE"],
    cwd: "/repo",
    source: USER,
    shadows: [PROJECT],
    ownerVerdict: { valid: true, problems: [] },
    problems: [],
  });
});

test("the view of a remote server contains its URL and header names", () => {
  const server = serverOf("web", {
    type: "http",
    url: "https://x.dev/mcp?api_key=hunter22",
    headers: { Authorization: "Bearer hunter22" },
  });
  expect(describeServer(server, IDLE)).toMatchObject({
    transport: "http",
    url: "https://x.dev/mcp?api_key=[secret]",
    headers: ["Authorization"],
  });
});

test("the view of an invalid server contains its fields and why it cannot be used", () => {
  const server = serverOf("both", {
    command: "node",
    url: "https://x.dev/?token=hunter22",
    env: { TOKEN: "hunter22" },
  });
  const view = describeServer(server, { kind: "invalid", because: "it has both" });
  expect({ view, isTold: JSON.stringify(view).includes("hunter22") }).toMatchObject({
    view: {
      state: "invalid",
      because: "it has both",
      command: "node",
      url: "https://x.dev/?token=[secret]",
      env: ["TOKEN"],
      ownerVerdict: { valid: false },
    },
    isTold: false,
  });
});

test.each<[ServerState, string | undefined]>([
  [
    { kind: "failed", error: new HostError("CONNECT_FAILED", "nothing is listening") },
    "nothing is listening",
  ],
  [{ kind: "needs_auth", error: new HostError("AUTH_REQUIRED", "sign in") }, "sign in"],
  [
    { kind: "reconnecting", attempt: 1, nextTryAt: 0, error: new HostError("CONNECTION_LOST", "it is gone") },
    "it is gone",
  ],
  [{ kind: "untrusted", because: "not approved yet" }, "not approved yet"],
  [{ kind: "disabled", because: "it is off" }, "it is off"],
  [{ kind: "connecting" }, undefined],
  [IDLE, undefined],
])("the state $kind has a reason if it needs one", (state, because) => {
  const view = describeServer(serverOf("a", { command: "node" }), state);
  expect({ state: view.state, because: view.because }).toEqual({ state: state.kind, because });
});

test("a failure has a code and a hint, and a reconnection has an attempt and a time", () => {
  const error = new HostError("CONNECT_TIMEOUT", "too slow", { hint: "Wait longer." });
  const server = serverOf("a", { command: "node" });
  expect(describeServer(server, { kind: "failed", error })).toMatchObject({
    errorCode: "CONNECT_TIMEOUT",
    hint: "Wait longer.",
  });
  const waiting = { kind: "reconnecting", attempt: 2, nextTryAt: 1_000, error } as const;
  expect(describeServer(server, waiting)).toMatchObject({
    errorCode: "CONNECT_TIMEOUT",
    hint: "Wait longer.",
    attempt: 2,
    nextTry: "1970-01-01T00:00:01.000Z",
  });
  expect(describeServer(server, { ...waiting, nextTryAt: undefined })).not.toHaveProperty("nextTry");
});
