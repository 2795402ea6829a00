import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHost, type Host } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { type Need, unmetNeeds, whyNoSandbox } from "../support/sandbox-support.ts";

const SERVER = resolve("test/servers/probe-server.mjs");

interface Targets {
  readonly home: string;
  readonly project: string;
  /** A process outside of the sandbox. */
  readonly pid: number;
  readonly port: number;
  readonly port6: number;
  /** The port of a DNS server on this machine. */
  readonly dns: number;
  /** A file in shared memory. */
  readonly shared: string;
}

const node = (code: string): string => `node -e '${code}'`;
const connect = (options: string): string =>
  node(
    `const s = require("net").connect(${options}, () => process.exit(0)); s.on("error", () => process.exit(1)); s.setTimeout(3000, () => process.exit(1))`,
  );
const python = (code: string): string => `/usr/bin/python3 -c '${code}'`;
const systemCall = (x64: number, arm64: number, args: string): string =>
  python(
    `import ctypes; exit(0 if ctypes.CDLL(None).syscall(${process.arch === "x64" ? x64 : arm64}, ${args}) > 0 else 1)`,
  );

/** Each succeeds (exit code 0) without the sandbox. */
const PROBES: Readonly<Record<string, (targets: Targets) => string>> = {
  "read an SSH key": ({ home }) => `cat ${home}/.ssh/id_ed25519`,
  "list the SSH folder": ({ home }) => `ls ${home}/.ssh`,
  "add an authorized SSH key": ({ home }) => `echo key >> ${home}/.ssh/authorized_keys`,
  "read cloud credentials": ({ home }) => `cat ${home}/.aws/credentials`,
  "read the npm token": ({ home }) => `cat ${home}/.npmrc`,
  "read git credentials": ({ home }) => `cat ${home}/.git-credentials`,
  "read Docker credentials": ({ home }) => `cat ${home}/.docker/config.json`,
  "read the shell history": ({ home }) => `cat ${home}/.bash_history`,
  "read browser data": ({ home }) => `cat ${home}/.mozilla/cookies.sqlite`,
  "read a desktop keyring": ({ home }) => `cat ${home}/.local/share/keyrings/login.keyring`,
  "change the shell's start file": ({ home }) => `test -s ${home}/.bashrc && echo evil >> ${home}/.bashrc`,
  "install an autostart entry": ({ home }) =>
    `test -e ${home}/.config/autostart/a && touch ${home}/.config/autostart/b`,
  "read another project": ({ home }) => `cat ${home}/other/secret.txt`,
  "read the user's MCP config": ({ home }) => `cat ${home}/.cursor/mcp.json`,
  "change the user's MCP config": ({ home }) => `echo "{}" > ${home}/.cursor/mcp.json`,
  "poison npm's cache": ({ home }) => `echo evil > ${home}/.npm/_npx/abc/index.js`,
  "add a package to npm's cache": ({ home }) => `mkdir -p ${home}/.npm/_npx/new`,
  "poison uv's cache": ({ home }) => `echo evil > ${home}/.cache/uv/wheel`,
  "read a password file of the system": () => "cat /etc/shadow",
  "list the system's log folder": () => "ls /var/log/*",
  "read the server's parent's files in /proc": ({ pid }) => `ls /proc/${pid}/fd`,
  "read another process's environment": ({ pid }) => `grep -q PROBE_SECRET /proc/${pid}/environ`,
  "read another process's command line": ({ pid }) => `grep -q setInterval /proc/${pid}/cmdline`,
  "reach the root folder through another process": ({ pid, home }) =>
    `cat /proc/${pid}/root${home}/.ssh/id_ed25519`,
  "reach a folder through another process": ({ pid }) => `ls /proc/${pid}/cwd/`,
  "signal another process": ({ pid }) => `kill -0 ${pid}`,
  "change another process's priority": ({ pid }) => `renice -n 1 -p ${pid}`,
  "change another process's limits": ({ pid }) => `prlimit --pid ${pid} --core=0`,
  "see other processes": ({ pid }) => `test -d /proc/${pid}`,
  "read the host's environment": () => 'test "$PROBE_VARIABLE" = secret',
  "read the SSH agent's address": () => 'test -n "$SSH_AUTH_SOCK"',
  "connect to a loopback service": ({ port }) => connect(`${port}, "127.0.0.1"`),
  "connect to a loopback service by name": ({ port }) => connect(`${port}, "localhost"`),
  "connect to an abstract socket": () => connect(`"\\0plugboard-probe-${process.pid}"`),
  "connect to a Unix socket in the home folder": ({ home }) => connect(`"${home}/agent.sock"`),
  "connect to a Docker-like socket": ({ home }) => connect(`"${home}/docker.sock"`),
  "see network interfaces other than loopback": () => "test $(ls /sys/class/net | wc -l) -gt 0",
  "write a git hook": ({ project }) => `echo evil > ${project}/.git/hooks/pre-commit`,
  "replace the git hooks folder": ({ project }) =>
    `mv ${project}/.git/hooks ${project}/.git/old && mv ${project}/.git/old ${project}/.git/hooks`,
  "rename the git folder": ({ project }) =>
    `mv ${project}/.git ${project}/git2 && mv ${project}/git2 ${project}/.git`,
  "change the git config": ({ project }) => `echo "[core]" >> ${project}/.git/config`,
  "redirect git to another config": ({ project }) =>
    `touch ${project}/.git/commondir && rm ${project}/.git/commondir`,
  "write a husky hook": ({ project }) => `echo evil > ${project}/.husky/pre-commit`,
  "change .envrc": ({ project }) => `echo evil >> ${project}/.envrc`,
  "delete .envrc": ({ project }) => `rm ${project}/.envrc && touch ${project}/.envrc`,
  "add a VS Code task": ({ project }) => `echo "{}" > ${project}/.vscode/tasks.json`,
  "change the project's .mcp.json": ({ project }) => `echo "{}" > ${project}/.mcp.json`,
  "replace the project's .mcp.json": ({ project }) =>
    `echo "{}" > ${project}/new.json && mv ${project}/new.json ${project}/.mcp.json`,
  "change the project's Cursor config": ({ project }) => `echo "{}" > ${project}/.cursor/mcp.json`,
  "rename a folder with an MCP config": ({ project }) =>
    `mv ${project}/.cursor ${project}/c2 && mv ${project}/c2 ${project}/.cursor`,
  "change the project's Plugboard config": ({ project }) => `echo "{}" > ${project}/.plugboard/mcp.json`,
  "follow a link out of the project": ({ project }) => `cat ${project}/link/id_ed25519`,
  "write through a link out of the project": ({ project }) => `echo x > ${project}/link/new`,
  "link a file of the home folder into the project": ({ project, home }) =>
    `ln ${home}/.ssh/id_ed25519 ${project}/hard && rm ${project}/hard`,
  "write to the system": () => "touch /usr/lib/plugboard-probe && rm /usr/lib/plugboard-probe",
  "write to /etc": () => "touch /etc/plugboard-probe && rm /etc/plugboard-probe",
  "create a user namespace": () => "unshare --user true",
  "create a mount": ({ home }) => `unshare --user --map-root-user --mount mount -t tmpfs none ${home}/other`,
  "change a kernel setting": () =>
    'v=$(cat /proc/sys/kernel/core_pattern) && echo "$v" > /proc/sys/kernel/core_pattern',
  "see files of other programs in /tmp": ({ home }) => `test -e ${home}/agent.sock`,
  "resolve a name through DNS": ({ dns }) =>
    node(
      `const r = new (require("dns").Resolver)({ timeout: 1000, tries: 1 }); r.setServers(["127.0.0.1:${dns}"]); r.resolve4("probe.example", (error) => process.exit(error?.code === "ENOTFOUND" ? 0 : 1))`,
    ),
  "gain privileges through a setuid program": () => 'grep -q "NoNewPrivs:.0" /proc/self/status',
  "read a kernel keyring": () => systemCall(250, 219, "0, -3, 1"),
  "add a key to a kernel keyring": () => systemCall(248, 217, 'b"user", b"probe", b"x", 1, -3'),
  "list the keys of the kernel's keyrings": () => "grep -q keyring /proc/keys",
  "read the kernel's symbols": () => "head -1 /proc/kallsyms",
  "make system calls through io_uring": () => systemCall(425, 425, "8, ctypes.create_string_buffer(120)"),
  "trace another process": ({ pid }) =>
    python(`import ctypes; exit(0 if ctypes.CDLL(None).ptrace(0x4206, ${pid}, 0, 0) == 0 else 1)`),
  "read another process's memory": ({ pid }) => python(`open("/proc/${pid}/mem", "rb")`),
  "leave a setuid program in the project": ({ project }) =>
    `cp /bin/true ${project}/setuid && chmod 4755 ${project}/setuid`,
  "leave a setgid program in the project": ({ project }) =>
    `cp /bin/true ${project}/setgid && chmod 2755 ${project}/setgid`,
  "create a setuid program": ({ project }) =>
    python(
      `import os; exit(0 if os.fstat(os.open("${project}/created", 65, 0o4700)).st_mode & 0o4000 else 1)`,
    ),
  "leave a setuid program in the data folder": () =>
    'cp /bin/true "$HOME/setuid" && chmod u+s "$HOME/setuid"',
  "connect to a loopback service by its IPv6 address": ({ port6 }) => connect(`${port6}, "::1"`),
  "connect to a loopback service by a mapped address": ({ port }) => connect(`${port}, "::ffff:127.0.0.1"`),
  "connect to a loopback service by the address of all interfaces": ({ port }) =>
    connect(`${port}, "0.0.0.0"`),
  "send a UDP packet": ({ dns }) =>
    python(
      `import socket; s = socket.socket(2, 2); s.settimeout(2); s.sendto(b"x" * 12, ("127.0.0.1", ${dns})); s.recv(99)`,
    ),
  "read packets of the network": () => python("import socket; socket.socket(17, 3, 768)"),
  "watch the files of other programs": () => systemCall(300, 262, "0, 0"),
  "read the kernel's log": () => systemCall(103, 116, "3, ctypes.create_string_buffer(4096), 4096"),
  "read shared memory of other programs": ({ shared }) => `cat ${shared}`,
  "raise its memory limit": () => "test $(ulimit -d) = unlimited",
  "find the session bus": () => 'test -n "$DBUS_SESSION_BUS_ADDRESS$XDG_RUNTIME_DIR"',
};

