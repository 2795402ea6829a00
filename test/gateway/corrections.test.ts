import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { Gateway } from "../../src/gateway.ts";
import type { JsonObject } from "../../src/model/index.ts";
import { eventually } from "../flow/host-in.ts";
import { gatewayIn } from "../support/gateway-clients.ts";
import { openRawClient } from "../support/raw-gateway-client.ts";
import { type Asked, outcomeOf, sendJson, serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const DOWNSTREAMS = ["stdio", "http"] as const;
const CLIENTS = DOWNSTREAMS.flatMap((downstream) =>
  (["legacy", "modern"] as const).map((era) => ({ downstream, era })),
);

/** A legacy server over HTTP whose answers to some methods are scripted. */
function serveScripted(
  answers: Record<string, (asked: Asked, response: ServerResponse) => JsonObject | undefined>,
  capabilities: JsonObject = { tools: {} },
) {
  return serveRaw({
    answer(asked, response) {
      const { message } = asked;
      const method = String(message?.["method"]);
      if (message?.["id"] === undefined || message["method"] === undefined) return false;
      if (method === "initialize") {
        const { result } = outcomeOf(message) as { result: JsonObject };
        return sendJson(response, { jsonrpc: "2.0", id: message["id"], result: { ...result, capabilities } });
      }
      const outcome = answers[method];
      if (outcome === undefined) return false;
      const given = outcome(asked, response);
      return given === undefined || sendJson(response, { jsonrpc: "2.0", id: message["id"], ...given });
    },
  });
}

const gatewayOf = (sandbox: Awaited<ReturnType<typeof createSandbox>>, url: string): Promise<Gateway> =>
  gatewayIn(sandbox, { servers: { raw: { type: "http", url, protocol: "legacy" } } });

const PAGES = [
  { mode: "url", message: "Sign in", url: "https://example.com/a", elicitationId: "a" },
  { mode: "url", message: "Pay", url: "https://example.com/b", elicitationId: "b" },
];
const REQUIRED = { code: -32042, message: "Visit these pages", data: { elicitations: PAGES } };

describe.each(DOWNSTREAMS)("over %s", (downstream) => {
  test("1.2 pages that a legacy server requires become requests for input, and the retry calls it again", async () => {
    await using sandbox = await createSandbox();
    let calls = 0;
    await using server = await serveScripted({
      "tools/call"() {
        calls += 1;
        return calls === 1 ? { error: REQUIRED } : { result: { content: [{ type: "text", text: "done" }] } };
      },
    });
    await using gateway = await gatewayOf(sandbox, server.url);
    const capabilities = { elicitation: { url: {} } };
    await using client = await openRawClient(gateway, downstream, "modern", { capabilities });
    const call = { name: "raw_echo", arguments: {} };
    const { result: asked = {} } = await client.request("tools/call", call);
    expect(Object.values(asked["inputRequests"] as JsonObject)).toMatchObject(
      PAGES.map(({ message, url }) => ({
        method: "elicitation/create",
        params: { mode: "url", message: `raw: ${message}`, url },
      })),
    );
    const accepted = Object.keys(asked["inputRequests"] as JsonObject).map(
      (key) => [key, { action: "accept" }] as const,
    );
    const { requestState } = asked;
    const inputResponses = Object.fromEntries(accepted);
    const done = await client.request("tools/call", {
      ...call,
      inputResponses,
      ...(requestState !== undefined && { requestState }),
    });
    expect(done.result).toMatchObject({ resultType: "complete", content: [{ text: "done" }] });
    expect(calls).toBe(2);
  });

  test("1.2 without url elicitation, modern clients get -32021, and legacy ones the server's error", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveScripted({ "tools/call": () => ({ error: REQUIRED }) });
    await using gateway = await gatewayOf(sandbox, server.url);
    const call = async (era: "legacy" | "modern", version?: string) => {
      await using client = await openRawClient(gateway, downstream, era, { ...(version && { version }) });
      return (await client.request("tools/call", { name: "raw_echo", arguments: {} })).error;
    };
    expect(await call("modern")).toMatchObject({ code: -32021 });
    expect(await call("legacy")).toMatchObject({ code: -32042, data: { elicitations: PAGES } });
    expect(await call("legacy", "2025-06-18")).toMatchObject({
      code: -32603,
      data: { upstreamCode: -32042 },
    });
  });
});

