import { describe, expect, test } from "vitest";
import { createStyle } from "../../cli/render/style.ts";
import { renderStatus } from "./status-line.ts";

const style = createStyle(false);
const servers = (...states: Parameters<typeof renderStatus>[0]["servers"][number]["state"][]) =>
  states.map((state) => ({ state }));

describe("the status line", () => {
  test.each([
    [[], undefined, undefined, "no servers yet · /mcp add", "no servers yet"],
    [servers("idle", "disabled"), undefined, undefined, "2 servers", "2 servers"],
    [servers("connected"), 1, 120, "● 1 connected · 1 tool · ~120 tokens", "● 1  1 tool  ~120"],
    [
      servers("connected", "connected", "connecting", "reconnecting", "needs_auth", "failed", "idle"),
      36,
      4_380,
      "● 2 connected · ◌ 2 connecting · ! 2 need you · 36 tools · ~4.4k tokens",
      "● 2  ◌ 2  ! 2  36 tools  ~4.4k",
    ],
    [servers("untrusted"), 0, 0, "! 1 needs you · 0 tools", "! 1  0 tools"],
    [servers("connected"), 900, 45_600, "● 1 connected · 900 tools · ~46k tokens", "● 1  900 tools  ~46k"],
  ])("%#", (known, tools, tokens, long, short) => {
    expect(renderStatus({ servers: known, tools, tokens }, style)).toEqual([long, short]);
  });
});
