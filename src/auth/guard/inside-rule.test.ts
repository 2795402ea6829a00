import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../../test/support/fake-ports.ts";
import type { HttpRequest } from "../../platform/index.ts";
import { Guard, type InsideRule } from "./guarded-fetch.ts";

/** A guard on a network that only records requests. */
function guardOf(server: string, inside: InsideRule) {
  const asked: HttpRequest[] = [];
  const ports = createFakePorts();
  const request = (wanted: HttpRequest): Promise<never> => {
    asked.push(wanted);
    return Promise.reject(new Error("reached"));
  };
  const http = { ...ports.http, request };
  const guard = new Guard({ http, clock: ports.clock, server: new URL(server), inside });
  /** Returns whether a connection to this URL is allowed if its name resolves to that address. */
  const allows = async (url: string, address: string | undefined): Promise<boolean> => {
    await guard.fetch(url).catch(() => {});
    return asked.at(-1)?.allowAddress?.(address) === true;
  };
  return { guard, asked, allows };
}

describe("a project's server in a private network", () => {
  test("reaches only itself, public addresses and the addresses in its entry", async () => {
    const { allows } = guardOf("https://mcp.corp.example/mcp", { only: ["https://sso.corp.example"] });
    expect(await allows("https://mcp.corp.example/.well-known/x", "10.1.2.3")).toBe(true);
    expect(await allows("https://sso.corp.example/", "10.9.9.9")).toBe(true);
    expect(await allows("https://as.example.com/", "1.1.1.1")).toBe(true);
    expect(await allows("https://printer.corp.example/", "10.9.9.9")).toBe(false);
    expect(await allows("https://mcp.corp.example:8443/", "10.1.2.3")).toBe(false);
    expect(await allows("https://sso.corp.example:8443/", "10.9.9.9")).toBe(false);
    expect(await allows("https://sso.corp.example/", "127.0.0.1")).toBe(false);
  });

  test("reaches no other port of its own host through a proxy", async () => {
    const { allows } = guardOf("https://mcp.corp.example/mcp", { only: [] });
    expect(await allows("https://mcp.corp.example/x", undefined)).toBe(true);
    expect(await allows("https://mcp.corp.example:8443/x", undefined)).toBe(false);
  });

  test.each(["10.0.0.9", "[fd00::9]", "192.168.7.7"])("does not reach another address: %s", async (host) => {
    const { guard, asked } = guardOf("https://10.0.0.1/mcp", { only: [] });
    await expect(guard.fetch(`https://${host}/token`, { method: "POST" })).rejects.toThrow(
      "which is not in the approved entry",
    );
    expect(asked).toEqual([]);
  });

  test("with a public name that resolves to this machine reaches nothing else on it", async () => {
    const { guard, allows } = guardOf("https://evil.example/mcp", { only: [] });
    expect(await allows("https://evil.example/.well-known/x", "127.0.0.1")).toBe(true);
    expect(await allows("https://evil.example:6379/", "127.0.0.1")).toBe(false);
    expect(await allows("https://localhost./", "127.0.0.1")).toBe(false);
    for (const url of ["http://127.0.0.1:6379/", "http://localhost:6379/", "https://[::1]:6379/"])
      await expect(guard.fetch(url)).rejects.toThrow("which is not in the approved entry");
  });
});

describe("the user's own server", () => {
  test("reports every other private address before connecting to it, by address or by name", async () => {
    const shown: string[] = [];
    const { guard, asked, allows } = guardOf("https://mcp.corp.example/mcp", {
      show: (origin) => shown.push(`${origin} after ${asked.length}`),
    });
    expect(await allows("https://mcp.corp.example/.well-known/x", "10.1.2.3")).toBe(true);
    expect(await allows("https://sso.corp.example/", "10.9.9.9")).toBe(true);
    await guard.fetch("https://10.0.0.5:8443/").catch(() => {});
    expect(await allows("https://as.example.com/", "1.1.1.1")).toBe(true);
    expect(shown).toEqual(["https://sso.corp.example after 2", "https://10.0.0.5:8443 after 2"]);
  });
});
