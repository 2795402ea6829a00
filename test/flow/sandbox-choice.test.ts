import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { Host, LaunchInspection } from "../../src/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { whyNoSandbox } from "../support/sandbox-support.ts";
import { failureOf, hostIn } from "./host-in.ts";

const PROBE = { command: "node", args: [resolve("test/servers/probe-server.mjs")] };
const obstacle = whyNoSandbox();
if (obstacle !== undefined)
  test(`nothing can be chosen here: ${obstacle}`, (context) => context.skip(obstacle));

async function withEntry(entry: object): Promise<Sandbox> {
  const place = await createSandbox();
  await place.writeProject(".mcp.json", { mcpServers: { probe: entry } });
  await place.writeHome("secret.txt", "secret");
  return place;
}

const inspect = async (place: Sandbox): Promise<LaunchInspection> => {
  await using host = await hostIn(place);
  return host.approvals.inspect("probe");
};

/** Approves with this hash in one process, and uses the server in another. */
async function approveAndRead(place: Sandbox, hash: string): Promise<string> {
  const approving = await hostIn(place);
  await approving.approvals.approve("probe", hash);
  await approving.close();
  await using host = await hostIn(place, { interaction: "forbid" });
  return (await host.call("probe", "run", { command: `cat ${place.home}/secret.txt` })).text;
}

/** Returns what the server reads from the home folder, with the exit code. */
async function homeSecretOf(host: Host, place: Sandbox): Promise<string> {
  return (await host.call("probe", "run", { command: `cat ${place.home}/secret.txt` })).text;
}

