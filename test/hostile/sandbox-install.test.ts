import { readFileSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { failureOf, hostIn } from "../flow/host-in.ts";
import { type PackageRegistry, startPackageRegistry } from "../support/package-registry.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { whyNoSandbox } from "../support/sandbox-support.ts";

const SERVER = resolve("test/servers/probe-server.mjs");
// The repository is hidden in the sandbox, so the package contains the whole server.
const PROGRAM = `#!/usr/bin/env node
${readFileSync(SERVER, "utf8")}`;
const ENTRY = { command: "npx", args: ["-y", "mcp-acme@1.0.0"], sandbox: true };
const SLOW = 120_000;

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});

/** A registry whose package reports in the home folder that its install script ran, with what it could read. */
async function hostileRegistry(): Promise<PackageRegistry> {
  const postinstall = 'env > "$HOME/script-ran"';
  const registry = await startPackageRegistry("mcp-acme", PROGRAM, () => {}, undefined, { postinstall });
  open.push(registry);
  return registry;
}

async function place(): Promise<Sandbox> {
  const made = await createSandbox();
  open.push(made);
  return made;
}

const textOf = (file: string): Promise<string> => readFile(file, "utf8").catch(() => "");

async function use(made: Sandbox, entry: object, command = "true"): Promise<string> {
  await made.writeProject(".plugboard/mcp.json", { mcpServers: { probe: entry } });
  await using host = await hostIn(made, { trustProject: true });
  return (await host.call("probe", "run", { command })).text;
}

