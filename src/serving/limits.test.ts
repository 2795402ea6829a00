import { expect, test } from "vitest";
import type { Client, ClientRequest } from "./client-request.ts";
import { RequestLimits } from "./limits.ts";

const clientNamed = (id: string): Client => ({
  id,
  endpoint: { path: "/mcp", names: "prefixed", mode: "direct" },
  isLocal: true,
  logLevel: undefined,
  notify() {},
});

function requestOf(client: Client, signal = new AbortController().signal): ClientRequest {
  return {
    era: "modern",
    version: "2026-07-28",
    capabilities: {},
    client,
    relayed: {},
    method: "tools/call",
    params: {},
    signal,
    notify() {},
    ask: () => Promise.reject(new Error("not asked")),
  };
}

/** A request that runs until it is ended. */
function createWork(): {
  readonly started: string[];
  run(name: string): () => Promise<void>;
  end(name: string): void;
} {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    run: (name) => () => {
      started.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    },
    end: (name) => ends.get(name)?.(),
  };
}

test("one client cannot occupy all places", async () => {
  const limits = new RequestLimits({ requestsPerClient: 1, requests: 2, queue: 10 });
  const [one, other] = [clientNamed("one"), clientNamed("other")];
  const work = createWork();
  const first = limits.run(requestOf(one), work.run("first"));
  const second = limits.run(requestOf(one), work.run("second"));
  const third = limits.run(requestOf(other), work.run("third"));
  expect(work.started).toEqual(["first", "third"]);
  work.end("first");
  await first;
  await expect.poll(() => work.started).toEqual(["first", "third", "second"]);
  work.end("second");
  work.end("third");
  await Promise.all([second, third]);
});

test("the client with the fewest running requests is next", async () => {
  const limits = new RequestLimits({ requestsPerClient: 2, requests: 2, queue: 10 });
  const [busy, idle] = [clientNamed("busy"), clientNamed("idle")];
  const work = createWork();
  const running = ["a", "b", "c"].map((name) => limits.run(requestOf(busy), work.run(name)));
  running.push(limits.run(requestOf(idle), work.run("d")));
  work.end("a");
  await expect.poll(() => work.started).toEqual(["a", "b", "d"]);
  work.end("b");
  await expect.poll(() => work.started).toEqual(["a", "b", "d", "c"]);
  work.end("c");
  work.end("d");
  await Promise.all(running);
});

test("some places are reserved for clients without running requests", async () => {
  const limits = new RequestLimits({ requestsPerClient: 8, requests: 8, queue: 8 });
  const [busy, other] = [clientNamed("busy"), clientNamed("other")];
  const work = createWork();
  const names = Array.from({ length: 8 }, (_, index) => `busy${index}`);
  const running = names.map((name) => limits.run(requestOf(busy), work.run(name)));
  expect(work.started).toEqual(names.slice(0, 7));
  running.push(limits.run(requestOf(other), work.run("other")));
  expect(work.started).toEqual([...names.slice(0, 7), "other"]);
  for (const name of [...names.slice(0, 7), "other"]) work.end(name);
  await expect.poll(() => work.started).toContain("busy7");
  work.end("busy7");
  await Promise.all(running);
});

test("a request beyond the queue is refused as busy", async () => {
  const limits = new RequestLimits({ requestsPerClient: 1, requests: 1, queue: 1 });
  const client = clientNamed("one");
  const work = createWork();
  const first = limits.run(requestOf(client), work.run("first"));
  const second = limits.run(requestOf(client), work.run("second"));
  await expect(limits.run(requestOf(client), work.run("third"))).rejects.toMatchObject({
    code: -32603,
    data: { reason: "busy" },
  });
  work.end("first");
  await first;
  await expect.poll(() => work.started).toEqual(["first", "second"]);
  work.end("second");
  await second;
});

test("a cancelled request leaves the queue", async () => {
  const limits = new RequestLimits({ requestsPerClient: 1, requests: 1, queue: 1 });
  const client = clientNamed("one");
  const work = createWork();
  const abort = new AbortController();
  const first = limits.run(requestOf(client), work.run("first"));
  const cancelled = limits.run(requestOf(client, abort.signal), work.run("cancelled"));
  abort.abort();
  await expect(cancelled).rejects.toThrow();
  const last = limits.run(requestOf(client), work.run("last"));
  work.end("first");
  await first;
  await expect.poll(() => work.started).toEqual(["first", "last"]);
  work.end("last");
  await last;
});
