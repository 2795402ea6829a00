import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Host, LocalServerOptions } from "../../src/index.ts";
import { findStragglers } from "../support/find-stragglers.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { eventually, failureOf, hostIn } from "./host-in.ts";

const raw = fileURLToPath(new URL("../servers/raw-server.mjs", import.meta.url));

/** What the runner prints: `begin` when it starts to install, `end` when it is done. */
interface StandIn {
  readonly name: string;
  /** Where the output comes from. */
  readonly replays: string;
  readonly args: readonly string[];
  readonly package: string;
  /** The arguments with which the runner only installs. Empty for a runner that installs when it starts the server. */
  readonly warmUp?: string;
  readonly begin: readonly string[];
  readonly end: readonly string[];
}

const STAND_INS: readonly StandIn[] = [
  {
    name: "uvx",
    replays: "lines written from memory, not recorded",
    args: ["acme-server@1.2.3", "--flag"],
    package: "acme-server@1.2.3",
    warmUp: "--no-config --with acme-server==1.2.3 python -c ",
    begin: ["Downloading cryptography (4.1MiB)"],
    end: [" Downloaded cryptography", "Installed 36 packages in 42ms"],
  },
  {
    name: "pipx",
    replays: "lines written from memory, not recorded",
    args: ["run", "acme-server"],
    package: "acme-server",
    warmUp: "run --spec acme-server python -c ",
    begin: ["creating virtual environment...", "installing acme-server..."],
    end: [],
  },
  {
    name: "pnpm",
    replays: "its recorded output",
    args: ["dlx", "acme-server@1.2.3"],
    package: "acme-server@1.2.3",
    warmUp: "--ignore-workspace --dir=/ dlx --package=acme-server@1.2.3 node --version",
    begin: [".../mwjm2jhe-3fb | Progress: resolved 1, reused 0, downloaded 0, added 0"],
    end: [
      ".../mwjm2jhe-3fb | Progress: resolved 1, reused 0, downloaded 1, added 1, done",
      "Done in 1.5s using pnpm v12.18.0",
    ],
  },
  {
    name: "yarn",
    replays: "its recorded output",
    args: ["dlx", "acme-server"],
    package: "acme-server",
    warmUp: "dlx -p acme-server node --version",
    begin: ["➤ YN0000: · Yarn 4.18.1", "➤ YN0000: ┌ Resolution step"],
    end: ["➤ YN0000: └ Completed in 0s 406ms", "➤ YN0000: · Done in 1s 450ms"],
  },
  {
    name: "bunx",
    replays: "its recorded output",
    args: ["acme-server"],
    package: "acme-server",
    warmUp: "--package=acme-server node --version",
    begin: ["Resolving dependencies"],
    end: ["Resolved, downloaded and extracted [4]", "Saved lockfile"],
  },
  {
    name: "docker",
    replays: "its output in published logs",
    args: ["run", "-i", "--rm", "mcp/acme:latest"],
    package: "mcp/acme:latest",
    begin: ["Unable to find image 'mcp/acme:latest' locally", "latest: Pulling from mcp/acme"],
    end: ["a3ed95caeb02: Pull complete", "Status: Downloaded newer image for mcp/acme:latest"],
  },
];

/** Puts the stand-in on PATH. It installs until the file `go` exists, and records how it was started. */
async function useStandIn(
  sandbox: Sandbox,
  { name, warmUp, begin, end }: StandIn,
): Promise<Record<string, string>> {
  const say = (lines: readonly string[]): string => lines.map((line) => `echo "${line}" >&2`).join("\n");
  const { home } = sandbox;
  const script = `#!/bin/sh
echo "$*" >> "${home}/started"
install() {
  [ -e "${home}/installed" ] && return
  ${say(begin)}
  until [ -e "${home}/go" ]; do sleep 0.05; done
  ${say(end) || ":"}
  touch "${home}/installed"
}
${warmUp === undefined ? "install" : `if [ "$*" = "${warmUp}" ]; then install; exit 0; fi`}
exec node "${raw}"
`;
  await chmod(await sandbox.writeHome(`bin/${name}`, script), 0o755);
  const env = sandbox.env();
  return { ...env, PATH: `${join(home, "bin")}:${env["PATH"]}` };
}

