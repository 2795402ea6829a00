import { expect, test } from "vitest";
import { type JsonObject, Redactor } from "../../model/index.ts";
import type { ClientRequest } from "../client-request.ts";
import type { UpstreamScope } from "../upstream/upstreams.ts";
import { ClientTasks } from "./client-tasks.ts";

const SECRET = "zebra-quartz-velvet-7";

function tasksOf(era: "legacy" | "modern") {
  const redactor = new Redactor();
  redactor.add(SECRET);
  let now = 0;
  const clock = { now: () => now } as ConstructorParameters<typeof ClientTasks>[0];
  const tasks = new ClientTasks(clock, redactor);
  const notices: JsonObject[] = [];
  const client = { id: "c", notify: (_: string, params: JsonObject) => notices.push(params) };
  const request = {
    era,
    version: "2025-11-25",
    method: "tools/call",
    params: { task: {} },
    capabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } },
    client,
  } as unknown as ClientRequest;
  const scope = {} as UpstreamScope;
  const create = async (more: JsonObject): Promise<JsonObject> => {
    const task = { taskId: "up", status: "working", ...more };
    const result = era === "legacy" ? { task } : { resultType: "task", ...task };
    const shown = await tasks.created(request, { scope, server: "s", tool: "t" }, result);
    return (era === "legacy" ? shown["task"] : shown) as JsonObject;
  };
  return { tasks, notices, request, scope, create, sleep: (ms: number) => void (now += ms) };
}

test.each(["legacy", "modern"] as const)("secrets in the status of a %s task are masked", async (era) => {
  const { tasks, notices, request, scope, create } = tasksOf(era);
  const shown = await create({ statusMessage: `using ${SECRET}` });
  expect(shown["statusMessage"]).toBe("using [secret]");
  tasks.relayStatus(scope, "s", { taskId: "up", status: "working", statusMessage: `now ${SECRET}` });
  expect(notices).toMatchObject([{ taskId: shown["taskId"], statusMessage: "now [secret]" }]);
  const task = tasks.find(request.client, shown["taskId"]);
  expect(task.known["statusMessage"]).toBe("now [secret]");
  expect(tasks.learn(task, { result: { text: SECRET } })["result"]).toEqual({ text: SECRET });
});

test("a task is unknown after its lifetime", async () => {
  const { tasks, request, create, sleep } = tasksOf("legacy");
  const { taskId } = await create({ ttl: 1_000 });
  expect(tasks.find(request.client, taskId).upstreamId).toBe("up");
  sleep(1_001);
  expect(() => tasks.find(request.client, taskId)).toThrow("Unknown task.");
});

test("a client's oldest task is forgotten if it has more than 1,000", async () => {
  const { tasks, request, create } = tasksOf("legacy");
  const [first, second] = [await create({}), await create({})];
  for (let count = 0; count < 999; count += 1) await create({});
  expect(tasks.of(request.client)).toHaveLength(1_000);
  expect(() => tasks.find(request.client, first?.["taskId"])).toThrow("Unknown task.");
  expect(tasks.find(request.client, second?.["taskId"]).upstreamId).toBe("up");
});
