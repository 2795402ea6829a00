import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { HostEvent, LocalServerOptions } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { realServer, startNotesServer, stdioServer } from "../support/test-servers.ts";
import { eventsOf, eventually, failureOf, hostIn } from "./host-in.ts";

const ERAS: readonly [string, LocalServerOptions][] = ["legacy", "modern"].map((era) => [
  era,
  stdioServer("notes-server.mjs", ["--era", era]),
]);

describe.each(ERAS)("a server of the %s era", (_, notes) => {
  test("has its resources, templates and prompts listed with their details", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { notes } });
    expect({
      resources: await host.resources.list("notes"),
      templates: await host.resources.templates("notes"),
      prompts: await host.prompts.list("notes"),
    }).toEqual({
      resources: [
        {
          server: "notes",
          stale: false,
          uri: "note://first",
          name: "first",
          description: "A note",
          mimeType: "text/plain",
        },
        {
          server: "notes",
          stale: expect.any(Boolean),
          uri: "note://pixel",
          name: "pixel",
          mimeType: "image/png",
        },
      ],
      templates: [
        {
          server: "notes",
          stale: expect.any(Boolean),
          uriTemplate: "topic://{topic}",
          name: "by-topic",
          description: "Any topic",
          mimeType: "text/plain",
        },
      ],
      prompts: [
        {
          server: "notes",
          stale: expect.any(Boolean),
          name: "summarize",
          title: "Summarize",
          description: "Summarizes a topic",
          arguments: [
            { name: "topic", required: true },
            { name: "tone", required: false },
          ],
        },
      ],
    });
  });

  test("is not started if only cached lists are requested", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { notes } });
    const listed = async (): Promise<string[]> =>
      [
        await host.resources.list("notes", { connect: false }),
        await host.resources.templates(undefined, { connect: false }),
        await host.prompts.list(undefined, { connect: false }),
      ].flatMap((list) => list.map(({ name }) => name));
    const before = { listed: await listed(), state: host.servers()[0]?.state };
    await host.prompts.list("notes");
    await host.close("notes");
    expect([before, { listed: await listed(), state: host.servers()[0]?.state }]).toEqual([
      { listed: [], state: "idle" },
      { listed: ["first", "pixel", "by-topic", "summarize"], state: "idle" },
    ]);
  });

  test("has its resources read by URI: text, bytes, and those of a template", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { notes } });
    expect(await host.resources.read("notes", "note://first")).toEqual({
      contents: [{ uri: "note://first", mimeType: "text/plain", text: "The first note." }],
    });
    expect(await host.resources.read("notes", "note://pixel")).toEqual({
      contents: [{ uri: "note://pixel", mimeType: "image/png", blob: expect.stringMatching(/^iVBOR/) }],
    });
    expect(await host.resources.read("notes", "topic://tea")).toMatchObject({
      contents: [{ text: "All about tea." }],
    });
  });

  test("reports an unknown resource, and suggests a similar one", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { notes } });
    await host.resources.list("notes");
    expect(await failureOf(host.resources.read("notes", "note://frist"))).toMatchObject({
      code: "RESOURCE_UNKNOWN",
      message: expect.stringContaining('Server "notes" has no resource "note://frist"'),
      hint: 'Did you mean "note://first"?',
      server: "notes",
    });
  });

  test("fills in its prompts, and completes their arguments", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { notes } });
    expect(await host.prompts.get("notes", "summarize", { topic: "tea", tone: "dry" })).toEqual({
      description: "A summary",
      messages: [
        { role: "user", content: { type: "text", text: "Summarize tea in a dry tone." } },
        { role: "assistant", content: { type: "text", text: "Gladly." } },
        { role: "user", content: { type: "image", data: expect.any(String), mimeType: "image/png" } },
      ],
    });
    const argument = { name: "topic", value: "we" };
    const values = ["weather", "wedding"];
    expect(await host.prompts.complete("notes", "summarize", argument)).toMatchObject({
      values,
      hasMore: false,
    });
    expect(await host.resources.complete("notes", "topic://{topic}", argument)).toMatchObject({ values });
  });

  test("reports an unknown prompt, and missing arguments", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { notes } });
    expect(await failureOf(host.prompts.get("notes", "sumarize", {}))).toEqual({
      code: "PROMPT_UNKNOWN",
      message: 'Server "notes" has no prompt "sumarize".',
      hint: 'Did you mean "summarize"?',
      server: "notes",
    });
    expect(await failureOf(host.prompts.get("notes", "summarize", { tone: "dry" }))).toEqual({
      code: "PROMPT_ARGUMENTS_INVALID",
      message: 'Prompt "summarize" needs "topic".',
      hint: "It takes topic, tone.",
      server: "notes",
    });
  });

  test("reports changes of a resource, even after a restart, until the last listener unsubscribes", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { notes } });
    const told: string[] = [];
    const leave = await host.resources.subscribe("notes", "note://first", (uri) => told.push(uri));
    const write = () => host.call("notes", "write", { topic: "first", text: "new" });
    await write();
    await eventually(() => expect(told).toEqual(["note://first"]));

    await failureOf(host.call("notes", "leave"));
    await host.connect("notes");
    await eventually(() => expect(told).toEqual(["note://first", "note://first"])); // it may have changed meanwhile
    await write();
    await eventually(() => expect(told).toHaveLength(3));

    await leave();
    await write();
    expect(told).toHaveLength(3);
  });

  test("that announces changed resources has only that list read again", async () => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, "lists");
    const server = { ...notes, toolsTtlMs: 60_000, env: { LIST_FILE: file } };
    await using host = await hostIn(sandbox, { servers: { notes: server } });
    await host.resources.list("notes", { refresh: true });
    const before = await readFile(file, "utf8");
    const events = eventsOf(host);
    await host.call("notes", "write", { topic: "second", text: "new" });
    await eventually(() => expect(catalogEvents(events)).toEqual(["catalog.changed resources"]));
    const uris = (await host.resources.list("notes")).map(({ uri }) => uri);
    expect(uris).toEqual(["note://first", "note://pixel", "note://second"]);
    const asked = (await readFile(file, "utf8")).slice(before.length);
    expect(new Set(asked.trim().split("\n"))).not.toContain("tools/list");
    expect(asked).toContain("resources/list");
  });
});

