import { describe, expect, test } from "vitest";
import {
  type ElicitationRequest,
  type HostOptions,
  type Root,
  type SamplingRequest,
  ToolAbortError,
} from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { realServer, stdioServer } from "../support/test-servers.ts";
import { eventsOf, eventually, failureOf, hostErrorOf, hostIn } from "./host-in.ts";

type Servers = NonNullable<HostOptions["servers"]>;

const asking = (era: string): Servers => ({
  asking: stdioServer("asking-server.mjs", ["--era", era]),
});
const pushing: Servers = { pushing: stdioServer("pushing-server.mjs") };
const FORM = {
  message: "Well?",
  requestedSchema: { type: "object", properties: { ok: { type: "boolean" } } },
};

describe.each(["legacy", "modern"])("a server of the %s era", (era) => {
  test("that asks the user gets the answer with its defaults, and is shown under its configured name", async () => {
    await using sandbox = await createSandbox();
    const seen: ElicitationRequest[] = [];
    await using host = await hostIn(sandbox, {
      servers: asking(era),
      onElicitation(request) {
        seen.push(request);
        return { action: "accept", content: { name: "Ann", sizes: ["l"] } };
      },
    });
    const { text } = await host.call("asking", "form");
    expect(JSON.parse(text)).toEqual({ name: "Ann", age: 30, colour: "green", sizes: ["l"] });
    expect(seen).toEqual([
      {
        mode: "form",
        server: "asking",
        message: "Who are you?",
        fields: [
          { name: "name", kind: "text", title: "Your name", required: true, least: 1 },
          { name: "age", kind: "integer", required: false, default: 30 },
          {
            name: "colour",
            kind: "choice",
            required: false,
            default: "green",
            options: [
              { value: "red", title: "red" },
              { value: "green", title: "green" },
            ],
          },
          {
            name: "sizes",
            kind: "choices",
            required: false,
            options: [
              { value: "s", title: "Small" },
              { value: "l", title: "Large" },
            ],
          },
        ],
      },
    ]);
  });

  test("that asks the user to open a page learns whether the user did", async () => {
    await using sandbox = await createSandbox();
    const seen: ElicitationRequest[] = [];
    await using host = await hostIn(sandbox, {
      servers: asking(era),
      onElicitation(request) {
        seen.push(request);
        return { action: "decline" };
      },
    });
    const { text } = await host.call("asking", "page");
    expect(JSON.parse(text)).toEqual({ action: "decline" });
    const url = "https://example.com/sign-in";
    expect(seen).toEqual([{ mode: "url", server: "asking", message: "Please sign in", url }]);
  });

  test("that requests a model's answer gets it, including tool calls", async () => {
    await using sandbox = await createSandbox();
    const seen: SamplingRequest[] = [];
    await using host = await hostIn(sandbox, {
      servers: asking(era),
      onSampling(request) {
        seen.push(request);
        return { content: { type: "text", text: "2" }, model: "abacus", stopReason: "endTurn" };
      },
    });
    const { text } = await host.call("asking", "model");
    expect(JSON.parse(text)).toEqual({
      role: "assistant",
      content: { type: "text", text: "2" },
      model: "abacus",
      stopReason: "endTurn",
    });
    expect(seen).toEqual([
      {
        server: "asking",
        messages: [{ role: "user", content: [{ type: "text", text: "What is 1 + 1?" }] }],
        maxTokens: 10,
        tools: [{ name: "add", inputSchema: { type: "object" } }],
      },
    ]);
  });

  test("that asks for the roots gets the list", async () => {
    await using sandbox = await createSandbox();
    const roots = [{ uri: "file:///work", name: "work" }];
    await using host = await hostIn(sandbox, { servers: asking(era), roots });
    expect(JSON.parse((await host.call("asking", "roots")).text)).toEqual({ roots });
  });

  test("receives only the capabilities that have handlers", async () => {
    await using sandbox = await createSandbox();
    const announced = async (handlers: HostOptions): Promise<unknown> => {
      await using host = await hostIn(sandbox, { servers: asking(era), ...handlers });
      const { extensions: _, ...capabilities } = JSON.parse((await host.call("asking", "announced")).text);
      return capabilities;
    };
    expect(await announced({})).toEqual({});
    expect(await announced({ onElicitation: () => ({ action: "cancel" }) })).toEqual({
      elicitation: { form: {}, url: {} },
    });
    const handlers: HostOptions = {
      onElicitation: () => ({ action: "cancel" }),
      onSampling: () => undefined,
    };
    expect(await announced({ ...handlers, interaction: "forbid" })).toEqual({});
    expect(await announced({ roots: [], interaction: "forbid" })).toHaveProperty("roots");
    expect(await announced({ onSampling: () => undefined, roots: [] })).toEqual({
      sampling: { tools: {} },
      roots: era === "legacy" ? { listChanged: true } : {},
    });
  });
});

