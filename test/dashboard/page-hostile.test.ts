import { expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { type ScriptedTool, serveHttp } from "../../src/testing/index.ts";
import { dashboardIn } from "../support/dashboard-in.ts";
import { connectToGateway } from "../support/gateway-clients.ts";
import type { PageAnswer, PageClient } from "../support/page-client.ts";

const SECRET = "hunter2-hunter2-hunter2";
const HOSTILE = [
  `</script><script>fetch("//evil.example")</script>`,
  `"><img src=x onerror=alert(1)>`,
  "javascript:alert(1)",
  "\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007\u001b[2J",
  "\u202egnp.exe\u2066 hidden\u2069\u200b\u00ad",
  "\u0000\u0001\u007f\u0085\u2028\u2029\ufeff",
  "lone surrogates \ud800 and \udfff",
  "${process.env.HOME} {{constructor.constructor('alert(1)')()}} <!-- --> ]]>",
  "é".repeat(60_000),
  "a\u0301".repeat(20_000),
].join("\n");
const TEXTS = `the key is ${SECRET}.\n${HOSTILE}`;
/** An object with this many levels. */
const nested = (levels: number): JsonObject =>
  JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`) as JsonObject;
const DEEP = nested(3_000);
/** The largest document. */
const LARGEST = 6 * 1024 * 1024;

const tools: Record<string, ScriptedTool> = {
  read: {
    title: HOSTILE,
    description: HOSTILE,
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: "object",
      properties: {
        __proto__x: { type: "string", description: HOSTILE, default: HOSTILE },
        constructor: { type: "string", enum: [HOSTILE] },
        deep: nested(60),
      },
    },
    run: () => TEXTS,
  },
  fail: {
    description: "Fails.",
    run() {
      throw new Error(TEXTS);
    },
  },
};

/** Reads every document, also those about things that do not exist. */
async function readAll(page: PageClient): Promise<PageAnswer[]> {
  const odd = encodeURIComponent(TEXTS.slice(0, 200).replace(/[\ud800-\udfff]/gu, ""));
  const known =
    `session overview servers servers/notes servers/notes/logs tools tools?query=script tools/notes/read clients
    connections approvals approvals/launches/evil activity metrics metrics?window=day setup`.split(/\s+/);
  const named = ["servers", "tools/notes", "tools?query=", "tools?server=", "activity?item="];
  const routes = [...known, ...named.map((route) => `${route}${route.endsWith("=") ? "" : "/"}${odd}`), odd];
  return Promise.all(routes.map((route) => page.get(route)));
}

test("whatever servers, clients and files contain, documents are bounded JSON without secrets", async () => {
  await using server = await serveHttp({ name: TEXTS, version: TEXTS, instructions: TEXTS, tools });
  await using opened = await dashboardIn({}, async (sandbox) => {
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: {
        notes: { type: "http", url: server.url, headers: { "X-Api-Key": SECRET }, description: TEXTS },
        [`odd ${HOSTILE.slice(0, 300)}`]: { command: TEXTS },
        __proto__x: { command: ["not", "text"] },
      },
    });
    const entry = { command: "true", args: ["<b>", "\u202e", `--token=${SECRET}`], env: { A: "\u001b[2J" } };
    await sandbox.writeProject(".mcp.json", { mcpServers: { evil: entry } });
  });
  const { page, gateway } = opened;
  await page.post("servers/notes/reconnect");
  expect((await page.get("tools")).json).toMatchObject({
    tools: [{ tool: "read", description: expect.stringContaining("</script>") }, { tool: "fail" }],
  });
  await using client = await connectToGateway(gateway, "http", "modern");
  await client.client.listTools();
  for (const name of ["notes_read", "notes_fail"])
    await client.client.callTool({ name, arguments: {} }).catch(() => undefined);
  const called = await Promise.all(
    ["read", "fail"].map((tool) => page.post(`tools/notes/${tool}/call`, { arguments: {} })),
  );
  const previewed = await page.post("tools/notes/read/preview", { arguments: { x: TEXTS, y: DEEP } });
  for (const answer of [...(await readAll(page)), ...called, previewed]) {
    const { headers, text, status } = answer;
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect([status, text.slice(0, 300)]).toEqual([
      expect.toSatisfy((code: number) => code < 500),
      expect.anything(),
    ]);
    expect(text.length).toBeLessThan(LARGEST);
    expect(text).not.toContain(SECRET);
    expect(Buffer.from(text).toString("utf8")).toBe(text); // well-formed, with surrogates escaped
    for (const found of textsIn(JSON.parse(text))) expect(found.length).toBeLessThanOrEqual(100_000);
  }
});

test("a result has no images that can contain a program, and at most two megabytes of images", async () => {
  const image = (mimeType: string, data: string) => ({ type: "image" as const, mimeType, data });
  const content = [
    image("image/svg+xml", Buffer.from("<svg onload=alert(1)>").toString("base64")),
    image("text/html", "PGI+"),
    image("image/png", "iVBORw0KGgo="),
    image("image/png", `A"><script>`),
    image("image/jpeg", "A".repeat(3_000_000)),
  ];
  await using server = await serveHttp({
    name: "images",
    version: "1.0.0",
    tools: { draw: { description: "Draws.", run: () => ({ content }) } },
  });
  await using opened = await dashboardIn({ servers: { images: { type: "http", url: server.url } } });
  await opened.page.post("servers/images/reconnect");
  const { json } = await opened.page.post("tools/images/draw/call", { arguments: {} });
  expect(json["images"]).toEqual([{ mimeType: "image/png", data: "iVBORw0KGgo=" }]);
});

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)]);
}
