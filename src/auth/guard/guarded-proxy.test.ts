import { beforeEach, describe, expect, test } from "vitest";
import { type RunningProxy, startProxy } from "../../../test/support/start-proxy.ts";
import { createNodeHttp } from "../../platform/node/http.lazy.ts";
import { nodePorts } from "../../platform/node/index.ts";
import { Guard } from "./guarded-fetch.ts";

/** The addresses that names resolve to on this machine. The proxy may resolve them differently. */
const NAMES: Readonly<Record<string, string>> = {
  "as.example.com": "93.184.215.14",
  "wiki.corp.example": "10.0.0.5",
  "metadata.example.com": "169.254.169.254",
  "here.example.com": "127.0.0.1",
  "new.example.com": "fd00::1",
};

function lookUp(name: string, _: object, done: (error: Error | null, found: object[]) => void): void {
  const address = NAMES[name];
  if (address === undefined) done(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }), []);
  else done(null, [{ address, family: address.includes(":") ? 6 : 4 }]);
}

describe("a proxy in the environment", () => {
  let proxy: RunningProxy;
  let guard: Guard;
  beforeEach(async () => {
    proxy = await startProxy({ refuse: 403 });
    const http = createNodeHttp({ https_proxy: `http://127.0.0.1:${proxy.port}` }, lookUp as never);
    guard = new Guard({ http, clock: nodePorts().clock, server: new URL("https://mcp.unknown.example/mcp") });
    return async () => {
      http.close();
      await proxy[Symbol.asyncDispose]();
    };
  });

  test("is used for public addresses and for the user's own server", async () => {
    await expect(guard.fetch("https://as.example.com/token")).rejects.toThrow("cannot be reached");
    await expect(guard.fetch("https://mcp.unknown.example/x")).rejects.toThrow("cannot be reached");
    expect(proxy.asked).toEqual(["CONNECT as.example.com:443", "CONNECT mcp.unknown.example:443"]);
  });

  test.each([
    ["wiki.corp.example", "resolves to 10.0.0.5, which is not allowed"],
    ["metadata.example.com", "resolves to 169.254.169.254, which is not allowed"],
    ["here.example.com", "resolves to 127.0.0.1, which is not allowed"],
    ["new.example.com", "resolves to fd00::1, which is not allowed"],
    ["wiki.internal", "can be resolved only by the proxy, which is not allowed"],
    ["10.0.0.5", "is at an address that is not allowed"],
    ["[fd00::1]", "is at an address that is not allowed"],
  ])("is not used for a private address that a server names: %s", async (host, words) => {
    for (const method of ["GET", "POST"])
      await expect(guard.fetch(`https://${host}/`, { method })).rejects.toThrow(words);
    expect(proxy.asked).toEqual([]);
  });

  test("is not used after the request was cancelled", async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(guard.fetch("https://as.example.com/", { signal: stop.signal })).rejects.toThrow();
    expect(proxy.asked).toEqual([]);
  });
});