/** Without these, a probe fails outside of the sandbox too, and shows nothing. */
const NEEDS: Readonly<Record<string, readonly Need[]>> = {
  "read a password file of the system": ["root"],
  "list the system's log folder": ["root"],
  "write to the system": ["root"],
  "write to /etc": ["root"],
  "change a kernel setting": ["root"],
  "create a user namespace": ["namespaces"],
  "create a mount": ["namespaces"],
  "read a kernel keyring": ["python"],
  "add a key to a kernel keyring": ["python"],
  "make system calls through io_uring": ["python", "rings"],
  "trace another process": ["python", "tracing"],
  "read another process's memory": ["python", "tracing"],
  "create a setuid program": ["python"],
  "connect to a loopback service by its IPv6 address": ["ipv6"],
  "connect to a loopback service by a mapped address": ["ipv6"],
  "send a UDP packet": ["python"],
  "read packets of the network": ["root", "python"],
  "watch the files of other programs": ["root", "python"],
  "read the kernel's log": ["root", "python"],
};

const obstacle = whyNoSandbox();
const unmet = unmetNeeds();
const missing = (name: string): Need | undefined => NEEDS[name]?.find((need) => unmet.has(need));
const runnable = Object.keys(PROBES).filter((name) => missing(name) === undefined);
const counted = `${runnable.length} of ${Object.keys(PROBES).length} probes run here`;

