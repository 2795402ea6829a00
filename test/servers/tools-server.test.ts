import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { expect, test, vi } from "vitest";
import { connectSdkClient } from "../support/sdk-client.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";

const MODES = ["auto", "legacy"] as const;

test.each(MODES)("a cancelled call is recorded over stdio, in mode %s", async (mode) => {
  const file = join(tmpdir(), `stdio-${mode}`);
  const entry = stdioServer("tools-server.mjs", [], { CANCEL_FILE: file });
  await using connected = await connectSdkClient(entry, mode);
  await cancelCall(connected.client);
  await expectCancelled(file);
});

test.each([
  ["2026-07-28 server", "auto", []],
  ["legacy server", "auto", ["--legacy-only"]],
] as const)("a cancelled call is noted over HTTP by a %s", async (era, mode, flags) => {
  const file = join(tmpdir(), `http-${era}`);
  await using server = await startHttpServer(flags, { CANCEL_FILE: file });
  await using connected = await connectSdkClient(server, mode);
  await cancelCall(connected.client);
  await expectCancelled(file);
});

test.each(MODES)("progress is reported in mode %s", async (mode) => {
  await using connected = await connectSdkClient(stdioServer("tools-server.mjs"), mode);
  const messages: unknown[] = [];
  const { content } = await connected.client.callTool(
    { name: "progress", arguments: { steps: 2 } },
    { onprogress: ({ message }) => void messages.push(message) },
  );
  expect(messages).toEqual(["step 1 of 2", "step 2 of 2"]);
  expect(content).toEqual([{ type: "text", text: "2 steps done" }]);
});

test.each(MODES)("results of every kind arrive in mode %s", async (mode) => {
  const entry = stdioServer("tools-server.mjs", [], { GIVEN: "yes" });
  await using connected = await connectSdkClient(entry, mode);
  const { client } = connected;
  await client.listTools(); // from here on the client checks structured results
  const call = (name: string, args: Record<string, unknown> = {}): Promise<unknown> =>
    client.callTool({ name, arguments: args });
  const typed = {
    count: 3,
    ratio: 0.5,
    flag: true,
    tags: ["a"],
    nested: { level: 1 },
    mode: "fast",
    other: null,
  };
  const resource = (fields: Record<string, unknown>): unknown => ({
    type: "resource",
    resource: expect.objectContaining(fields),
  });

  expect(await call("typed", typed)).toMatchObject({ content: [{ text: JSON.stringify(typed) }] });
  expect(await call("add", { a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } });
  expect(await call("fail")).toMatchObject({
    isError: true,
    content: [{ type: "text", text: "it went wrong" }],
  });
  expect(await call("image")).toMatchObject({ content: [{ type: "image", mimeType: "image/png" }] });
  expect(await call("audio")).toMatchObject({ content: [{ type: "audio", mimeType: "audio/wav" }] });
  expect(await call("resource_content")).toMatchObject({
    content: [
      resource({ text: "embedded text" }),
      resource({ mimeType: "image/png" }),
      { type: "resource_link" },
    ],
  });
  expect(await call("env", { name: "GIVEN" })).toMatchObject({ content: [{ text: "yes" }] });
  expect(await call("env", { name: "NOT_GIVEN" })).toMatchObject({ content: [{ text: "(unset)" }] });
  expect(await call("cwd")).toMatchObject({ content: [{ text: process.cwd() }] });
  expect((await client.readResource({ uri: "note://welcome" })).contents).toMatchObject([
    { text: "Welcome." },
  ]);
  expect(await client.getPrompt({ name: "greet", arguments: { name: "Ada" } })).toMatchObject({
    messages: [{ content: { text: "Say hello to Ada." } }],
  });
});

test("an HTTP server that requires a header refuses requests without it", async () => {
  await using server = await startHttpServer(["--require-header", "X-Key=secret"]);
  const refused = await fetch(server.url);
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  const admitted = await fetch(server.url, { headers: { "x-key": "secret" } });
  expect(admitted.status).toBe(405);
});

test("an HTTP server answers every request with a given status", async () => {
  await using server = await startHttpServer(["--status", "503"]);
  expect((await fetch(server.url, { method: "POST", body: "{}" })).status).toBe(503);
});

async function cancelCall(client: Client): Promise<void> {
  const abort = new AbortController();
  const call = client.callTool(
    { name: "slow", arguments: { ms: 60_000 } },
    { signal: abort.signal, onprogress: () => abort.abort() },
  );
  await expect(call).rejects.toThrow();
}

async function expectCancelled(file: string): Promise<void> {
  await vi.waitFor(() => expect(readFileSync(file, "utf8")).toBe("cancelled"), {
    timeout: 10_000,
    interval: 20,
  });
}
