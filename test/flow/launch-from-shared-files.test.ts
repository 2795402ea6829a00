import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Host, JsonObject } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { hostIn } from "./host-in.ts";
import { approve } from "./launch-code.ts";

const { command, args } = stdioServer("tools-server.mjs");

/** A home folder that others can reach, and a config file in it that they can write to. Its servers need approval. */
async function sharedHome(file: string, entry: JsonObject) {
  const sandbox = await createSandbox();
  const root = await mkdtemp("/tmp/shared-");
  onTestFinished(async () => {
    await rm(root, { recursive: true, force: true });
    await sandbox[Symbol.asyncDispose]();
  });
  await chmod(root, 0o755);
  const config = join(root, "home", file);
  await mkdir(dirname(config), { recursive: true });
  await writeFile(config, JSON.stringify({ mcpServers: { acme: entry } }));
  await chmod(config, 0o666);
  const hostAt = async (folder: string): Promise<Host> => {
    await mkdir(join(root, folder), { recursive: true });
    return hostIn(sandbox, {
      cwd: join(root, folder),
      env: { ...sandbox.env(), HOME: join(root, "home") },
    });
  };
  return { root, hostAt };
}

/** Writes code that leaves a mark into the working folder, and into the folder that contains it and the home folder. */
async function writeTraps(root: string): Promise<void> {
  const mark = join(root, "ran");
  const module = `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "");\n`;
  for (const folder of [root, join(root, "repository")]) {
    await mkdir(join(folder, "node_modules", "trap"), { recursive: true });
    await writeFile(join(folder, "node_modules", "trap", "index.js"), module);
    await writeFile(join(folder, "trap.py"), `open(${JSON.stringify(mark)}, "w")\n`);
    await writeFile(join(folder, "token.sh"), `touch '${mark}'; echo token\n`);
  }
}

test.each<[string, string, JsonObject]>([
  ["a preloaded package", ".cursor/mcp.json", { command, args: ["-r", "trap", ...args] }],
  ["a preloaded package", ".plugboard/mcp.json", { command, args: ["-r", "trap", ...args] }],
  ["a Python module", ".cursor/mcp.json", { command: "python3", args: ["-m", "trap"] }],
  ["a Python module", ".plugboard/mcp.json", { command: "python3", args: ["-m", "trap"] }],
  ["a value's command", ".plugboard/mcp.json", { command, args, env: { TOKEN: "!sh token.sh" } }],
])(
  "%s of an approved server in %s is never the working folder's, even if others can write to that file",
  async (_, file, entry) => {
    const { root, hostAt } = await sharedHome(file, { type: "stdio", ...entry });
    {
      await using host = await hostAt("elsewhere");
      expect(host.servers()).toMatchObject([{ state: "untrusted" }]);
      await approve(host, "acme");
    }
    await writeTraps(root);
    await using host = await hostAt("repository");
    expect(host.servers()).toMatchObject([{ state: "idle" }]);
    await host.tools("acme").catch(() => {});
    expect(await readdir(root)).not.toContain("ran");
  },
);

test("a copy of a server in a file that others can write to does not refer to the working folder", async () => {
  const { hostAt } = await sharedHome(".cursor/mcp.json", { command: "node", args: ["server.mjs"] });
  await using host = await hostAt("repository");
  await approve(host, "acme");
  const { written } = await host.config.importFrom({ tool: "cursor", scope: "user" });
  const { acme } = JSON.parse(await readFile(written[0]?.file ?? "", "utf8")).mcpServers;
  expect(acme).toEqual({ type: "stdio", command: "node", args: ["server.mjs"] });
});
