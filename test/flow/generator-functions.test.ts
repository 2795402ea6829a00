import { describe, expect, test } from "vitest";
import { type FunctionTool, ToolAbortError } from "../../src/index.ts";
import { createDeferred } from "../support/deferred.ts";
import { createSandbox } from "../support/sandbox.ts";
import { hostIn } from "./host-in.ts";

const toTool = (execute: FunctionTool["execute"]): FunctionTool => ({
  description: "Counts",
  inputSchema: { type: "object" },
  execute,
});

describe("a function that is an async generator", () => {
  const run = async (execute: FunctionTool["execute"], signal?: AbortSignal) => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, {});
    const session = host.session({ tools: { count: toTool(execute) } });
    const seen: unknown[] = [];
    const onProgress = (progress: unknown): void => void seen.push(progress);
    const [tool] = await session.tools();
    const result = await tool?.execute({}, { onProgress, ...(signal && { signal }) });
    return { seen, text: result?.text, isError: result?.isError };
  };

  test("reports what it yields as progress, and the last value is the result", async () => {
    const counted = await run(async function* () {
      yield "one";
      yield { two: 2 };
    });
    expect(counted).toEqual({
      seen: [
        { progress: 1, message: "one" },
        { progress: 2, message: '{"two":2}' },
      ],
      text: '{"two":2}',
      isError: false,
    });
  });

  test("may return its result, yield nothing, or fail", async () => {
    const returned = await run(async function* () {
      yield "working";
      return "done";
    });
    expect(returned).toMatchObject({ text: "done", seen: [{ progress: 1, message: "working" }] });
    expect((await run(async function* () {})).text).toBe("");
    const failing = await run(async function* () {
      yield "working";
      throw new Error("it broke");
    });
    expect(failing).toMatchObject({ isError: true, text: "Error: it broke" });
  });

  test("is stopped at its next value when the call is cancelled", async () => {
    const caller = new AbortController();
    const stopped = createDeferred<string>();
    const running = run(async function* () {
      try {
        for (;;) {
          yield "more";
          caller.abort();
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        stopped.resolve("stopped");
      }
    }, caller.signal);
    await expect(running).rejects.toThrow(ToolAbortError);
    expect(await stopped.promise).toBe("stopped");
  });
});
