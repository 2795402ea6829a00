import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { mkdir, readdir, readFile, rename, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Host } from "../../src/index.ts";
import { hostIn } from "../flow/host-in.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { whyNoSandbox } from "../support/sandbox-support.ts";

const PROBE = { command: "node", args: [resolve("test/servers/probe-server.mjs")], sandbox: true };
const PROGRAM = fileURLToPath(new URL("../../dist/surfaces/cli/main.cjs", import.meta.url));
const obstacle = whyNoSandbox();

async function placeWithProbe(): Promise<Sandbox> {
  const place = await createSandbox();
  await place.writeHome(".plugboard/mcp.json", { mcpServers: { probe: PROBE } });
  return place;
}

const run = async (host: Host, command: string): Promise<string> =>
  (await host.call("probe", "run", { command })).text;

describe.skipIf(obstacle !== undefined)("a sandboxed server", () => {
  test("gets no file or folder that the program which started Plugboard left open", async () => {
    await using place = await placeWithProbe();
    await place.writeHome("secret.txt", "secret");
    const opened = 40; // Node itself closes the lowest descriptors
    const stdio = Array.from({ length: opened }, (_, at) =>
      at < 3 ? ("pipe" as const) : ("ignore" as const),
    );
    const command = `command=cat /proc/self/fd/${opened}/secret.txt; ls -l /proc/self/fd/${opened}`;
    const child = spawn(process.execPath, [PROGRAM, "call", "probe", "run", command], {
      cwd: place.project,
      env: place.env(),
      stdio: [...stdio, openSync(place.home, "r")],
    });
    let text = "";
    child.stdout?.setEncoding("utf8").on("data", (part: string) => (text += part));
    await new Promise((done) => child.once("close", done));
    expect(text).toContain(`${opened} -> /dev/null`);
    expect(text).not.toContain("secret\n");
  });

  test("gets its variables, but they do not change the programs that create the sandbox", async () => {
    await using place = await createSandbox();
    const env = { LD_DEBUG: "files", LD_DEBUG_OUTPUT: join(place.home, "loaded"), GREETING: "hi\n--bind" };
    const escaped = async (sandbox: boolean): Promise<string[]> => {
      await place.writeHome(".plugboard/mcp.json", { mcpServers: { probe: { ...PROBE, sandbox, env } } });
      await using host = await hostIn(place);
      expect(await run(host, 'printf "$LD_DEBUG $GREETING"')).toBe("0\nfiles hi\n--bind");
      return (await readdir(place.home)).filter((name) => name.startsWith("loaded."));
    };
    expect(await escaped(true)).toEqual([]);
    expect(await escaped(false)).not.toEqual([]);
  });

  test.each([".ssh", ".config", ".config/tool"])(
    'cannot read the working folder if it is not a project: "~/%s"',
    async (name) => {
      await using place = await placeWithProbe();
      const folder = join(place.home, name);
      await mkdir(folder, { recursive: true });
      await place.writeHome(join(name, "secret.txt"), "secret");
      await using host = await hostIn(place, { cwd: folder });
      const text = await run(host, `cat ${folder}/secret.txt; touch ${folder}/new; pwd`);
      expect(text).toMatch(/sandbox\/\w+\/data\n/);
      expect(text).not.toContain("secret\n");
      await expect(readFile(join(folder, "new"))).rejects.toThrow("ENOENT");
    },
  );

  test("cannot change a config file that another program replaced while the server runs", async () => {
    await using place = await placeWithProbe();
    const file = await place.writeProject(".cursor/mcp.json", "{}");
    await using host = await hostIn(place);
    const attack = `echo evil >> ${file} || echo evil > ${place.project}/.cursor/new`;
    expect(await run(host, attack)).toMatch(/^[12]\n/);
    await rename(await place.writeProject("new.json", "{ }"), file);
    expect(await run(host, attack)).toMatch(/^[12]\n/);
    expect(await readFile(file, "utf8")).toBe("{ }");
  });

  test("cannot change the config files of the folder that Plugboard runs in, below the project's", async () => {
    await using place = await placeWithProbe();
    const names = [".mcp.json", ".vscode/tasks.json", "web.code-workspace"];
    const files = await Promise.all(names.map((name) => place.writeProject(`packages/web/${name}`, "{}")));
    await using host = await hostIn(place, { cwd: join(place.project, "packages", "web") });
    for (const each of files) expect(await run(host, `echo evil > ${each}`)).toMatch(/^2\n/);
    const renamed = join(place.project, "packages", "web2");
    expect(await run(host, `mv ${place.project}/packages/web ${renamed}`)).toMatch(/^1\n/);
    expect(await run(host, `echo fine > ${place.project}/packages/web/index.js`)).toBe("0\n");
  });

  test("does not start if a config folder is a link, which could be replaced", async () => {
    await using place = await placeWithProbe();
    await mkdir(join(place.project, "shared"));
    await symlink(join(place.project, "shared"), join(place.project, ".cursor"));
    await using host = await hostIn(place);
    await expect(run(host, "true")).rejects.toThrow(
      /cannot protect .*\.cursor, because the path contains a link/,
    );
  });
});