describe.skipIf(whyNoSandbox() !== undefined)("the package of a sandboxed server", () => {
  test(
    "is installed from the user's registry without install scripts, whatever the project's .npmrc says",
    async () => {
      const made = await place();
      const mine = await hostileRegistry();
      await made.writeHome(".npmrc", `registry=${mine.url}/\n`);
      const npmrc = `registry=http://127.0.0.1:1/\nscript-shell=${made.project}/evil\nignore-scripts=false\n`;
      await made.writeProject(".npmrc", npmrc);
      await chmod(await made.writeProject("evil", `#!/bin/sh\ntouch ${made.home}/evil-ran\n`), 0o755);
      expect(await use(made, ENTRY, "echo works")).toBe("0\nworks\n");
      expect((await readdir(made.home)).filter((name) => name.endsWith("ran"))).toEqual([]);
    },
    SLOW,
  );

  test.each<[string, Partial<typeof ENTRY> & { env?: Record<string, string> }]>([
    [
      "variables of the entry",
      {
        env: {
          npm_config_script_shell: "PROJECT/evil",
          NODE_OPTIONS: "--require PROJECT/evil.cjs",
          PATH: "PROJECT/bin:/usr/bin:/bin",
        },
      },
    ],
    [
      "options of the entry",
      { args: ["-y", "--script-shell=PROJECT/evil", "--userconfig=PROJECT/evil.npmrc", "mcp-acme@1.0.0"] },
    ],
    ["a program of the project that is called npx", { command: "./bin/npx" }],
    [
      "a program of the project that npm is run with",
      { command: "node", args: ["./evil.cjs", "npx-cli.js"] },
    ],
    ["a command line for a shell", { command: "sh", args: ["-c", "PROJECT/bin/npx -y mcp-acme@1.0.0"] }],
    ["a package that is a repository", { args: ["-y", "git+file:///PROJECT"] }],
    ...["pnpm", "bunx", "uvx", "yarn", "pipx"].map((command): [string, object] => [
      `the runner ${command}`,
      {
        command,
        args: [
          ...(command === "pnpm" || command === "yarn" ? ["dlx"] : command === "pipx" ? ["run"] : []),
          "mcp-acme",
        ],
      },
    ]),
  ])(
    "is not installed with %s",
    async (_, entry) => {
      const made = await place();
      const mine = await hostileRegistry();
      await made.writeHome(".npmrc", `registry=${mine.url}/\n`);
      const trap = `#!/bin/sh\ntouch ${made.home}/evil-ran\nexit 1\n`;
      for (const name of ["evil", "bin/npx", "bin/node"])
        await chmod(await made.writeProject(name, trap), 0o755);
      await made.writeProject(
        "evil.cjs",
        `try { require("node:fs").writeFileSync("${made.home}/evil-ran", ""); } catch {}\n`,
      );
      await made.writeProject("evil.npmrc", `registry=${mine.url}/\nscript-shell=${made.project}/evil\n`);
      const runners = join(made.home, "runners");
      await mkdir(runners);
      for (const name of ["pnpm", "bunx", "uvx", "yarn", "pipx"])
        await chmod(await made.writeHome(`runners/${name}`, trap), 0o755);
      const filled = JSON.parse(JSON.stringify({ ...ENTRY, ...entry }).replaceAll("PROJECT", made.project));
      await made.writeProject(".plugboard/mcp.json", { mcpServers: { probe: filled } });
      const env = { ...made.env(), PATH: `${runners}:${made.project}/bin:${process.env["PATH"]}` };
      await using host = await hostIn(made, { trustProject: true, env });
      await host.call("probe", "run", { command: "true" }).catch(() => {});
      expect((await readdir(made.home)).filter((name) => name.endsWith("ran"))).toEqual([]);
    },
    SLOW,
  );

  test(
    "is not installed from a registry that the server chose in the project",
    async () => {
      const made = await place();
      const evil = await hostileRegistry();
      const secret = "secret-of-the-entry";
      await made.writeHome(".npmrc", "registry=http://127.0.0.1:1/\n");
      await made.writeProject("node_modules/mcp-acme/package.json", {
        name: "mcp-acme",
        version: "1.0.0",
        bin: "x.mjs",
      });
      await chmod(await made.writeProject("node_modules/mcp-acme/x.mjs", PROGRAM), 0o755);
      await made.writeProject("package.json", { dependencies: { "mcp-acme": "1.0.0" } });
      await chmod(await made.writeProject("node_modules/.bin/mcp-acme", PROGRAM), 0o755);
      const entry = { ...ENTRY, env: { API_TOKEN: secret } };
      const npmrc = join(made.project, ".npmrc");
      const text = await use(
        made,
        entry,
        `echo registry=${evil.url} > ${npmrc}; rm -rf ${made.project}/node_modules`,
      );
      expect(text).toMatch(/^0\n/);
      expect(await textOf(npmrc)).toContain(evil.url);
      await failureOf(use(made, entry));
      expect(await textOf(join(made.home, "script-ran"))).toBe("");
      await rm(npmrc);
    },
    SLOW,
  );

  test(
    "is not installed from a registry that its entry names, because your own servers would start it",
    async () => {
      const made = await place();
      const says = (word: string): string =>
        PROGRAM.replace(
          "\n",
          `\nimport { writeFileSync } from "node:fs";\ntry { writeFileSync("${made.home}/${word}-ran", ""); } catch {}\n`,
        );
      const [mine, evil] = [
        await startPackageRegistry("mcp-acme", says("good")),
        await startPackageRegistry("mcp-acme", says("evil")),
      ];
      open.push(mine, evil);
      await made.writeHome(".npmrc", `registry=${mine.url}/\n`);
      await failureOf(use(made, { ...ENTRY, args: [`--registry=${evil.url}`, ...ENTRY.args] }));
      const own = { command: "npx", args: ENTRY.args };
      await made.writeHome(".plugboard/mcp.json", { mcpServers: { own } });
      await using host = await hostIn(made);
      expect((await host.call("own", "run", { command: "echo works" })).text).toBe("0\nworks\n");
      expect((await readdir(made.home)).filter((name) => name.endsWith("ran"))).toEqual(["good-ran"]);
    },
    SLOW,
  );

  test("is not installed with files that the server changed: they are read-only", async () => {
    const made = await place();
    const names = [
      ".npmrc",
      ".pnpmfile.cjs",
      ".yarnrc.yml",
      "bunfig.toml",
      "uv.toml",
      "mise.toml",
      "mcp.lock.json",
    ];
    for (const name of names) await made.writeProject(name, "");
    const entry = { command: "node", args: [SERVER], sandbox: true };
    const append = names.map((name) => `echo x >> ${made.project}/${name}`).join("; ");
    expect(await use(made, entry, append)).toMatch(/^[12]\n/);
    expect(await Promise.all(names.map((name) => textOf(join(made.project, name))))).toEqual(
      names.map(() => ""),
    );
  });
});
