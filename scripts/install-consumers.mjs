/**
 * Installs the private packages in `test/consumers/`: SDKs that need a newer Node than Plugboard. They are separate, so that
 * `npm install` in the checkout prints no warnings. Each has its own lock file and is installed again only if that changes.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const consumers = join(root, "test", "consumers");

for (const entry of readdirSync(consumers, { withFileTypes: true }))
  if (entry.isDirectory() && existsSync(join(consumers, entry.name, "package.json"))) install(entry.name);

function install(name) {
  const folder = join(consumers, name);
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  const stamp = join(folder, "node_modules", ".installed-lock.json");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  process.stderr.write(`Installing the packages of test/consumers/${name} ...\n`);
  // `npm test` sets npm_execpath. Without it, a shell is needed to find npm.cmd on Windows.
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  const { status, error, stdout, stderr } = spawnSync(
    command,
    [...first, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"],
    { cwd: folder, encoding: "utf8", shell: command === "npm" && process.platform === "win32" },
  );
  if (status !== 0) {
    process.stderr.write(
      `Could not install test/consumers/${name}, so its tests will fail.\n${error?.message ?? `${stdout}${stderr}`}\n`,
    );
    process.exitCode = 1;
    return;
  }
  const own = join(folder, "node_modules", "plugboard");
  rmSync(own, { recursive: true, force: true });
  symlinkSync(root, own, "junction"); // the consumer imports Plugboard by its name
  writeFileSync(stamp, lock);
}
