import { describe, expect, test } from "vitest";
import type { SessionOptions } from "../../src/index.ts";
import { type ServerScript, serveHttp } from "../../src/testing/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { hostIn, PATIENTLY } from "./host-in.ts";

const NOTES: ServerScript = {
  name: "notes",
  version: "1",
  tools: { count: { description: "Counts.", run: () => "1" } },
  resources: {
    "note://a": { name: "A", mimeType: "text/plain", text: "hello" },
    "note://long": { name: "Long", text: "x".repeat(200_000) },
  },
  prompts: {
    greet: {
      description: "Greets.",
      arguments: [{ name: "who", required: true }],
      text: ({ who }) => `Hi ${String(who)}`,
    },
  },
};

async function hold(options: SessionOptions, rules: object = {}) {
  const sandbox = await createSandbox();
  const server = await serveHttp(NOTES);
  const entry = { type: "http", url: server.url } as const;
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { notes: { ...entry, ...rules }, other: entry },
    bundles: { some: { serverId: "notes", mode: "direct" } },
  });
  const host = await hostIn(sandbox);
  const session = host.session(options);
  const tools = await session.tools(PATIENTLY);
  return {
    session,
    names: tools.map(({ name }) => name),
    run: async (name: string, args = {}, signal?: AbortSignal) => {
      const tool = tools.find((each) => each.name === name);
      if (tool === undefined) throw new Error(`no ${name}`);
      return tool.execute(args, { ...(signal && { signal }) });
    },
    async [Symbol.asyncDispose]() {
      await host.close();
      await server.close();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

describe("resources and prompts as tools", () => {
  test("are offered on request, next to direct and meta tools", async () => {
    await using plain = await hold({ servers: ["notes"] });
    expect(plain.names).toEqual(["mcp_notes_count"]);
    await using direct = await hold({ servers: ["notes"], offers: ["resources", "prompts"] });
    const three = ["mcp_list_resources", "mcp_read_resource", "mcp_get_prompt"];
    expect(direct.names).toEqual([...three, "mcp_notes_count"]);
    await using meta = await hold({ mode: "meta", offers: ["prompts"] });
    expect(meta.names).toEqual(["mcp_get_prompt", "mcp_search_tools", "mcp_describe_tool", "mcp_call_tool"]);
    await using none = await hold({ servers: ["nobody"], offers: ["prompts"] });
    expect(none.names).toEqual(["mcp_get_prompt"]);
  });

  test("list resources page by page, and read them, with a preview of long ones", async () => {
    await using agent = await hold({ servers: ["notes"], offers: ["resources"] });
    expect(JSON.parse((await agent.run("mcp_list_resources", { limit: 1 })).text)).toEqual({
      total: 2,
      offset: 0,
      resources: [{ uri: "note://a", server: "notes", name: "A", mimeType: "text/plain" }],
    });
    const second = JSON.parse((await agent.run("mcp_list_resources", { server: "notes", offset: 1 })).text);
    expect(second).toMatchObject({ resources: [{ uri: "note://long" }] });
    expect(await agent.run("mcp_read_resource", { server: "notes", uri: "note://a" })).toMatchObject({
      text: "[resource: note://a]\nhello",
      isError: false,
      details: { serverName: "notes", mcpToolName: "note://a" },
    });
    const long = await agent.run("mcp_read_resource", { server: "notes", uri: "note://long" });
    expect(long.text.length).toBeLessThan(10_000);
    expect(long.details.artifacts).toHaveLength(1);
  });

  test("list prompts and fill one in", async () => {
    await using agent = await hold({ servers: ["notes"], offers: ["prompts"] });
    expect(JSON.parse((await agent.run("mcp_get_prompt")).text)).toEqual({
      total: 1,
      offset: 0,
      prompts: [
        {
          server: "notes",
          name: "greet",
          description: "Greets.",
          arguments: [{ name: "who", required: true }],
        },
      ],
    });
    const args = { server: "notes", name: "greet", arguments: { who: "Ada" } };
    expect(await agent.run("mcp_get_prompt", args)).toMatchObject({ text: "Hi Ada", isError: false });
  });

  test("return errors as text, and throw only if the caller aborts", async () => {
    await using agent = await hold({ servers: ["notes"], offers: ["resources", "prompts"] });
    const said = async (name: string, args = {}): Promise<string> => {
      const { isError, text } = await agent.run(name, args);
      expect(isError).toBe(true);
      return text;
    };
    expect(await said("mcp_read_resource", { server: "notes", uri: "note://b" })).toMatch(
      /^MCP error: Server "notes" has no resource "note:\/\/b"/,
    );
    expect(await said("mcp_read_resource", { uri: "note://b" })).toContain("are required");
    expect(await said("mcp_get_prompt", { server: "notes", name: "greet" })).toContain('needs "who"');
    expect(await said("mcp_get_prompt", { server: "notes", name: "greed" })).toContain("no prompt");
    expect(await said("mcp_get_prompt", { name: "greet" })).toContain('"server" is required');
    const stopped = AbortSignal.abort();
    await expect(
      agent.run("mcp_read_resource", { server: "notes", uri: "note://a" }, stopped),
    ).rejects.toMatchObject({ name: "ToolAbortError" });
  });

  test.each([
    ["another server than the session's", { servers: ["other"] }, {}],
    ["a server of no chosen bundle", { bundles: [] }, {}],
    ["an untrusted server without a list", {}, { trust: "untrusted" }],
    ["a server that is off", {}, { enabled: false }],
  ] as const)("never reach %s", async (_, options, rules) => {
    await using agent = await hold({ ...options, offers: ["resources", "prompts"] }, rules);
    const refusal = { isError: true, text: 'MCP error: Server "notes" is not available here.' };
    for (const [tool, args] of [
      ["mcp_read_resource", { server: "notes", uri: "note://a" }],
      ["mcp_list_resources", { server: "notes" }],
      ["mcp_get_prompt", { server: "notes", name: "greet", arguments: { who: "x" } }],
      ["mcp_get_prompt", { server: "notes" }],
    ] as const) {
      expect(await agent.run(tool, args)).toMatchObject(refusal);
    }
    expect((await agent.run("mcp_list_resources")).text).not.toContain('"server":"notes"');
  });
});