const entryOf = ({ name, args }: StandIn): LocalServerOptions => ({ command: name, args });

async function isInstalling(host: Host, { begin, package: spec }: StandIn): Promise<void> {
  await eventually(() =>
    expect(host.servers()[0]).toMatchObject({
      state: "installing",
      installing: { package: spec, output: begin.at(-1) },
    }),
  );
}

test.each(STAND_INS.map((standIn) => [standIn.name, standIn.replays, standIn] as const))(
  "a stand-in for %s that replays %s: the server is installing, then connected, and the next start installs nothing",
  async (_name, _replays, standIn) => {
    await using sandbox = await createSandbox();
    const env = await useStandIn(sandbox, standIn);
    const servers = { acme: entryOf(standIn) };
    {
      await using host = await hostIn(sandbox, { env, servers });
      const connected = host.connect("acme");
      connected.catch(() => {});
      await isInstalling(host, standIn);
      await writeFile(join(sandbox.home, "go"), "");
      await connected;
    }
    await using next = await hostIn(sandbox, { env, servers });
    await next.connect("acme");
    const started = (await readFile(join(sandbox.home, "started"), "utf8")).split("\n").filter(Boolean);
    const launches = started.filter((line) => line !== standIn.warmUp);
    expect(started.length - launches.length).toBe(standIn.warmUp === undefined ? 0 : 1);
    expect(launches).toHaveLength(2);
  },
  60_000,
);

test("a stand-in for docker that replays its output in published logs: the start-up limit does not run while an image is pulled", async () => {
  await using sandbox = await createSandbox();
  const [docker] = STAND_INS.filter(({ name }) => name === "docker");
  if (docker === undefined) throw new Error("no stand-in");
  const env = await useStandIn(sandbox, docker);
  const startupTimeout = 6_000;
  await using host = await hostIn(sandbox, {
    env,
    servers: { acme: { ...entryOf(docker), startupTimeout } },
  });
  const connected = host.connect("acme");
  connected.catch(() => {});
  await eventually(() =>
    expect(host.servers()[0]?.installing?.elapsedMs ?? 0).toBeGreaterThan(startupTimeout),
  );
  await writeFile(join(sandbox.home, "go"), "");
  await connected;
}, 60_000);

test("a stand-in for docker that replays its output in published logs: a pull is limited by installTimeout", async () => {
  await using sandbox = await createSandbox();
  const [docker] = STAND_INS.filter(({ name }) => name === "docker");
  if (docker === undefined) throw new Error("no stand-in");
  const env = await useStandIn(sandbox, docker);
  await using host = await hostIn(sandbox, {
    env,
    servers: { acme: { ...entryOf(docker), installTimeout: 1 } },
  });
  expect(await failureOf(host.connect("acme"))).toMatchObject({
    code: "INSTALL_TIMEOUT",
    message: 'Failed to connect to "acme": docker did not finish installing mcp/acme:latest within 1 ms',
  });
}, 60_000);

test("a stand-in for uvx that replays lines written from memory: closing the host ends it", async () => {
  await using sandbox = await createSandbox();
  const [uvx] = STAND_INS;
  if (uvx === undefined) throw new Error("no stand-in");
  const env = await useStandIn(sandbox, uvx);
  await using host = await hostIn(sandbox, { env, servers: { acme: entryOf(uvx) } });
  const failed = failureOf(host.connect("acme"));
  await isInstalling(host, uvx);
  await host.close();
  expect(await failed).toMatchObject({ code: "HOST_CLOSED" });
  expect(findStragglers(`HOME=${sandbox.home}`)).toEqual([]);
}, 60_000);
