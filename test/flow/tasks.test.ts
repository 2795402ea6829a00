import { join } from "node:path";
import { expect, test } from "vitest";
import { ToolAbortError, type ToolProgress } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { realServer, stdioServer } from "../support/test-servers.ts";
import { eventuallyReads, failureOf, hostIn } from "./host-in.ts";

const tasks = stdioServer("task-server.mjs");

test("a call that becomes a task is followed to its end, and its status messages are progress", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { tasks } });
  const seen: ToolProgress[] = [];
  const { text } = await host.call("tasks", "steps", {}, { onProgress: (step) => seen.push(step) });
  expect(text).toBe("done after 3 looks");
  expect(seen.map(({ message }) => message)).toEqual(["step 1", "step 2", undefined]);
  expect(seen.map(({ progress }) => progress)).toEqual([1, 2, 3]);
});

test("a task that requests input gets the answer once and continues", async () => {
  await using sandbox = await createSandbox();
  let questions = 0;
  await using host = await hostIn(sandbox, {
    servers: { tasks },
    onElicitation() {
      questions += 1;
      return { action: "accept" };
    },
  });
  const { text } = await host.call("tasks", "asks");
  expect(JSON.parse(text)).toEqual({ go: { action: "accept", content: { ok: true } } });
  expect(questions).toBe(1);
});

test.each([
  ["fails", "out of paper"],
  ["gives_up", "the server cancelled its task: too late"],
  ["forgets", "no such task"],
])("a task that %s makes its call fail with the task's message", async (tool, message) => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { tasks } });
  expect(await failureOf(host.call("tasks", tool))).toMatchObject({
    code: "TOOL_CALL_FAILED",
    message: `Tool execution failed: ${message}`,
  });
});

test("a task is cancelled with its call, even if everything is closed at once", async () => {
  await using sandbox = await createSandbox();
  const file = join(sandbox.home, "cancelled");
  const env = { CANCEL_FILE: file };
  await using host = await hostIn(sandbox, { servers: { tasks: stdioServer("task-server.mjs", [], env) } });
  const abort = new AbortController();
  const options = { signal: abort.signal, onProgress: () => abort.abort() };
  await expect(host.call("tasks", "endless", {}, options)).rejects.toThrow(ToolAbortError);
  await host.close();
  expect(await eventuallyReads(file)).toBe("endless");
});

test("a tool of the legacy era that only runs as a task is called as one, known from the cache or not", async () => {
  await using sandbox = await createSandbox();
  const options = {
    servers: { everything: realServer("everything", "stdio") },
    onElicitation: () => ({ action: "accept", content: { interpretation: "technical" } }) as const,
  };
  const first = await hostIn(sandbox, options);
  await first.tools("everything");
  await first.close();
  await using host = await hostIn(sandbox, options);
  const seen: ToolProgress[] = [];
  const { text, isError } = await host.call(
    "everything",
    "simulate-research-query",
    { topic: "python", ambiguous: true },
    { onProgress: (step) => seen.push(step) },
  );
  expect(isError).toBe(false);
  expect(text).toContain("technical");
  expect(seen.some(({ message }) => message !== undefined)).toBe(true);
});
