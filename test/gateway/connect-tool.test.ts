import { describe, expect, test } from "vitest";
import { connectToGateway, type GatewayClient, gatewayIn } from "../support/gateway-clients.ts";
import { browse, startOauthServer } from "../support/oauth-server.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const CELLS = (["stdio", "http"] as const).flatMap((downstream) =>
  (["legacy", "modern"] as const).map((era) => ({ downstream, era })),
);
const CONNECT = "plugboard_connect";
const namesOf = async ({ client }: GatewayClient): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);

test("the command that approves a server runs nothing else, even if the server's name contains shell syntax", async () => {
  await using sandbox = await createSandbox();
  const names = ["x; touch pwned #", "$(id)", "x --yes --hash 0", "--trust-project"];
  const mcpServers = Object.fromEntries(names.map((name) => [name, { command: "true" }]));
  await sandbox.writeProject(".mcp.json", { mcpServers });
  await using gateway = await gatewayIn(sandbox, { discover: true });
  await using connected = await connectToGateway(gateway, "stdio", "legacy");
  const commandFor = async (server: string): Promise<string | undefined> => {
    const { content } = await connected.client.callTool({ name: CONNECT, arguments: { server } });
    return /plugboard trust (.*?)"?\}/.exec(JSON.stringify(content))?.[1];
  };
  expect(await Promise.all(names.map(commandFor))).toEqual([
    "'x; touch pwned #'",
    "'$(id)'",
    "'x --yes --hash 0'",
    "<server>",
  ]);
});

describe.each(CELLS)("$era client over $downstream", ({ downstream, era }) => {
  test("a server that needs a sign-in is offered through a tool that asks for it", async () => {
    await using sandbox = await createSandbox();
    await using server = await startOauthServer();
    await server.control("require");
    const servers = {
      notes: { type: "http" as const, url: server.url },
      tools: stdioServer("tools-server.mjs"),
    };
    await using gateway = await gatewayIn(sandbox, { servers });
    const pages: unknown[] = [];
    await using connected = await connectToGateway(gateway, downstream, era, {
      capabilities: { elicitation: { url: {} } },
      prepare: (client) =>
        client.setRequestHandler("elicitation/create", async ({ params }) => {
          pages.push(params);
          if ("url" in params) await browse(params.url);
          return { action: "accept" };
        }),
    });
    const { client } = connected;
    const { tools } = await client.listTools();
    const connect = tools.find(({ name }) => name === CONNECT);
    expect(connect?.description).toContain("notes (sign-in)");
    expect(tools.map(({ name }) => name)).toContain("tools_echo");
    const result = await client.callTool({ name: CONNECT, arguments: { server: "notes" } });
    expect(pages).toMatchObject([{ mode: "url", message: "Sign in to notes" }]);
    expect(result.content).toEqual([
      { type: "text", text: 'Signed in to "notes". Its tools are listed now.' },
    ]);
    await expect.poll(() => namesOf(connected)).not.toContain(CONNECT);
    expect((await namesOf(connected)).some((name) => name.startsWith("notes_"))).toBe(true);
  });

  test("a client that cannot open pages gets the link, and the command that approves the server", async () => {
    await using sandbox = await createSandbox();
    await using server = await startOauthServer();
    await server.control("require");
    await sandbox.writeProject(".mcp.json", { mcpServers: { evil: { command: "true" } } });
    const servers = { notes: { type: "http" as const, url: server.url } };
    await using gateway = await gatewayIn(sandbox, { servers, discover: true });
    await using connected = await connectToGateway(gateway, downstream, era);
    const { client } = connected;
    expect(await namesOf(connected)).toEqual([CONNECT]);
    const use = async (name: string): Promise<unknown> =>
      (await client.callTool({ name: CONNECT, arguments: { server: name } })).content;
    expect(await use("notes")).toMatchObject([{ text: expect.stringContaining(server.url.slice(0, 17)) }]);
    expect(await use("evil")).toMatchObject([{ text: expect.stringContaining("plugboard trust evil") }]);
    expect(await use("other")).toMatchObject([{ text: '"other" does not need anything from the user.' }]);
  });
});

test("/mcp/s/<server> has no tool of the gateway", async () => {
  await using sandbox = await createSandbox();
  await using server = await startOauthServer();
  await server.control("require");
  const servers = { notes: { type: "http" as const, url: server.url } };
  await using gateway = await gatewayIn(sandbox, { servers });
  await using connected = await connectToGateway(gateway, "http", "modern", { path: "/mcp/s/notes" });
  expect(await namesOf(connected)).toEqual([]);
});
