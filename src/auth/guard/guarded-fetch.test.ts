import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../../test/support/fake-ports.ts";
import type { HttpRequest } from "../../platform/index.ts";
import { createNodeHttp } from "../../platform/node/http.lazy.ts";
import { nodePorts } from "../../platform/node/index.ts";
import { createManualClock } from "../../testing/index.ts";
import { addressClass } from "./address-class.ts";
import { Guard } from "./guarded-fetch.ts";

/** Ways to write a private address. */
const ENCODINGS = [
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "017700000001",
  "0177.0.0.1",
  "0.0.0.0",
  "0",
  "localhost",
  "any.localhost",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "169.254.169.254",
  "[fe80::1]",
  "[fd00:ec2::254]",
  "10.0.0.8",
  "172.16.9.1",
  "192.168.1.1",
  "100.64.0.1",
  "①②⑦.0.0.1",
];

describe("a guard for a public server", () => {
  const asked: HttpRequest[] = [];
  const ports = createFakePorts();
  const http = {
    ...ports.http,
    request: (request: HttpRequest) => {
      asked.push(request);
      return Promise.reject(new Error("reached"));
    },
  };
  const guard = () => new Guard({ http, clock: ports.clock, server: new URL("https://mcp.example.com/mcp") });

  test.each(ENCODINGS)("does not connect to https://%s", async (host) => {
    asked.length = 0;
    await expect(guard().fetch(`https://${host}/token`, { method: "POST" })).rejects.toThrow(
      /is not allowed/,
    );
    expect(asked).toStrictEqual([]);
  });

  test.each([
    "http://as.example.com/",
    "http://127.0.0.1/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/html,x",
    "ms-msdt:/id",
    "https://user:pass@as.example.com/",
    "https://user@as.example.com/",
    "not a url",
    "//as.example.com",
    "",
  ])("does not connect to %s", async (url) => {
    asked.length = 0;
    await expect(guard().fetch(url)).rejects.toThrow(/must use https|contains a user name|is not a URL/);
    expect(asked).toStrictEqual([]);
  });

  test("allows a name that resolves to public addresses only, checked when connecting", async () => {
    asked.length = 0;
    await expect(guard().fetch("https://as.example.com/")).rejects.toThrow("cannot be reached");
    const allow = asked[0]?.allowAddress ?? (() => true);
    expect(["1.1.1.1", "2606:4700::1"].map(allow)).toStrictEqual([true, true]);
    const inside = [
      "127.0.0.1",
      "10.1.2.3",
      "169.254.169.254",
      "::1",
      "fd00::1",
      "::ffff:1.1.1.1",
      "0.0.0.0",
    ];
    expect(inside.map(allow)).toStrictEqual(inside.map(() => false));
  });

  test("allows private addresses once the server itself turns out to be private", async () => {
    asked.length = 0;
    const own = guard();
    await own.fetch("https://mcp.example.com/.well-known/x").catch(() => {});
    expect(asked[0]?.allowAddress?.("10.1.2.3")).toBe(true);
    await own.fetch("https://sso.example.com/").catch(() => {});
    expect(
      ["10.9.9.9", "127.0.0.1", "169.254.169.254"].map((ip) => asked[1]?.allowAddress?.(ip)),
    ).toStrictEqual([true, false, false]);
  });
});

test("plain http reaches only loopback addresses, regardless of what the name resolves to", async () => {
  const asked: HttpRequest[] = [];
  const ports = createFakePorts();
  const http = {
    ...ports.http,
    request: (request: HttpRequest) => {
      asked.push(request);
      return Promise.reject(new Error("reached"));
    },
  };
  const guard = new Guard({ http, clock: ports.clock, server: new URL("http://localhost:8080/mcp") });
  for (const url of ["http://localhost:8080/x", "https://sso.example.com/"])
    await guard.fetch(url).catch(() => {});
  const addresses = ["127.0.0.1", "::1", "1.1.1.1", "10.1.2.3", "169.254.169.254"];
  const [plain, encrypted] = asked.map(({ allowAddress }) =>
    addresses.map((address) => allowAddress?.(address)),
  );
  expect(plain).toStrictEqual([true, true, false, false, false]);
  expect(encrypted).toStrictEqual([true, true, true, false, false]);
});

