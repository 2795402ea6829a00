/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { startTeam, type Team } from "../support/team.ts";
import { stdioServer } from "../support/test-servers.ts";

let team: Team;
let ada: string;
let grace: string;

const CONFIG = {
  servers: {
    tools: { ...stdioServer("tools-server.mjs") },
    notes: { ...stdioServer("notes-server.mjs") },
    hidden: { ...stdioServer("tools-server.mjs") },
  },
  bundles: { sums: { serverId: "tools", allowTools: ["add"] } },
  policy: {
    rules: [
      { who: ["*"], servers: ["hidden"], then: "deny" },
      { name: "no writing", who: ["person:grace"], servers: ["notes"], tools: ["*"], then: "deny" },
      { who: ["person:grace"], servers: ["notes"], resources: ["note://first"], then: "allow" },
      { who: ["person:grace"], servers: ["notes"], then: "deny" },
      {
        name: "only hello",
        who: ["person:grace"],
        servers: ["tools"],
        tools: ["echo"],
        where: { arguments: { text: { equals: ["hello"] } } },
        then: "allow",
      },
      { who: ["person:ada"], then: "allow" },
    ],
  },
} as const satisfies JsonObject;

beforeAll(async () => {
  team = await startTeam(CONFIG);
  ada = await team.token("ada");
  grace = await team.token("grace");
});
afterAll(() => team[Symbol.asyncDispose]());

const listed = async (token: string, method: string, key: string, path?: string): Promise<string[]> => {
  const { body } = await team.send(token, method, {}, path);
  const items = (body["result"] as JsonObject)[key] as readonly JsonObject[];
  return items.map((item) => String(item["name"] ?? item["uri"])).toSorted();
};
const call = (token: string, name: string, args: JsonObject, path?: string): ReturnType<Team["send"]> =>
  team.send(token, "tools/call", { name, arguments: args }, path);

describe("two people with different rights", () => {
  test("see different tools, resources and prompts", async () => {
    const [hers, his] = [
      await listed(ada, "tools/list", "tools"),
      await listed(grace, "tools/list", "tools"),
    ];
    expect(hers).toEqual(expect.arrayContaining(["tools_add", "tools_echo", "notes_write"]));
    expect(hers.some((name) => name.startsWith("hidden"))).toBe(false);
    expect(his).toEqual(["tools_echo"]);
    const uris = async (token: string): Promise<unknown> => {
      const { body } = await team.send(token, "resources/list");
      return ((body["result"] as JsonObject)["resources"] as readonly JsonObject[]).map(({ uri }) => uri);
    };
    expect(await uris(grace)).toEqual(["notes+note://first"]);
    expect(await uris(ada)).toEqual(expect.arrayContaining(["notes+note://first", "tools+note://welcome"]));
    expect(await listed(grace, "prompts/list", "prompts")).toEqual([]);
    expect(await listed(ada, "prompts/list", "prompts")).toContain("tools_greet");
  });

  test("may call what they see, and nothing else", async () => {
    expect((await call(ada, "tools_add", { a: 1, b: 2 })).body).toMatchObject({
      result: { structuredContent: { sum: 3 } },
    });
    expect((await call(grace, "tools_echo", { text: "hello" })).body).toMatchObject({
      result: { content: [{ text: "hello" }] },
    });
    expect((await call(grace, "tools_echo", { text: "bye" })).body).toMatchObject({
      error: {
        code: -32602,
        message: "The policy does not allow this call (no rule applies).",
        data: { reason: "denied" },
      },
    });
  });

  test("cannot tell what is denied from what does not exist", async () => {
    const [denied, unknown] = [
      await call(grace, "tools_add", { a: 1, b: 2 }),
      await call(grace, "tools_xyz", {}),
    ];
    expect(denied.status).toBe(unknown.status);
    expect(JSON.stringify(denied.body).replaceAll("tools_add", "tools_xyz")).toBe(
      JSON.stringify(unknown.body),
    );
    const read = (uri: string): ReturnType<Team["send"]> => team.send(grace, "resources/read", { uri });
    const [hidden, missing] = [await read("notes+note://pixel"), await read("notes+note://other")];
    expect(JSON.stringify(hidden.body).replaceAll("pixel", "other")).toBe(JSON.stringify(missing.body));
    expect((await read("notes+note://first")).body).toMatchObject({
      result: { contents: [{ uri: "notes+note://first" }] },
    });
  });

  test("cannot use the endpoint of a server that they do not see", async () => {
    for (const token of [ada, grace])
      expect((await team.send(token, "tools/list", {}, "/mcp/s/hidden")).status).toBe(404);
    expect((await team.send(grace, "tools/list", {}, "/mcp/s/unknown")).status).toBe(404);
    expect(await listed(grace, "tools/list", "tools", "/mcp/s/tools")).toEqual(["echo"]);
    expect(await listed(ada, "tools/list", "tools", "/mcp/b/sums")).toEqual(["add"].map(() => "tools_add"));
    expect(await listed(grace, "tools/list", "tools", "/mcp/b/sums")).toEqual([]);
    expect((await call(grace, "add", { a: 1, b: 2 }, "/mcp/s/tools")).body).toMatchObject({
      error: { code: -32602 },
    });
  });

  test.each(["prompts/get", "completion/complete"])("cannot use a denied prompt with %s", async (method) => {
    const params =
      method === "prompts/get"
        ? { name: "tools_greet", arguments: { name: "x" } }
        : { ref: { type: "ref/prompt", name: "tools_greet" }, argument: { name: "name", value: "" } };
    expect((await team.send(grace, method, params)).body).toMatchObject({ error: { code: -32602 } });
    expect((await team.send(ada, method, params)).body).toHaveProperty("result");
  });

  test("have the same rights over a session of the legacy era", async () => {
    const client = await team.connect(grace, "legacy");
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["tools_echo"]);
    await expect(client.callTool({ name: "tools_add", arguments: { a: 1, b: 2 } })).rejects.toThrow(
      "Unknown tool",
    );
  });
});

