import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { eventuallyReads } from "../flow/host-in.ts";
import { type Era, gatewayIn } from "../support/gateway-clients.ts";
import { openRawClient, type RawClientOptions } from "../support/raw-gateway-client.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startServer, stdioServer } from "../support/test-servers.ts";

const ERAS = ["legacy", "modern"] as const;
const CELLS = (["stdio", "http"] as const).flatMap((downstream) =>
  ERAS.flatMap((client) =>
    (["stdio", "http"] as const).flatMap((upstream) =>
      ERAS.map((server) => ({ downstream, client, upstream, server })),
    ),
  ),
);
const TASKS = "io.modelcontextprotocol/tasks";
const RELATED = "io.modelcontextprotocol/related-task";
const KNOWS_TASKS = { elicitation: { form: {} }, extensions: { [TASKS]: {} } };

async function startTasks(upstream: "stdio" | "http", era: Era, env: Record<string, string> = {}) {
  const file = era === "legacy" ? "legacy-task-server.mjs" : "task-server.mjs";
  if (upstream === "stdio")
    return { entry: stdioServer(file, [], env), [Symbol.asyncDispose]: async () => {} };
  const server = await startServer(file, ["--http"], env);
  const protocol = era === "legacy" ? ("legacy" as const) : ("2026-07-28" as const);
  const entry = { type: "http" as const, url: server.url, protocol };
  return { entry, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const accept: RawClientOptions["answer"] = ({ params }) => {
  const { _meta: meta } = params as JsonObject;
  return { action: "accept", content: { ok: true }, ...(meta !== undefined && { _meta: meta }) };
};

const textOf = (result: JsonObject | undefined): string =>
  ((result?.["content"] ?? []) as { readonly text: string }[])[0]?.text ?? "";

describe.each(CELLS)(
  "tasks: $client client over $downstream, $server server over $upstream",
  ({ downstream, client: era, upstream, server }) => {
    const setting = { capabilities: KNOWS_TASKS, answer: accept };
    const wanted = era === "legacy" ? { task: { ttl: 60_000 } } : {};

    if (era === server)
      test("1.11 a task of the client's own era is passed on with another id", async () => {
        await using sandbox = await createSandbox();
        const cancelled = join(sandbox.project, "cancelled");
        await using running = await startTasks(upstream, server, { CANCEL_FILE: cancelled });
        await using gateway = await gatewayIn(sandbox, { servers: { t: running.entry } });
        await using client = await openRawClient(gateway, downstream, era, setting);
        const start = async (name: string): Promise<JsonObject> => {
          const { result } = await client.request("tools/call", {
            name: `t_${name}`,
            arguments: {},
            ...wanted,
          });
          const task = (era === "legacy" ? result?.["task"] : result) as JsonObject;
          expect(task).toMatchObject({ status: "working" });
          expect(task["taskId"]).toMatch(/^[\da-f-]{36}$/);
          if (era === "modern") expect(task["resultType"]).toBe("task");
          return { taskId: task["taskId"] ?? null };
        };

        const steps = await start("steps");
        if (era === "legacy") {
          const done = await client.request("tasks/result", steps);
          expect(textOf(done.result)).toBe("done after 3 looks");
          expect(done.result?.["_meta"]).toEqual({ [RELATED]: steps });
          const { result: list } = await client.request("tasks/list");
          expect(list?.["tasks"]).toMatchObject([{ ...steps, status: "completed", ttl: 60_000 }]);
        } else {
          for (const status of ["working", "working", "completed"])
            expect((await client.request("tasks/get", steps)).result).toMatchObject({ ...steps, status });
          expect((await client.request("tasks/result", steps)).error?.code).toBe(-32601);
          expect((await client.request("tasks/list")).error?.code).toBe(-32601);
        }

        const asks = await start("asks");
        if (era === "legacy") {
          const { result } = await client.request("tasks/result", asks);
          expect(client.asked).toMatchObject([
            { params: { message: "t: Go on?", _meta: { [RELATED]: asks } } },
          ]);
          const answer = JSON.parse(textOf(result)) as JsonObject;
          expect(answer).toMatchObject({ action: "accept", _meta: { [RELATED]: { taskId: "task-2" } } });
        } else {
          const { result } = await client.request("tasks/get", asks);
          expect(result).toMatchObject({
            status: "input_required",
            inputRequests: { go: { method: "elicitation/create", params: { message: "t: Go on?" } } },
          });
          const inputResponses = { go: { action: "accept", content: { ok: true } } };
          await client.request("tasks/update", { ...asks, inputResponses });
          const done = (await client.request("tasks/get", asks)).result?.["result"] as JsonObject;
          expect(JSON.parse(textOf(done))).toEqual(inputResponses);
        }

        const endless = await start("endless");
        expect((await client.request("tasks/cancel", endless)).error).toBeUndefined();
        expect(await eventuallyReads(cancelled)).toBe("endless");
      });
    else
      test("a task of the other era is followed to its end", async () => {
        await using sandbox = await createSandbox();
        const cancelled = join(sandbox.project, "cancelled");
        await using running = await startTasks(upstream, server, { CANCEL_FILE: cancelled });
        await using gateway = await gatewayIn(sandbox, { servers: { t: running.entry } });
        await using client = await openRawClient(gateway, downstream, era, setting);
        const call = (name: string, more: JsonObject = {}) =>
          client.request("tools/call", { name: `t_${name}`, arguments: {}, ...more });

        const steps = await call("steps", { _meta: { progressToken: "p" } });
        expect(textOf(steps.result)).toBe("done after 3 looks");
        const seen = client.notices.filter(({ method }) => method === "notifications/progress");
        expect(seen.map(({ params }) => (params as JsonObject)["progress"])).toEqual([1, 2, 3]);

        let asked = await call("asks");
        if (era === "modern") {
          const { inputRequests, requestState = null, resultType } = asked.result ?? {};
          expect(resultType).toBe("input_required");
          const [key] = Object.keys(inputRequests as JsonObject);
          const inputResponses = { [key ?? ""]: { action: "accept", content: { ok: true } } };
          asked = await call("asks", { inputResponses, requestState });
        }
        expect(textOf(asked.result)).toContain('"ok":true');
        if (era === "legacy") {
          expect((await call("steps", wanted)).error?.code).toBe(-32601);
          expect((await client.request("tasks/list")).result).toEqual({ tasks: [] });
        }
      });

    test("a client without support for tasks gets the result of the task", async () => {
      await using sandbox = await createSandbox();
      await using running = await startTasks(upstream, server);
      await using gateway = await gatewayIn(sandbox, { servers: { t: running.entry } });
      const version = "2025-06-18";
      await using client = await openRawClient(gateway, downstream, era, { version });
      const { result } = await client.request("tools/call", { name: "t_steps", arguments: {}, ...wanted });
      expect(textOf(result)).toBe("done after 3 looks");
      expect(client.greeting.result?.["capabilities"]).not.toHaveProperty("tasks");
      const refused = await client.request("tasks/get", { taskId: "x" });
      expect(refused.error?.code).toBe(era === "legacy" ? -32601 : -32021);
      if (era === "modern") {
        const listening = await client.request("subscriptions/listen", { notifications: { taskIds: ["x"] } });
        expect(listening.error?.code).toBe(-32021);
      }
    });
  },
);

describe.each(ERAS)("tasks of %s clients", (era) => {
  test("1.12 a task of another client is as unknown as one that does not exist", async () => {
    await using sandbox = await createSandbox();
    await using running = await startTasks("stdio", era);
    await using gateway = await gatewayIn(sandbox, { servers: { t: running.entry } });
    const setting = { capabilities: KNOWS_TASKS };
    await using owner = await openRawClient(gateway, "stdio", era, setting);
    await using other = await openRawClient(gateway, "stdio", era, setting);
    const params = { name: "t_endless", arguments: {}, ...(era === "legacy" && { task: {} }) };
    const { result } = await owner.request("tools/call", params);
    const task = (era === "legacy" ? result?.["task"] : result) as JsonObject;
    const foreign = await other.request("tasks/get", { taskId: task["taskId"] ?? null });
    expect(foreign.error).toEqual({ code: -32602, message: "Unknown task." });
    expect((await other.request("tasks/get", { taskId: "none" })).error).toEqual(foreign.error);
    expect((await other.request("tasks/cancel", { taskId: "task-1" })).error).toEqual(foreign.error);
    expect((await owner.request("tasks/get", { taskId: task["taskId"] ?? null })).error).toBeUndefined();
  });

  test("tasks are announced in the form of the client's era only", async () => {
    await using sandbox = await createSandbox();
    await using gateway = await gatewayIn(sandbox);
    await using client = await openRawClient(gateway, "stdio", era);
    const { capabilities = {} } = client.greeting.result ?? {};
    const { tasks, extensions } = capabilities as JsonObject;
    const legacy = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
    expect(tasks).toEqual(era === "legacy" ? legacy : undefined);
    expect(extensions).toEqual(era === "modern" ? { [TASKS]: {} } : undefined);
  });
});
