import { expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import type { RunningProcess, SpawnRequest } from "../platform/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { type StdioLaunch, startProgram } from "./start-program.ts";

const LAUNCH: StdioLaunch = {
  transport: "stdio",
  command: "x",
  args: [],
  cwd: undefined,
  inheritEnv: true,
  env: new Map(),
};

test.each([
  ["linux", "x", []],
  ["darwin", "x", []],
  ["win32", "C:\\Windows\\System32\\cmd.exe", ["/e:ON", "/v:OFF", "/d", "/c", '""C:\\bin\\x.CMD""']],
])("a command is started on %s as %s", async (platform, command, args) => {
  const fakes = createFakePorts(
    createMemoryFiles(
      new Map([
        ["/here/file", ""],
        ["C:\\bin\\x.CMD", ""],
      ]),
    ),
  );
  const asked: SpawnRequest[] = [];
  const spawn = (request: SpawnRequest): RunningProcess => {
    asked.push(request);
    return {} as RunningProcess;
  };
  const ports = { ...fakes, processes: { ...fakes.processes, spawn } };
  const environment = { platform, home: "/", cwd: "/here", variables: { PATH: "C:\\bin" } };
  await startProgram(LAUNCH, { ports, environment });
  expect(asked).toMatchObject([{ command, args }]);
});

test("programs that start at once yield to the event loop in between", async () => {
  const events: string[] = [];
  const fakes = createFakePorts(createMemoryFiles(new Map([["/here/file", ""]])));
  const spawn = (): RunningProcess => {
    events.push("start");
    return {} as RunningProcess;
  };
  const ports = { ...fakes, processes: { ...fakes.processes, spawn } };
  const environment = { platform: "linux", home: "/", cwd: "/here", variables: {} } as const;
  let isOver = false;
  const others = (): void => {
    events.push("other");
    if (!isOver) setImmediate(others);
  };
  others();
  await Promise.all(Array.from({ length: 5 }, () => startProgram(LAUNCH, { ports, environment })));
  isOver = true;
  expect(events.filter((event) => event === "start")).toHaveLength(5);
  expect(events.join(" ")).not.toContain("start start");
});
