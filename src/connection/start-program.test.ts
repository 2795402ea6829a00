import { expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import type { RunningProcess } from "../platform/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { startProgram, type StdioLaunch } from "./start-program.ts";

test("of many programs that start at once, each leaves a turn for all else", async () => {
  const events: string[] = [];
  const fakes = createFakePorts(createMemoryFiles(new Map([["/here/file", ""]])));
  const spawn = (): RunningProcess => {
    events.push("start");
    return {} as RunningProcess;
  };
  const ports = { ...fakes, processes: { ...fakes.processes, spawn } };
  const launch: StdioLaunch = {
    transport: "stdio",
    command: "x",
    args: [],
    cwd: undefined,
    inheritEnv: true,
    env: new Map(),
  };
  const environment = { platform: "linux", home: "/", cwd: "/here", variables: {} } as const;
  let isOver = false;
  const others = (): void => {
    events.push("other");
    if (!isOver) setImmediate(others);
  };
  others();
  await Promise.all(Array.from({ length: 5 }, () => startProgram(launch, { ports, environment })));
  isOver = true;
  expect(events.filter((event) => event === "start")).toHaveLength(5);
  expect(events.join(" ")).not.toContain("start start");
});