describe.skipIf(obstacle !== undefined)("a person who approves a project's server", () => {
  test("chooses between sandboxed, which is preselected, full network, and not sandboxed", async () => {
    await using place = await withEntry(PROBE);
    const { choices = [], hash } = await inspect(place);
    expect(choices.map(({ sandbox, access }) => [sandbox, access])).toEqual([
      [true, "can write to the project; no network; home folder hidden"],
      [{ network: "full" }, "can write to the project; full network access; home folder hidden"],
      [false, "can do everything that you can"],
    ]);
    expect(new Set(choices.map((choice) => choice.hash)).size).toBe(3);
    expect(choices.at(-1)?.hash).toBe(hash);
  });

  test.each([
    [0, /^1\n/],
    [1, /^1\n/],
    [2, /^0\nsecret/],
  ])("gets what choice %i allows, in every later process", async (index, expected) => {
    await using place = await withEntry(PROBE);
    const { choices = [] } = await inspect(place);
    expect(await approveAndRead(place, choices[index]?.hash ?? "")).toMatch(expected);
  });

  test("has the choice in the lock file, and verify reports another one", async () => {
    await using place = await withEntry(PROBE);
    const [first, second, none] = (await inspect(place)).choices ?? [];
    const use = async <T>(work: (host: Host) => Promise<T>): Promise<T> => {
      await using host = await hostIn(place);
      return work(host);
    };
    const differences = () => use(async (host) => (await host.supply.verify()).differences);
    const approve = (hash = "") => use((host) => host.approvals.approve("probe", hash));
    await approve(first?.hash);
    await use((host) => host.supply.lock());
    expect(await readFile(join(place.project, "mcp.lock.json"), "utf8")).toContain('"chosenSandbox": true');
    expect(await differences()).toEqual([]);
    for (const other of [second, none]) {
      await approve(other?.hash);
      expect(await differences()).toEqual([
        { server: "probe", kind: "sandbox", message: "the sandbox that was chosen for it has changed" },
      ]);
    }
    await use((host) => host.approvals.revoke("probe"));
    expect(await differences()).toEqual([]); // not known on this machine
  });

  test("has nothing to choose if the entry, a wrapper or the settings decide", async () => {
    for (const own of [{ sandbox: false }, { sandbox: true }, { wrap: ["env"] }]) {
      await using place = await createSandbox();
      await place.writeProject(".plugboard/mcp.json", { mcpServers: { probe: { ...PROBE, ...own } } });
      expect(await inspect(place)).not.toHaveProperty("choices");
    }
    await using place = await withEntry(PROBE);
    await place.writeHome(".plugboard/settings.json", { sandbox: true });
    expect(await inspect(place)).not.toHaveProperty("choices");
  });

  test("keeps an earlier approval without a sandbox", async () => {
    await using place = await withEntry(PROBE);
    expect(await approveAndRead(place, (await inspect(place)).hash)).toMatch(/^0\nsecret/);
    await using host = await hostIn(place);
    expect(host.approvals.request("probe").status).toBe("approved");
    expect((await host.config.explain("probe")).reasons.join("\n")).not.toContain("sandbox:");
  });

  test("is asked again if the entry changes, and the earlier choice is preselected", async () => {
    await using place = await withEntry(PROBE);
    const { choices = [] } = await inspect(place);
    await approveAndRead(place, choices[1]?.hash ?? "");
    await place.writeProject(".mcp.json", { mcpServers: { probe: { ...PROBE, env: { A: "1" } } } });
    await using host = await hostIn(place);
    expect((await failureOf(host.call("probe", "run", { command: "true" }))).code).toBe(
      "INTERACTION_REQUIRED",
    );
    const [first] = (await host.approvals.inspect("probe")).choices ?? [];
    expect(first?.sandbox).toEqual({ network: "full" });
  });

  test.each(["project", "user"] as const)("keeps the choice in a copy in the %s's config", async (scope) => {
    await using place = await withEntry(PROBE);
    const hash = (await inspect(place)).choices?.[0]?.hash ?? "";
    await using host = await hostIn(place);
    await host.approvals.approve("probe", hash);
    const { written } = await host.config.importFrom({ tool: "claude-code", scope });
    expect(written).toMatchObject([{ name: "probe", sandbox: true }]);
    const file = `${scope === "user" ? place.home : place.project}/.plugboard/mcp.json`;
    expect(JSON.parse(await readFile(file, "utf8")).mcpServers.probe).toMatchObject({ sandbox: true });
    expect(await homeSecretOf(host, place)).toMatch(/^1\n/);
  });

  test("keeps the choice when the server moves to the user's config and back", async () => {
    await using place = await createSandbox();
    await place.writeProject(".plugboard/mcp.json", { mcpServers: { probe: PROBE } });
    await place.writeHome("secret.txt", "secret");
    const hash = (await inspect(place)).choices?.[1]?.hash ?? "";
    await using host = await hostIn(place);
    await host.approvals.approve("probe", hash);
    for (const scope of ["user", "project"] as const) {
      await host.config.move("probe", scope);
      const file = `${scope === "user" ? place.home : place.project}/.plugboard/mcp.json`;
      expect(JSON.parse(await readFile(file, "utf8")).mcpServers.probe).toMatchObject({
        sandbox: { network: "full" },
      });
      expect(await homeSecretOf(host, place)).toMatch(/^1\n/);
    }
  });

  test("cannot export the server to a tool that would run it without the sandbox", async () => {
    await using place = await withEntry(PROBE);
    const hash = (await inspect(place)).choices?.[0]?.hash ?? "";
    await using host = await hostIn(place);
    await host.approvals.approve("probe", hash);
    const { changes, skipped } = await host.config.planExport({ tool: "cursor", names: ["probe"] });
    expect(changes).toEqual([]);
    expect(skipped).toEqual([
      { server: "probe", reason: "other tools do not support the sandbox that you chose" },
    ]);
  });

  test("can answer the question of a program with the hash of a choice", async () => {
    await using place = await withEntry(PROBE);
    const { choices = [] } = await inspect(place);
    const hash = choices[0]?.hash ?? "";
    await using host = await hostIn(place, { onApproval: () => ({ hash }) });
    const { text } = await host.call("probe", "run", { command: `cat ${place.home}/secret.txt` });
    expect(text).toMatch(/^1\n/);
    expect((await host.config.explain("probe")).reasons).toContain(
      "sandbox: can write to the project; no network; home folder hidden (you chose it)",
    );
  });
});
