import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Http } from "../index.ts";
import { createNodeHttp } from "./http.lazy.ts";

test.each([
  (host: string) => `blob:http://${host}/`,
  (host: string) => `ws://${host}/`,
  (host: string) => `ftp://${host}/`,
  (host: string) => `other://${host}/`,
  () => "file:///",
  () => "data:,x",
])("an address that is not http or https gets no request (%#)", async (address) => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const variables = { http_proxy: `http://127.0.0.1:${port}`, all_proxy: `http://127.0.0.1:${port}` };
  for (const http of [createNodeHttp(), createNodeHttp(variables)]) {
    const url = new URL(address(`127.0.0.1:${port}`));
    await expect(http.request({ url, method: "GET", headers: {} })).rejects.toMatchObject({
      code: "ERR_INVALID_PROTOCOL",
      message: `${url.protocol} addresses are not supported`,
      sent: false,
      reused: false,
    });
    http.close();
  }
  server.closeAllConnections();
  server.close();
  expect(requests).toBe(0);
});

describe("an idle connection", () => {
  interface ThreadServer {
    readonly url: URL;
    /** Blocks this thread until the server has closed this many connections. */
    blockUntilClosed(connections: number): void;
    stop(): Promise<unknown>;
  }

  /** A server in its own thread, which works while this one is blocked. Closes idle connections without an announcement. */
  async function startServer({ closes }: { readonly closes: boolean }): Promise<ThreadServer> {
    const closed = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(
      `const { createServer } = require("node:http");
      const { parentPort, workerData: { closes, closed } } = require("node:worker_threads");
      let connections = 0;
      const server = createServer((request, response) => {
        request.resume().on("end", () => response.writeHead(200, { connection: "keep-alive" }).end(String(connections)));
        const close = () => request.socket.end(() => { Atomics.add(closed, 0, 1); Atomics.notify(closed, 0); });
        if (closes) response.on("finish", () => setTimeout(close, 20));
      });
      server.on("connection", () => { connections += 1; });
      server.keepAliveTimeout = 60_000;
      server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
      { eval: true, workerData: { closes, closed } },
    );
    const port = await new Promise((resolve) => worker.once("message", resolve));
    return {
      url: new URL(`http://127.0.0.1:${String(port)}/`),
      blockUntilClosed(connections) {
        Atomics.wait(closed, 0, connections - 1, 10_000);
        Atomics.wait(closed, 0, connections, 300); // as long as a pause that is noticed
      },
      stop: () => worker.terminate(),
    };
  }

  /** Resolves with the number of connections that the server has seen. */
  async function countConnections(http: Http, url: URL): Promise<string> {
    const response = await http.request({ url, method: "POST", headers: {}, body: "{}" });
    const chunks: Uint8Array[] = [];
    await new Promise<void>((resolve) =>
      response.read(
        (chunk) => void chunks.push(chunk),
        () => resolve(),
      ),
    );
    return Buffer.concat(chunks).toString();
  }

  afterEach(() => void vi.restoreAllMocks());

  test.each([
    ["in a timer", (done: () => void) => setTimeout(done, 0)],
    ["in an immediate", (done: () => void) => setImmediate(done)],
    ["at once", (done: () => void) => done()],
  ])("that the server closed while this process was blocked is not used again: %s", async (_, enterPhase) => {
    const server = await startServer({ closes: true });
    const http = createNodeHttp();
    try {
      for (const connection of [1, 2, 3]) {
        expect(await countConnections(http, server.url)).toBe(String(connection));
        await new Promise<void>((resolve) => enterPhase(resolve));
        server.blockUntilClosed(connection);
      }
    } finally {
      http.close();
      await server.stop();
    }
  });

  test("is used again, unless it has been idle for four seconds, even if the machine was suspended", async () => {
    const server = await startServer({ closes: false });
    const http = createNodeHttp();
    try {
      expect(await countConnections(http, server.url)).toBe("1");
      const later = (ms: number): void => {
        const now = Date.now();
        vi.spyOn(Date, "now").mockReturnValue(now + ms);
      };
      later(3_000);
      expect(await countConnections(http, server.url)).toBe("1");
      later(4_500);
      expect(await countConnections(http, server.url)).toBe("2");
    } finally {
      http.close();
      await server.stop();
    }
  });
});
