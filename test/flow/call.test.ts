import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ServerOptions, type ToolResult, VERSION } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { type RunningServer, startHttpServer, startSseServer, stdioServer } from "../support/test-servers.ts";
import { hostIn, PATIENTLY } from "./host-in.ts";

interface Served extends AsyncDisposable {
  readonly options: ServerOptions;
}

const stdio =
  (...args: string[]) =>
  async (): Promise<Served> => ({
    options: stdioServer("tools-server.mjs", args),
    async [Symbol.asyncDispose]() {},
  });
const remote = (start: () => Promise<RunningServer>, type?: "http" | "sse") => async (): Promise<Served> => {
  const server = await start();
  return {
    options: { url: server.url, ...(type && { type }) },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

describe("a tool is called", () => {
  test.each([
    ["stdio", "2026-07-28", "modern", "stdio", stdio("--era", "modern")],
    ["stdio", "2025-11-25", "legacy", "stdio", stdio("--era", "legacy")],
    ["Streamable HTTP", "2026-07-28", "modern", "http", remote(() => startHttpServer(), "http")],
    [
      "Streamable HTTP with sessions",
      "2025-11-25",
      "legacy",
      "http",
      remote(() => startHttpServer(["--legacy-only"]), "http"),
    ],
    [
      "Streamable HTTP declared as sse",
      "2025-11-25",
      "legacy",
      "http",
      remote(() => startHttpServer(["--legacy-only"]), "sse"),
    ],
  ] as const)("over %s in revision %s", async (_, protocolVersion, era, transport, serve) => {
    await using sandbox = await createSandbox();
    await using served = await serve();
    await using host = await hostIn(sandbox, { servers: { tools: served.options } });

    const result = await host.call("tools", "echo", { text: "hello" });

    expect(result).toEqual({
      text: "hello",
      parts: [{ type: "text", text: "hello" }],
      isError: false,
      details: {
        serverName: "tools",
        mcpToolName: "echo",
        provider: "program",
        source: { tool: "program", scope: "program", tier: "user", file: "createHost({ servers })" },
      },
    });
    expect(await host.connect("tools")).toMatchObject({
      name: "test-tools",
      protocolVersion,
      era,
      transport,
    });
  });

  test.each(["sse", "http"] as const)("over HTTP+SSE, declared as %s", async (type) => {
    await using sandbox = await createSandbox();
    await using server = await startSseServer();
    await using host = await hostIn(sandbox, { servers: { everything: { type, url: server.url } } });

    expect(await host.call("everything", "echo", { message: "hello" })).toMatchObject({
      text: "Echo: hello",
      isError: false,
    });
    expect(await host.connect("everything")).toMatchObject({ era: "legacy", transport: "sse" });
  });
});

test("a server reports its identity and what it offers", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
  expect(await host.doctor.test("tools")).toEqual({
    server: "tools",
    started: {
      command: process.execPath,
      args: [expect.stringMatching(/tools-server\.mjs$/)],
      folder: sandbox.project,
    },
    facts: {
      name: "test-tools",
      version: "1.2.3",
      protocolVersion: "2026-07-28",
      era: "modern",
      transport: "stdio",
      capabilities: ["prompts", "resources", "tools"],
      instructions: "Call echo to hear yourself.",
    },
    tools: [
      "echo",
      "add",
      "typed",
      "fail",
      "slow",
      "progress",
      "image",
      "audio",
      "resource_content",
      "env",
      "cwd",
    ],
    resources: 1,
    resourceTemplates: 0,
    prompts: 1,
    steps: ["connect", "list tools", "list resources", "list prompts"].map((step) => ({
      step,
      ms: expect.any(Number),
    })),
    problems: [],
  });
});

test("a server receives the client's identity, and only capabilities that have a handler", async () => {
  await using sandbox = await createSandbox();
  const file = join(sandbox.home, "asked");
  const script = `
    require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === "initialize") require("fs").writeFileSync(process.env.FILE, JSON.stringify(params));
      const result = { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: { name: "x", version: "1" } };
      const answer = method === "initialize" ? { result } : { error: { code: -32601, message: "unknown" } };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    });`;
  const curious = { command: process.execPath, args: ["-e", script], env: { FILE: file } };
  await using host = await hostIn(sandbox, { servers: { curious } });
  await host.connect("curious");
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "plugboard", version: VERSION },
  });
});

test("a tool keeps its title, description, schema and hints under a name every model accepts", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { "My Tools": stdioServer("tools-server.mjs") } });
  const [echo] = (await host.tools("My Tools")).filter(({ tool }) => tool === "echo");
  expect(echo).toEqual({
    name: "mcp_my_tools_echo",
    title: "Echo",
    description: "Answers the text it is given",
    inputSchema: {
      $schema: expect.any(String),
      type: "object",
      properties: { text: { type: "string", description: "What to answer" } },
      required: ["text"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
    approval: "allow",
    server: "My Tools",
    tool: "echo",
    stale: false,
    execute: expect.any(Function),
  });
});