const catalogEvents = (events: readonly HostEvent[]): string[] =>
  events.flatMap((event) => (event.type === "catalog.changed" ? [`${event.type} ${event.kind}`] : []));

test("a server of the modern era also reports changes over HTTP", async () => {
  await using sandbox = await createSandbox();
  await using server = await startNotesServer();
  await using host = await hostIn(sandbox, { servers: { notes: { type: "http", url: server.url } } });
  const told: string[] = [];
  const leave = await host.resources.subscribe("notes", "note://first", (uri) => told.push(uri));
  await host.call("notes", "write", { topic: "first", text: "new" });
  await eventually(() => expect(told).toEqual(["note://first"]));
  await leave();
});

test("everything that a server offers is read again after its notification stream was lost", async () => {
  await using sandbox = await createSandbox();
  await using server = await startNotesServer();
  await using host = await hostIn(sandbox, { servers: { notes: { type: "http", url: server.url } } });
  await host.resources.list("notes", { refresh: true });
  const events = eventsOf(host);
  await host.call("notes", "write", { topic: "second", text: "new", silent: true });
  await host.call("notes", "hang_up");
  await eventually(() => expect(catalogEvents(events)).toEqual(["catalog.changed resources"]));
});

test("a server without resources and prompts lists none, and a request for one is an error", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { raw: stdioServer("raw-server.mjs") } });
  expect([
    await host.resources.list("raw"),
    await host.resources.templates("raw"),
    await host.prompts.list("raw"),
  ]).toEqual([[], [], []]);
  expect(await failureOf(host.resources.read("raw", "note://a"))).toMatchObject({
    code: "RESOURCE_UNKNOWN",
    message: 'Server "raw" offers no resources.',
  });
  expect(await failureOf(host.prompts.get("raw", "ask"))).toMatchObject({
    code: "PROMPT_UNKNOWN",
    hint: "It offers no prompts.",
  });
  const argument = { name: "topic", value: "" };
  expect(await host.prompts.complete("raw", "ask", argument)).toEqual({
    values: [],
    hasMore: false,
  });
});

test("all servers' resources and prompts are listed together; a failing server does not affect the others", async () => {
  await using sandbox = await createSandbox();
  const servers = { notes: stdioServer("notes-server.mjs"), broken: { command: "no-such-program" } };
  await using host = await hostIn(sandbox, { servers });
  const uris = (await host.resources.list()).map(({ server, uri }) => `${server} ${uri}`);
  expect(uris).toEqual(["notes note://first", "notes note://pixel"]);
  expect((await host.prompts.list()).map(({ name }) => name)).toEqual(["summarize"]);
  expect(host.servers().find(({ name }) => name === "broken")?.state).toBe("failed");
});

test("what a server offers is known to the next run without starting it", async () => {
  await using sandbox = await createSandbox();
  const servers = { notes: stdioServer("notes-server.mjs", ["--era", "legacy"]) };
  {
    await using host = await hostIn(sandbox, { servers });
    await host.prompts.list();
  }
  await using host = await hostIn(sandbox, { servers });
  expect((await host.prompts.list()).map(({ name, stale }) => [name, stale])).toEqual([["summarize", false]]);
  expect((await host.resources.list()).map(({ uri }) => uri)).toEqual(["note://first", "note://pixel"]);
  expect(host.servers()[0]?.state).toBe("idle");
});

test("the resources, templates, prompts and completions of the published everything server work", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { everything: realServer("everything") } });
  const [resource] = await host.resources.list("everything");
  const { contents } = await host.resources.read("everything", resource?.uri ?? "");
  expect(contents[0]).toMatchObject({ uri: resource?.uri, text: expect.stringMatching(/./) });
  expect((await host.resources.templates("everything")).length).toBeGreaterThan(0);
  const prompts = await host.prompts.list("everything");
  const plain = prompts.find((prompt) => prompt.arguments.length === 0);
  const { messages } = await host.prompts.get("everything", plain?.name ?? "");
  expect(messages[0]).toMatchObject({ role: "user", content: { type: "text" } });
  expect(
    await host.prompts.complete("everything", "completable-prompt", { name: "department", value: "E" }),
  ).toMatchObject({
    values: ["Engineering"],
  });
});
