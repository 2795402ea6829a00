import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Host, type HostOptions, ToolAbortError } from "../../src/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { eventually, failureOf, hostIn } from "../flow/host-in.ts";
import { createJumpingClock } from "../support/jumping-clock.ts";
import { browse, type OauthServer, startOauthServer } from "../support/oauth-server.ts";
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

/** A host whose user never signs in, with the number of prompts. */
async function unanswered(): Promise<{ host: Host; asked: () => number }> {
  let asked = 0;
  const options: HostOptions = {
    servers: { notes: { type: "http", url: server.url } },
    ports: { browser: { ...nodePorts().browser, open: async () => false } },
    onSignIn: () => {
      asked += 1;
    },
  };
  return { host: await hostIn(sandbox, options), asked: () => asked };
}

test("a call that waits for a sign-in is cancelled immediately, and the sign-in continues for the others", async () => {
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

test("an unfinished sign-in ends with the host", async () => {
  const { host, asked } = await unanswered();
  const login = failureOf(host.signIns.login("notes"));
  await eventually(() => expect(asked()).toBe(1));
  await host.close();
  expect((await login).code).toBe("HOST_CLOSED");
});

test("a device sign-in is cancelled immediately, even during a pause", async () => {
  const { clock } = nodePorts();
  const after: typeof clock.after = (ms, done) => (ms === 5_000 ? () => {} : clock.after(ms, done));
  const servers = { notes: { type: "http", url: server.url } } as const;
  await using host = await hostIn(sandbox, { servers, ports: { clock: { ...clock, after } } });
  const abort = new AbortController();
  const login = host.signIns.login("notes", {
    browser: false,
    device: true,
    signal: abort.signal,
    onSignIn: () => abort.abort(),
  });
  await expect(login).rejects.toBeInstanceOf(ToolAbortError);
});

test("a renewal that is running when the host closes is saved", async () => {
  const servers = { notes: { type: "http", url: server.url } } as const;
  await using first = await hostIn(sandbox, { servers });
  await first.signIns.login("notes", { browser: false, onSignIn: (url) => void browse(url) });
  await server.control("expire");
  const { http } = nodePorts();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => void (release = resolve));
  let isAsked = false;
  const request: typeof http.request = async (asked) => {
    const response = await http.request(asked);
    if (asked.url.pathname !== "/token") return response;
    isAsked = true;
    await released;
    return response;
  };
  const host = await hostIn(sandbox, { servers, ports: { http: { request, close: http.close } } });
  const call = failureOf(host.call("notes", "echo", { text: "hi" }));
  await eventually(() => expect(isAsked).toBe(true));
  let isClosed = false;
  const closing = host.close().then(() => void (isClosed = true));
  await call;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isClosed).toBe(false);
  release();
  await closing;
  await using later = await hostIn(sandbox, { servers });
  expect(await later.call("notes", "echo", { text: "hi" })).toMatchObject({ text: "hi" });
});

test("a renewal without a response counts towards the connect timeout", async () => {
  const servers = { notes: { type: "http", url: server.url } } as const;
  await using first = await hostIn(sandbox, { servers });
  await first.signIns.login("notes", { browser: false, onSignIn: (url) => void browse(url) });
  await server.control("expire");
  const { held } = await server.control("hold?when=before");
  const { clock, jump } = createJumpingClock();
  await using host = await hostIn(sandbox, { servers, ports: { clock } });
  const failure = failureOf(host.connect("notes"));
  await eventually(async () => expect((await server.control()).held).toBe(held + 1));
  jump(30_000);
  expect(await failure).toMatchObject({
    code: "CONNECT_TIMEOUT",
    message: 'Failed to connect to "notes": it did not answer within 30000 ms',
  });
});
