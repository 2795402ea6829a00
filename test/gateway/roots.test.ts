import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import type { Gateway } from "../../src/gateway.ts";
import {
  connectToGateway,
  type Downstream,
  type Era,
  type GatewayClient,
  gatewayIn,
} from "../support/gateway-clients.ts";
import { createSandbox } from "../support/sandbox.ts";
import { realServer, stdioServer } from "../support/test-servers.ts";

const CELLS = (["stdio", "http"] as const).flatMap((downstream) =>
  (["legacy", "modern"] as const).map((era) => ({ downstream, era })),
);

/** Connects a client with one folder, and counts how often it is asked. */
async function withRoots(gateway: Gateway, downstream: Downstream, era: Era, folder: { path: string }) {
  const asked: string[] = [];
  const connected = await connectToGateway(gateway, downstream, era, {
    capabilities: { roots: { listChanged: true } },
    prepare: (client) =>
      client.setRequestHandler("roots/list", () => {
        asked.push(folder.path);
        return { roots: [{ uri: pathToFileURL(folder.path).href, name: "work" }] };
      }),
  });
  return { ...connected, asked, [Symbol.asyncDispose]: () => connected[Symbol.asyncDispose]() };
}

const PATIENT = { timeout: 20_000 };
const call = async ({ client }: Pick<GatewayClient, "client">, name: string): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: {} });
  const [part] = content;
  return part?.type === "text" ? part.text : "";
};
const allowed = (of: Pick<GatewayClient, "client">): Promise<string> =>
  call(of, "files_list_allowed_directories");

describe.each(CELLS)("roots of $era clients over $downstream", ({ downstream, era }) => {
  test("1.17 a server that uses roots as its folders gets those of the calling client", async () => {
    await using sandbox = await createSandbox();
    const [start, a, b] = ["start", "a", "b"].map((name) => join(sandbox.project, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [start, a, b]) await mkdir(folder, { recursive: true });
    const servers = { files: realServer("filesystem", start) };
    await using gateway = await gatewayIn(sandbox, { servers });
    const folder = { path: a };
    await using first = await withRoots(gateway, downstream, era, folder);
    await using second = await withRoots(gateway, downstream, era, { path: b });
    await first.client.listTools(); // starts the server, which asks for roots that nobody can be asked about
    await allowed(first).catch(() => {});
    // Servers use roots some time after they got them.
    await expect.poll(() => allowed(first), PATIENT).toContain(a);
    await expect.poll(() => allowed(second), PATIENT).toContain(b);
    for (let round = 0; round < 2; round += 1) {
      expect(await allowed(first)).toContain(a);
      expect(await allowed(second)).toContain(b);
      expect(await allowed(first)).not.toContain(b);
    }
    if (era === "modern") return;
    expect(first.asked.length).toBeLessThanOrEqual(2); // not once per call
    folder.path = b;
    await first.client.sendRootsListChanged();
    await expect.poll(() => allowed(first), PATIENT).toContain(b);
  });
});

test("1.17 a client that does not answer has no roots", async () => {
  await using sandbox = await createSandbox();
  const servers = { asks: stdioServer("asking-server.mjs", ["--era", "legacy"]) };
  await using gateway = await gatewayIn(sandbox, { servers });
  await using connected = await connectToGateway(gateway, "stdio", "legacy", {
    capabilities: { roots: {} },
    prepare: (client) =>
      client.setRequestHandler("roots/list", () => {
        throw new Error("not now");
      }),
  });
  await call(connected, "asks_roots"); // the server is refused, and known to ask from now on
  expect(await call(connected, "asks_roots")).toBe('{"roots":[]}');
});
