import { expect, test } from "vitest";
import { chatTools } from "../../src/adapters/openai/index.ts";
import type { JsonObject } from "../../src/index.ts";
import { type ScriptedTool, serveHttp } from "../../src/testing/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { failureOf, hostIn, PATIENTLY } from "./host-in.ts";

const tool = (ui?: JsonObject["ui"]): ScriptedTool => ({
  description: "refresh the view",
  run: () => "done",
  ...(ui !== undefined && { _meta: { ui } }),
});

const TOOLS = {
  plain: tool(),
  both: tool({ visibility: ["model", "app"] }),
  model: tool({ visibility: ["model"] }),
  app: tool({ visibility: ["app"], resourceUri: "ui://a/view.html" }),
  later: tool({ visibility: ["something new"] }),
  empty: tool({ visibility: [] }),
  text: tool({ visibility: "app" }),
  none: tool("app"),
};
const FOR_MODELS = ["both", "empty", "model", "none", "plain", "text"];

test("tools for apps only are not offered to models, and a program can still call them", async () => {
  await using sandbox = await createSandbox();
  await using server = await serveHttp({ name: "s", version: "1", tools: TOOLS });
  const servers = { s: { type: "http", url: server.url } } as const;
  {
    await using host = await hostIn(sandbox, { servers });
    const names = (tools: readonly { readonly tool: string }[]) => tools.map((each) => each.tool).sort();
    expect(names(await host.tools("s"))).toEqual(FOR_MODELS);
    expect(names(await host.tools())).toEqual(FOR_MODELS);
    expect(names(await host.session().tools())).toEqual(FOR_MODELS);
    expect(names(await host.search("refresh view", { limit: 20 }))).toEqual(FOR_MODELS);
    const meta = new Map((await host.session({ mode: "meta" }).tools()).map((each) => [each.name, each]));
    const found = await meta.get("mcp_search_tools")?.execute({ query: "refresh view", limit: 20 });
    expect(found?.text).toContain("mcp_s_plain");
    expect(found?.text).not.toMatch(/mcp_s_(?:app|later)/);
    expect((await meta.get("mcp_describe_tool")?.execute({ name: "mcp_s_app" }))?.isError).toBe(true);
    expect((await meta.get("mcp_call_tool")?.execute({ name: "mcp_s_app", arguments: {} }))?.isError).toBe(
      true,
    );
    const definitions = await chatTools(host.session()).definitions();
    expect(definitions.map(({ function: { name } }) => name.slice("mcp_s_".length)).sort()).toEqual(
      FOR_MODELS,
    );
    const call = { type: "function", id: "1", function: { name: "mcp_s_app", arguments: "{}" } };
    expect(await chatTools(host.session()).run([call])).toMatchObject([
      { content: expect.stringContaining("Unknown tool") as string },
    ]);
    expect((await host.call("s", "app")).text).toBe("done");
    expect((await failureOf(host.call("s", "something"))).hint).toBe(
      "It offers plain, both, model, empty, text, none.",
    );
  }
  await server.close();
  await using cached = await hostIn(sandbox, { servers });
  expect((await cached.tools({ connect: false })).map((each) => each.tool)).toEqual(FOR_MODELS);
});

test("a tool that becomes visible to models counts as changed since it was reviewed", async () => {
  await using sandbox = await createSandbox();
  const tools: Record<string, ScriptedTool> = { app: TOOLS.app };
  await using server = await serveHttp({ name: "s", version: "1", tools });
  const servers = { s: { type: "http", url: server.url, pins: "hold" } } as const;
  await using host = await hostIn(sandbox, { servers });
  expect(await host.tools(PATIENTLY)).toEqual([]);
  tools["app"] = TOOLS.both;
  expect(await host.tools("s", { refresh: true })).toEqual([]);
  expect(await host.pins.review("s")).toMatchObject([
    { differences: [{ tool: "app", kind: "changed", changes: [{ field: "visibility" }] }] },
  ]);
});