describe("a request of a server", () => {
  interface Reply {
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string };
  }

  /** Returns the response that the server received to its request. */
  async function push(options: HostOptions, method: string, params: object = {}): Promise<Reply> {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: pushing, ...options });
    const { text } = await host.call("pushing", "push", { method, params: { ...params } });
    return JSON.parse(text) as Reply;
  }

  test.each(["elicitation/create", "sampling/createMessage", "roots/list", "tools/list"])(
    "for %s is refused as unknown if there is no handler",
    async (method) => {
      expect(await push({}, method)).toMatchObject({ error: { code: -32601 } });
    },
  );

  test("is refused as unknown if interaction is forbidden", async () => {
    const onElicitation = (): never => {
      throw new Error("must not be called");
    };
    expect(await push({ interaction: "forbid", onElicitation }, "elicitation/create", FORM)).toMatchObject({
      error: { code: -32601 },
    });
  });

  test("with an unknown mode, an invalid URL or an invalid form is refused as invalid", async () => {
    const options: HostOptions = { onElicitation: () => ({ action: "accept" }) };
    for (const params of [
      { ...FORM, mode: "dance" },
      { mode: "url", message: "there", url: "javascript:alert(1)" },
      { message: "no form" },
      { message: "nested", requestedSchema: { type: "object", properties: { a: { type: "object" } } } },
    ]) {
      expect(await push(options, "elicitation/create", params)).toMatchObject({ error: { code: -32602 } });
    }
  });

  test("gets no answer that does not match the form", async () => {
    const options: HostOptions = { onElicitation: () => ({ action: "accept", content: { ok: "yes" } }) };
    expect(await push(options, "elicitation/create", FORM)).toEqual({
      error: { code: -32602, message: 'The answer does not match the form: "ok" must be true or false.' },
    });
  });

  test("for a model's answer reports a rejection, but not the cause of a failure", async () => {
    const params = { messages: [], maxTokens: 1 };
    const method = "sampling/createMessage";
    expect(await push({ onSampling: () => undefined }, method, params)).toMatchObject({
      error: { code: -1 },
    });
    const onSampling = (): never => {
      throw new Error("the key sk-123 is wrong");
    };
    expect(await push({ onSampling }, method, params)).toEqual({
      error: { code: -32603, message: "The request could not be answered." },
    });
  });

  test("is refused if there are too many, even if earlier ones were answered", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: pushing, roots: [] });
    const ask = async (): Promise<unknown> =>
      JSON.parse((await host.call("pushing", "push", { method: "roots/list" })).text);
    for (let time = 1; time <= 60; time += 1) expect(await ask()).toEqual({ result: { roots: [] } });
    expect(await ask()).toMatchObject({ error: { code: -32000 } });
  });

  test("that is cancelled also cancels its handler", async () => {
    await using sandbox = await createSandbox();
    let isTakenBack = false;
    await using host = await hostIn(sandbox, {
      servers: pushing,
      onElicitation: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            isTakenBack = true;
            resolve({ action: "cancel" });
          });
        }),
    });
    expect((await host.call("pushing", "take_back")).text).toBe("taken back");
    await eventually(() => expect(isTakenBack).toBe(true));
  });

  test("is refused during a call that answers another request", async () => {
    await using sandbox = await createSandbox();
    const sampling = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } };
    let depth = 0;
    await using host = await hostIn(sandbox, {
      servers: { ...pushing, other: stdioServer("pushing-server.mjs") },
      async onSampling() {
        depth += 1;
        const { text } = await host.call("other", "push", sampling);
        return { content: { type: "text", text }, model: "abacus" };
      },
    });
    const { text } = await host.call("pushing", "push", sampling);
    const { result } = JSON.parse(text);
    expect(JSON.parse(result.content.text)).toMatchObject({ error: { code: -32000 } });
    expect(depth).toBe(1);
    // The nesting was refused, not the server: on its own, it may send requests.
    expect(JSON.parse((await host.call("other", "push", sampling)).text)).toMatchObject({ result: {} });
  });

  test("for the user is published if there is no handler, and the modern call that needs it fails", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: pushing });
    const events = eventsOf(host);
    await host.call("pushing", "push", { method: "elicitation/create", params: FORM });
    expect(events).toContainEqual({ type: "input.needed", server: "pushing", reason: "value" });
    await using modern = await hostIn(sandbox, { servers: { tasks: stdioServer("task-server.mjs") } });
    const { code, reason } = await hostErrorOf(modern.call("tasks", "asks"));
    expect({ code, reason }).toEqual({ code: "INTERACTION_REQUIRED", reason: "value" });
  });

  test("to open a page first is followed, and the call is repeated once", async () => {
    await using sandbox = await createSandbox();
    const seen: ElicitationRequest[] = [];
    await using host = await hostIn(sandbox, {
      servers: pushing,
      onElicitation(request) {
        seen.push(request);
        return { action: "accept" };
      },
    });
    expect((await host.call("pushing", "first")).text).toBe("after the visit");
    expect(seen).toMatchObject([{ mode: "url", server: "pushing", url: "https://example.com/first" }]);
  });

  test("to open a page first does not delay an abort", async () => {
    await using sandbox = await createSandbox();
    const abort = new AbortController();
    await using host = await hostIn(sandbox, {
      servers: pushing,
      onElicitation: () => {
        abort.abort();
        return new Promise(() => {});
      },
    });
    await expect(host.call("pushing", "first", {}, { signal: abort.signal })).rejects.toThrow(ToolAbortError);
  });

  test("to open a page first fails the call if the user declines", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, {
      servers: pushing,
      onElicitation: () => ({ action: "decline" }),
    });
    expect(await failureOf(host.call("pushing", "first"))).toMatchObject({
      code: "TOOL_CALL_FAILED",
      message: "Tool execution failed: Visit a page first",
    });
  });
});

