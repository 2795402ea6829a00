import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { whyNoSandbox } from "../support/sandbox-support.ts";

const PROBE = { command: "node", args: [resolve("test/servers/probe-server.mjs")] };
const obstacle = whyNoSandbox();

async function placeWith(entry: object): Promise<Sandbox> {
  const place = await createSandbox();
  await place.writeHome(".plugboard/mcp.json", { mcpServers: { probe: { ...PROBE, ...entry } } });
  await place.writeHome(".ssh/id_ed25519", "key");
  await place.writeHome("notes/a.md", "hello");
  await place.writeProject(".envrc", "");
  return place;
}

describe.skipIf(obstacle !== undefined)("plugboard sandbox", () => {
  test("test shows what a program in the server's sandbox can reach", async () => {
    await using place = await placeWith({ sandbox: { read: ["~/notes"] } });
    const run = await runCli(["sandbox", "test", "probe", "--json"], { sandbox: place });
    const { probes, variables, access } = run.json() as {
      probes: { name: string; path?: string; access: string }[];
      variables: string[];
      access: string;
    };
    const accessTo = (path: string): unknown => probes.find((probe) => probe.path === path)?.access;
    const wanted = { ".ssh": "none", ".config": undefined, notes: "read", "": "none" };
    for (const [name, expected] of Object.entries(wanted))
      expect([name, accessTo(join(place.home, name).replace(/\/$/, ""))]).toEqual([name, expected]);
    expect(accessTo(place.project)).toBe("write");
    expect(accessTo(join(place.project, ".git"))).toBe("read");
    expect(accessTo(join(place.project, ".envrc"))).toBe("read");
    expect(probes).toContainEqual({ name: "other processes", access: "none" });
    expect(probes).toContainEqual({ name: "network interfaces of this machine", access: "none" });
    expect(probes).toContainEqual({ name: "new privileges", access: "none" });
    expect(probes[0]).toMatchObject({ name: "its data folder", access: "write" });
    expect(variables).toContain("PATH");
    expect(variables).not.toContain("XDG_CONFIG_HOME");
    expect(access).toContain("~/notes");
    expect(existsSync(join(place.project, ".plugboard-1"))).toBe(false);
    const text = (await runCli(["sandbox", "test", "probe"], { sandbox: place })).stdout;
    expect(text).toMatch(/hidden\s+\S+\/\.ssh\n/);
  });

  test("test finds what a wide sandbox allows", async () => {
    await using place = await placeWith({ sandbox: { read: ["~/.ssh"], network: "full" } });
    const run = await runCli(["sandbox", "test", "probe", "--json"], { sandbox: place });
    const { probes } = run.json() as { probes: { path?: string; name: string; access: string }[] };
    expect(probes.find(({ path }) => path === join(place.home, ".ssh"))?.access).toBe("read");
    expect(probes.find(({ name }) => name.startsWith("network"))?.access).toBe("write");
  });

  test("learn shows what was refused, proposes a sandbox without credentials, and saves what was reviewed", async () => {
    await using place = await placeWith({ sandbox: true });
    const command = `cat ${place.home}/notes/a.md; cat ${place.home}/.ssh/id_ed25519; cat ~/notes/a.md; curl -sS http://api.example.com/`;
    const words = ["sandbox", "learn", "probe", "fail", `command=${command}`];
    const learned = (await runCli([...words, "--json"], { sandbox: place })).json() as {
      denials: { kind: string; target: string; isSensitive: boolean }[];
      choice: { sandbox: object; hash: string };
      isComplete: boolean;
      saved: boolean;
    };
    expect(learned.denials).toEqual([
      { kind: "host", target: "api.example.com", isSensitive: false },
      { kind: "read", target: join(place.home, "notes/a.md"), isSensitive: false },
      { kind: "read", target: join(place.home, ".ssh/id_ed25519"), isSensitive: true },
    ]);
    expect(learned.choice.sandbox).toEqual({ read: ["~/notes/a.md"], hosts: ["api.example.com"] });
    expect(learned.saved).toBe(false);
    const file = join(place.home, ".plugboard/mcp.json");
    expect(await readFile(file, "utf8")).toContain('"sandbox": true');

    const asked = await runCli(words, { sandbox: place });
    expect(asked.stdout).toContain("refused:");
    expect(asked.stderr).toContain(`--yes --hash ${learned.choice.hash}`);
    const wrong = await runCli([...words, "--yes", "--hash", "0".repeat(64)], { sandbox: place });
    expect(wrong.code).toBe(1);
    const saved = await runCli([...words, "--yes", "--hash", learned.choice.hash], { sandbox: place });
    expect(saved).toMatchObject({ code: 0, stdout: expect.stringContaining("Saved") });
    const { mcpServers } = JSON.parse(await readFile(file, "utf8")) as { mcpServers: { probe: object } };
    expect(mcpServers.probe).toMatchObject({ sandbox: learned.choice.sandbox });
    const call = await runCli(["call", "probe", "run", "command=cat ~/notes/a.md"], { sandbox: place });
    expect(call.stdout).toBe("0\nhello\n");
  });

  test("learn needs a server with a sandbox", async () => {
    await using place = await placeWith({});
    const run = await runCli(["sandbox", "learn", "probe"], { sandbox: place });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("does not run in a sandbox") });
  });

  test("learn finds nothing if the sandbox refuses nothing", async () => {
    await using place = await placeWith({ sandbox: true });
    const run = await runCli(["sandbox", "learn", "probe", "run", "command=true"], { sandbox: place });
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining("refused nothing") });
  });

  test("learn shows the text of a call that failed, and does not claim that nothing was refused", async () => {
    await using place = await placeWith({ sandbox: true });
    const words = ["sandbox", "learn", "probe", "fail", "command=echo oops; exit 3"];
    const { code, stdout } = await runCli(words, { sandbox: place });
    expect(code).toBe(1);
    expect(stdout).toContain("✗ ");
    expect(stdout).not.toContain('"type"');
    expect(stdout).toContain('! No refusal of the sandbox of "probe" was found.');
    expect(stdout).not.toContain("refused nothing");
  });

  test.each(["mkdir -p", "mkfifo", "ln -s /dev/zero"])(
    "learn finishes if the server puts something else in place of the record: %s",
    async (make) => {
      await using place = await placeWith({ sandbox: true });
      const command = `command=rm -f ~/.plugboard-trace; ${make} ~/.plugboard-trace`;
      for (const _ of [1, 2]) {
        const run = await runCli(["sandbox", "learn", "probe", "run", command], { sandbox: place });
        expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining("refused nothing") });
      }
    },
  );

  test("a call that the sandbox made fail says what was refused and what to do", async () => {
    await using place = await placeWith({ sandbox: true });
    const run = await runCli(["call", "probe", "fail", `command=cat ${place.home}/notes/a.md`], {
      sandbox: place,
    });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(`The server's sandbox refused reading ${place.home}/notes/a.md.`);
    expect(run.stderr).toContain("plugboard sandbox learn probe");
  });

  test.each([
    [["sandbox"], "Missing"],
    [["sandbox", "show", "probe"], "Unknown argument"],
    [["sandbox", "test", "probe", "x"], "takes only a server"],
    [["sandbox", "learn", "probe", "--yes"], "--yes requires --hash"],
  ])("refuses %j", async (words, message) => {
    await using place = await placeWith({});
    const run = await runCli(words, { sandbox: place });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});
