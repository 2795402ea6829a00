import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HttpServer } from "../../src/gateway.ts";
import { dashboardIn, type OpenPage } from "../support/dashboard-in.ts";
import { PageClient, sendTo } from "../support/page-client.ts";

type Headers = Readonly<Record<string, string | undefined>>;

/** Every route of the page API that changes something. */
const WRITES = [
  "servers/mine/reconnect",
  "servers/mine/enable",
  "servers/mine/disable",
  "tools/mine/read/preview",
  "tools/mine/read/call",
  "clients/0/end",
  "connections/sign-in",
  "connections/sign-ins/0/cancel",
  "connections/sign-out",
  "approvals/launches/evil",
  "approvals/launches/evil/revoke",
  "approvals/tools/mine",
  "approvals/calls/mine/read/revoke",
  "session",
  "session/end",
];
const READS = [
  "session",
  "events",
  "overview",
  "servers",
  "servers/mine",
  "servers/mine/logs",
  "tools",
  "clients",
  "connections",
  "approvals",
  "approvals/launches/evil",
  "activity",
  "metrics",
  "setup",
];

let opened: OpenPage;
let page: PageClient;
let port = "";
let shared: HttpServer;

beforeAll(async () => {
  opened = await dashboardIn({}, async (sandbox) => {
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { mine: { command: "true" } } });
    await sandbox.writeProject(".mcp.json", { mcpServers: { evil: { command: "true" } } });
  });
  ({ page } = opened);
  ({ port } = new URL(page.origin));
  shared = await opened.gateway.listen({
    port: 0,
    allowHosts: ["gateway.test"],
    allowOrigins: ["app://page"],
  });
});
afterAll(() => opened[Symbol.asyncDispose]());

/** The state that forged requests must not change. */
const stateOf = async (): Promise<unknown> => {
  const [servers, approvals, session] = await Promise.all(
    ["servers", "approvals", "session"].map(async (route) => {
      const { revision: _, ...state } = (await page.get(route)).json;
      return state;
    }),
  );
  return { servers, approvals, session };
};

