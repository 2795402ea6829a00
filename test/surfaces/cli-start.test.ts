import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";

/** Parts of Node that cost a command more than the rest of it, and that nothing needs that only looks at files. */
const HEAVY = ["http", "https", "net", "tls", "crypto", "zlib", "child_process"];

test("`list` loads no part of Node that it does not need", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { mine: { command: "npx", args: ["-y", "x"] } },
  });
  const recorder = join(sandbox.home, "record.cjs");
  writeFileSync(
    recorder,
    'process.on("exit", () => require("fs").writeSync(2, JSON.stringify(process.moduleLoadList)));',
  );
  const { code, stderr } = await runCli(["list"], {
    sandbox,
    env: { NODE_OPTIONS: `--require ${recorder}` },
  });
  const loaded = JSON.parse(stderr) as string[];
  expect({ code, heavy: HEAVY.filter((name) => loaded.includes(`NativeModule ${name}`)) }).toEqual({
    code: 0,
    heavy: [],
  });
});
