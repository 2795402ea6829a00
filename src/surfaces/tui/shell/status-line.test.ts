import { describe, expect, test } from "vitest";
import { createStyle } from "../../shared/render/style.ts";
import { renderStatus } from "./status-line.ts";

const style = createStyle(false);
const servers = (...states: Parameters<typeof renderStatus>[0]["servers"][number]["state"][]) =>
  states.map((state) => ({ state }));

describe("the status line", () => {
  test("shows an installation with its duration and last line of output", () => {
    const because = "npx is installing acme@1.2.3 (12 s): npm http fetch";
    const known = [{ state: "connected" }, { state: "installing", because }] as const;
    expect(renderStatus({ servers: known, tools: 3, tokens: 0 }, style)).toEqual([
      "● 1 connected · ◌ npx is installing acme@1.2.3 (12 s): npm http fetch · 3 tools",
      "● 1 connected · ◌ 1 installing · 3 tools",
      "● 1  ◌ 1  3 tools",
    ]);
    expect(renderStatus({ servers: [known[1], known[1]], tools: 0, tokens: 0 }, style)).toEqual([
      "◌ 2 installing · 0 tools",
      "◌ 2  0 tools",
    ]);
  });

  test.each([
    [[], undefined, undefined, "no servers yet · /mcp add", "no servers yet"],
    [servers("idle", "disabled"), undefined, undefined, "2 servers", "2 servers"],
    [servers("connected"), 1, 120, "● 1 connected · 1 tool · ~120 tokens", "● 1  1 tool  ~120"],
    [
      servers("connected", "connected", "connecting", "reconnecting", "needs_auth", "failed", "idle"),
      36,
      4_380,
      "● 2 connected · ◌ 2 connecting · ! 1 needs attention · ✗ 1 failed · 36 tools · ~4.4k tokens",
      "● 2  ◌ 2  ! 1  ✗ 1  36 tools  ~4.4k",
    ],
    [servers("failed", "invalid"), 0, 0, "✗ 2 failed · 0 tools", "✗ 2  0 tools"],
    [servers("untrusted", "untrusted"), 0, 0, "! 2 need attention · 0 tools", "! 2  0 tools"],
    [servers("untrusted"), 0, 0, "! 1 needs attention · 0 tools", "! 1  0 tools"],
    [servers("connected"), 900, 45_600, "● 1 connected · 900 tools · ~46k tokens", "● 1  900 tools  ~46k"],
  ])(
    "counts servers that failed and that need the user separately (%#)",
    (known, tools, tokens, long, short) => {
      expect(renderStatus({ servers: known, tools, tokens }, style)).toEqual([...new Set([long, short])]);
    },
  );
});
