import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../../test/support/fake-ports.ts";
import { AS, fakeNetwork, MCP, type Received, type Reply } from "../../../test/support/oauth-fakes.ts";
import type { Clock, HttpResponse } from "../../platform/index.ts";
import { UnreachableError } from "../refusal.ts";
import { type FetchInit, Guard, type GuardOptions } from "./guarded-fetch.ts";

function guardOf(
  answer: (received: Received) => Reply | Error | undefined = () => ({}),
  more: Partial<GuardOptions> = {},
) {
  const { http, received } = fakeNetwork(answer);
  const server = new URL(`${MCP}/mcp`);
  return { guard: new Guard({ http, clock: createFakePorts().clock, server, ...more }), received };
}

/** A guard whose network returns exactly this response. */
function guardAnswering(response: Partial<HttpResponse>): Guard {
  const plain: HttpResponse = {
    status: 200,
    headers: new Map(),
    read: (_, onEnd) => onEnd(),
    cancel: () => {},
    ...response,
  };
  const http = { request: async () => plain, close: () => {} };
  return guardOf(undefined, { http }).guard;
}

const failure = (result: Promise<unknown>): Promise<unknown> => result.catch((error: unknown) => error);
const refused = (message: string): object => ({ name: "Refusal", message });

describe("a request through the guard", () => {
  test.each<[string, FetchInit | undefined, object]>([
    ["is a GET for JSON", undefined, { method: "GET", headers: { accept: "application/json" }, body: {} }],
    [
      "can be a POST with a body",
      { method: "POST", body: new URLSearchParams({ a: "b" }) },
      { method: "POST", body: { a: "b" } },
    ],
    ["is a GET with any other method", { method: "DELETE" }, { method: "GET" }],
    ["can have its own headers", { headers: { accept: "x", y: "z" } }, { headers: { accept: "x", y: "z" } }],
  ])("%s", async (_, init, expected) => {
    const { guard, received } = guardOf();
    await guard.fetch(`${AS}/x`, init);
    expect(received).toMatchObject([{ url: `${AS}/x`, ...expected }]);
  });

  test.each([undefined, null])("has no body if that is %s", async (body) => {
    const { guard, received } = guardOf();
    await guard.fetch(`${AS}/x`, { body });
    expect(received[0]?.request).not.toHaveProperty("body");
  });

  test("ends when its caller cancels it", async () => {
    const controller = new AbortController();
    const { guard, received } = guardOf(() => {
      controller.abort();
      return {};
    });
    await guard.fetch(`${AS}/x`, { signal: controller.signal });
    expect(received[0]?.request.signal?.aborted).toBe(true);
  });

  test("leaves no timer, whether it succeeds or fails", async () => {
    const running = new Set<number>();
    const clock: Clock = {
      now: () => 0,
      after(ms) {
        running.add(ms);
        return () => running.delete(ms);
      },
    };
    await guardOf(() => ({}), { clock }).guard.fetch(`${AS}/x`);
    await failure(guardOf(() => new Error("reset"), { clock }).guard.fetch(`${AS}/x`));
    expect([...running]).toStrictEqual([]);
  });

  test("times out after ten seconds", async () => {
    const waits: number[] = [];
    const clock: Clock = {
      now: () => 0,
      after(ms, callback) {
        waits.push(ms);
        queueMicrotask(callback);
        return () => {};
      },
    };
    const http = {
      request: () => new Promise<never>((_, reject) => setImmediate(() => reject(new Error("late")))),
      close: () => {},
    };
    const error = await failure(guardOf(undefined, { clock, http }).guard.fetch(`${AS}/x`));
    expect(error).toBeInstanceOf(UnreachableError);
    expect([waits, error]).toMatchObject([
      [10_000],
      { message: "as.example.com did not respond within 10 s" },
    ]);
  });

  test("reports that the network fails", async () => {
    const cause = new Error("reset");
    const error = await failure(guardOf(() => cause).guard.fetch(`${AS}/x`));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ message: "as.example.com cannot be reached", cause });
  });

  test("reports that an address is not allowed", async () => {
    const cause = Object.assign(new Error("as.example.com leads inside"), { code: "EADDRREFUSED" });
    const error = await failure(guardOf(() => cause).guard.fetch(`${AS}/x`));
    expect(error).not.toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ ...refused("as.example.com leads inside"), cause });
  });

  test.each([
    ["not a url", "the URL is not a URL"],
    ["https://user@as.example.com/", "the URL contains a user name or password"],
    ["https://:pass@as.example.com/", "the URL contains a user name or password"],
    ["http://as.example.com:81/x", "the URL must use https: http://as.example.com:81"],
    ["http://127.0.0.1:81/x", "the URL must use https: http://127.0.0.1:81"],
    ["https://127.0.0.1:81/x", "the URL is at an address that is not allowed: 127.0.0.1:81"],
    ["https://169.254.169.254/", "the URL is at an address that is not allowed: 169.254.169.254"],
  ])("is not sent to %s", async (url, message) => {
    const { guard, received } = guardOf();
    expect(await failure(guard.fetch(url))).toMatchObject(refused(message));
    expect(received).toStrictEqual([]);
  });

  test.each([
    ["http://localhost:81/", "loopback", true],
    ["http://127.0.0.1:81/", "private", false],
    ["http://10.0.0.1/", "private", false],
    ["ftp://127.0.0.1/", "loopback", false],
    ["http://as.example.com/", "loopback", false],
    ["https://1.1.1.1/", undefined, true],
    ["https://10.0.0.1/", "private", true],
    ["https://10.0.0.1/", "loopback", false],
    ["https://169.254.169.254/", "other", false],
  ] as const)("to %s for a server at a %s address: allowed %s", (url, reach, isAllowed) => {
    const { guard } = guardOf(undefined, { reach });
    if (isAllowed) expect(guard.check(new URL(url), "it").href).toBe(url);
    else expect(() => guard.check(url, "it")).toThrow(/^it (?:must use https|is at an address)/);
  });

  test("to another host does not set the server's address class", async () => {
    const { guard, received } = guardOf();
    await guard.fetch(`${AS}/x`);
    expect(received[0]?.request.allowAddress?.("10.0.0.1")).toBe(false);
    expect(guard.reach).toBeUndefined();
    await guard.fetch(`${MCP}/x`);
    expect(received[1]?.request.allowAddress?.("169.254.169.254")).toBe(false);
    expect(guard.reach).toBeUndefined();
    expect(received[1]?.request.allowAddress?.("1.1.1.1")).toBe(true);
    expect(guard.reach).toBe("public");
    expect(received[1]?.request.allowAddress?.("10.0.0.1")).toBe(false);
  });

  test("through a proxy reaches only the server's own host", async () => {
    const { guard, received } = guardOf();
    await guard.fetch(`${AS}/x`);
    await guard.fetch(`${MCP}/x`);
    expect(received.map(({ request }) => request.allowAddress?.(undefined))).toStrictEqual([false, true]);
  });
});