// Registered only if it applies: the checks before a merge accept no skipped test.
if (obstacle !== undefined)
  test(`the probes do not run here: ${obstacle}`, (context) => {
    context.skip(obstacle);
  });

describe.skipIf(obstacle !== undefined)(`a server in the default sandbox cannot (${counted})`, () => {
  const results = new Map<string, { inside: string; outside: string }>();
  const closing: (() => unknown)[] = [];
  let work = "";

  beforeAll(async () => {
    const place = await createSandbox();
    closing.push(() => place[Symbol.asyncDispose]());
    const { home } = place;
    const project = join(home, "work", "project");
    const write = async (path: string, text: string): Promise<void> => {
      await mkdir(join(path, ".."), { recursive: true });
      await writeFile(path, text);
    };
    for (const name of ".ssh/id_ed25519 .aws/credentials .npmrc .git-credentials .docker/config.json .bash_history .bashrc .config/autostart/a \
.mozilla/cookies.sqlite .local/share/keyrings/login.keyring other/secret.txt .cursor/mcp.json .npm/_npx/abc/index.js .cache/uv/wheel".split(
      /\s+/,
    ))
      await write(join(home, name), "{}");
    for (const name of ".git/hooks/sample .git/config .git/HEAD .husky/pre-push .envrc .vscode/settings.json .mcp.json .cursor/mcp.json .plugboard/mcp.json src/a.txt".split(
      " ",
    ))
      await write(join(project, name), name.endsWith("json") ? "{}" : "");
    await symlink(join(home, ".ssh"), join(project, "link"));
    const listen = (address: number | string, host = "127.0.0.1"): Promise<Server> =>
      new Promise((done) => {
        const server = createServer((socket) => void socket.on("error", () => {}).end());
        server.listen(typeof address === "number" ? { port: address, host } : { path: address }, () =>
          done(server),
        );
        closing.push(() => server.close());
      });
    const portOf = (server: Server | undefined): number => {
      const address = server?.address();
      return typeof address === "object" ? (address?.port ?? 0) : 0;
    };
    const tcp = await listen(0);
    const tcp6 = unmet.has("ipv6") ? undefined : await listen(0, "::1");
    await listen(`\0plugboard-probe-${process.pid}`);
    await listen(join(home, "agent.sock"));
    await listen(join(home, "docker.sock"));
    const dns = createSocket("udp4", (query, { port, address }) => {
      query.writeUInt16BE(0x8183, 2); // a response: the name does not exist
      dns.send(query, port, address);
    });
    await new Promise<void>((done) => dns.bind(0, "127.0.0.1", done));
    closing.push(() => dns.close());
    const other = spawn("node", ["-e", "setInterval(() => {}, 1000)"], {
      env: { ...process.env, PROBE_SECRET: "1" },
      stdio: "ignore",
      cwd: home,
    });
    closing.push(() => other.kill("SIGKILL"));
    const shared = `/dev/shm/plugboard-probe-${process.pid}`;
    await writeFile(shared, "secret");
    closing.push(() => rm(shared));
    const targets: Targets = {
      home,
      project,
      pid: other.pid ?? 0,
      port: portOf(tcp),
      port6: portOf(tcp6),
      dns: dns.address().port,
      shared,
    };
    const start = async (sandbox: boolean): Promise<Host> => {
      const host = await createHost({
        cwd: project,
        home,
        discover: false,
        env: {
          PATH: process.env["PATH"],
          HOME: home,
          PROBE_VARIABLE: "secret",
          SSH_AUTH_SOCK: "/run/agent",
          XDG_RUNTIME_DIR: "/run/user/0",
        },
        // Both get the whole environment, so that only the sandbox makes the difference.
        servers: { probe: { command: "node", args: [SERVER], sandbox, inheritEnv: true } },
      });
      closing.unshift(() => host.close());
      return host;
    };
    const run = async (host: Host, command: string): Promise<string> =>
      (await host.call("probe", "run", { command })).text;
    const inside = await start(true);
    const outside = await start(false);
    for (const name of runnable) {
      const command = PROBES[name]?.(targets) ?? "";
      results.set(name, { inside: await run(inside, command), outside: await run(outside, command) });
    }
    work = await run(
      inside,
      `echo new > ${project}/src/b.txt && echo top > ${project}/top.txt && echo x > "$HOME/own" && cat ${project}/src/b.txt ${home}/.npm/_npx/abc/index.js`,
    );
  }, 120_000);

  afterAll(async () => {
    for (const close of closing) await close();
  });

  test.each(runnable)("%s", (name) => {
    const { inside, outside } = results.get(name) ?? { inside: "", outside: "" };
    expect(outside.split("\n")[0], outside).toBe("0");
    expect(inside.split("\n")[0], inside).not.toBe("0");
  });

  test("but can write to the project and its data folder, and read the package cache", () => {
    expect(work).toBe("0\nnew\nevil\n");
  });
});
