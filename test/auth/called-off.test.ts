import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Host, type HostOptions, ToolAbortError } from "../../src/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { eventually, failureOf, hostIn } from "../flow/host-in.ts";
import { type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

let server: OauthServer;
let sandbox: Sandbox;

beforeAll(async () => {
  server = await startOauthServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  sandbox = await createSandbox();
  await server.control("require");
  return () => sandbox[Symbol.asyncDispose]();
});

/** A host whose person never signs in, and how often they were asked. */
async function unanswered(): Promise<{ host: Host; asked: () => number }> {
  let asked = 0;
  const options: HostOptions = {
    servers: { notes: { type: "http", url: server.url } },
    interaction: "ask",
    ports: { browser: { ...nodePorts().browser, open: async () => false } },
    onSignIn: () => {
      asked += 1;
    },
  };
  return { host: await hostIn(sandbox, options), asked: () => asked };
}

test("a call that waits for a sign-in is called off at once, and the sign-in goes on for the others", async () => {
  const { host, asked } = await unanswered();
  const abort = new AbortController();
  const mine = host.call("notes", "echo", { text: "hi" }, { signal: abort.signal });
  const other = failureOf(host.call("notes", "echo", { text: "hi" }));
  await eventually(() => expect(asked()).toBe(1));
  abort.abort();
  await expect(mine).rejects.toBeInstanceOf(ToolAbortError);
  await host.close();
  expect((await other).code).toBe("HOST_CLOSED");
  expect(asked()).toBe(1);
});

test("a sign-in that nobody finishes ends with the host", async () => {
  const { host, asked } = await unanswered();
  const login = failureOf(host.login("notes"));
  await eventually(() => expect(asked()).toBe(1));
  await host.close();
  expect((await login).code).toBe("HOST_CLOSED");
});
