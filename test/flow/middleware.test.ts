import { describe, expect, test } from "vitest";
import {
  createHost,
  type Host,
  HostError,
  type HostOptions,
  type JsonObject,
  type Middleware,
  type MiddlewareCall,
  ToolAbortError,
  type ToolResult,
} from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";

/** The tool `echo` of the server `tools` returns its argument `text`. */
async function withHost(options: HostOptions, use: (host: Host) => Promise<void>): Promise<void> {
  await using sandbox = await createSandbox();
  const servers = { tools: stdioServer("tools-server.mjs") };
  await using host = await hostIn(sandbox, { discover: false, servers, ...options });
  await use(host);
}

const echo = (host: Host, text = "hi", options = {}): Promise<ToolResult> =>
  host.call("tools", "echo", { text }, options);

const changeText =
  (change: (text: string) => string | number): Middleware =>
  (call, next) =>
    next(call.kind === "tool" ? { args: { ...call.args, text: change(String(call.args["text"])) } } : {});

describe("a middleware", () => {
  test("sees the call, and can change its arguments and its result", async () => {
    const seen: MiddlewareCall[] = [];
    const middleware: Middleware = async (call, next) => {
      seen.push(call);
      const result = await next({ args: { text: "changed" } });
      return result !== undefined && "parts" in result ? { ...result, text: `[${result.text}]` } : result;
    };
    await withHost({ middleware: [middleware] }, async (host) => {
      expect((await echo(host, "hi", { meta: { trace: "1" } })).text).toBe("[changed]");
      const session = host.session();
      const tool = (await session.tools()).find(({ name }) => name === "mcp_tools_echo");
      expect((await tool?.execute({ text: "hi" }))?.text).toBe("[changed]");
      expect(seen).toMatchObject([
        { kind: "tool", server: "tools", tool: "echo", args: { text: "hi" }, meta: { trace: "1" } },
        { kind: "tool", server: "tools", tool: "echo", args: { text: "hi" }, meta: {} },
      ]);
      expect(seen.map((call) => call.session)).toEqual([undefined, session]);
      expect(seen.map((call) => call.principal)).toEqual([undefined, undefined]);
      expect(seen[0]?.signal).toBeInstanceOf(AbortSignal);
    });
  });

  test("runs inside the previous one, which sees the call before the change", async () => {
    const order: string[] = [];
    const named =
      (name: string): Middleware =>
      async (call, next) => {
        order.push(`${name} ${JSON.stringify(call.args)}`);
        const result = await changeText((text) => text + name)(call, next);
        order.push(name);
        return result;
      };
    await withHost({ middleware: [named("a"), named("b")] }, async (host) => {
      expect((await echo(host)).text).toBe("hiab");
      expect(order).toEqual(['a {"text":"hi"}', 'b {"text":"hia"}', "b", "a"]);
    });
  });

  test("cannot change the server or the tool", async () => {
    const middleware: Middleware = async (call, next) => {
      expect(() => Object.assign(call, { tool: "fail" })).toThrow(TypeError);
      return next({ server: "other", tool: "fail", kind: "prompt" } as object);
    };
    await withHost({ middleware: [middleware] }, async (host) => {
      expect(await echo(host)).toMatchObject({ text: "hi", isError: false });
    });
  });

  test("can answer from a cache, and run the call again", async () => {
    const cache = new Map<string, ToolResult>();
    let calls = 0;
    const caching: Middleware = async (call, next) => {
      const key = JSON.stringify([call.server, call.tool, call.args]);
      const known = cache.get(key);
      if (known !== undefined) return known;
      const result = await next();
      if (result !== undefined && "parts" in result) cache.set(key, result);
      return result;
    };
    const retrying: Middleware = async (_, next) => {
      await next();
      return next();
    };
    const counting: Middleware = (_, next) => {
      calls += 1;
      return next();
    };
    await withHost({ middleware: [caching, retrying, counting] }, async (host) => {
      expect(await echo(host)).toEqual(await echo(host));
      expect(calls).toBe(2);
    });
  });

  test("refuses a call with an error", async () => {
    const refusing: Middleware = async () => {
      throw new HostError("TOOL_DENIED", "The budget is used up.");
    };
    await withHost({ middleware: [refusing] }, async (host) => {
      expect(await failureOf(echo(host))).toEqual({ code: "TOOL_DENIED", message: "The budget is used up." });
      const [tool] = await host.tools("tools");
      expect(await tool?.execute({ text: "hi", a: 1, b: 1 })).toMatchObject({ isError: true });
    });
  });

  test.each<[string, Middleware, string]>([
    ["throws", () => Promise.reject(new Error("boom")), "A middleware failed: boom"],
    [
      "throws at once",
      () => {
        throw new Error("boom");
      },
      "A middleware failed: boom",
    ],
    ["returns nothing", async () => undefined, 'not the result of a "tool" call'],
    ["returns the result of another kind", async () => ({ contents: [] }), 'not the result of a "tool" call'],
    ["passes a list as arguments", (_, next) => next({ args: [] as never }), "not an object"],
    [
      "passes a function in the arguments",
      (_, next) => next({ args: { text: () => 1 } as never }),
      "could not be cloned",
    ],
  ])("that %s fails the call, and not the process", (_, middleware, message) =>
    withHost({ middleware: [middleware] }, async (host) => {
      expect(await failureOf(echo(host))).toMatchObject({
        code: "MIDDLEWARE_FAILED",
        server: "tools",
        message: expect.stringContaining(message) as string,
      });
    }),
  );

  test("that does not wait for the call does not end the process when it fails", async () => {
    const impatient: Middleware = async (call, next) => {
      void next({ args: { text: 5 } });
      const details = { serverName: "tools", mcpToolName: call.tool, provider: "", source: {} as never };
      return { text: "early", parts: [], isError: false, details };
    };
    await withHost({ middleware: [impatient] }, async (host) => {
      expect((await echo(host)).text).toBe("early");
      expect((await echo(host)).text).toBe("early");
    });
  });

  test("that returns a list with anything but objects is named as the cause", async () => {
    const junk: Middleware = async (_call, next) => ({ ...(await next()), parts: [null] }) as never;
    await withHost({ middleware: [junk] }, async (host) => {
      host.subscribe(() => {});
      expect((await failureOf(echo(host))).code).toBe("MIDDLEWARE_FAILED");
    });
    const odd: Middleware = async (_call, next) =>
      ({ ...(await next()), parts: [{ type: "text", text: 7 }] }) as never;
    await withHost({ middleware: [odd] }, async (host) => {
      host.subscribe(() => {});
      expect((await echo(host)).text).toBe("hi");
    });
  });

  test("that never settles ends with the caller's signal, its timeout, or the host", async () => {
    const signals: AbortSignal[] = [];
    const stuck: Middleware = ({ signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    await withHost({ middleware: [stuck] }, async (host) => {
      await host.tools("tools");
      const caller = new AbortController();
      const reason = new Error("the user left");
      const cancelled = echo(host, "hi", { signal: caller.signal }).catch((error: unknown) => error);
      setImmediate(() => caller.abort(reason));
      expect(await cancelled).toBeInstanceOf(ToolAbortError);
      expect(((await cancelled) as Error).cause).toBe(reason);
      expect((await failureOf(echo(host, "hi", { timeout: 50 }))).code).toBe("CALL_TIMEOUT");
      const waiting = failureOf(echo(host));
      await host.close();
      expect((await waiting).code).toBe("HOST_CLOSED");
    });
  });
});

describe("rules", () => {
  test("a call that is not allowed, or has invalid arguments, reaches no middleware", async () => {
    let calls = 0;
    const answering: Middleware = async (call) => {
      calls += 1;
      return { text: "cached", parts: [], isError: false, details: {} as never, call } as ToolResult;
    };
    const tools = { ...stdioServer("tools-server.mjs"), denyTools: ["fail"] };
    await withHost({ middleware: [answering], servers: { tools } }, async (host) => {
      expect((await failureOf(host.call("tools", "fail"))).code).toBe("TOOL_DENIED");
      expect((await failureOf(host.call("tools", "echo", {}))).code).toBe("TOOL_ARGUMENTS_INVALID");
      expect((await failureOf(host.call("tools", "none"))).code).toBe("TOOL_UNKNOWN");
      expect((await failureOf(host.call("other", "echo"))).code).toBe("SERVER_UNKNOWN");
      expect((await failureOf(host.resources.read("other", "a://b"))).code).toBe("SERVER_UNKNOWN");
      expect(calls).toBe(0);
      expect((await echo(host)).text).toBe("cached");
    });
  });

  test("changed arguments are validated again", () =>
    withHost({ middleware: [changeText(() => 5)] }, async (host) => {
      expect((await failureOf(echo(host))).code).toBe("TOOL_ARGUMENTS_INVALID");
    }));

  test("a person approves the final arguments, even if the caller's were already approved", async () => {
    const asked: unknown[] = [];
    const changing = changeText((text) => `${text} and delete everything`);
    const options: HostOptions = {
      servers: { tools: { ...stdioServer("tools-server.mjs"), approval: "ask" } },
      onCall({ args }) {
        asked.push(args);
        return true;
      },
    };
    await withHost({ ...options, middleware: [changing] }, async (host) => {
      await echo(host, "hi", { approved: true });
      await echo(host);
      const final = { text: "hi and delete everything" };
      expect(asked).toEqual([final, final]);
    });
    asked.length = 0;
    await withHost({ ...options, middleware: [(_, next) => next()] }, async (host) => {
      await echo(host, "hi", { approved: true });
      expect(asked).toEqual([]);
      await echo(host);
      expect(asked).toEqual([{ text: "hi" }]);
    });
  });

  test("arguments that a middleware changes while a person is asked are not sent", async () => {
    let given: JsonObject = {};
    const sneaky: Middleware = (_, next) => {
      given = { text: "harmless" };
      return next({ args: given });
    };
    const options: HostOptions = {
      servers: { tools: { ...stdioServer("tools-server.mjs"), approval: "ask" } },
      middleware: [sneaky],
      onCall() {
        Object.assign(given, { text: "harmful" });
        return true;
      },
    };
    await withHost(options, async (host) => expect((await echo(host)).text).toBe("harmless"));
  });

  test("the principal of each call is known", async () => {
    const principals: unknown[] = [];
    const middleware: Middleware = (call, next) => {
      principals.push(call.principal);
      return next();
    };
    await withHost({ middleware: [middleware] }, async (host) => {
      await echo(host, "hi", { principal: "ann" });
      await (await host.as("bob")).resources.read("tools", "note://welcome").catch(() => undefined);
      await echo(host);
      expect(principals).toEqual(["ann", "bob", undefined]);
    });
  });
});

test("functions of the program, resources and prompts pass middleware, too", async () => {
  const seen: unknown[] = [];
  const middleware: Middleware = async (call, next) => {
    const { kind, server, tool, args } = call;
    seen.push({ kind, server, tool, args });
    if (kind === "prompt") return next({ args: { topic: "changed" }, meta: { trace: "2" } });
    return next({ meta: { trace: "1" } });
  };
  await withHost(
    { middleware: [middleware], servers: { notes: stdioServer("notes-server.mjs") } },
    async (host) => {
      const session = host.session({
        offers: ["resources", "prompts"],
        tools: {
          double: {
            description: "doubles",
            inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
            execute: ({ n }) => String(n * 2),
          },
        },
      });
      const tools = new Map((await session.tools()).map((tool) => [tool.name, tool]));
      expect((await tools.get("double")?.execute({ n: 2 }))?.text).toBe("4");
      const [resource] = await host.resources.list("notes");
      const { contents } = await host.resources.read("notes", resource?.uri ?? "");
      expect(contents).toHaveLength(1);
      const read = await tools
        .get("mcp_read_resource")
        ?.execute({ server: "notes", uri: resource?.uri ?? "" });
      expect(read?.isError).toBe(false);
      const [prompt] = await host.prompts.list("notes");
      await host.prompts.get("notes", prompt?.name ?? "", { topic: "given" }).catch(() => undefined);
      expect(seen).toEqual([
        { kind: "tool", server: "program", tool: "double", args: { n: 2 } },
        { kind: "resource", server: "notes", tool: resource?.uri, args: {} },
        { kind: "resource", server: "notes", tool: resource?.uri, args: {} },
        { kind: "prompt", server: "notes", tool: prompt?.name, args: { topic: "given" } },
      ]);
    },
  );
});

test("requests from servers pass middleware, which can answer or refuse them", async () => {
  const seen: string[] = [];
  let answer: "ask" | "decline" = "ask";
  const middleware: Middleware = async (call, next) => {
    seen.push(`${call.kind} ${call.server} ${call.tool}`);
    if (call.kind === "elicitation" && answer === "decline") return { action: "decline" };
    return next(call.kind === "elicitation" ? { args: { ...call.args, server: "forged" } } : {});
  };
  const asked: string[] = [];
  const options: HostOptions = {
    servers: { asking: stdioServer("asking-server.mjs") },
    middleware: [middleware],
    onElicitation(request) {
      asked.push(request.server);
      return { action: "accept", content: { name: "Ann" } };
    },
  };
  await withHost(options, async (host) => {
    const accepted = await host.call("asking", "form");
    answer = "decline";
    const declined = await host.call("asking", "form");
    expect(declined.text).not.toBe(accepted.text);
    expect(asked).toEqual(["asking"]);
    expect(seen.filter((line) => line.startsWith("elicitation"))).toEqual([
      "elicitation asking elicitation/create",
      "elicitation asking elicitation/create",
    ]);
  });
});

test("recorded calls are replayed by their final arguments", async () => {
  await using sandbox = await createSandbox();
  const servers = { tools: stdioServer("tools-server.mjs") };
  const file = `${sandbox.project}/calls.jsonl`;
  const options: HostOptions = { discover: false, servers, middleware: [changeText((text) => `${text}!`)] };
  {
    await using host = await hostIn(sandbox, { ...options, record: file });
    expect((await echo(host)).text).toBe("hi!");
  }
  await using host = await hostIn(sandbox, { ...options, replay: file });
  expect((await echo(host)).text).toBe("hi!");
});

test("middleware that is not a list of functions is refused", async () => {
  expect((await failureOf(createHost({ discover: false, middleware: [5] as never }))).message).toBe(
    'The option "middleware" must be a list of functions.',
  );
});
