/** Runs before every test file, so that tests do not depend on this machine and leave nothing behind. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, inject, vi } from "vitest";
import { reapStragglers } from "./reap-stragglers.ts";

const FOLDERS = {
  HOME: "home",
  USERPROFILE: "home",
  XDG_CONFIG_HOME: "config",
  XDG_STATE_HOME: "state",
  XDG_CACHE_HOME: "cache",
  XDG_DATA_HOME: "data",
  APPDATA: "app-data",
  LOCALAPPDATA: "local-app-data",
  TMPDIR: "tmp",
};
const UNWANTED = /^(?:(?:PLUGBOARD|CODEX_TOOLLOOP|ANTHROPIC|OPENAI)_.*|NO_COLOR|FORCE_COLOR|CI)$/;
const ALLOWED_WARNINGS = new Set(["ExperimentalWarning"]);
const GRACE_MS = 2_000;

const root = mkdtempSync(join(inject("runFolder"), "file-"));
const warnings: Error[] = [];
const variablesBefore = { ...process.env };
const folderBefore = process.cwd();
const onWarning = (warning: Error): void => {
  if (!ALLOWED_WARNINGS.has(warning.name)) warnings.push(warning);
};

for (const name of Object.keys(process.env)) if (UNWANTED.test(name)) delete process.env[name];
for (const [variable, folder] of Object.entries(FOLDERS)) {
  process.env[variable] = join(root, folder);
  mkdirSync(join(root, folder), { recursive: true });
}
// The reaper of our servers gets only PATH, so a folder in PATH marks it as ours.
process.env["PATH"] = [process.env["PATH"], root].join(delimiter);
// No test reaches the user's own keychain: not in this process, not in child processes, not over the session bus.
vi.mock("../../src/platform/node/keychain.lazy.ts", () => {
  const refuse = () => Promise.reject(new Error("tests have no keychain"));
  return { nodeKeychain: { read: refuse, write: refuse, remove: refuse } };
});
process.env["PLUGBOARD_KEYCHAIN"] = "off";
process.env["DBUS_SESSION_BUS_ADDRESS"] = `unix:path=${join(root, "no-bus")}`;
process.on("warning", onWarning);

afterAll(async () => {
  // Servers get little of our environment, but always folders inside `root`, which mark them as ours.
  const stragglers = await reapStragglers(root, GRACE_MS);
  await nextTurn(); // warnings are announced late
  // The next unit test runs in the same process.
  process.off("warning", onWarning);
  process.chdir(folderBefore);
  for (const name of Object.keys(process.env)) if (!(name in variablesBefore)) delete process.env[name];
  Object.assign(process.env, variablesBefore);
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  const complaints = [
    ...stragglers.map(({ pid, commandLine }) => `Process ${pid} was left running: ${commandLine}`),
    ...warnings.map((warning) => `Node warned: ${warning.stack ?? String(warning)}`),
  ];
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
});
