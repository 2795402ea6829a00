import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { hostErrorOf, hostIn } from "./host-in.ts";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { tools: stdioServer("tools-server.mjs") } });
  return () => sandbox[Symbol.asyncDispose]();
});

const folders = async (): Promise<string[]> => [
  ...(await readdir(join(sandbox.home, ".local", "state")).catch(() => [])),
  ...(await readdir(join(sandbox.home, ".cache")).catch(() => [])),
];

test("a host closes its servers before it uninstalls, so nothing is written again", async () => {
  await using host = await hostIn(sandbox);
  await host.call("tools", "echo", { text: "hi" });
  await host.tools("tools");
  const plan = await host.doctor.planUninstall();
  expect(plan.folders.length).toBeGreaterThan(0);
  expect(await host.doctor.uninstall(plan)).toMatchObject({ failures: [], skipped: [] });
  expect((await hostErrorOf(host.call("tools", "echo", { text: "hi" }))).code).toBe("HOST_CLOSED");
  await host.close();
  expect(await folders()).toEqual([]);
});

test("another running host continues, and what it stores afterwards can be read", async () => {
  await using running = await hostIn(sandbox);
  await running.secrets.store("before", "one");
  await running.call("tools", "echo", { text: "hi" });
  await using remover = await hostIn(sandbox);
  expect(await remover.doctor.uninstall(await remover.doctor.planUninstall())).toMatchObject({ skipped: [] });
  expect(await running.secrets.list()).toEqual([]);
  await running.secrets.store("after", "two");
  expect((await running.call("tools", "echo", { text: "hi" })).text).toContain("hi");
  await using later = await hostIn(sandbox);
  expect([await later.secrets.list(), await later.secrets.read("after")]).toEqual([["after"], "two"]);
});
