import { expect, test } from "vitest";
import { serverOf } from "../../test/support/entries.ts";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import type { ToolDefinition } from "../model/index.ts";
import { createLaterWrites, createPinFiles } from "../state/index.ts";
import { createToolPins } from "./tool-pins.ts";

const PLACES = { userConfig: "/c", settings: "/s", state: "/state", cache: "/cache" };
const toolOf = (name: string): ToolDefinition => ({
  name,
  description: `Works like ${name}_elsewhere.`,
  inputSchema: { type: "object" },
});

test("a tool that stays as it is when others change is judged once, and what was found is still said", async () => {
  const ports = createFakePorts();
  const asked: string[] = [];
  const pins = createToolPins({
    files: createPinFiles(ports, PLACES),
    clock: ports.clock,
    later: createLaterWrites(ports),
    fingerprintOf: () => "abc",
    namesOfOthers: async () => ({
      size: 1,
      has: (name) => asked.push(name) > 0 && name === "read_elsewhere",
    }),
  });
  const server = serverOf("files", { command: "x" });
  const [read, write, append] = [toolOf("read"), toolOf("write"), toolOf("append")];
  const said = [{ tool: "read", what: 'names "read_elsewhere", a tool of another server' }];
  expect((await pins.check(server, [read, write])).findings).toEqual(said);
  expect((await pins.check(server, [read, append])).findings).toEqual(said);
  expect(asked).toEqual(["read_elsewhere", "write_elsewhere", "append_elsewhere"]);
});