describe("a token", () => {
  test("limits what its person may do", async () => {
    const reading = await team.token("ada", { servers: ["tools"], readOnly: true });
    expect(await listed(reading, "tools/list", "tools")).toEqual(["tools_echo"]);
    expect((await call(reading, "tools_add", { a: 1, b: 2 })).body).toMatchObject({
      error: { code: -32602 },
    });
    expect((await team.send(reading, "tools/list", {}, "/mcp/s/notes")).status).toBe(404);
    const sums = await team.token("ada", { bundles: ["sums"] });
    expect(await listed(sums, "tools/list", "tools")).toEqual(["tools_add"]);
    expect(await listed(sums, "prompts/list", "prompts")).toEqual([]);
    expect((await call(sums, "tools_echo", { text: "x" })).body).toMatchObject({ error: { code: -32602 } });
  });

  test("never gives its person more than the policy", async () => {
    const wide = await team.token("grace", { servers: ["notes", "hidden", "tools"] });
    expect(await listed(wide, "tools/list", "tools")).toEqual(["tools_echo"]);
  });

  test("of another person cannot use a session", async () => {
    const open = await fetch(team.url, {
      method: "POST",
      headers: { authorization: `Bearer ${ada}`, "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
      }),
    });
    const session = open.headers.get("mcp-session-id") ?? "";
    const use = async (token: string, method = "POST"): Promise<number> => {
      const headers = {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "mcp-session-id": session,
      };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });
      return (await fetch(team.url, { method, headers, ...(method === "POST" && { body }) })).status;
    };
    expect(await use(ada)).toBe(200);
    for (const method of ["POST", "GET", "DELETE"]) expect(await use(grace, method)).toBe(404);
    expect(await use(ada)).toBe(200);
  });
});

test("a meta tool finds, describes and calls only what its person may use", async () => {
  await using other = await startTeam(CONFIG, { offer: { mode: "meta" } });
  const [hers, his] = [await other.token("ada"), await other.token("grace")];
  const use = async (token: string, name: string, args: JsonObject): Promise<string> => {
    const { body } = await other.send(token, "tools/call", { name, arguments: args });
    return JSON.stringify(body);
  };
  for (const query of ["add two numbers", "tools_add", "write a note"]) {
    expect(await use(hers, "mcp_search_tools", { query })).toMatch(/tools_add|notes_write/);
    expect(await use(his, "mcp_search_tools", { query })).not.toMatch(/tools_add|notes_write/);
  }
  expect(await use(hers, "mcp_describe_tool", { name: "tools_add" })).toContain("Adds two numbers");
  expect(await use(his, "mcp_describe_tool", { name: "tools_add" })).not.toContain("Adds two numbers");
  const adding = { name: "tools_add", arguments: { a: 1, b: 2 } };
  expect(await use(hers, "mcp_call_tool", adding)).toContain('"sum":3');
  expect(await use(his, "mcp_call_tool", adding)).not.toContain("sum");
  const saying = (text: string): JsonObject => ({ name: "tools_echo", arguments: { text } });
  expect(await use(his, "mcp_call_tool", saying("hello"))).toContain('"text":"hello"');
  expect(await use(his, "mcp_call_tool", saying("bye"))).toContain("The policy does not allow this call");
});

test("the audit log contains the person, the action, the token and the deciding rule", async () => {
  await call(grace, "tools_echo", { text: "hello" });
  await call(grace, "tools_echo", { text: "bye" });
  const [person] = await team.store.people.list({ search: "grace" });
  const [token] = await team.store.tokens.list(person?.id);
  const entries = (await team.audit()).filter(({ method }) => method === "tools/call").slice(-2);
  expect(entries).toMatchObject([
    { outcome: "ok", server: "tools", item: "echo", decision: { answer: "allow", rule: "only hello" } },
    {
      outcome: "refused",
      server: "tools",
      item: "echo",
      decision: { answer: "deny", rule: "no rule applies" },
    },
  ]);
  for (const entry of entries)
    expect(entry).toMatchObject({ person: person?.id, client: { address: "127.0.0.1" }, endpoint: "/mcp" });
  expect(token?.name).toBe("test");
  expect(JSON.stringify(entries)).not.toMatch(/"hello"|bye/);
});
