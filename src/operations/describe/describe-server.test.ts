import { expect, test } from "vitest";
import { PROJECT, serverOf, USER } from "../../../test/support/entries.ts";
import type { ServerState } from "../../model/index.ts";
import { describeServer } from "./describe-server.ts";

const IDLE: ServerState = { state: "idle" };

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
  const view = describeServer(server, { state: "invalid", because: "it has both" });
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

test("the view contains the state and its details", () => {
  const failed = { state: "failed", because: "too slow", errorCode: "CONNECT_TIMEOUT" } as const;
  expect(describeServer(serverOf("a", { command: "node" }), failed)).toMatchObject(failed);
});