describe("a page of another origin", () => {
  const forged = (): [string, Headers][] => [
    ["no origin", { origin: undefined }],
    ["another site", { origin: "https://evil.example" }],
    ["no readable origin", { origin: "null" }],
    ["another port", { origin: "http://127.0.0.1:1" }],
    ["another name of this machine", { origin: `http://localhost:${port}` }],
    ["another scheme", { origin: `https://127.0.0.1:${port}` }],
    ["a longer name", { origin: `http://127.0.0.1:${port}.evil.example` }],
    ["a form", { "x-plugboard": undefined }],
    ["a wrong header", { "x-plugboard": "0" }],
    ["a request across sites", { "sec-fetch-site": "cross-site" }],
    ["a request from another port", { "sec-fetch-site": "same-site" }],
    ["a typed address", { "sec-fetch-site": "none" }],
    ["a frame", { "sec-fetch-dest": "iframe" }],
    ["a worker of another site", { "sec-fetch-site": "cross-site", "sec-fetch-dest": "worker" }],
  ];

  test("changes nothing, whatever it sends to any route", async () => {
    const before = await stateOf();
    const hits: string[] = [];
    for (const route of WRITES)
      for (const [name, headers] of forged()) {
        const { status, json } = await page.post(route, {}, headers);
        const isRefused = status === 403 && JSON.stringify(json).includes("PAGE_FOREIGN");
        if (!isRefused) hits.push(`${route}: ${name}: ${status}`);
      }
    expect(hits).toEqual([]);
    expect(await stateOf()).toEqual(before);
  });

  test("cannot send a form, because its content type is refused", async () => {
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      undefined,
    ];
    const statuses = await Promise.all(
      types.map(
        async (type) => (await page.post("servers/mine/disable", "{}", { "content-type": type })).status,
      ),
    );
    expect(statuses).toEqual([415, 415, 415, 415]);
  });

  test("reads nothing", async () => {
    const hits: string[] = [];
    for (const route of READS)
      for (const headers of [
        { origin: "https://evil.example" },
        { origin: "null" },
        { "sec-fetch-site": "same-site", "sec-fetch-dest": "script" },
        { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" },
        { "sec-fetch-site": "none", "sec-fetch-dest": "document" },
        { cookie: undefined },
        { cookie: "pb=" },
        { cookie: `pb=${"A".repeat(43)}` },
      ]) {
        const { status } = await page.get(route, headers);
        if (status !== 403 && status !== 401) hits.push(`${route} ${JSON.stringify(headers)}: ${status}`);
      }
    expect(hits).toEqual([]);
  });

  test("gets no permission to read from a preflight", async () => {
    const path = `${page.base}api/v1/servers/mine/disable`;
    const headers = {
      ...page.headers(false),
      origin: "https://evil.example",
      "access-control-request-method": "POST",
    };
    const answer = await sendTo(page.origin, { method: "OPTIONS", path, headers });
    expect(answer.status).toBe(403);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

test("requests for any other host name are refused, so DNS rebinding has no effect", async () => {
  const names = [
    undefined,
    "",
    "evil.example",
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `localhost.evil.example:${port}`,
    "127.0.0.1",
    "127.0.0.1:1",
    `localhost.:${port}`,
    `0.0.0.0:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `127.1:${port}`,
    `user@127.0.0.1:${port}`,
    `127.0.0.1:${port}/`,
  ];
  const ticketed = new PageClient(page.origin + page.base);
  const hits: string[] = [];
  for (const host of names)
    for (const [method, path] of [
      ["GET", page.base],
      ["GET", `${page.base}app.js`],
      ["GET", `${page.base}api/v1/servers`],
      ["POST", `${page.base}api/v1/session`],
      ["POST", "/dashboard/tickets"],
    ] as const) {
      const origin = host === undefined ? undefined : `http://${host}`;
      const headers = { ...page.headers(method === "POST"), host, origin, cookie: page.cookie };
      const { status } = await sendTo(ticketed.origin, {
        method,
        path,
        headers,
        ...(method === "POST" && { body: {} }),
      });
      if (status !== 403 && status !== 400) hits.push(`${String(host)} ${method} ${path}: ${status}`);
    }
  expect(hits).toEqual([]);
});

test("hosts and origins that are allowed for clients are not allowed for pages", async () => {
  const headers = { host: "gateway.test", authorization: `Bearer ${shared.token}` };
  for (const path of [page.base, `${page.base}api/v1/servers`, "/dashboard/tickets"])
    expect((await sendTo(shared.url, { path, headers })).status).toBe(403);
  const { host } = new URL(shared.url);
  const other = await sendTo(shared.url, {
    path: `${page.base}api/v1/session`,
    headers: { host, cookie: page.cookie, origin: "app://page" },
  });
  expect(other.status).toBe(403);
});

test("rejects a client's token, a replayed proof and a modified proof for dashboard access", async () => {
  const { host } = new URL(shared.url);
  const ask = (headers: Headers) =>
    sendTo(shared.url, {
      method: "POST",
      path: "/dashboard/tickets",
      headers: { host, ...headers },
      body: {},
    });
  const nonce = "A".repeat(22);
  for (const authorization of [
    undefined,
    `Bearer ${shared.token}`,
    `Proof ${Date.now()}.${nonce}.${"A".repeat(43)}`,
    `Proof 0000000000000.${nonce}.`,
  ])
    expect((await ask({ authorization })).status).toBe(401);
  expect((await ask({ origin: new URL(shared.url).origin })).status).toBe(403);
});

test("every response forbids frames, other origins, inline code and content sniffing", async () => {
  const answers = await Promise.all([
    sendTo(page.origin, { path: page.base, headers: page.headers(false) }),
    sendTo(page.origin, { path: `${page.base}unknown.js`, headers: page.headers(false) }),
    sendTo(page.origin, { path: "/dashboard/", headers: page.headers(false) }),
    page.get("servers"),
    page.get("unknown"),
    page.post("servers", {}),
    page.post("servers/mine/disable", {}, { origin: "null" }),
  ]);
  for (const { headers, status } of answers) {
    const policy = String(headers["content-security-policy"]).split("; ");
    expect([status, policy]).toEqual([
      status,
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
      ]),
    ]);
    expect(policy.join()).not.toMatch(/unsafe|\*|https?:/);
    expect(headers).toMatchObject({
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
    });
  }
  expect(answers.map(({ status }) => status)).toEqual([expect.any(Number), 404, 404, 200, 404, 405, 403]);
});

test("a page in a frame is not sent at all", async () => {
  for (const destination of ["iframe", "frame", "embed", "object", "fencedframe"])
    for (const site of ["same-origin", "same-site", "cross-site", "none"]) {
      const headers = { ...page.headers(false), "sec-fetch-dest": destination, "sec-fetch-site": site };
      expect((await sendTo(page.origin, { path: page.base, headers })).status).toBe(403);
    }
});

test("no path leaves the folder of the page's files", async () => {
  const paths = [
    "../../../package.json",
    "%2e%2e/%2e%2e/package.json",
    "..%2f..%2fpackage.json",
    "..\\..\\package.json",
    "..%5c..%5cpackage.json",
    "/etc/passwd",
    "//etc/passwd",
    "%00",
    "index.html%00.js",
    ".",
    "..",
    "api/v1/../../../../etc/passwd",
    "api/v1/servers/..%2f..%2f",
    "a".repeat(5_000),
  ];
  for (const path of paths) {
    const answer = await sendTo(page.origin, { path: `${page.base}${path}`, headers: page.headers(false) });
    expect([path, answer.status]).toEqual([
      path,
      expect.toSatisfy((status: number) => status === 404 || status === 403),
    ]);
    expect(answer.text).not.toMatch(/root:|"name": "plugboard"/);
  }
});

test("wrong bodies are refused", async () => {
  const deep = "[".repeat(50_000) + "]".repeat(50_000);
  for (const [body, status] of [
    ["", 400],
    ["[]", 400],
    ["null", 400],
    ["{", 400],
    ['{"hash":5}', 400],
    [`{"hash":"${"a".repeat(2_000)}"}`, 400],
    [`{"hash":${deep}}`, 400],
    [`{"hash":"${"a".repeat(2 * 1024 * 1024)}"}`, 413],
  ] as const)
    expect([body.slice(0, 20), (await page.post("approvals/launches/evil", body)).status]).toEqual([
      body.slice(0, 20),
      status,
    ]);
  for (const query of [
    "limit=0",
    "limit=1001",
    "limit=x",
    "since=-1",
    "outcome=good",
    `item=${"a".repeat(2_000)}`,
  ])
    expect((await page.get(`activity?${query}`)).status).toBe(400);
});

test("headers that were sent twice are refused, because programs could read different ones", async () => {
  for (const name of ["origin", "x-plugboard", "content-type", "sec-fetch-site"]) {
    const sent = page.headers(true);
    const headers = { ...sent, [name]: [sent[name] ?? "", "other"] };
    const path = `${page.base}api/v1/servers/mine/disable`;
    const { status } = await sendTo(page.origin, { method: "POST", path, headers, body: {} });
    expect([name, status]).toEqual([name, expect.toSatisfy((code: number) => code === 403 || code === 400)]);
  }
});

test("a read-only page may read everything and change nothing", async () => {
  const auditor = await opened.open({ readOnly: true });
  const before = await stateOf();
  const statuses = new Map<string, number>();
  const isOwn = (route: string): boolean => route.startsWith("session") || route.endsWith("/preview");
  for (const route of WRITES.filter((one) => !isOwn(one)))
    statuses.set(route, (await auditor.post(route)).status);
  expect(new Set(statuses.values())).toEqual(new Set([403]));
  for (const route of READS.filter((one) => one !== "events"))
    expect([route, (await auditor.get(route)).status]).toEqual([route, 200]);
  expect(await stateOf()).toEqual(before);
});

test("no route takes a command or a definition of a server", async () => {
  for (const route of [
    "servers",
    "servers/mine",
    "servers/new",
    "servers/mine/edit",
    "config",
    "setup",
    "policy",
  ])
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const path = `${page.base}api/v1/${route}`;
      const body = { command: "touch", args: ["/tmp/hit"] };
      const { status } = await sendTo(page.origin, { method, path, headers: page.headers(true), body });
      expect([route, method, status]).toEqual([
        route,
        method,
        expect.toSatisfy((code: number) => code === 404 || code === 405),
      ]);
    }
  const { json } = await page.post("servers/mine/enable", { command: "touch", args: ["/tmp/hit"] });
  expect(json).toMatchObject({ ok: true });
  expect((await page.get("servers/mine")).json).toMatchObject({ launch: "true" });
});
