import { isAbsolute, posix } from "node:path";
import { runInSandbox } from "../../connection/index.ts";
import { HostError } from "../../model/index.ts";
import { describeProfile } from "../../sandbox/index.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { planSandbox } from "../lifecycle/plan-sandbox.lazy.ts";
import type { Workspace } from "../workspace.ts";
import { assertSandboxed, currentSandbox } from "./choose-sandbox.ts";
import type { SandboxProbe, SandboxTest } from "./sandbox-api.ts";

/** Each path that follows is tried. Then come facts about the process and the names of its variables. */
const SCRIPT = `
while [ "$1" != -- ]; do
  access=none
  names=0
  if [ -d "$1" ]; then
    ls "$1" >/dev/null 2>&1 && access=read && names=$(ls -A "$1" | wc -l)
    name="$1/.plugboard-$$"
    (umask 077; set -C; : > "$name") 2>/dev/null && rm -f "$name" && access=write
  elif [ -e "$1" ]; then
    (: < "$1") 2>/dev/null && access=read
    [ -f "$1" ] && (: >> "$1") 2>/dev/null && access=write
  fi
  printf 'path %s:%s %s\\n' "$access" $names "$1"
  shift
done
shift
count=0
for each in /proc/[0-9]*; do count=$((count + 1)); done
printf 'fact %s processes\\n' "$([ "$count" -gt "$1" ] && echo read || echo none)"
grep -q 'NoNewPrivs:.1' /proc/self/status 2>/dev/null && printf 'fact none privileges\\n' || printf 'fact write privileges\\n'
count=0
while read -r line; do case "$line" in *lo:*) ;; *:*) count=1 ;; esac; done 2>/dev/null < /proc/self/net/dev
printf 'fact %s network\\n' "$([ "$count" -eq 1 ] && echo write || echo none)"
env | while IFS='=' read -r name value; do printf 'variable - %s\\n' "$name"; done
`;

const MOST_NAMES = 10_000;
const MOST_OUTPUT = 1024 * 1024;
/** A sandbox has its own few processes. */
const OWN_PROCESSES = 8;
/** What a server should not see. Those that do not exist on this machine are not tried. */
const HOME_PATHS =
  ".ssh .gnupg .aws .azure .kube .docker .config .netrc .npmrc .git-credentials .bash_history .zsh_history .mozilla Library/Keychains";
const SYSTEM_PATHS = "/etc/shadow /root /var/log /var/run/docker.sock /run/dbus/system_bus_socket /run/user";
const PROJECT_PATHS = ".git .env .envrc .vscode .mcp.json";

/** Runs a program in a server's sandbox that tries what it can reach. */
export async function testSandbox(workspace: Workspace, name: string): Promise<SandboxTest> {
  const server = findServer(workspace, name);
  assertSandboxed(server);
  const { launch } = server;
  if (launch?.transport !== "stdio" || launch.sandbox === undefined)
    throw new HostError("INTERNAL_BUG", `Server "${name}" has no sandbox.`);
  const { ports, environment } = workspace;
  const { command, args, cwd, inheritEnv = false } = launch;
  const program = { transport: "stdio", command, args, cwd, env: new Map(), inheritEnv } as const;
  const plan = await planSandbox(workspace, server, program, launch.sandbox);
  const project = plan.project[0] ?? environment.cwd;
  const inHome = HOME_PATHS.split(" ").map((each) => posix.join(plan.home, each));
  const inProject = PROJECT_PATHS.split(" ").map((each) => posix.join(project, each));
  const wanted = [
    plan.home,
    project,
    ...inProject,
    ...inHome,
    ...SYSTEM_PATHS.split(" "),
    ...plan.read,
    ...plan.write,
  ];
  const present = await ports.files.present(wanted.filter((path) => isAbsolute(path)));
  const paths = [plan.data, ...new Set(wanted)].filter((path) => path === plan.data || present.has(path));
  const shell = { command: "/bin/sh", args: ["-c", SCRIPT, "sh", ...paths, "--", String(OWN_PROCESSES)] };
  const output = await runInSandbox(
    { ...program, ...shell, cwd: plan.data, sandbox: plan },
    { ports, environment },
    MOST_OUTPUT,
  );
  const lines = output.split("\n").flatMap((line) => {
    const [, kind, access, names, text] = /^(path|fact|variable) (\w+|-)(?::(\d+))? (.*)$/.exec(line) ?? [];
    return kind === undefined || text === undefined
      ? []
      : [{ kind, access, names: Number(names ?? 0), text }];
  });
  const probes: SandboxProbe[] = [];
  for (const { kind, access, names, text } of lines) {
    if (kind === "variable" || (access !== "none" && access !== "read" && access !== "write")) continue;
    if (kind === "fact") probes.push({ name: FACTS[text] ?? text, access });
    else {
      // Parents of folders that the server may use exist in the sandbox, but without their other contents.
      const isHidden = (await ports.files.list(text, MOST_NAMES)).length > names && text !== plan.data;
      probes.push({ name: nameOf(text, plan.data, project), path: text, access: isHidden ? "none" : access });
    }
  }
  if (probes.length < paths.length)
    throw new HostError(
      "CONNECT_FAILED",
      `The test in the sandbox of "${name}" ended early: ${output.slice(-500)}`,
      {
        server: name,
      },
    );
  return {
    server: name,
    sandbox: currentSandbox(server),
    access: describeProfile(launch.sandbox, environment.home),
    probes,
    variables: lines
      .filter(({ kind }) => kind === "variable")
      .map(({ text }) => text)
      .sort(),
  };
}

const FACTS: Readonly<Record<string, string>> = {
  processes: "other processes",
  privileges: "new privileges",
  network: "network interfaces of this machine",
};

function nameOf(path: string, data: string, project: string): string {
  if (path === data) return "its data folder";
  return path === project ? "the project" : "path";
}
