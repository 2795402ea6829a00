import { Server as ServerV1 } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { InMemoryTransport, McpServer, Server } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Host, InProcessServer, ServerOptions } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { eventsOf, eventually, failureOf, hostIn } from "./host-in.ts";

const INFO = { name: "notes", version: "1.0.0" };
const TOOLS = [
  {
    name: "add",
    description: "Adds a note",
    inputSchema: { type: "object" as const, properties: { text: { type: "string" } }, required: ["text"] },
  },
];

/** The same server, made with the classes of both SDKs. */
const MAKERS: readonly (readonly [string, () => InProcessServer])[] = [
  ["McpServer of SDK v1", mcpServerV1],
  ["McpServer of SDK v2", () => notesServer()],
  [
    "Server of SDK v1",
    () => {
      const server = new ServerV1(INFO, { capabilities: { tools: {} } });
      server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }));
      server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
        content: [{ type: "text", text: `added ${String(params.arguments?.["text"])}` }],
      }));
      return server;
    },
  ],
  [
    "Server of SDK v2",
    () => {
      const server = new Server(INFO, { capabilities: { tools: {} } });
      server.setRequestHandler("tools/list", () => ({ tools: TOOLS }));
      server.setRequestHandler("tools/call", ({ params }) => ({
        content: [{ type: "text", text: `added ${String(params.arguments?.["text"])}` }],
      }));
      return server;
    },
  ],
];

function mcpServerV1(): McpServerV1 {
  const server = new McpServerV1(INFO);
  server.registerTool(
    "add",
    { description: "Adds a note", inputSchema: { text: z.string() } },
    ({ text }) => ({ content: [{ type: "text", text: `added ${text}` }] }),
  );
  return server;
}

function notesServer(): McpServer {
  const server = new McpServer(INFO);
  server.registerTool(
    "add",
    { description: "Adds a note", inputSchema: z.object({ text: z.string() }) },
    ({ text }) => ({ content: [{ type: "text", text: `added ${text}` }] }),
  );
  return server;
}

/** Resolves when the host notices that the connection was lost. */
function lossOf(host: Host): Promise<void> {
  return new Promise((resolve) => {
    host.subscribe((event) => {
      if (event.type === "server.state" && event.state === "reconnecting") resolve();
    });
  });
}

describe.each(MAKERS)("an %s", (_, make) => {
  test("lists its tools and answers calls, without a process", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { notes: { server: make() } } });
    const events = eventsOf(host);
    expect(host.servers()).toMatchObject([{ name: "notes", transport: "in-process", state: "idle" }]);
    const [add] = await host.tools();
    expect(add).toMatchObject({ name: "mcp_notes_add", description: "Adds a note", server: "notes" });
    expect(await add?.execute({ text: "milk" })).toMatchObject({ text: "added milk", isError: false });
    expect(await host.call("notes", "add", { text: "eggs" })).toMatchObject({ text: "added eggs" });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "server.state",
        state: "connected",
      }),
    );
  });

  test("connects again after it was closed, by the host or by itself", async () => {
    await using sandbox = await createSandbox();
    const server = make();
    await using host = await hostIn(sandbox, { servers: { notes: { server } } });
    await host.call("notes", "add", { text: "one" });
    await host.close("notes");
    expect(host.servers()).toMatchObject([{ state: "idle" }]);
    expect(await host.call("notes", "add", { text: "two" })).toMatchObject({ text: "added two" });
    const lost = lossOf(host);
    await server.close();
    await lost;
    expect(await host.call("notes", "add", { text: "three" })).toMatchObject({ text: "added three" });
    expect((await host.doctor.test("notes")).tools).toEqual(["add"]);
  });

  test("is refused while it is connected elsewhere, and keeps that connection", async () => {
    await using sandbox = await createSandbox();
    const server = make();
    await using first = await hostIn(sandbox, { servers: { notes: { server } } });
    await using second = await hostIn(sandbox, { servers: { notes: { server } } });
    await first.connect("notes");
    expect(await failureOf(second.connect("notes"))).toEqual({
      code: "CONNECT_FAILED",
      message: 'Failed to connect to "notes": its server object is already connected to another client',
      hint: "Create one server object per host, or close the other connection first.",
      server: "notes",
    });
    expect(await first.call("notes", "add", { text: "milk" })).toMatchObject({ text: "added milk" });
    await first.close();
    expect(await second.call("notes", "add", { text: "milk" })).toMatchObject({ text: "added milk" });
  });
});

