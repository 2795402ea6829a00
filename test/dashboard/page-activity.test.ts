import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dashboardIn } from "../support/dashboard-in.ts";
import type { Sandbox } from "../support/sandbox.ts";

const ROWS = 10_000;
const MINUTE = 60_000;

interface Page {
  readonly rows: readonly { readonly id: string; readonly at: number }[];
  readonly next?: string;
}

/** Writes requests of the last day, one every eight seconds, as gateways do: two files at the same time. */
async function writeRequests(sandbox: Sandbox): Promise<number> {
  const newest = Date.now() - MINUTE;
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const at = newest - index * 8_000;
    const time = at.toString(16).padStart(12, "0");
    return JSON.stringify({
      id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(index).padStart(12, "0")}`,
      at,
      client: { name: "client" },
      session: "0123456789abcdef",
      endpoint: "/mcp",
      method: "tools/call",
      server: index % 2 === 0 ? "even" : "odd",
      item: `tool-${index % 10}`,
      clientEra: "modern",
      outcome: index % 100 === 0 ? "failed" : "ok",
      durationMs: 1 + (index % 100),
      bytesOut: 10,
    });
  }).reverse();
  const folder = join(sandbox.home, ".local/state/plugboard/audit");
  await mkdir(folder, { recursive: true });
  for (const part of [0, 1]) {
    const mine = lines.filter((_, index) => index % 2 === part);
    await writeFile(join(folder, `${newest - ROWS * 8_000}-${part}-1.jsonl`), `${mine.join("\n")}\n`);
  }
  return newest;
}

test("ten thousand requests are read in pages, each once and the newest first", async () => {
  await using opened = await dashboardIn({}, writeRequests);
  const { page } = opened;
  const seen: string[] = [];
  let pages = 0;
  for (let before = ""; ; ) {
    const { rows, next } = (await page.get(`activity?limit=500${before}`)).json as unknown as Page;
    seen.push(...rows.map(({ id }) => id));
    pages += 1;
    if (next === undefined) break;
    before = `&before=${next}`;
  }
  expect(pages).toBe(ROWS / 500);
  expect(new Set(seen).size).toBe(ROWS);
  expect(seen).toEqual(seen.toSorted().reverse());
  const { rows: fresh } = (await page.get(`activity?after=${seen[3] ?? ""}`)).json as unknown as Page;
  expect(fresh.map(({ id }) => id)).toEqual(seen.slice(0, 3));
});

test("requests are filtered by server, name, outcomes and time", async () => {
  let newest = 0;
  await using opened = await dashboardIn({}, async (sandbox) => {
    newest = await writeRequests(sandbox);
  });
  const count = async (query: string): Promise<number> =>
    ((await opened.page.get(`activity?limit=1000&${query}`)).json as unknown as Page).rows.length;
  expect(await count("outcome=failed")).toBe(100);
  expect(await count("outcome=failed,refused&server=odd")).toBe(0);
  expect(await count(`item=OL-3&since=${newest - 799_999}`)).toBe(10);
  expect(await count(`since=${newest - 80_000}&until=${newest - 8_000}`)).toBe(10);
  expect(await count("method=tools/list")).toBe(0);
});

test("charts begin with the requests of earlier processes", async () => {
  await using opened = await dashboardIn({}, writeRequests);
  const { json } = await opened.page.get("metrics?window=day");
  const { calls, servers, steps } = json as {
    calls: number[];
    servers: { server: string; total: Record<string, number>; p50: (number | null)[] }[];
    steps: number;
  };
  expect(steps).toBe(96);
  expect(calls).toHaveLength(96);
  expect(calls.reduce((sum, count) => sum + count)).toBe(ROWS);
  const even = servers.find(({ server }) => server === "even");
  expect(even?.total).toMatchObject({ calls: ROWS / 2, errors: 100 });
  expect(even?.total["p50"]).toBeGreaterThan(47);
  expect(even?.total["p50"]).toBeLessThan(53);
  expect(even?.p50).toHaveLength(96);
  const { json: overview } = await opened.page.get("overview");
  expect(overview["errorsLastHour"]).toBeGreaterThanOrEqual(4);
  expect((await opened.page.get("metrics?window=week")).status).toBe(400);
});