interface Listening extends AsyncDisposable {
  readonly url: string;
  readonly seen: string[];
}

async function listen(handler: RequestListener): Promise<Listening> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("a guard for a server on this machine", () => {
  const ports = nodePorts();
  const guardFor = (url: string, clock = ports.clock) =>
    new Guard({ http: ports.http, clock, server: new URL(url) });

  test("reaches this machine by plain http and returns a response like fetch", async () => {
    await using server = await listen((_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"a":1}'),
    );
    const response = await guardFor(`${server.url}/mcp`).fetch(`${server.url}/x`);
    expect([response.status, await response.json()]).toStrictEqual([200, { a: 1 }]);
  });

  test("reaches no other private address", async () => {
    const guard = guardFor("http://127.0.0.1:1/mcp");
    for (const url of ["https://10.0.0.1/", "https://169.254.169.254/", "http://192.168.1.1/"])
      await expect(guard.fetch(url)).rejects.toThrow(/is not allowed|must use https/);
  });

  test("follows at most three redirects within an origin", async () => {
    await using server = await listen((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end("there");
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const guard = guardFor(server.url);
    expect(await (await guard.fetch(`${server.url}/3`)).text()).toBe("there");
    await expect(guard.fetch(`${server.url}/4`)).rejects.toThrow("redirects too many times");
  });

  test("follows no redirect to another origin and no redirect of a POST", async () => {
    await using other = await listen((_, response) => response.end("stolen"));
    await using server = await listen((request, response) =>
      response.writeHead(307, { location: request.method === "POST" ? "/same" : `${other.url}/` }).end(),
    );
    const guard = guardFor(server.url);
    await expect(guard.fetch(`${server.url}/`)).rejects.toThrow("redirects to another origin");
    await expect(guard.fetch(`${server.url}/`, { method: "POST", body: "a=b" })).rejects.toThrow(
      "returned a redirect",
    );
    expect([other.seen, server.seen]).toStrictEqual([[], ["GET /", "POST /"]]);
  });

  test("reads at most one megabyte, compressed or not", async () => {
    const large = Buffer.alloc(1024 * 1024 + 1, "x");
    await using server = await listen((request, response) => {
      const packed = request.url === "/packed";
      if (packed) response.setHeader("content-encoding", "gzip");
      response.end(packed ? gzipSync(large) : large);
    });
    const guard = guardFor(server.url);
    for (const path of ["/plain", "/packed"])
      await expect(guard.fetch(`${server.url}${path}`)).rejects.toThrow("larger than 1 MB");
  });

  test("waits at most ten seconds", async () => {
    const clock = createManualClock();
    await using server = await listen(() => clock.advance(10_000));
    await expect(guardFor(server.url, clock).fetch(`${server.url}/`)).rejects.toThrow(
      "did not respond within 10 s",
    );
  });

  test("does not connect to a name that resolves to an address that is not allowed", async () => {
    await using server = await listen((_, response) => response.end("reached"));
    const http = createNodeHttp({}, ((_: string, __: object, done: (...found: unknown[]) => void) =>
      done(null, [{ address: "127.0.0.1", family: 4 }])) as never);
    const url = new URL(server.url.replace("127.0.0.1", "rebound.example"));
    const request = { url, method: "GET", headers: {} } as const;
    await expect(http.request({ ...request, allowAddress: () => false })).rejects.toMatchObject({
      code: "EADDRREFUSED",
    });
    expect(server.seen).toStrictEqual([]);
    const response = await http.request({ ...request, allowAddress: (address) => address === "127.0.0.1" });
    response.cancel();
    expect([response.status, server.seen]).toStrictEqual([200, ["GET /"]]);
    http.close();
  });
});

test("addresses are classified by their network", () => {
  const classes = [
    "8.8.8.8",
    "127.8.8.8",
    "192.168.0.9",
    "224.0.0.1",
    "255.255.255.255",
    "2001:db8::1",
    "name",
  ];
  expect(classes.map(addressClass)).toStrictEqual([
    "public",
    "loopback",
    "private",
    "other",
    "other",
    "other",
    "other",
  ]);
});
