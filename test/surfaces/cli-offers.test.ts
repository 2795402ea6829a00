import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasTerminal, onTerminal } from "../support/on-terminal.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { realServer, stdioServer } from "../support/test-servers.ts";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

async function sandboxWith(mcpServers: Record<string, unknown>): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
  return sandbox;
}

const withNotes = (): Promise<Sandbox> =>
  sandboxWith({ notes: stdioServer("notes-server.mjs", ["--era", "legacy"]) });

describe("plugboard resources", () => {
  test("shows the resources and templates of a server, one line each", async () => {
    await using sandbox = await withNotes();
    expect(await runCli(["resources", "notes"], { sandbox })).toMatchObject({
      code: 0,
      stdout: `notes · 3 resources
  note://first     first     text/plain  A note
  note://pixel     pixel     image/png
  topic://{topic}  by-topic  text/plain  Any topic
`,
      stderr: "",
    });
  });

  test("prints them as JSON", async () => {
    await using sandbox = await withNotes();
    const { code, json } = await runCli(["resources", "--json"], { sandbox });
    expect({ code, document: json() }).toMatchObject({
      code: 0,
      document: {
        resources: [
          { server: "notes", uri: "note://first", name: "first", stale: false },
          { server: "notes", uri: "note://pixel" },
        ],
        resourceTemplates: [{ server: "notes", uriTemplate: "topic://{topic}" }],
        failures: [],
      },
    });
  });

  test("reports failed servers, and exits 1 if nothing is left to show", async () => {
    await using sandbox = await sandboxWith({ broken: { command: "no-such-program" } });
    const message = 'Failed to connect to "broken": command "no-such-program" was not found';
    expect(await runCli(["resources"], { sandbox })).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `! broken: ${message}\n`,
    });
    const { code, json } = await runCli(["prompts", "--json"], { sandbox });
    expect({ code, document: json() }).toEqual({
      code: 1,
      document: { prompts: [], failures: [{ server: "broken", message }] },
    });
  });

  test("reports that a server offers none", async () => {
    await using sandbox = await sandboxWith({ raw: stdioServer("raw-server.mjs") });
    expect(await runCli(["resources", "raw"], { sandbox })).toMatchObject({
      code: 0,
      stdout: '"raw" offers no resources.\n',
    });
    expect(await runCli(["prompts"], { sandbox })).toMatchObject({
      code: 0,
      stdout: "No prompts: none of your servers offers any.\n",
    });
  });
});

describe("plugboard read", () => {
  test("prints text as it is", async () => {
    await using sandbox = await withNotes();
    expect(await runCli(["read", "notes", "note://first"], { sandbox })).toMatchObject({
      code: 0,
      stdout: "The first note.\n",
      stderr: "",
    });
  });

  test("writes bytes to a file", async () => {
    await using sandbox = await withNotes();
    const words = ["read", "notes", "note://pixel", "--output", "pixel.png"];
    expect(await runCli(words, { sandbox })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "70 bytes written to pixel.png\n",
    });
    const written = await readFile(join(sandbox.project, "pixel.png"));
    expect([written.subarray(0, 4), written.length]).toEqual([PNG, 70]);
  });

  test("writes bytes to a pipe", async () => {
    await using sandbox = await withNotes();
    const { code, stdout } = await runCli(["read", "notes", "note://pixel"], { sandbox });
    expect([code, stdout.slice(1, 4)]).toEqual([0, "PNG"]);
  });

  test.skipIf(!hasTerminal)("refuses to write bytes to a terminal", async () => {
    await using sandbox = await withNotes();
    const { code, screen } = await onTerminal(sandbox, "read notes note://pixel --no-color", "");
    expect({ code, screen }).toEqual({
      code: 2,
      screen: `✗ "note://pixel" is binary (image/png, 70 bytes) and cannot be shown on a terminal.
  Use --output <file>, or pipe the output into a program.
`,
    });
  });

  test("reports an unknown resource and the next command", async () => {
    await using sandbox = await withNotes();
    await runCli(["resources"], { sandbox });
    const { code, stderr } = await runCli(["read", "notes", "note://frist"], { sandbox });
    expect(code).toBe(2);
    expect(stderr).toContain('✗ Server "notes" has no resource "note://frist"');
    expect(stderr).toContain('Did you mean "note://first"?\n  → plugboard resources notes\n');
  });

  test("reports why a file cannot be written", async () => {
    await using sandbox = await withNotes();
    const words = ["read", "notes", "note://first", "--output", "no/such/folder", "--json"];
    const { code, json } = await runCli(words, { sandbox });
    expect({ code, document: json() }).toMatchObject({
      code: 2,
      document: { error: { code: "USAGE_INVALID" } },
    });
  });
});

describe("plugboard prompts and prompt", () => {
  test("show the prompts with their arguments", async () => {
    await using sandbox = await withNotes();
    expect(await runCli(["prompts"], { sandbox })).toMatchObject({
      code: 0,
      stdout: "notes · 1 prompt\n  summarize(topic, tone?)  Summarizes a topic\n",
    });
  });

  test("show a prompt's messages, images as descriptions", async () => {
    await using sandbox = await withNotes();
    await sandbox.writeProject("tone.txt", "dry");
    const words = ["prompt", "notes", "summarize", "topic=a=b", "tone=@tone.txt"];
    expect(await runCli(words, { sandbox })).toMatchObject({
      code: 0,
      stdout: `[user]
Summarize a=b in a dry tone.

[assistant]
Gladly.

[user]
[image: image/png, 70 bytes]
`,
    });
    const { json } = await runCli([...words, "--json"], { sandbox });
    expect(json()).toMatchObject({
      description: "A summary",
      messages: [{ role: "user", content: { type: "text" } }, {}, { content: { type: "image" } }],
    });
  });

  test.each([
    [["summarize"], 'Prompt "summarize" needs "topic".'],
    [["sumarize", "topic=x"], 'Server "notes" has no prompt "sumarize".'],
    [["summarize", "topic"], '"topic" is not a prompt argument.'],
    [["summarize", "topic:=1"], '"topic:=1" is not a prompt argument.'],
    [["summarize", "topic=a", "topic=b"], '"topic" is given more than once.'],
  ])("refuse %j with %s", async (words, message) => {
    await using sandbox = await withNotes();
    const { code, stderr } = await runCli(["prompt", "notes", ...words], { sandbox });
    expect([code, stderr.split("\n")[0]]).toEqual([2, `✗ ${message}`]);
  });
});

test("all of these commands work with the published everything server", async () => {
  await using sandbox = await sandboxWith({ everything: realServer("everything") });
  const resources = (await runCli(["resources", "everything", "--json"], { sandbox })).json() as {
    resources: { uri: string }[];
  };
  const uri = resources.resources[0]?.uri ?? "";
  const runs = [
    ["read", "everything", uri],
    ["prompts", "everything"],
    ["prompt", "everything", "simple-prompt"],
    ["test", "everything"],
  ];
  const results = [];
  for (const words of runs) results.push(await runCli(words, { sandbox }));
  expect(results.map(({ code, stdout }) => [code, stdout.length > 0])).toEqual(runs.map(() => [0, true]));
});
