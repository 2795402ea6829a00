import { expect, test } from "vitest";
import { serveHttp } from "../../src/testing/index.ts";
import { dashboardIn } from "../support/dashboard-in.ts";
import { connectToGateway } from "../support/gateway-clients.ts";
import { openEvents } from "../support/page-events.ts";

const tools = { read: { description: "Reads.", run: () => "text" } };

test("a page gets numbered snapshots of the state, and needs only one to catch up", async () => {
  await using server = await serveHttp({ name: "notes", version: "1.0.0", tools });
  await using opened = await dashboardIn({ servers: { notes: { type: "http", url: server.url } } });
  const { page } = opened;
  const events = await openEvents(page);
  await expect
    .poll(() => events.snapshots)
    .toMatchObject([{ number: 1, overview: { servers: { connected: 0 } } }]);
  await page.post("servers/notes/reconnect");
  await expect
    .poll(() => events.snapshots.at(-1))
    .toMatchObject({ overview: { servers: { total: 1, connected: 1 } } });
  await expect // the chart of states
    .poll(() => events.snapshots.at(-1)?.revisions["metrics"], { timeout: 10_000 })
    .toBeGreaterThan(events.snapshots[0]?.revisions["metrics"] ?? 0);
  const numbers = events.snapshots.map(({ number }) => number);
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  const before = events.snapshots.at(-1);
  expect(before?.id).toBe(String(before?.number));
  events.drop();
  await page.post("servers/notes/disable");
  const again = await openEvents(page, before?.id);
  await expect
    .poll(() => again.snapshots[0])
    .toMatchObject({
      process: before?.process,
      overview: { servers: { total: 1, connected: 0 } },
    });
  expect(again.snapshots[0]?.number).toBeGreaterThan(before?.number ?? 0);
  expect(again.snapshots[0]?.revisions["servers"]).toBeGreaterThan(before?.revisions["servers"] ?? 0);
  const { revision } = (await page.get("servers")).json;
  expect(revision).toBeGreaterThanOrEqual(again.snapshots[0]?.revisions["servers"] ?? 0);
  again.drop();
});

test("client requests update the topics that show them, in few snapshots", async () => {
  await using server = await serveHttp({ name: "notes", version: "1.0.0", tools });
  await using opened = await dashboardIn({ servers: { notes: { type: "http", url: server.url } } });
  const events = await openEvents(opened.page);
  await using client = await connectToGateway(opened.gateway, "stdio", "legacy");
  await client.client.listTools();
  await expect.poll(() => events.snapshots.length).toBeGreaterThan(1);
  const before = events.snapshots.length;
  const revisions = events.snapshots.at(-1)?.revisions;
  for (let count = 0; count < 100; count += 1)
    await client.client.callTool({ name: "notes_read", arguments: {} });
  const latest = await openEvents(opened.page);
  await expect.poll(() => latest.snapshots.length).toBeGreaterThan(0);
  const after = latest.snapshots[0]?.revisions ?? {};
  latest.drop();
  for (const topic of ["activity", "clients"]) expect(after[topic]).toBeGreaterThan(revisions?.[topic] ?? 0);
  expect(events.snapshots.length - before).toBeLessThan(50);
  expect((await opened.page.get("activity?limit=1000&item=read")).json["rows"]).toHaveLength(100);
  events.drop();
});

test("too many streams are refused, and closed ones make room for others", async () => {
  await using opened = await dashboardIn();
  const streams = await Promise.all(Array.from({ length: 32 }, () => openEvents(opened.page)));
  expect(await opened.page.get("events")).toMatchObject({
    status: 429,
    json: { error: { code: "PAGE_BUSY" } },
  });
  for (const stream of streams) stream.drop();
  await expect
    .poll(async () => {
      const stream = await openEvents(opened.page).catch(() => undefined);
      stream?.drop();
      return stream !== undefined;
    })
    .toBe(true);
});

test("closing the gateway ends the streams", async () => {
  await using opened = await dashboardIn();
  const events = await openEvents(opened.page);
  await opened.gateway.close();
  await events.ended;
});