describe.each(CLIENTS)("$era client over $downstream", ({ downstream, era }) => {
  test("1.4 a request of a server during a completion is refused, and the client is not asked", async () => {
    await using sandbox = await createSandbox();
    const answers: JsonObject[] = [];
    let finish = (): void => {};
    const questions = ["elicitation/create", "sampling/createMessage", "roots/list"];
    await using server = await serveScripted(
      {
        "prompts/list": () => ({ result: { prompts: [{ name: "p" }] } }),
        "completion/complete"({ message }, response) {
          response.writeHead(200, { "content-type": "text/event-stream" });
          for (const method of questions)
            response.write(
              `data: ${JSON.stringify({ jsonrpc: "2.0", id: method, method, params: { message: "?" } })}\n\n`,
            );
          finish = () => {
            const result = { completion: { values: ["x"] } };
            response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: message?.["id"], result })}\n\n`);
          };
          return undefined;
        },
      },
      { prompts: {}, completions: {} },
    );
    await using gateway = await gatewayOf(sandbox, server.url);
    const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };
    await using client = await openRawClient(gateway, downstream, era, { capabilities });
    await client.request("prompts/list");
    const completed = client.request("completion/complete", {
      ref: { type: "ref/prompt", name: "raw_p" },
      argument: { name: "a", value: "" },
    });
    await eventually(() => {
      answers.length = 0;
      for (const { message } of server.asked)
        if (message !== undefined && message["method"] === undefined) answers.push(message);
      expect(answers).toHaveLength(3);
    });
    finish();
    expect((await completed).result).toMatchObject({ completion: { values: ["x"] } });
    const answerTo = (id: string): unknown => answers.find((answer) => answer["id"] === id);
    expect(answerTo("elicitation/create")).toMatchObject({ result: { action: "cancel" } });
    expect(answerTo("sampling/createMessage")).toMatchObject({ error: { code: -32603 } });
    expect(answerTo("roots/list")).toMatchObject({ result: { roots: [] } });
    expect(client.asked).toEqual([]);
  });

  test("1.5 reserved codes of a server do not reach modern clients", async () => {
    await using sandbox = await createSandbox();
    const codes = [-32020, -32022, -32050, -32099, -32002, -32000, 7];
    let next = 0;
    await using server = await serveScripted({
      "tools/call": () => ({ error: { code: codes[next] ?? 0, message: "no", data: { a: 1 } } }),
    });
    await using gateway = await gatewayOf(sandbox, server.url);
    await using client = await openRawClient(gateway, downstream, era);
    for (const [index, code] of codes.entries()) {
      next = index;
      const { error } = await client.request("tools/call", { name: "raw_echo", arguments: {} });
      const isReserved = code <= -32020 && code >= -32099;
      const expected =
        era === "legacy"
          ? { code, data: { a: 1 } }
          : isReserved
            ? { code: -32603, data: { a: 1, upstreamCode: code } }
            : { code: code === -32002 ? -32602 : code, data: { a: 1 } };
      expect(error).toMatchObject(expected);
    }
  });

  test("1.5 the gateway's own errors are -32603 with a reason", async () => {
    await using sandbox = await createSandbox();
    const servers = { notes: stdioServer("notes-server.mjs", ["--era", "legacy"]) };
    await using gateway = await gatewayIn(sandbox, { servers });
    await using client = await openRawClient(gateway, downstream, era);
    const { error } = await client.request("tools/call", { name: "notes_leave", arguments: {} });
    expect(error).toMatchObject({ code: -32603, data: { reason: "interrupted" } });
  });

  test("1.15 an error becomes “not found” only for a resource whose URI the server names", async () => {
    await using sandbox = await createSandbox();
    let data: JsonObject = {};
    const refuse = () => ({ error: { code: -32602, message: "no", data } });
    await using server = await serveScripted(
      { "resources/read": refuse, "tools/call": refuse },
      { tools: {}, resources: {} },
    );
    await using gateway = await gatewayOf(sandbox, server.url);
    await using client = await openRawClient(gateway, downstream, era);
    const codeOf = async (method: string, params: JsonObject) =>
      (await client.request(method, params)).error?.code;
    const read = { uri: "raw+x://1" };
    expect(await codeOf("resources/read", read)).toBe(-32602);
    data = { uri: "x://1" };
    expect(await codeOf("resources/read", read)).toBe(era === "legacy" ? -32002 : -32602);
    expect(await codeOf("tools/call", { name: "raw_echo", arguments: {} })).toBe(-32602);
  });

  test("1.18 the gateway's request ids are never used twice within a session of a server", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw();
    await using gateway = await gatewayOf(sandbox, server.url);
    await using client = await openRawClient(gateway, downstream, era);
    await Promise.all(
      Array.from({ length: 20 }, () =>
        client.request("tools/call", { name: "raw_echo", arguments: { text: "x" } }),
      ),
    );
    const ids = server.asked.flatMap(({ message }) =>
      message?.["method"] === undefined || message["id"] === undefined ? [] : [JSON.stringify(message["id"])],
    );
    expect(ids.length).toBeGreaterThan(20);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("2.7 a server cannot ask more than 60 times a minute, or have more than 8 open questions", async () => {
    await using sandbox = await createSandbox();
    let asked = 0;
    await using server = await serveScripted({
      "tools/call"({ message }, response) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const params = { messages: [], maxTokens: 1, includeContext: "allServers", systemPrompt: "Hi" };
        for (; asked < 12; asked += 1)
          response.write(
            `data: ${JSON.stringify({ jsonrpc: "2.0", id: `q${asked}`, method: "sampling/createMessage", params })}\n\n`,
          );
        const timer = setInterval(() => {
          const refused = server.asked.filter((one) => one.message?.["error"] !== undefined).length;
          if (refused < 4) return;
          clearInterval(timer);
          const result = { content: [] };
          response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: message?.["id"], result })}\n\n`);
        }, 20);
        response.on("close", () => clearInterval(timer));
        return undefined;
      },
    });
    await using gateway = await gatewayOf(sandbox, server.url);
    const capabilities = { sampling: { context: {} } };
    await using client = await openRawClient(gateway, downstream, era, {
      capabilities,
      answer: () => ({ role: "assistant", model: "m", content: { type: "text", text: "x" } }),
    });
    const { result } = await client.request("tools/call", { name: "raw_echo", arguments: {} });
    const shown = era === "legacy" ? client.asked : Object.values(result?.["inputRequests"] as JsonObject);
    expect(shown.length).toBeLessThanOrEqual(8);
    expect(shown.length).toBeGreaterThan(0);
    // Who asks is shown, and other servers' context is not requested.
    for (const { params } of shown as { params: JsonObject }[])
      expect([params["systemPrompt"], params["includeContext"]]).toEqual(["raw: Hi", undefined]);
    const greeting = server.asked.find(({ message }) => message?.["method"] === "initialize");
    const { capabilities: announced } = (greeting?.message?.["params"] ?? {}) as JsonObject;
    expect(announced).toEqual({ sampling: {} });
  });
});

test("1.16 arrays of messages are refused as a whole, over stdio too", async () => {
  await using sandbox = await createSandbox();
  await using gateway = await gatewayIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
  const { url, token } = await gateway.listen({ port: 0 });
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "tools_echo", arguments: {} } };
  for (const version of ["2025-03-26", "2025-11-25", "2026-07-28"]) {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "mcp-protocol-version": version,
      },
      body: JSON.stringify([call, call]),
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { id: null, error: { code: -32600 } },
    ]);
  }
});