describe("a private address", () => {
  test.each([
    ["of another origin is shown", "https://10.0.0.9/x", ["https://10.0.0.9"]],
    ["of the server itself is not shown", "https://10.0.0.1/x", []],
    ["is not a public one", "https://1.1.1.1/x", []],
    ["is not a name", `${AS}/x`, []],
  ])("%s", (_, url, expected) => {
    const shown: string[] = [];
    const inside = { show: (origin: string) => void shown.push(origin) };
    guardOf(undefined, { server: new URL("https://10.0.0.1/mcp"), inside }).guard.show(new URL(url));
    expect(shown).toStrictEqual(expected);
  });

  test("on this machine is reported too, with or without a listener", () => {
    const shown: string[] = [];
    const inside = { show: (origin: string) => void shown.push(origin) };
    guardOf(undefined, { inside }).guard.show(new URL("http://localhost:81/x"));
    for (const rule of [undefined, {}])
      guardOf(undefined, { inside: rule }).guard.show(new URL("http://127.0.0.1/"));
    expect(shown).toStrictEqual(["http://localhost:81"]);
  });
});

describe("a redirect", () => {
  const to = (location?: string, status = 302): Reply => ({
    status,
    ...(location !== undefined && { headers: { location } }),
  });

  test.each([300, 301, 307, 399])("with status %s is followed within the origin", async (status) => {
    const { guard, received } = guardOf(({ url }) =>
      url === `${AS}/a/x` ? to("y", status) : { json: { a: 1 } },
    );
    expect(await (await guard.fetch(`${AS}/a/x`)).json()).toStrictEqual({ a: 1 });
    expect(received.map(({ url }) => url)).toStrictEqual([`${AS}/a/x`, `${AS}/a/y`]);
  });

  test.each<[string, string | undefined, string]>([
    ["without a place", undefined, "as.example.com returned a redirect (HTTP 302)"],
    ["to no place", "https://", "as.example.com returned a redirect (HTTP 302)"],
    ["to another host", "https://other.example/", "as.example.com redirects to another origin"],
    ["to another port", "https://as.example.com:81/", "as.example.com redirects to another origin"],
    [
      "to a private address",
      "https://10.0.0.1/",
      "a redirect is at an address that is not allowed: 10.0.0.1",
    ],
    ["to itself", `${AS}/x`, "as.example.com redirects too many times"],
  ])("%s is not followed", async (_, location, message) => {
    const { guard } = guardOf(() => to(location));
    expect(await failure(guard.fetch(`${AS}/x`))).toMatchObject(refused(message));
  });

  test("of a POST is not followed", async () => {
    const { guard, received } = guardOf(() => to("/y", 307));
    expect(await failure(guard.fetch(`${AS}/x`, { method: "POST" }))).toMatchObject(
      refused("as.example.com returned a redirect (HTTP 307)"),
    );
    expect(received).toHaveLength(1);
  });

  test("has its body cancelled without reading it", async () => {
    let cancelled = 0;
    const guard = guardAnswering({ status: 302, cancel: () => void (cancelled += 1) });
    await failure(guard.fetch(`${AS}/x`));
    expect(cancelled).toBe(1);
  });
});

