import { expect, test } from "vitest";
import { createFakeScreen } from "../../../../test/support/fake-screen.ts";
import { createShellLine } from "./run-shell-line.ts";

test.each(["linux", "win32"])(
  "a shell line runs a command that can be cancelled, on %s",
  async (platform) => {
    const screen = createFakeScreen();
    const handler = createShellLine(screen, process.cwd(), platform);
    await handler.run("!echo hello", new AbortController().signal);
    const cancelled = new AbortController();
    cancelled.abort();
    await handler.run("!exec sleep 300", cancelled.signal);
    await handler.run("!exit 4", new AbortController().signal);
    expect(screen.printed).toEqual(["hello", "Cancelled.", "The command ended with 4."]);
  },
);

test("a shell line starts with ! and contains a command", () => {
  const { accepts } = createShellLine(createFakeScreen(), "/");
  expect(["!ls", "! ls", "!", "!  ", "ls !", "/!ls"].map(accepts)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