test("the rules of an entry apply to a server in the same process", async () => {
  await using sandbox = await createSandbox();
  const asked: unknown[] = [];
  await using host = await hostIn(sandbox, {
    servers: {
      denied: { server: notesServer(), denyTools: ["add"] },
      asks: { server: notesServer(), approval: "ask" },
      off: { server: notesServer(), enabled: false },
      untrusted: { server: notesServer(), trust: "untrusted" },
    },
    interaction: "ask",
    onCall: (request) => {
      asked.push(request);
      return false;
    },
  });
  expect(await failureOf(host.call("denied", "add", { text: "x" }))).toMatchObject({ code: "TOOL_DENIED" });
  expect(await failureOf(host.call("asks", "add", { text: "x" }))).toMatchObject({
    code: "INTERACTION_REQUIRED",
  });
  expect(asked).toMatchObject([{ server: "asks", tool: "add", args: { text: "x" } }]);
  expect(await failureOf(host.connect("off"))).toMatchObject({ code: "SERVER_DISABLED" });
  expect((await host.tools()).map(({ name }) => name)).toEqual(["mcp_asks_add"]);
  expect(await failureOf(host.call("asks", "add", { text: 5 }))).toMatchObject({
    code: "TOOL_ARGUMENTS_INVALID",
  });
});

test("the tools of each server in the same process are pinned separately", async () => {
  await using sandbox = await createSandbox();
  const other = new McpServer(INFO);
  other.registerTool("other", { description: "Other" }, () => ({ content: [] }));
  const pins = "hold";
  {
    const servers = { notes: { server: notesServer(), pins }, other: { server: other, pins } } as const;
    await using host = await hostIn(sandbox, { servers });
    expect((await host.tools()).map(({ name }) => name)).toEqual(["mcp_notes_add", "mcp_other_other"]);
  }
  const changed = new McpServer(INFO);
  changed.registerTool("add", { description: "Deletes all notes" }, () => ({ content: [] }));
  await using host = await hostIn(sandbox, { servers: { notes: { server: changed, pins } } });
  expect(await host.tools()).toEqual([]);
  expect(await host.pins.review("notes")).toMatchObject([
    { isFirst: false, differences: [{ tool: "add", kind: "changed" }] },
  ]);
});

test("a session follows tools that are registered later", async () => {
  await using sandbox = await createSandbox();
  const server = notesServer();
  await using host = await hostIn(sandbox, { servers: { notes: { server } } });
  const session = host.session();
  await session.tools();
  await host.connect("notes");
  const names = new Promise<string[]>((resolve) => {
    session.subscribe(({ tools }) => resolve(tools.map(({ name }) => name)));
  });
  server.registerTool("remove", { description: "Removes a note" }, () => ({ content: [] }));
  expect(await names).toEqual(["mcp_notes_add", "mcp_notes_remove"]);
});

test("the lists of a server in the same process are never cached on disk, because a new program may define other tools", async () => {
  await using sandbox = await createSandbox();
  {
    await using host = await hostIn(sandbox, { servers: { notes: { server: notesServer() } } });
    await host.tools();
  }
  const next = new McpServer(INFO);
  next.registerTool("next", { description: "Next" }, () => ({ content: [] }));
  await using host = await hostIn(sandbox, { servers: { notes: { server: next } } });
  expect((await host.tools()).map(({ name }) => name)).toEqual(["mcp_notes_next"]);
});

