/**
 * `node bench/in-process-calls.mjs`: the cost of a call to a server in the same process, compared with the SDK's own client on its
 * in-memory transport. Both clients take turns in one process, so that noise affects both equally.
 */

import { Client } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as InMemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { createHost } from "../dist/index.js";
import { atMost, goals } from "./goals.mjs";
import { percentile } from "./measure.mjs";
import { digits, times } from "./print.mjs";
import { emptyHome } from "./scratch.mjs";

const INFO = { name: "echo", version: "1.0.0" };
const ROUNDS = 40;
const CALLS = 250;
const WARM_UP = 2_000;

const echo = ({ text }) => ({ content: [{ type: "text", text }] });
const versions = {
  "SDK v1": { Client: ClientV1, InMemoryTransport: InMemoryV1, createServer: createV1 },
  "SDK v2": { Client, InMemoryTransport, createServer: createV2 },
};

for (const [name, sdk] of Object.entries(versions)) {
  const direct = await openDirect(sdk);
  const hosted = await openHosted(sdk);
  const { directMicros, hostedMicros } = await takeTurns(direct.call, hosted.call);
  const ratio = hostedMicros / directMicros;
  const goal = atMost(goals.inProcessCallTimesSdk, "× the SDK's client", ratio);
  console.log(
    `${name}: ${digits(directMicros)} µs direct, ${digits(hostedMicros)} µs through Plugboard (${times(hostedMicros, directMicros)}), goal ${goal}`,
  );
  await direct.close();
  await hosted.close();
}

function createV1() {
  const server = new McpServerV1(INFO);
  server.registerTool("echo", { inputSchema: { text: z.string() } }, echo);
  return server;
}

function createV2() {
  const server = new McpServer(INFO);
  server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, echo);
  return server;
}

async function openDirect(sdk) {
  const client = new sdk.Client({ name: "bench", version: "1.0.0" });
  const [mine, other] = sdk.InMemoryTransport.createLinkedPair();
  await sdk.createServer().connect(other);
  await client.connect(mine);
  await client.listTools();
  return {
    call: (text) => client.callTool({ name: "echo", arguments: { text } }),
    close: () => client.close(),
  };
}

async function openHosted(sdk) {
  const home = emptyHome();
  const servers = { echo: { server: sdk.createServer() } };
  const host = await createHost({ servers, discover: false, cwd: home.folder, env: home.env });
  await host.tools();
  return {
    call: (text) => host.call("echo", "echo", { text }),
    async close() {
      await host.close();
      home.remove();
    },
  };
}

/** Returns the median of each client over all its calls. */
async function takeTurns(...clients) {
  const all = clients.map(() => []);
  for (const call of clients) for (let at = 0; at < WARM_UP; at++) await call("warm-up");
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < clients.length; turn++) {
      const index = (round + turn) % clients.length;
      for (let at = 0; at < CALLS; at++) {
        const started = process.hrtime.bigint();
        await clients[index](`call ${at}`);
        all[index].push(Number(process.hrtime.bigint() - started) / 1_000);
      }
    }
  }
  const [directMicros, hostedMicros] = all.map((times) =>
    percentile(
      times.sort((a, b) => a - b),
      0.5,
    ),
  );
  return { directMicros, hostedMicros };
}
