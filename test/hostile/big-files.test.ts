import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportTests } from "../durability/counts.ts";
import { eventsOf, hostIn } from "../flow/host-in.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";

reportTests("hostile home folders, switches, code caches and huge files: nothing run, nothing read whole");

/** A file with a hole: it takes no space on the disk. */
async function makeHuge(file: string): Promise<void> {
  await writeFile(file, "{");
  await truncate(file, 400 * 1024 * 1024);
}

test("huge config files are refused by their size and take no memory", async () => {
  await using sandbox = await createSandbox();
  const mine = { mcpServers: { mine: { command: "x" } } };
  await sandbox.writeHome(".plugboard/mcp.json", mine);
  const files = await Promise.all([
    sandbox.writeProject(".mcp.json", ""),
    sandbox.writeProject(".cursor/mcp.json", ""),
    sandbox.writeHome(".codex/config.toml", ""),
  ]);
  await Promise.all(files.map(makeHuge));
  const peak = join(sandbox.home, "peak");
  const recorder = join(sandbox.home, "record.cjs");
  await writeFile(
    recorder,
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));`,
  );
  const { code, stdout } = await runCli(["list", "--json"], {
    sandbox,
    env: { NODE_OPTIONS: `--require ${recorder}` },
  });
  const { servers, problems } = JSON.parse(stdout) as {
    servers: { name: string }[];
    problems: { code: string; file: string }[];
  };
  expect({ code, servers: servers.map(({ name }) => name) }).toEqual({ code: 0, servers: ["mine"] });
  expect(problems.map(({ code: what, file }) => [what, file]).sort()).toEqual(
    files.map((file) => ["file-too-large", file]).sort(),
  );
  expect(Number(readFileSync(peak, "utf8"))).toBeLessThan(300 * 1024); // kilobytes
});

test.each([
  ["settings", ".plugboard/settings.json", "file-too-large"],
  ["approvals", ".local/state/plugboard/approvals.json", "state-unreadable"],
])("a huge file of %s is one problem", async (_, path, code) => {
  await using sandbox = await createSandbox();
  await makeHuge(await sandbox.writeHome(path, ""));
  await using host = await hostIn(sandbox);
  expect(host.snapshot().problems.map((problem) => problem.code)).toEqual([code]);
});

test.each([
  ["huge", makeHuge, /is larger than 1 MB/],
  ["a pipe", async (file: string) => void execFileSync("mkfifo", [`${file}.pipe`]), /is no regular file/],
])("an envFile that is %s is reported and left out", async (what, make, message) => {
  await using sandbox = await createSandbox();
  const envFile = await sandbox.writeHome("variables", "");
  await make(envFile);
  const named = what === "huge" ? envFile : `${envFile}.pipe`;
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { mine: { command: process.execPath, args: ["-e", "0"], envFile: named } },
  });
  await using host = await hostIn(sandbox);
  const events = eventsOf(host);
  await host.connect("mine").catch(() => undefined);
  const problems = events.flatMap((event) => (event.type === "problem" ? event.problem.message : []));
  expect(problems).toEqual([expect.stringMatching(message)]);
});

test.each(["huge", "a device"])("a value in a file that is %s is left out", async (kind) => {
  await using sandbox = await createSandbox();
  const file = await sandbox.writeHome("value", "");
  if (kind === "huge") await makeHuge(file);
  const source = kind === "huge" ? file : "/dev/zero";
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { mine: { command: process.execPath, args: ["-e", "0"], env: { TOKEN: `file:${source}` } } },
  });
  await using host = await hostIn(sandbox);
  const findings = await host.checkValues("mine");
  expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining(source)]);
});
