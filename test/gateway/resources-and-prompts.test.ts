import { afterAll, describe, expect, test } from "vitest";
import { connectToGateway, gatewayIn, PAIRS, upstreamsOf } from "../support/gateway-clients.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const notes = upstreamsOf("notes-server.mjs");
const growingNotes = upstreamsOf("notes-server.mjs");
afterAll(() => Promise.all([notes.close(), growingNotes.close()]));

describe.each(PAIRS)(
  "resources and prompts: $client client over $downstream, $server server over $upstream",
  ({ downstream, client: era, upstream, server }) => {
    test("resources, templates, prompts and completions are relayed", async () => {
      await using sandbox = await createSandbox();
      const servers = { notes: await notes.entry(upstream, server) };
      await using gateway = await gatewayIn(sandbox, { servers });
      await using connected = await connectToGateway(gateway, downstream, era);
      const { client, received } = connected;

      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual(["notes+note://first", "notes+note://pixel"]);
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates).toMatchObject([{ uriTemplate: "notes+topic://{topic}", name: "by-topic" }]);
      const text = { mimeType: "text/plain", text: "The first note." };
      for (const uri of ["notes+note://first", "note://first"])
        expect((await client.readResource({ uri })).contents).toEqual([
          { uri: "notes+note://first", ...text },
        ]);
      expect((await client.readResource({ uri: "topic://work" })).contents).toEqual([
        { uri: "notes+topic://work", text: "All about work." },
      ]);
      await expect(client.readResource({ uri: "elsewhere://x" })).rejects.toThrow("Resource not found");
      // The client itself reports one code for both eras.
      expect(received.at(-1)).toMatchObject({ error: { code: era === "legacy" ? -32002 : -32602 } });

      const { prompts } = await client.listPrompts();
      expect(prompts).toMatchObject([{ name: "notes_summarize", title: "Summarize" }]);
      const name = "notes_summarize";
      const prompt = await client.getPrompt({ name, arguments: { topic: "work" } });
      expect(prompt.messages[0]?.content).toMatchObject({ text: "Summarize work in a plain tone." });
      const argument = { name: "topic", value: "we" };
      const values = ["weather", "wedding"];
      const ofPrompt = await client.complete({ ref: { type: "ref/prompt", name }, argument });
      expect(ofPrompt.completion.values).toEqual(values);
      const ref = { type: "ref/resource", uri: "notes+topic://{topic}" } as const;
      expect((await client.complete({ ref, argument })).completion.values).toEqual(values);
    });

    test("a server's list change reaches the client", async () => {
      await using sandbox = await createSandbox();
      const servers = { notes: await growingNotes.entry(upstream, server) };
      const topic = `new-${era}-${downstream}`; // servers over HTTP keep their notes
      await using gateway = await gatewayIn(sandbox, { servers });
      let heard = (): void => {};
      const changed = new Promise<void>((resolve) => {
        heard = resolve;
      });
      await using connected = await connectToGateway(gateway, downstream, era, {
        listChanged: { resources: { autoRefresh: false, onChanged: () => heard() } },
      });
      const { client } = connected;
      await client.listResources();
      await client.callTool({ name: "notes_write", arguments: { topic, text: "x" } });
      await changed;
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toContain(`notes+note://${topic}`);
    });
  },
);

test("a bundle completes no arguments of prompts that it does not offer", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { notes: { ...stdioServer("notes-server.mjs", ["--era", "legacy"]) } },
    bundles: { reading: { serverId: "notes", allowTools: ["read"] } },
  });
  await using gateway = await gatewayIn(sandbox, { discover: true });
  await using whole = await connectToGateway(gateway, "http", "legacy");
  await using bundle = await connectToGateway(gateway, "http", "legacy", { path: "/mcp/b/reading" });
  const asked = {
    ref: { type: "ref/prompt", name: "notes_summarize" },
    argument: { name: "topic", value: "we" },
  } as const;
  expect((await whole.client.complete(asked)).completion.values).not.toEqual([]);
  await expect(bundle.client.complete(asked)).rejects.toThrow("Unknown completion reference");
});
