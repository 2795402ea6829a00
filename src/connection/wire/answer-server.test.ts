import { describe, expect, test } from "vitest";
import type { JsonObject, QuestionHandlers } from "../../model/index.ts";
import { createManualClock } from "../../testing/index.ts";
import { announcedCapabilities } from "./announced-capabilities.ts";
import { ServerRequestHandler } from "./answer-server.ts";
import { isAnswering } from "./answering-context.ts";
import { RpcRefusal } from "./rpc-refusal.ts";

const NEVER = new AbortController().signal;
const FORM = { message: "Well?", requestedSchema: { type: "object", properties: {} } };

test("a server may have a limited number of open requests", async () => {
  const waiting: (() => void)[] = [];
  const answerer = new ServerRequestHandler({
    server: "files",
    handlers: {
      onElicitation: () =>
        new Promise((resolve) => {
          waiting.push(() => resolve({ action: "decline" }));
        }),
    },
    clock: createManualClock(),
    log: { log: () => {} },
    onUnanswered: () => {},
  });
  const ask = (): Promise<unknown> =>
    answerer.answer("elicitation/create", FORM, NEVER).catch((error: unknown) => {
      return error instanceof RpcRefusal ? [error.code, error.message] : error;
    });
  const open = Array.from({ length: 8 }, ask);
  expect(await ask()).toEqual([-32000, "Too many open requests."]);
  waiting.shift()?.();
  expect(await open[0]).toEqual({ action: "decline" });
  const another = ask();
  for (const answer of waiting) answer();
  for (const answered of [...open, another]) expect(await answered).toEqual({ action: "decline" });
});

test("a flood of requests is refused and reported only up to the limit", async () => {
  let announced = 0;
  const clock = createManualClock();
  const answerer = new ServerRequestHandler({
    server: "files",
    handlers: {},
    clock,
    log: { log: () => {} },
    onUnanswered() {
      announced += 1;
    },
  });
  for (let time = 1; time <= 100; time += 1)
    await expect(answerer.answer("elicitation/create", FORM, NEVER)).rejects.toThrow(
      time <= 60 ? "Not supported by this client" : "Too many requests. Try again later.",
    );
  expect(announced).toBe(60);
  clock.advance(60_000);
  await expect(answerer.answer("elicitation/create", FORM, NEVER)).rejects.toMatchObject({ code: -32601 });
});

/** Sends one request to a client with these handlers. */
async function ask(handlers: QuestionHandlers, method: string, params: JsonObject = {}) {
  const logged: unknown[] = [];
  let unanswered = 0;
  const answerer = new ServerRequestHandler({
    server: "files",
    handlers,
    clock: createManualClock(),
    log: { log: (...words) => void logged.push(words) },
    onUnanswered() {
      unanswered += 1;
    },
  });
  const outcome: unknown = await answerer.answer(method, params, NEVER).catch((error: unknown) => error);
  return { outcome, logged, unanswered };
}

describe("a server's request", () => {
  test("to the user has the configured server name and a signal", async () => {
    const seen: unknown[] = [];
    const onElicitation: QuestionHandlers["onElicitation"] = async (...words) => {
      seen.push(words);
      return { action: "accept", content: { name: "x", stray: 1 } };
    };
    const requestedSchema = { properties: { name: { type: "string" } } };
    const { outcome } = await ask({ onElicitation }, "elicitation/create", {
      message: "Who?",
      requestedSchema,
    });
    expect(outcome).toStrictEqual({ action: "accept", content: { name: "x" } });
    const fields = [{ name: "name", kind: "text", required: false }];
    expect(seen).toEqual([[{ mode: "form", server: "files", message: "Who?", fields }, { signal: NEVER }]]);
  });

  test.each(["decline", "cancel"] as const)(
    "that the user answers with %s gets no content",
    async (action) => {
      const onElicitation = async () => ({ action, content: { name: "x" } });
      expect((await ask({ onElicitation }, "elicitation/create", FORM)).outcome).toStrictEqual({ action });
    },
  );

  test("may be for a URL, and then has no content", async () => {
    const seen: unknown[] = [];
    const onElicitation: QuestionHandlers["onElicitation"] = async (request) => {
      seen.push(request);
      return { action: "accept", content: { a: 1 } };
    };
    const params = { mode: "url", message: 1, url: "https://a.example/" };
    expect((await ask({ onElicitation }, "elicitation/create", params)).outcome).toStrictEqual({
      action: "accept",
    });
    expect(seen).toEqual([{ mode: "url", server: "files", message: "", url: "https://a.example/" }]);
  });

  test.each<[string, JsonObject, string]>([
    ["a script", { mode: "url", url: "javascript:alert(1)" }, "The url must be an http or https URL."],
    ["a file", { mode: "url", url: "file:///etc/passwd" }, "The url must be an http or https URL."],
    ["no address", { mode: "url" }, "The url must be an http or https URL."],
    ["text that is not an address", { mode: "url", url: "https" }, "The url must be an http or https URL."],
    ["an unknown mode", { mode: "voice" }, "The supported elicitation modes are form and url."],
    [
      "a very long address",
      { mode: "url", url: `https://${"a".repeat(16_384)}` },
      "The url must be an http or https URL.",
    ],
    [
      "an address that is not text",
      { mode: "url", url: ["https://a.example/"] },
      "The url must be an http or https URL.",
    ],
    ["no form", {}, "This form cannot be shown: it has no properties."],
  ])("with %s is refused as invalid before the user sees it", async (_, params, message) => {
    const onElicitation = () => Promise.reject(new Error("asked"));
    const { outcome, logged } = await ask({ onElicitation }, "elicitation/create", params);
    expect(outcome).toMatchObject({ code: -32602, message });
    expect(logged).toEqual([]);
  });

  test.each<[string, number]>([
    ["elicitation/create", 1],
    ["sampling/createMessage", 0],
    ["roots/list", 0],
    ["odd/method", 0],
  ])("for %s is refused without a handler; missing input is reported %i times", async (method, missed) => {
    const { outcome, unanswered } = await ask({}, method);
    expect(outcome).toMatchObject({ code: -32601, message: `Not supported by this client: ${method}` });
    expect(unanswered).toBe(missed);
  });

  const sampling = { maxTokens: 1, messages: [] };

  test("to a model has a signal and gets the answer, or an error if the user rejects it", async () => {
    const content = { type: "text", text: "Hi" } as const;
    const seen: unknown[] = [];
    const onSampling: QuestionHandlers["onSampling"] = async (...words) => {
      seen.push(words);
      return { content, model: "m" };
    };
    const { outcome } = await ask({ onSampling }, "sampling/createMessage", sampling);
    expect(outcome).toEqual({ role: "assistant", content, model: "m" });
    expect(seen).toEqual([[{ server: "files", ...sampling }, { signal: NEVER }]]);
    const rejected = await ask({ onSampling: async () => undefined }, "sampling/createMessage", sampling);
    expect(rejected.outcome).toMatchObject({ code: -1, message: "The request was rejected." });
  });

  test("for roots gets the current ones with their names", async () => {
    const roots = [{ uri: "file:///a", name: "A" }, { uri: "file:///b" }];
    expect((await ask({ roots }, "roots/list")).outcome).toStrictEqual({ roots });
    const source = { list: async () => roots, subscribe: () => () => {} };
    expect((await ask({ roots: source }, "roots/list")).outcome).toEqual({ roots });
  });

  test("that the program fails to answer is refused without details, which are logged", async () => {
    const { outcome, logged } = await ask({ roots: [{ uri: "https://a.example" }] }, "roots/list");
    expect(outcome).toMatchObject({ code: -32603, message: "The request could not be answered." });
    const error = "the root https://a.example is not a file:// URL";
    expect(logged).toEqual([["error", "question.failed", { server: "files", method: "roots/list", error }]]);
  });
});

