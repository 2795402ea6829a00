import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SANDBOX_PROGRAMS, TRIAL } from "../../src/sandbox/index.ts";
import { countOf, LONGEST_MS, report } from "../durability/counts.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { HOSTILE_CONFIGS } from "./configs.ts";
import { CANARIES, type LaidOut, layOut } from "./lay-out.ts";
import { hasStrace, type Traced, traced } from "./traced.ts";

/** Counts its visitors. */
async function startTrap(): Promise<AsyncDisposable & { readonly url: string; readonly visits: string[] }> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    visits,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const FOR_ALL: readonly (readonly string[])[] = [
  ["list", "--all"],
  ["list", "--json"],
  ["status"],
  ["doctor"],
  ["tools"],
  ["bundles"],
  ["trust", "--list"],
  ["reload"],
  ["resources"],
  ["prompts"],
  ["pins"],
  ["tools", "--search", "read"],
  [],
];
const FOR_ONE: readonly (readonly string[])[] = [
  ["explain"],
  ["test"],
  ["call", "", "read", "path=x"],
  ["trust"],
  ["tools"],
  ["login"],
  ["read", "", "note://a"],
  ["prompt", "", "ask"],
  ["pins", "diff", ""],
  ["logs"],
];

/** `["call", "", "read"]` for a server. */
const about = (words: readonly string[], name: string): string[] =>
  words.length === 1 ? [...words, name] : words.map((word) => word || name);

/** Returns whether this is the empty sandbox that shows if the system can create one, with fixed programs and arguments. */
function isSandboxTrial(line: string): boolean {
  const runs = (path: string, args: readonly string[]): boolean =>
    line.includes(
      `execve(${JSON.stringify(path)}, [${[path, ...args].map((arg) => JSON.stringify(arg)).join(", ")}]`,
    );
  const [shell = "", ...args] = TRIAL.slice(TRIAL.indexOf("--") + 1);
  return (SANDBOX_PROGRAMS["linux"] ?? []).some((path) => runs(path, TRIAL)) || runs(shell, args);
}

/** Returns a description of each unexpected action, or nothing if there was none. */
async function breaches(
  runs: readonly Traced[],
  sandbox: Sandbox,
  visits: readonly string[],
): Promise<string[]> {
  const canaries = Object.values(CANARIES);
  const secrets = [join(sandbox.home, ".ssh", "id"), join(sandbox.project, ".env")];
  const sung = (await readdir(sandbox.home)).filter((file) => file.startsWith("sang-"));
  const kept = await textsBelow(join(sandbox.home, ".local"), join(sandbox.home, ".cache"));
  const leaked = [...runs.flatMap(({ stdout, stderr }) => [stdout, stderr]), ...kept].flatMap((text) =>
    canaries
      .filter((canary) => text.includes(canary))
      .map((canary) => `${canary} in ${text.slice(0, 2_000)}`),
  );
  return [
    ...runs.flatMap(({ started }) => started.slice(1).filter((line) => !isSandboxTrial(line))),
    ...runs.flatMap(({ connected }) => connected),
    ...runs.flatMap(({ opened }) =>
      opened.filter((line) => secrets.some((file) => line.includes(`"${file}"`))),
    ),
    ...visits,
    ...sung,
    ...leaked,
  ];
}

async function textsBelow(...folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    }),
  );
  return Promise.all(found.flat().map((file) => readFile(file, "utf8")));
}

interface Listed {
  readonly servers: readonly { readonly name: string; readonly state: string; readonly tier: string }[];
}

describe.skipIf(!hasStrace)("before approval, according to a kernel trace,", () => {
  test(
    "nothing that a project's configs name is started, connected to, opened or expanded",
    async () => {
      let safe = 0;
      for (const project of ["shared", "links"]) {
        await using sandbox = await createSandbox();
        await using trap = await startTrap();
        const laid = await layOut(
          sandbox,
          HOSTILE_CONFIGS.filter((each) => each.project === project),
          trap,
        );
        // One of the user's own servers. Otherwise the built-in demo server would start if there is no other.
        await sandbox.writeHome(".plugboard/mcp.json", {
          mcpServers: { off: { command: "x", enabled: false } },
        });
        const named = laid.filter(({ config }) => !config.isNameless);
        const some = named.filter((_, index) => index % countOf({ inScore: 1, inTests: 3 }) === 0);
        const words = [
          ...FOR_ALL,
          ...some.flatMap(({ name }, index) =>
            FOR_ONE.filter(
              (_, at) => countOf({ inScore: 1, inTests: 0 }) === 1 || at === index % FOR_ONE.length,
            ).map((each) => about(each, name)),
          ),
        ];
        const runs = [await traced(sandbox)];
        for (const each of words) runs.push(await traced(sandbox, each));

        expect(await breaches(runs, sandbox, trap.visits)).toEqual([]);
        const { servers } = JSON.parse(runs[2]?.stdout ?? "") as Listed;
        expect(states(named, servers)).toEqual(named.map(({ config }) => [config.what, true]));
        safe += laid.length;
      }
      const total = HOSTILE_CONFIGS.filter(({ project }) => project !== "names").length;
      expect(safe).toBe(total);
      expect(total).toBeGreaterThanOrEqual(60);
      report("hostile project configs: nothing started, connected to, opened or filled in", safe, total);
    },
    LONGEST_MS,
  );

  test("the user's own server keeps its name, and is the one that starts", async () => {
    await using sandbox = await createSandbox();
    await using trap = await startTrap();
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { mine: stdioServer("raw-server.mjs") } });
    const laid = await layOut(
      sandbox,
      HOSTILE_CONFIGS.filter(({ project }) => project === "names"),
      trap,
    );
    const runs = [
      await traced(sandbox, ["call", "mine", "echo", "text=hi"]),
      await traced(sandbox, ["status"]),
    ];
    expect(runs[0]).toMatchObject({ code: 0, stdout: "hi\n", stderr: "" });
    const programs = laid.map(({ program }) => program);
    const started = runs.flatMap((run) => run.started);
    expect(started.filter((line) => programs.some((program) => line.includes(program)))).toEqual([]);
    expect(started.filter((line) => line.includes("raw-server.mjs"))).not.toEqual([]);
    expect((await readdir(sandbox.home)).filter((file) => file.startsWith("sang-"))).toEqual([]);
  });

  test("the trace would show it, as it does for the same configs after approval", async () => {
    await using sandbox = await createSandbox();
    await using trap = await startTrap();
    const wanted = ["a program", "a header with a variable", "a file of secrets for its environment"];
    await layOut(
      sandbox,
      HOSTILE_CONFIGS.filter(({ what }) => wanted.includes(what)),
      trap,
    );
    const run = await traced(sandbox, ["status", "--trust-project"]);
    expect(run.started.some((line) => line.includes(join(sandbox.project, "run", "bad0")))).toBe(true);
    expect(run.connected.length).toBeGreaterThan(0);
    expect(run.opened.some((line) => line.includes(join(sandbox.home, ".ssh", "id")))).toBe(true);
    expect(trap.visits.join("\n")).toContain(CANARIES.variable);
    expect(await readdir(sandbox.home)).toContain("sang-bad0");
  });
});

/** Returns whether the config was read, and its server needs approval or is invalid. */
function states(named: readonly LaidOut[], servers: Listed["servers"]): [string, boolean][] {
  return named.map(({ config, name }) => {
    const server = servers.find((each) => each.name === name);
    return [config.what, ["untrusted", "invalid", "disabled"].includes(server?.state ?? "")];
  });
}