describe("the result of a call", () => {
  const results: readonly [kind: string, tool: string, args: Record<string, number>, Partial<ToolResult>][] =
    [
      [
        "with structured content keeps it beside the text",
        "add",
        { a: 1, b: 2 },
        {
          text: "3",
          parts: [{ type: "text", text: "3" }],
          structured: { sum: 3 },
          isError: false,
        },
      ],
      [
        "that is an error is a result, not an exception",
        "fail",
        {},
        { text: "it went wrong", parts: [{ type: "text", text: "it went wrong" }], isError: true },
      ],
      [
        "with a picture names it in the text",
        "image",
        {},
        {
          text: "[image: image/png, 70 bytes, saved to FILE]",
          parts: [
            { type: "image", data: expect.stringMatching(/^iVBOR/), mimeType: "image/png", path: "FILE" },
          ],
          isError: false,
        },
      ],
      [
        "with a sound names it in the text",
        "audio",
        {},
        {
          text: "[audio: audio/wav, 44 bytes, saved to FILE]",
          parts: [
            { type: "audio", data: expect.stringMatching(/^UklGR/), mimeType: "audio/wav", path: "FILE" },
          ],
          isError: false,
        },
      ],
      [
        "with resources and a link holds each as a part",
        "resource_content",
        {},
        {
          text: "[resource: note://embedded]\nembedded text\n\n[resource: note://pixel, image/png, 70 bytes, saved to FILE]\n\n[resource link: welcome <note://welcome>]",
          parts: [
            { type: "resource", uri: "note://embedded", mimeType: "text/plain", text: "embedded text" },
            {
              type: "resource",
              uri: "note://pixel",
              mimeType: "image/png",
              blob: expect.stringMatching(/^iVBOR/),
              path: "FILE",
            },
            { type: "resource_link", uri: "note://welcome", name: "welcome", mimeType: "text/plain" },
          ],
          isError: false,
        },
      ],
    ];

  test.each(results)("%s", async (_, tool, args, expected) => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
    const { details, ...result } = await host.call("tools", tool, args);
    expect(details).toMatchObject({ serverName: "tools", mcpToolName: tool });
    const artifacts = join(sandbox.home, ".local/state/plugboard/artifacts/");
    const kept = new RegExp(`${artifacts}[\\w-]+\\.(?:png|wav)`, "g");
    expect(JSON.parse(JSON.stringify(result).replaceAll(kept, "FILE"))).toEqual(expected);
  });

  test("by an agent's tool distinguishes a tool's error from a failed call", async () => {
    await using sandbox = await createSandbox();
    const servers = { tools: stdioServer("tools-server.mjs"), raw: crashing() };
    await using host = await hostIn(sandbox, { servers });
    const tools = await host.tools(PATIENTLY);
    const execute = (name: string, args = {}): Promise<ToolResult | undefined> =>
      tools.find((tool) => tool.name === name)?.execute(args) ?? Promise.resolve(undefined);

    expect(await execute("mcp_tools_fail")).toMatchObject({ text: "Error: it went wrong", isError: true });
    expect(await execute("mcp_raw_echo", { text: "hi" })).toMatchObject({
      text: expect.stringMatching(
        /^MCP error: Tool execution failed: the process of "raw" exited with code 5/,
      ),
      isError: true,
      details: { serverName: "raw", mcpToolName: "echo", source: { tool: "program" } },
    });
    expect(await execute("mcp_tools_echo", { text: "still here" })).toMatchObject({
      text: "still here",
      isError: false,
    });
  });
});

function crashing(): ServerOptions {
  return stdioServer("raw-server.mjs", ["--behave", "crash-on-call"]);
}

test("arguments can be built from the tool's definition, and are validated like any others", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
  const seen: string[] = [];
  const result = await host.call("tools", "echo", ({ name, inputSchema }) => {
    seen.push(name, ...Object.keys(inputSchema["properties"] as object));
    return { text: "made" };
  });
  expect([seen, result.text]).toEqual([["echo", "text"], "made"]);
  await expect(host.call("tools", "echo", () => ({ txet: "x" }))).rejects.toMatchObject({
    code: "TOOL_ARGUMENTS_INVALID",
  });
  const denying = { ...stdioServer("tools-server.mjs"), denyTools: ["echo"] };
  await using strict = await hostIn(sandbox, { servers: { tools: denying } });
  let isMade = false;
  const refused = strict.call("tools", "echo", () => {
    isMade = true;
    return {};
  });
  await expect(refused).rejects.toMatchObject({ code: "TOOL_DENIED" });
  expect([isMade, strict.snapshot().servers[0]?.state]).toEqual([false, "idle"]);
});
