import { expect, test } from "vitest";
import type { ServerView } from "../../../../index.ts";
import { createStyle } from "../../../shared/render/style.ts";
import { createServerPanel } from "./server-panel.ts";

const server = (name: string, state: ServerView["state"], file: string): ServerView =>
  ({ name, state, enabled: true, problems: [], shadows: [], source: { tool: "plugboard", file } }) as never;

function rowsOf(servers: readonly ServerView[], columns: number): readonly string[] {
  const panel = createServerPanel(
    {
      servers: () => servers,
      details: { of: () => undefined, stop: () => {} },
      place: { filter: "", marked: undefined, isOpen: false },
      style: createStyle(false),
      display: { home: "/home/a", cwd: "/work", program: "/mcp" },
    },
    { answer: () => {} },
  );
  return panel.view(columns, 20).rows.slice(1, -1);
}

test("aligns names, states and places", () => {
  const servers = [server("a", "connected", "/work/x.json"), server("longer", "untrusted", "/home/a/y.json")];
  expect(rowsOf(servers, 80)).toEqual([
    "› ● a       connected       x.json",
    "  ! longer  needs approval  ~/y.json",
  ]);
});

test("a long name hides the state of no other server", () => {
  const rows = rowsOf(
    [server("a", "connected", "/work/x.json"), server("n".repeat(60), "failed", "/work/x.json")],
    40,
  );
  expect(rows[0]).toContain("connected");
  expect(rows[1]).toHaveLength(40);
});