test("a server of the legacy era is notified when the roots change", async () => {
  await using sandbox = await createSandbox();
  const listeners = new Set<() => void>();
  let roots: readonly Root[] = [{ uri: "file:///one" }];
  await using host = await hostIn(sandbox, {
    servers: pushing,
    roots: {
      list: () => roots,
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  });
  const listed = async (): Promise<unknown> =>
    JSON.parse((await host.call("pushing", "push", { method: "roots/list" })).text);
  expect(await listed()).toEqual({ result: { roots: [{ uri: "file:///one" }] } });
  roots = [{ uri: "file:///two" }];
  for (const listener of listeners) listener();
  expect((await host.call("pushing", "roots_changes")).text).toBe("1");
  expect(await listed()).toEqual({ result: { roots: [{ uri: "file:///two" }] } });
  await host.close("pushing");
  await eventually(() => expect(listeners.size).toBe(0));
});

test("the everything server asks for a model, a person and the roots", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, {
    servers: { everything: realServer("everything", "stdio") },
    onElicitation: () => ({ action: "accept", content: { name: "Ann" } }),
    onSampling: () => ({ content: { type: "text", text: "a fine answer" }, model: "abacus" }),
    roots: [{ uri: "file:///work", name: "work" }],
  });
  const prompt = { prompt: "hello", maxTokens: 5 };
  expect((await host.call("everything", "trigger-sampling-request", prompt)).text).toContain("a fine answer");
  expect((await host.call("everything", "trigger-elicitation-request")).text).toContain("Ann");
  expect((await host.call("everything", "get-roots-list")).text).toContain("file:///work");
});

test.each(["legacy", "modern"])(
  "a %s call that is aborted or closed does not wait for the handler",
  async (era) => {
    await using sandbox = await createSandbox();
    let asked = (): void => {};
    await using host = await hostIn(sandbox, {
      servers: asking(era),
      onElicitation: () => {
        asked();
        return new Promise(() => {});
      },
    });
    const abort = new AbortController();
    asked = () => abort.abort();
    await expect(host.call("asking", "form", {}, { signal: abort.signal })).rejects.toThrow(ToolAbortError);
    asked = () => void host.close("asking");
    expect(await failureOf(host.call("asking", "form"))).toMatchObject({ code: "TOOL_CALL_FAILED" });
  },
);
