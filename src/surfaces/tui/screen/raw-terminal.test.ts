import { afterEach, expect, test, vi } from "vitest";
import { openRawTerminal } from "./raw-terminal.ts";

const LISTENERS = { onBytes: () => {}, onResize: () => {}, onResume: () => {}, onGone: () => {} };

afterEach(() => void vi.restoreAllMocks());

test.each([
  ["linux", [[0, "SIGTSTP"]]],
  ["darwin", [[0, "SIGTSTP"]]],
  ["win32", []], // no job control
])("Ctrl+Z sends these signals on %s: %j", (platform, signals) => {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const terminal = openRawTerminal(LISTENERS, platform);
  try {
    terminal.suspend();
    expect(kill.mock.calls).toEqual(signals);
  } finally {
    terminal.close();
  }
});
