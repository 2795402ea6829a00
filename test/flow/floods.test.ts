import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { reportTests } from "../durability/counts.ts";
import { type Asked, outcomeOf, type RawAnswer, sendJson, serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { hostIn } from "./host-in.ts";

reportTests("floods of server requests: limited replies and connections");

const COUNT = 3_000;
const METHODS = ["ping", "roots/list", "sampling/createMessage", "elicitation/create", "no/such/method"];

const flood = (method: string): JsonObject[] =>
  Array.from({ length: COUNT }, (_, id) => ({ jsonrpc: "2.0", id: `q${id}`, method, params: {} }));
const answerTo = ({ message = {} }: Asked): JsonObject => ({
  jsonrpc: "2.0",
  id: message["id"] ?? null,
  ...outcomeOf(message),
});
const events = (messages: readonly JsonObject[]): string =>
  messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join("");
const isReply = ({ message }: Asked): boolean => message !== undefined && message["method"] === undefined;
/** Floods the first call only: the connection must stay usable. */
const isFirstCall = (): ((asked: Asked) => boolean) => {
  let isFirst = true;
  return ({ message }) => {
    if (message?.["method"] !== "tools/call" || !isFirst) return false;
    isFirst = false;
    return true;
  };
};

/**
 * Calls a server that floods the first call, then calls it again and another server. Returns the replies that the
 * first one got.
 */
async function repliesTo(type: "http" | "sse", answer: RawAnswer): Promise<number> {
  await using sandbox = await createSandbox();
  await using flooding = await serveRaw({ answer });
  await using other = await serveRaw();
  await using host = await hostIn(sandbox, {
    discover: false,
    servers: { flooding: { type, url: flooding.url }, other: { type: "http", url: other.url } },
    onElicitation: async () => ({ action: "decline" }),
    roots: [],
  });
  for (const server of ["flooding", "flooding", "other"])
    expect(await host.call(server, "echo", { text: "hello" })).toMatchObject({ text: "hello" });
  return flooding.asked.filter(isReply).length;
}

describe.each(METHODS)("a flood of %s requests", (method) => {
  test("in a stream uses at most 8 connections for replies that the server does not accept", async () => {
    const isFlooded = isFirstCall();
    const replies = await repliesTo("http", (asked, response) => {
      if (isReply(asked)) return true; // never answered
      if (!isFlooded(asked)) return false;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(events([...flood(method), answerTo(asked)]));
      return true;
    });
    expect(replies).toBeLessThanOrEqual(8);
  });

  test("in a legacy SSE stream uses at most 8 connections for its replies", async () => {
    const isFlooded = isFirstCall();
    let stream: ServerResponse | undefined;
    const replies = await repliesTo("sse", (asked, response) => {
      if (asked.verb === "GET") {
        stream = response;
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("event: endpoint\ndata: /messages\n\n");
        return true;
      }
      if (isReply(asked)) return true; // never answered
      response.writeHead(202).end();
      if (asked.message?.["id"] === undefined) return true;
      stream?.write(events([...(isFlooded(asked) ? flood(method) : []), answerTo(asked)]));
      return true;
    });
    expect(replies).toBeLessThanOrEqual(8);
  });

  test.each(["http", "sse"] as const)(
    "over %s uses at most 8 connections for replies, even if the server never ends its responses to them",
    async (type) => {
      const isFlooded = isFirstCall();
      const open = { now: 0, most: 0 };
      let stream: ServerResponse | undefined;
      await repliesTo(type, (asked, response) => {
        if (asked.verb === "GET" && type === "sse") {
          stream = response;
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.write("event: endpoint\ndata: /messages\n\n");
          return true;
        }
        if (isReply(asked)) {
          open.now += 1;
          open.most = Math.max(open.most, open.now);
          response.on("close", () => (open.now -= 1));
          response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
          return true;
        }
        const messages = [...(isFlooded(asked) ? flood(method) : []), answerTo(asked)];
        if (type === "sse") {
          response.writeHead(202).end();
          if (asked.message?.["id"] !== undefined) stream?.write(events(messages));
          return true;
        }
        if (messages.length === 1) return false;
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(events(messages));
        return true;
      });
      expect(open.most).toBeLessThanOrEqual(8);
    },
  );

  test("in one batch gets at most a hundred replies", async () => {
    const isFlooded = isFirstCall();
    const replies = await repliesTo("http", (asked, response) => {
      if (isReply(asked)) response.writeHead(202).end();
      else if (isFlooded(asked)) sendJson(response, [...flood(method), answerTo(asked)]);
      else return false;
      return true;
    });
    expect(replies).toBeLessThanOrEqual(100);
  });
});

test("a batch within an event is read like any other, even in an era without batches", async () => {
  const isFlooded = isFirstCall();
  const replies = await repliesTo("http", (asked, response) => {
    if (isReply(asked)) response.writeHead(202).end();
    else if (isFlooded(asked)) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify([...flood("ping"), answerTo(asked)])}\n\n`);
    } else return false;
    return true;
  });
  expect(replies).toBeLessThanOrEqual(100);
});
