/* oxlint-disable no-control-regex -- control characters are what this is about */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasPty, startOnPty } from "../support/pty.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

/** A pager that marks its start and end, so that the test sees what it was given. */
async function withPager(script = "echo BEGIN; cat; echo END"): Promise<Sandbox> {
  const sandbox = await createSandbox();
  const pager = join(sandbox.home, "pager");
  await writeFile(pager, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { tools: stdioServer("tools-server.mjs") } });
  return sandbox;
}
const pagerOf = ({ home }: Sandbox) => ({ PAGER: join(home, "pager") });

describe.skipIf(!hasPty)("a pager", () => {
  test("shows output that does not fit the screen, and only that", async () => {
    await using sandbox = await withPager();
    const env = pagerOf(sandbox);
    await using long = startOnPty(["--help"], { sandbox, env });
    expect((await long.ended).code).toBe(0);
    expect(long.raw()).toMatch(/^BEGIN\r\nPlugboard finds[\s\S]*cancelled\.\r\nEND\r\n/);
    await using short = startOnPty(["list"], { sandbox, env });
    expect((await short.ended).code).toBe(0);
    expect(short.raw()).not.toContain("BEGIN");
    expect(short.raw()).toContain("tools");
  });

  test("that the user leaves early, or that does not exist, does not fail the command", async () => {
    await using sandbox = await withPager("head -1");
    await using left = startOnPty(["--help"], { sandbox, env: pagerOf(sandbox) });
    expect((await left.ended).code).toBe(0);
    expect(left.raw()).not.toContain("Exit codes: 0");
    await using missing = startOnPty(["--help"], { sandbox, env: { PAGER: "no-such-pager" } });
    expect((await missing.ended).code).toBe(0);
    expect(missing.raw()).toContain("Exit codes: 0");
  });

  test("is not used without the variable, or with PLUGBOARD_PAGER=cat", async () => {
    await using sandbox = await withPager();
    for (const env of [{}, { ...pagerOf(sandbox), PLUGBOARD_PAGER: "cat" }]) {
      await using program = startOnPty(["--help"], { sandbox, env });
      expect((await program.ended).code).toBe(0);
      expect(program.raw()).not.toContain("BEGIN");
      expect(program.raw()).toContain("Exit codes: 0");
    }
  });
});

describe.skipIf(!hasPty)("an image in a result", () => {
  test("is shown on a terminal that can, and is a path elsewhere", async () => {
    await using sandbox = await withPager();
    await using kitty = startOnPty(["call", "tools", "image"], { sandbox, env: { KITTY_WINDOW_ID: "1" } });
    expect((await kitty.ended).code).toBe(0);
    expect(kitty.raw()).toMatch(/\u001b_Ga=T,f=100,q=2,m=0;[\w+/=]+\u001b\\/);
    await using plain = startOnPty(["call", "tools", "image"], { sandbox });
    expect((await plain.ended).code).toBe(0);
    expect(plain.raw()).not.toContain("\u001b_G");
    expect(plain.raw().replaceAll(/\s/g, "")).toMatch(/artifacts\/[\w-]+\.png/);
  });
});
