import { expect, test, vi } from "vitest";
import { createLineRunner } from "./line-runner.ts";

const listeners = { onBegin: () => {}, onError: () => {}, onUnknown: () => {}, onChange: () => {} };

test("leading spaces are removed from commands, but not from messages", async () => {
  const ran: string[] = [];
  const runner = createLineRunner(listeners);
  const run = async (line: string): Promise<void> => void ran.push(line);
  runner.start([{ help: [], accepts: () => true, run, complete: async () => undefined }]);
  runner.submit("  /model");
  runner.submit("  indented");
  await vi.waitFor(() => expect(ran).toHaveLength(2));
  expect(ran).toEqual(["/model", "  indented"]);
});
