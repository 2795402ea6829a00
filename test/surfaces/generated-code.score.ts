import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { AgentTool } from "../../src/index.ts";
import { groupBy } from "../../src/model/group-by.ts";
import { clientFile } from "../../src/surfaces/cli/generate/client-file.ts";
import type { ServerDefinitions } from "../../src/surfaces/cli/generate/tool-writer.ts";
import { typesFile } from "../../src/surfaces/cli/generate/types-file.ts";
import { LONGEST_MS, report } from "../durability/counts.ts";
import { createSandbox } from "../support/sandbox.ts";
import { compileProject, writeTypeProject } from "../support/type-project.ts";

const LINE = "published servers whose generated types and client type-check under strict";
const collector = new URL("../../bench/collect-tools.mjs", import.meta.url).href;
const program = `const { collectTools } = await import("${collector}");
  const { definitions, unavailable } = await collectTools(console.error);
  for (const [server, reason] of unavailable) console.error(server, reason);
  process.stdout.write(JSON.stringify(definitions));`;

/** The servers are installed from the registry the first time. */
test.each(["5.9", "7"] as const)(
  "the generated code of all published servers type-checks with TypeScript %s",
  async (version) => {
    await using sandbox = await createSandbox();
    const servers = await publishedServers();
    await writeTypeProject(sandbox);
    await sandbox.writeProject("mcp.d.ts", await typesFile(servers));
    for (const definitions of servers)
      await sandbox.writeProject(`${definitions.server}.ts`, await clientFile(definitions));
    const errors = compileProject(sandbox, version);
    const failed = servers.filter(({ server }) => errors.includes(`${server}.ts`));
    const passed = errors === "" ? servers.length : servers.length - Math.max(1, failed.length);
    report(LINE, passed, servers.length);
    expect(errors).toBe("");
    expect(servers.length).toBeGreaterThan(50);
  },
  LONGEST_MS,
);

async function publishedServers(): Promise<readonly ServerDefinitions[]> {
  const words = ["--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, words, { maxBuffer: 256 * 1024 * 1024 });
  const definitions = JSON.parse(stdout) as readonly AgentTool[];
  const byServer = groupBy(definitions, ({ server }) => server);
  return [...byServer].map(([server, tools]) => ({ server, tools }));
}
