import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Host, HostOptions } from "../../src/index.ts";
import type { Http } from "../../src/platform/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { eventually, hostErrorOf, hostIn } from "../flow/host-in.ts";
import { browse, type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const HI = { text: "hi" };
let server: OauthServer;
let sandbox: Sandbox;

beforeAll(async () => {
  server = await startOauthServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  sandbox = await createSandbox();
  return () => sandbox[Symbol.asyncDispose]();
});

/** Hosts of one sandbox share the vault, like processes of one user. */
const hostOf = (options: HostOptions = {}, oauth = {}): Promise<Host> =>
  hostIn(sandbox, { servers: { notes: { type: "http", url: server.url, oauth } }, ...options });
const signIn = (host: Host) =>
  host.signIns.login("notes", { browser: false, onSignIn: (url) => void browse(url) });

/** Holds back the next response from one path until it is released. */
function heldAnswer(path: string) {
  const { http } = nodePorts();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => void (release = resolve));
  let armed = false;
  let held = 0;
  const request: Http["request"] = async (asked) => {
    const response = await http.request(asked);
    if (!armed || asked.url.pathname !== path) return response;
    armed = false;
    held += 1;
    await released;
    return response;
  };
  const hold = (): void => void (armed = true);
  return { ports: { http: { request, close: () => http.close() } }, hold, held: () => held, release };
}

/** A clock that reports when its user starts to wait for a lock. */
function lockWatch() {
  const { clock } = nodePorts();
  let begin = (): void => {};
  const waiting = new Promise<void>((resolve) => void (begin = resolve));
  const after: typeof clock.after = (ms, done) => {
    if (ms === 25) begin();
    return clock.after(ms, done);
  };
  return { ports: { clock: { ...clock, after } }, waiting };
}

describe("while one host renews a sign-in", () => {
  const renewing = async () => {
    await using first = await hostOf();
    await signIn(first);
    await server.control("expire");
    const answer = heldAnswer("/token");
    const host = await hostOf({ ports: answer.ports });
    answer.hold();
    const call = host.call("notes", "echo", HI).then(
      ({ text }) => text,
      (error: Error) => error.message,
    );
    await eventually(() => expect(answer.held()).toBe(1));
    const over = async () => {
      answer.release();
      await call;
      await host.close();
    };
    return over;
  };

  test("a new sign-in in another host is kept", async () => {
    const over = await renewing();
    const watch = lockWatch();
    await using other = await hostOf({ ports: watch.ports }, { scope: "mcp:read mcp:write" });
    const login = signIn(other);
    await Promise.race([login, watch.waiting]);
    await over();
    await login;
    expect((await other.signIns.list()).map(({ scope }) => scope)).toEqual([
      "mcp:read mcp:write offline_access",
    ]);
    expect((await other.call("notes", "publish")).text).toBe("published");
  });

  test("a logout in another host removes everything, and revokes it at the authorization server", async () => {
    const { alive } = await server.control();
    const over = await renewing();
    const watch = lockWatch();
    await using other = await hostOf({ ports: watch.ports });
    const logout = other.signIns.logout("notes");
    await Promise.race([logout, watch.waiting]);
    await over();
    expect(await logout).toEqual(["default"]);
    expect(await other.signIns.list()).toEqual([]);
    expect((await server.control()).alive).toBe(alive);
  });
});

test("an open connection uses a sign-in from another host, even of another client", async () => {
  await using host = await hostOf();
  await signIn(host);
  await host.call("notes", "echo", HI);
  await server.control("revoke");
  await using other = await hostOf({}, { redirectUri: "https://elsewhere.example/callback" });
  await other.signIns.login("notes", {
    browser: false,
    onSignIn: (url) => browse(url, new URL(url).searchParams.get("redirect_uri") ?? ""),
  });
  expect((await host.call("notes", "echo", HI)).text).toBe("hi");
});

test("an open connection uses a sign-in that was created after a logout in another host", async () => {
  await using host = await hostOf();
  await signIn(host);
  for (let round = 0; round < 2; round += 1) {
    await server.control("expire");
    await host.call("notes", "echo", HI);
  }
  const { grants: before } = await server.control();
  await using other = await hostOf();
  await other.signIns.logout("notes");
  await signIn(other);
  expect((await host.call("notes", "echo", HI)).text).toBe("hi");
  expect((await server.control()).grants["refresh_token"]).toBe(before["refresh_token"]);
});

test("an open connection has the scopes that the user granted in another host", async () => {
  await using host = await hostOf();
  await signIn(host);
  await host.call("notes", "echo", HI);
  await server.control("require?scope=mcp:write");
  expect((await hostErrorOf(host.call("notes", "echo", HI))).reason).toBe("signIn");
  await using other = await hostOf();
  await signIn(other);
  expect((await host.call("notes", "echo", HI)).text).toBe("hi");
  await server.control("require");
});

test("a late refusal belongs to the old token, so the new one is not renewed", async () => {
  await using first = await hostOf();
  await signIn(first);
  const answer = heldAnswer("/mcp");
  await using host = await hostOf({ ports: answer.ports });
  await host.call("notes", "echo", HI);
  await server.control("expire");
  const { grants: before } = await server.control();
  answer.hold();
  const late = host.call("notes", "echo", HI);
  await eventually(() => expect(answer.held()).toBe(1));
  expect((await host.call("notes", "echo", HI)).text).toBe("hi");
  answer.release();
  expect((await late).text).toBe("hi");
  const { grants: after } = await server.control();
  expect((after["refresh_token"] ?? 0) - (before["refresh_token"] ?? 0)).toBe(1);
});

test.each([
  ["with the next ones", 2],
  ["when the host is closed", 1],
])("tokens that cannot be saved are still used, and saved %s", async (_, renewals) => {
  await using first = await hostOf();
  await signIn(first);
  await server.control("expire");
  const { http, files } = nodePorts();
  let isFull = false;
  let answers = 0;
  const request: Http["request"] = async (asked) => {
    const response = await http.request(asked);
    if (asked.url.pathname === "/token") isFull = (answers += 1) === 1;
    return response;
  };
  const create: typeof files.create = async (path, text, mode) => {
    if (isFull) throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
    await files.create(path, text, mode);
  };
  const ports = { http: { request, close: () => http.close() }, files: { ...files, create } };
  await using host = await hostOf({ ports });
  expect((await host.call("notes", "echo", HI)).text).toBe("hi");
  isFull = false;
  if (renewals === 2) {
    await server.control("expire");
    expect((await host.call("notes", "echo", HI)).text).toBe("hi");
  } else await host.close();
  await using later = await hostOf();
  expect((await later.call("notes", "echo", HI)).text).toBe("hi");
  expect(answers).toBe(renewals);
});
