import type { ServerResponse } from "node:http";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { outcomeOf, type RawAnswer, type RawHttp, serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { failureOf, hostIn } from "./host-in.ts";

const MEGABYTE = 1024 * 1024;
const packers = {
  gzip: (text: Buffer) => gzipSync(text),
  deflate: (text: Buffer) => deflateSync(text),
  br: (text: Buffer) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
};

describe.each(Object.entries(packers))("a response compressed with %s", (encoding, pack) => {
  const packed = (type: string, text: Buffer, response: ServerResponse): true => {
    response.writeHead(200, { "content-type": type, "content-encoding": encoding }).end(pack(text));
    return true;
  };

  test("is decompressed", async () => {
    await using server = await serveCalls(({ message }, response) => {
      const answer = { jsonrpc: "2.0", id: message?.["id"], ...outcomeOf(message ?? {}) };
      return packed("application/json", Buffer.from(JSON.stringify(answer)), response);
    });
    expect(await call(server, "ünpacked")).toMatchObject({ text: "ünpacked" });
  });

  test("is cancelled when it becomes too large, and the next call works", async () => {
    const bomb = Buffer.alloc(64 * MEGABYTE, 0x20);
    await using server = await serveCalls((_, response) => packed("application/json", bomb, response));
    expect(await callFails(server)).toMatch(/the response is larger than 16 MB$/);
  });

  test("is cancelled when one of its events becomes too large", async () => {
    const bomb = Buffer.concat([Buffer.from("data: "), Buffer.alloc(40 * MEGABYTE, 0x61)]);
    await using server = await serveCalls((_, response) => packed("text/event-stream", bomb, response));
    expect(await callFails(server)).toMatch(/an event of the stream is larger than 16 MB$/);
  });

  test("that is cut in the middle fails immediately", async () => {
    await using server = await serveCalls((_, response) => {
      const whole = pack(Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} })));
      const half = whole.subarray(0, whole.length / 2);
      response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding }).end(half);
      return true;
    });
    expect(await callFails(server)).toMatch(/the connection was closed before the response was complete$/);
  });
});

test("a body that never ends is cancelled when it becomes too large", async () => {
  await using server = await serveCalls((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(MEGABYTE, 0x20))) {
        /* as fast as the other end reads */
      }
    };
    response.on("drain", more);
    more();
    return true;
  });
  expect(await callFails(server)).toMatch(/the response is larger than 16 MB$/);
});

test("an error status whose body never ends is reported without waiting for it", async () => {
  await using server = await serveCalls((_, response) => {
    response.writeHead(500, { "content-type": "text/plain" }).write("wait for it");
    return true;
  });
  expect(await callFails(server)).toMatch(/returned HTTP 500$/);
});

test.each([
  ["nothing", "application/json", ""],
  ["half a message", "application/json", '{"jsonrpc":"2.0","id":'],
  ["a list of nothing", "application/json", "[]"],
  ["the answer to something else", "application/json", '{"jsonrpc":"2.0","id":"other","result":{}}'],
  ["a stream without an answer", "text/event-stream", ": ping\n\n"],
  ["a page", "text/html", "<p>hello"],
])("a call that is answered with %s fails immediately", async (_, type, body) => {
  await using server = await serveCalls((__, response) => {
    response.writeHead(200, { "content-type": type }).end(body);
    return true;
  });
  await callFails(server);
  expect(server.count("tools/call")).toBe(1);
});

/** Everything except calls gets an uncompressed response. */
function serveCalls(answer: RawAnswer): Promise<RawHttp> {
  return serveRaw({
    answer: (asked, response) => asked.message?.["method"] === "tools/call" && answer(asked, response),
  });
}

async function call(server: RawHttp, text: string): Promise<unknown> {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
  return await host.call("web", "echo", { text });
}

/** Returns the message of a failed call. The server must stay usable. */
async function callFails(server: RawHttp): Promise<string> {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
  const { code, message } = await failureOf(host.call("web", "echo", { text: "hi" }));
  expect(code).toBe("TOOL_CALL_FAILED");
  expect(await host.tools("web", { refresh: true })).toHaveLength(1);
  return message;
}