test("a call reports progress, can be cancelled, and has a time limit", async () => {
  await using sandbox = await createSandbox();
  const server = new McpServer(INFO);
  const cancelled: string[] = [];
  server.registerTool("wait", { description: "Waits" }, async ({ mcpReq }) => {
    const { _meta: meta, signal } = mcpReq;
    const progressToken = meta?.progressToken ?? 0;
    await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    if (!signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    cancelled.push("wait");
    return { content: [] };
  });
  await using host = await hostIn(sandbox, {
    servers: { notes: { server, timeout: 200, startupTimeout: 30_000 } },
  });
  const abort = new AbortController();
  await expect(
    host.call("notes", "wait", {}, { signal: abort.signal, onProgress: () => abort.abort() }),
  ).rejects.toThrow("aborted");
  expect(await failureOf(host.call("notes", "wait"))).toMatchObject({
    message: 'Tool execution failed: "notes" did not answer within 200 ms',
  });
  await eventually(() => expect(cancelled).toEqual(["wait", "wait"]));
});

test("a server in the same process can ask the user while a call runs", async () => {
  await using sandbox = await createSandbox();
  const server = mcpServerV1();
  server.registerTool("ask", { description: "Asks" }, async () => {
    const { action } = await server.server.elicitInput({
      message: "Name?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } } },
    });
    return { content: [{ type: "text", text: action }] };
  });
  await using host = await hostIn(sandbox, {
    servers: { notes: { server } },
    interaction: "ask",
    onElicitation: () => ({ action: "accept", content: { name: "Ada" } }),
  });
  expect(await host.call("notes", "ask")).toMatchObject({ text: "accept" });
});

test("values are copied, so that neither side can change the other's objects", async () => {
  await using sandbox = await createSandbox();
  const kept: { args?: { list: number[] }; result?: { list: number[] } } = {};
  const server = new Server(INFO, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: [{ name: "keep", inputSchema: { type: "object" } }],
  }));
  server.setRequestHandler("tools/call", ({ params }) => {
    kept.args = params.arguments as { list: number[] };
    kept.args.list.push(2);
    kept.result = { list: [1] };
    return { content: [], structuredContent: kept.result };
  });
  await using host = await hostIn(sandbox, { servers: { notes: { server } } });
  const args = { list: [1] };
  const { structured } = await host.call("notes", "keep", args);
  expect(args).toEqual({ list: [1] });
  kept.result?.list.push(2);
  expect(structured).toEqual({ list: [1] });
});

test("a result that is not JSON fails the call and not the connection", async () => {
  await using sandbox = await createSandbox();
  const server = new Server(INFO, { capabilities: { tools: {} } });
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  server.setRequestHandler("tools/list", () => ({
    tools: [{ name: "cycle", inputSchema: { type: "object" } }],
  }));
  server.setRequestHandler("tools/call", () => ({ content: [], structuredContent: loop }));
  await using host = await hostIn(sandbox, { servers: { notes: { server } } });
  const failure = await failureOf(host.call("notes", "cycle"));
  expect(failure).toMatchObject({ code: "TOOL_CALL_FAILED" });
  expect(failure.message).toContain("circular structure");
  expect(host.servers()).toMatchObject([{ state: "connected" }]);
});

