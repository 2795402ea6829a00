import { randomBytes } from "node:crypto";
import { get } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPeers } from "../../src/platform/node/index.ts";
import { noPostgres } from "../support/postgres.ts";
import { type ClusterWorld, createClusterWorld, type LocalNode } from "./cluster-world.ts";

describe.skipIf(noPostgres !== undefined)("the traffic between nodes", () => {
  let world: ClusterWorld;
  let node: LocalNode;
  let token: string;
  beforeAll(async () => {
    world = await createClusterWorld();
    node = await world.startLocal();
    token = await world.token("ada");
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const addressOf = async () => {
    const [row] = await world.store.nodes.list();
    const [host = "", port] = row?.address?.split(":") ?? [];
    return { host, port: Number(port), row };
  };

  test("is refused without the key, and with a wrong one", async () => {
    const { host, port } = await addressOf();
    const plain = await new Promise<string>((resolve) => {
      get({ host, port, path: "/mcp" }, () => resolve("answered")).on("error", () => resolve("refused"));
    });
    expect(plain).toBe("refused");
    const [right] = world.store.keys.keysFor("nodes");
    const [name = new Uint8Array()] = world.store.keys.keysFor("names of node keys");
    const id = Buffer.from(name).toString("hex").slice(0, 16);
    const ask = async (key: Uint8Array, keyId = id) => {
      const peers = await openPeers();
      return peers
        .request(
          { host, port },
          { id: keyId, key },
          { method: "GET", target: "/alive", headers: {}, connectMs: 2_000 },
        )
        .then(async ({ status, body }) => {
          for await (const _ of body);
          return status;
        })
        .catch(({ kind }: { kind: string }) => kind)
        .finally(() => peers.close());
    };
    expect(await ask(right ?? new Uint8Array())).toBe(200);
    expect(await ask(randomBytes(32))).toBe("unreachable");
    expect(await ask(right ?? new Uint8Array(), "other")).toBe("unreachable");
  });

  test("needs the client's own token, and names the node and its epoch", async () => {
    const { host, port, row } = await addressOf();
    const peers = await openPeers();
    const [key = new Uint8Array()] = world.store.keys.keysFor("nodes");
    const [name = new Uint8Array()] = world.store.keys.keysFor("names of node keys");
    const peerKey = { id: Buffer.from(name).toString("hex").slice(0, 16), key };
    const send = async (headers: Record<string, string>, target = "/mcp") => {
      const answer = await peers.request({ host, port }, peerKey, {
        method: "POST",
        target,
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
        connectMs: 2_000,
      });
      for await (const _ of answer.body);
      return answer.status;
    };
    const authorization = `Bearer ${token}`;
    const target = `${row?.id} ${row?.epoch}`;
    expect(await send({ authorization, "x-plugboard-for": target })).toBe(200);
    expect(await send({ authorization, "x-plugboard-for": `${row?.id} 99` })).toBe(421);
    expect(await send({ authorization })).toBe(421);
    expect(await send({ "x-plugboard-for": target })).toBe(401);
    expect(await send({ authorization: "Bearer pb_wrong", "x-plugboard-for": target })).toBe(401);
    expect(await send({ authorization, "x-plugboard-for": target }, "/login")).toBe(404);
    peers.close();
  });

  test("has headers that clients cannot send", async () => {
    const other = await world.startLocal();
    const client = await world.client(token, node.url).initialize();
    const { row } = await addressOf();
    const response = await fetch(other.url, {
      method: "POST",
      headers: {
        ...client.headers,
        "x-plugboard-for": `${row?.id} ${row?.epoch}`,
        "x-plugboard-client": "203.0.113.9",
        "x-plugboard-other": "1",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect(response.status).toBe(200);
    await node.gateway.saved();
    const addresses = (await world.store.audit.read({ limit: 1_000 })).map(
      ({ client: from }) => from?.address,
    );
    expect(new Set(addresses)).not.toContain("203.0.113.9");
  });

  test("survives connections that send nothing", async () => {
    const { host, port } = await addressOf();
    const sockets = Array.from({ length: 20 }, () => connect(port, host));
    const client = await world.client(token, node.url).initialize();
    expect((await client.post("ping")).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});
