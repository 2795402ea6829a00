import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, type FileContent, type Sandbox } from "../support/sandbox.ts";
import { whyNoSandbox } from "../support/sandbox-support.ts";
import { failureOf, hostIn } from "./host-in.ts";

const PROBE = { command: "node", args: [resolve("test/servers/probe-server.mjs")] };

async function withProject(entry: FileContent, settings: FileContent): Promise<Sandbox> {
  const place = await createSandbox();
  await place.writeProject(".plugboard/mcp.json", { mcpServers: { probe: entry } });
  await place.writeHome(".plugboard/settings.json", settings);
  await place.writeHome("secret.txt", "secret");
  return place;
}

describe("a sandbox in the settings", () => {
  test("is part of the approval hash, and its inspection and explanation show it", async () => {
    await using place = await withProject(PROBE, {});
    const open = await hostIn(place);
    const { hash } = open.approvals.request("probe");
    expect(await open.approvals.inspect("probe")).not.toHaveProperty("sandbox");
    await open.approvals.approve("probe", hash);
    await open.close();

    await place.writeHome(".plugboard/settings.json", { sandbox: true });
    await using host = await hostIn(place);
    const changed = host.approvals.request("probe");
    expect([changed.status, changed.hash === hash]).toEqual(["changed", false]);
    expect((await failureOf(host.call("probe", "run", { command: "true" }))).code).toBe(
      "INTERACTION_REQUIRED",
    );
    expect((await host.approvals.inspect("probe")).sandbox).toEqual({
      access: "can write to the project; no network; home folder hidden",
      source: "settings",
    });
    expect((await host.config.explain("probe")).reasons).toContain(
      'sandbox: can write to the project; no network; home folder hidden ("sandbox" in the settings)',
    );
  });

  test("yields to the entry, and to a wrapper", async () => {
    for (const own of [{ sandbox: false }, { wrap: ["env"] }]) {
      await using place = await withProject({ ...PROBE, ...own }, { sandbox: true });
      await using host = await hostIn(place);
      const inspection = await host.approvals.inspect("probe");
      expect(inspection).not.toHaveProperty("sandbox");
      expect(inspection).toHaveProperty("turnsOffSandbox", true);
    }
    await using place = await withProject({ ...PROBE, sandbox: { hosts: ["a.example"] } }, { sandbox: true });
    await using host = await hostIn(place);
    expect((await host.approvals.inspect("probe")).sandbox).toMatchObject({
      access: expect.stringContaining("can connect only to a.example"),
      source: "entry",
    });
  });

  test.each([
    ["npx", ["-y", "mcp-acme@1.0.0"], ["mcp-acme@1.0.0"]],
    ["npx", ["-y", "--registry", "https://packages.example", "mcp-acme@1.0.0"], undefined],
    ["uvx", ["mcp-acme"], undefined],
  ])("shows which packages are installed outside of it: %s %j", async (command, args, packages) => {
    await using place = await withProject({ command, args }, { sandbox: true });
    await using host = await hostIn(place);
    expect((await host.approvals.inspect("probe")).installs?.packages).toEqual(packages);
  });

  test("that is invalid is reported and counts as true", async () => {
    await using place = await withProject(PROBE, { sandbox: { netwrok: "full" } });
    await using host = await hostIn(place);
    expect(host.snapshot().problems.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/unknown key "netwrok".*using true/),
    );
    expect((await host.approvals.inspect("probe")).sandbox?.access).toContain("no network");
  });

  test.skipIf(whyNoSandbox() !== undefined)("applies to servers in other tools' files", async () => {
    await using place = await createSandbox();
    await place.writeProject(".mcp.json", { mcpServers: { probe: PROBE } });
    const secret = await place.writeHome("secret.txt", "secret");
    const read = async (settings: FileContent): Promise<string> => {
      await place.writeHome(".plugboard/settings.json", settings);
      await using host = await hostIn(place, { trustProject: true });
      return (await host.call("probe", "run", { command: `cat ${secret}` })).text;
    };
    expect(await read({})).toBe("0\nsecret");
    expect(await read({ sandbox: true })).toMatch(/^1\n/);
  });
});