describe("a transport", () => {
  test("is created for each connection", async () => {
    await using sandbox = await createSandbox();
    let count = 0;
    const transport = () => {
      count += 1;
      const [client, other] = InMemoryTransport.createLinkedPair();
      void notesServer().connect(other);
      return client;
    };
    await using host = await hostIn(sandbox, { servers: { notes: { transport } } });
    expect(host.servers()).toMatchObject([{ transport: "in-process", state: "idle" }]);
    await host.call("notes", "add", { text: "one" });
    await host.close("notes");
    await host.call("notes", "add", { text: "two" });
    expect(count).toBe(2);
  });

  test("may be created asynchronously, and if that fails, the connection fails", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, {
      servers: {
        async: {
          transport: async () => {
            const [client, other] = InMemoryTransport.createLinkedPair();
            await notesServer().connect(other);
            return client;
          },
        },
        throws: {
          transport: () => {
            throw new Error("no such pipe");
          },
        },
        none: { transport: (() => ({ send: 1 })) as never },
      },
    });
    expect(await host.call("async", "add", { text: "x" })).toMatchObject({ text: "added x" });
    expect(await failureOf(host.connect("throws"))).toMatchObject({
      code: "CONNECT_FAILED",
      message: 'Failed to connect to "throws": no such pipe',
    });
    expect(await failureOf(host.connect("none"))).toMatchObject({
      message:
        'Failed to connect to "none": its "transport" function must return an object with start, send and close',
    });
  });

  test("that cannot send fails with its own reason", async () => {
    await using sandbox = await createSandbox();
    const broken = { start: async () => {}, close: async () => {} };
    const transport = () => ({ ...broken, send: () => Promise.reject(new Error("the pipe is broken")) });
    await using host = await hostIn(sandbox, { servers: { notes: { transport } } });
    expect(await failureOf(host.connect("notes"))).toMatchObject({
      code: "CONNECT_FAILED",
      message: 'Failed to connect to "notes": its transport failed: the pipe is broken',
    });
  });

  test("that passes on anything but messages keeps its connection", async () => {
    await using sandbox = await createSandbox();
    const transport = () => {
      const [client, other] = InMemoryTransport.createLinkedPair();
      void notesServer().connect(other);
      const send = client.send.bind(client);
      client.send = (message) => {
        for (const junk of [undefined, null, "text", 7, [], {}, () => 0]) client.onmessage?.(junk as never);
        return send(message);
      };
      return client;
    };
    await using host = await hostIn(sandbox, { servers: { notes: { transport } } });
    expect(await host.call("notes", "add", { text: "x" })).toMatchObject({ text: "added x" });
  });

  test("that closes ends the connection, and the next call opens another", async () => {
    await using sandbox = await createSandbox();
    const opened: { close(): Promise<void> }[] = [];
    const transport = () => {
      const [client, other] = InMemoryTransport.createLinkedPair();
      void notesServer().connect(other);
      opened.push(other);
      return client;
    };
    await using host = await hostIn(sandbox, { servers: { notes: { transport } } });
    await host.call("notes", "add", { text: "one" });
    const lost = lossOf(host);
    await opened[0]?.close();
    await lost;
    expect(await host.call("notes", "add", { text: "two" })).toMatchObject({ text: "added two" });
    expect(opened).toHaveLength(2);
  });
});

test.each<[string, object, string]>([
  [
    "a server without connect",
    { server: { tools: [] } },
    '"server" must be an McpServer or Server of the MCP SDK',
  ],
  [
    "a server and a command",
    { server: notesServer(), command: "x" },
    '"server" cannot be combined with "command"',
  ],
  [
    "a server and a url",
    { server: notesServer(), url: "https://h" },
    '"server" cannot be combined with "url"',
  ],
  [
    "a server and a transport",
    { server: notesServer(), transport: () => undefined },
    '"server" cannot be combined with "transport"',
  ],
])("%s is refused", async (_, entry, message) => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { notes: entry as ServerOptions } });
  const [view] = host.servers();
  expect(view).toMatchObject({ state: "invalid" });
  expect(view?.because).toContain(message);
});

test("a config file cannot define a server in the same process", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { notes: { type: "in-process", server: { connect: "x" } } },
  });
  await using host = await hostIn(sandbox);
  expect(host.servers()).toMatchObject([{ state: "invalid" }]);
});

test("a server in the same process can be listed and explained, but not copied into a file", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { notes: { server: notesServer() } } });
  await host.connect("notes");
  expect((await host.config.explain("notes")).reasons).toContain("transport: in-process (it has a server)");
  expect(await host.approvals.inspect("notes")).toMatchObject({ runs: [], destination: "this program" });
  expect(host.doctor.diagnose()).toMatchObject({ findings: [] });
  expect(await host.doctor.checkPrograms()).toEqual([]);
  expect(await host.signIns.list()).toEqual([]);
  expect(host.servers({ all: true })).toMatchObject([{ name: "notes", state: "connected" }]);
  const reason = "it exists only in this program";
  const plan = await host.config.planExport({ tool: "cursor", names: ["notes"] });
  expect(plan.skipped).toEqual([{ server: "notes", reason }]);
  const imported = await host.config.importFrom({ tool: "program", scope: "user" });
  expect(imported).toMatchObject({ written: [], skipped: [{ name: "notes", reason }] });
  await host.reload({ hard: true });
  expect(await host.call("notes", "add", { text: "milk" })).toMatchObject({ text: "added milk" });
});