describe("the response to a request", () => {
  test("keeps only the headers that are needed", async () => {
    const headers = { "content-type": "text/x", "dpop-nonce": "n", "www-authenticate": "Bearer", "x-y": "z" };
    const response = await guardOf(() => ({ status: 400, headers })).guard.fetch(`${AS}/x`);
    expect([response.status, Object.fromEntries(response.headers)]).toStrictEqual([
      400,
      { "content-type": "text/x", "dpop-nonce": "n" },
    ]);
  });

  test("has no headers if there are none", async () => {
    const response = await guardAnswering({}).fetch(`${AS}/x`);
    expect(Object.fromEntries(response.headers)).toStrictEqual({});
  });

  test("has no invalid headers", async () => {
    const headers = { "content-type": "a\tb ~", "dpop-nonce": "é" };
    const response = await guardOf(() => ({ headers })).guard.fetch(`${AS}/x`);
    expect(Object.fromEntries(response.headers)).toStrictEqual({ "content-type": "a\tb ~" });
  });

  test.each([200, 299, 400, 599])("may have status %s", async (status) => {
    const response = await guardOf(() => ({ status, json: { a: 1 } })).guard.fetch(`${AS}/x`);
    expect([response.status, await response.json()]).toStrictEqual([status, { a: 1 }]);
  });

  test.each([204, 205])("has no body with status %s", async (status) => {
    const response = await guardOf(() => ({ status })).guard.fetch(`${AS}/x`);
    expect([response.status, response.body]).toStrictEqual([status, null]);
  });

  test.each([100, 199, 600, 999])("may not have status %s", async (status) => {
    expect(await failure(guardOf(() => ({ status })).guard.fetch(`${AS}/x`))).toMatchObject(
      refused(`as.example.com returned an invalid status (HTTP ${status})`),
    );
  });

  test("may have at most one megabyte", async () => {
    const answering = (size: number) =>
      guardAnswering({
        read(onData, onEnd) {
          void onData(new Uint8Array(size));
          onEnd();
        },
      });
    const large = await answering(1024 * 1024).fetch(`${AS}/x`);
    expect((await large.arrayBuffer()).byteLength).toBe(1024 * 1024);
    expect(await failure(answering(1024 * 1024 + 1).fetch(`${AS}/x`))).toMatchObject(
      refused("the response from as.example.com is larger than 1 MB"),
    );
  });

  test("that is incomplete is not used", async () => {
    const cause = new Error("reset");
    const error = await failure(guardAnswering({ read: (_, onEnd) => onEnd(cause) }).fetch(`${AS}/x`));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ message: "as.example.com closed the connection", cause });
  });
});
