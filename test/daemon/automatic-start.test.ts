import { expect, test } from "vitest";
import { findDaemon } from "../../src/find-daemon.lazy.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const daemonOf = (
  sandbox: Sandbox,
  { uid = 1_000, env = {} }: { uid?: number; env?: Record<string, string> } = {},
) =>
  findDaemon({
    platform: process.platform,
    home: sandbox.home,
    cwd: sandbox.project,
    variables: { ...sandbox.env(), ...env },
    user: { uid, isAloneIn: () => true },
  });

test("the daemon starts automatically only after the user agreed", async () => {
  await using sandbox = await createSandbox();
  const daemon = daemonOf(sandbox);
  expect(await daemon.whyNotAutomatic()).toBe("not agreed");
  await daemon.agree();
  expect(await daemon.whyNotAutomatic()).toBeUndefined();
});

test.each([
  ["in CI", { env: { CI: "true" } }],
  ["in CI", { env: { CI: "1" } }],
  ["as root", { uid: 0 }],
] as const)("it never starts by itself %s", async (why, more) => {
  await using sandbox = await createSandbox();
  await daemonOf(sandbox).agree();
  expect(await daemonOf(sandbox, more).whyNotAutomatic()).toBe(why);
});

test.each(["", "false", "0"])("the variable CI=%s does not count as CI", async (value) => {
  await using sandbox = await createSandbox();
  await daemonOf(sandbox).agree();
  expect(await daemonOf(sandbox, { env: { CI: value } }).whyNotAutomatic()).toBeUndefined();
});

test.each([
  [{ daemon: "auto" }, undefined],
  [{ daemon: "off" }, "off"],
  [{ daemon: "sometimes" }, "off"],
])("the setting decides: %j", async (settings, why) => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/settings.json", settings);
  await daemonOf(sandbox).agree();
  expect(await daemonOf(sandbox).whyNotAutomatic()).toBe(why);
});

test("another program than plugboard never starts it, because its own file would run", async () => {
  await using sandbox = await createSandbox();
  await expect(daemonOf(sandbox).start()).rejects.toThrow("only the plugboard command starts it");
});