test("a client announces capabilities for its handlers in both eras", () => {
  const extensions = { "io.modelcontextprotocol/tasks": {} };
  expect(announcedCapabilities({})).toStrictEqual({ legacy: {}, modern: { extensions } });
  const onElicitation = async () => ({ action: "cancel" }) as const;
  const onSampling = async () => undefined;
  const both = { elicitation: { form: {}, url: {} }, sampling: { tools: {} } };
  expect(announcedCapabilities({ onElicitation, onSampling, roots: [] })).toEqual({
    legacy: { ...both, roots: { listChanged: true } },
    modern: { ...both, roots: {}, extensions },
  });
});

describe("an answer", () => {
  const answererWith = (handlers: QuestionHandlers, logged: unknown[] = []) =>
    new ServerRequestHandler({
      server: "files",
      handlers,
      clock: createManualClock(),
      log: { log: (...words) => void logged.push(words) },
      onUnanswered: () => {},
    });

  test("is refused while a call answers another request", async () => {
    const answerer = answererWith({ roots: [] });
    answerer.nestedCalls = 1;
    await expect(answerer.answer("roots/list", {}, NEVER)).rejects.toMatchObject({
      code: -32000,
      message: "A call that answers a request cannot send another request.",
    });
    answerer.nestedCalls = 0;
    expect(await answerer.answer("roots/list", {}, NEVER)).toEqual({ roots: [] });
  });

  test("is recognized while its handler runs", async () => {
    const seen: boolean[] = [];
    const list = async () => {
      seen.push(isAnswering());
      return [];
    };
    await answererWith({ roots: { list, subscribe: () => () => {} } }).answer("roots/list", {}, NEVER);
    expect([seen, isAnswering()]).toEqual([[true], false]);
  });

  test("that fails does not count as an open request", async () => {
    const answerer = answererWith({ roots: [{ uri: "https://a.example" }] });
    for (let time = 1; time <= 20; time += 1)
      await expect(answerer.answer("roots/list", {}, NEVER)).rejects.toMatchObject({ code: -32603 });
  });

  test("without content accepts a form whose fields are optional", async () => {
    const onElicitation = async () => ({ action: "accept" }) as const;
    const { outcome } = await ask({ onElicitation }, "elicitation/create", FORM);
    expect(outcome).toStrictEqual({ action: "accept", content: {} });
  });

  test("to a long message shows its start, and a long method name is truncated", async () => {
    const seen: string[] = [];
    const onElicitation: QuestionHandlers["onElicitation"] = async ({ message }) => {
      seen.push(message);
      return { action: "cancel" };
    };
    await ask({ onElicitation }, "elicitation/create", { ...FORM, message: "m".repeat(5_000) });
    expect(seen.map(({ length }) => length)).toEqual([4_000]);
    const { outcome } = await ask({}, "x".repeat(500));
    expect(outcome).toMatchObject({ message: `Not supported by this client: ${"x".repeat(99)}…` });
  });

  test("may be for a URL of 16 KiB", async () => {
    const url = `https://a.example/${"a".repeat(16_384 - 18)}`;
    const onElicitation = async () => ({ action: "accept" }) as const;
    const { outcome } = await ask({ onElicitation }, "elicitation/create", { mode: "url", url });
    expect(outcome).toStrictEqual({ action: "accept" });
  });
});
