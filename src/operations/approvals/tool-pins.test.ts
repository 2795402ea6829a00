import { expect, test } from "vitest";
import { serverOf } from "../../../test/support/entries.ts";
import { createFakePorts } from "../../../test/support/fake-ports.ts";
import type { ToolDefinition } from "../../model/index.ts";
import { createDeferredWrites, createFilePins, pinsOf } from "../../state/index.ts";
import { createToolPins } from "./tool-pins.ts";

const PLACES = { userConfig: "/c", settings: "/s", state: "/state", cache: "/cache" };
const toolOf = (name: string): ToolDefinition => ({
  name,
  description: `Works like ${name}_elsewhere.`,
  inputSchema: { type: "object" },
});

test("an unchanged tool is checked again when others change, and its findings are still reported", async () => {
  const ports = createFakePorts();
  const names = new Set(["read_elsewhere"]);
  const pins = createToolPins({
    records: pinsOf(createFilePins(ports, PLACES)),
    clock: ports.clock,
    later: createDeferredWrites(ports),
    fingerprintOf: () => "abc",
    namesOfOthers: async () => names,
  });
  const server = serverOf("files", { command: "x" });
  const [read, write, append] = [toolOf("read"), toolOf("write"), toolOf("append")];
  const said = [{ tool: "read", what: 'mentions "read_elsewhere", a tool of another server' }];
  expect((await pins.check(server, [read, write])).findings).toEqual(said);
  expect((await pins.check(server, [read, append])).findings).toEqual(said);
  names.add("write_elsewhere");
  expect((await pins.check(server, [read, write, append])).findings).toEqual([
    ...said,
    { tool: "write", what: 'mentions "write_elsewhere", a tool of another server' },
  ]);
});
