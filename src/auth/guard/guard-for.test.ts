import { describe, expect, test } from "vitest";
import { AS, fakeAuth, MCP, subjectOf } from "../../../test/support/oauth-fakes.ts";
import { probeServer } from "../discovery/probe-server.ts";
import { guardFor } from "./guard-for.ts";

const server = new URL("https://10.0.0.1/mcp");
const inside = "https://10.0.0.9";

describe("the guard for the user's own server", () => {
  function guardOf(known?: readonly (string | undefined)[]) {
    const shown: string[] = [];
    const { deps, received } = fakeAuth(() => ({}), {
      onInsideAddress: (name, origin) => void shown.push(`${name} ${origin}`),
    });
    const guard = (name = "notes") =>
      guardFor(deps, subjectOf({ name, url: server }), { server, ...(known && { known }) });
    return { guard, shown, received };
  }

  test("reports each private address once per server", async () => {
    const { guard, shown, received } = guardOf();
    for (const name of ["notes", "notes", "other"]) await guard(name).fetch(`${inside}/x`);
    await guard().fetch("https://10.0.0.8/x");
    expect(shown).toEqual([`notes ${inside}`, `other ${inside}`, "notes https://10.0.0.8"]);
    expect(received).toHaveLength(4);
  });

  test("does not report addresses that issued the tokens", async () => {
    const { guard, shown } = guardOf([undefined, "not a url", `${inside}/token`]);
    await guard().fetch(`${inside}/x`);
    await guard().fetch("https://10.0.0.8/x");
    expect(shown).toEqual(["notes https://10.0.0.8"]);
  });

  test("works without a listener for addresses", async () => {
    const { deps } = fakeAuth(() => ({}));
    const guard = guardFor(deps, subjectOf({ url: server }), { server });
    expect((await guard.fetch(`${inside}/x`)).status).toBe(200);
  });

  test("uses the server's address class from an earlier sign-in", () => {
    const { deps } = fakeAuth();
    const question = { server: new URL(`${MCP}/mcp`) };
    expect(guardFor(deps, subjectOf(), { ...question, reach: "private" }).reach).toBe("private");
    expect(guardFor(deps, subjectOf(), question).reach).toBeUndefined();
  });
});

describe("the guard for a project's server", () => {
  const project = { launch: "hash", approvedAt: 0, origins: [inside] };
  const entry = { file: "/repo/.mcp.json", project };
  const refused = (guard: ReturnType<typeof guardFor>, url: string): Promise<string> =>
    guard.fetch(url).then(
      () => "allowed",
      (error: unknown) => (error as Error).message,
    );

  test("reaches its own address, those in the approved entry and those that issued the tokens", async () => {
    const { deps } = fakeAuth(() => ({}));
    const known = ["https://10.0.0.7/token"];
    const guard = guardFor(deps, subjectOf({ url: server, entry }), { server, known });
    for (const origin of ["https://10.0.0.1", inside, "https://10.0.0.7"])
      expect(await refused(guard, `${origin}/x`)).toBe("allowed");
    expect(await refused(guard, "https://10.0.0.8/x")).toBe(
      'the URL is at https://10.0.0.8, which is not in the approved entry; if you trust this address, add it to "oauth" in the entry (authServerMetadataUrl, or authorizationUrl and tokenUrl) and approve the change',
    );
  });

  test("has no address of its own if it is a program", async () => {
    const { deps } = fakeAuth(() => ({}));
    const guard = guardFor(deps, { ...subjectOf({ entry }), url: undefined }, { server });
    expect(await refused(guard, "https://10.0.0.1/x")).toContain("is not in the approved entry");
    expect(await refused(guard, `${inside}/x`)).toBe("allowed");
  });
});

describe("a server that is probed", () => {
  const url = new URL(`${MCP}/mcp`);
  const header = { "www-authenticate": `Bearer resource_metadata="${AS}/x"` };

  test("is sent a ping", async () => {
    const { deps, received } = fakeAuth(() => ({ status: 401, headers: header }));
    expect(await probeServer(deps.ports, url)).toEqual({ resourceMetadata: `${AS}/x`, dpop: false });
    expect(received).toMatchObject([
      {
        url: url.href,
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: { jsonrpc: "2.0", id: 1, method: "ping" },
      },
    ]);
  });

  test.each([200, 403, 500])("has no challenge if it returns %s", async (status) => {
    const { deps } = fakeAuth(() => ({ status, headers: header }));
    expect(await probeServer(deps.ports, url)).toBeUndefined();
  });

  test("has no challenge if it cannot be reached", async () => {
    const { deps } = fakeAuth(() => new Error("reset"));
    expect(await probeServer(deps.ports, url)).toBeUndefined();
  });

  test("is abandoned if it does not respond", async () => {
    const { deps } = fakeAuth();
    const request: typeof deps.ports.http.request = ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("aborted")));
      });
    const ports = { ...deps.ports, http: { ...deps.ports.http, request } };
    expect(await probeServer(ports, url)).toBeUndefined();
  });

  test("is not read further and leaves no timer", async () => {
    const { deps } = fakeAuth(() => ({}));
    const { clock, http } = deps.ports;
    const events: string[] = [];
    const ports = {
      ...deps.ports,
      clock: {
        ...clock,
        after(ms: number, callback: () => void) {
          const stop = clock.after(ms, callback);
          return () => {
            events.push("timer stopped");
            stop();
          };
        },
      },
      http: {
        ...http,
        request: async (...wanted: Parameters<typeof http.request>) => ({
          ...(await http.request(...wanted)),
          cancel: () => void events.push("cancelled"),
        }),
      },
    };
    await probeServer(ports, url);
    expect(events).toEqual(["cancelled", "timer stopped"]);
  });
});
