import { existsSync } from "node:fs";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../flow/host-in.ts";
import { daemonStatus } from "../support/daemon-in.ts";
import { runCli, startCli } from "../support/run-cli.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";

const UNIT = ".config/systemd/user/plugboard.service";

/** A home folder with its own `systemctl`, which records its arguments and ends with the code in the file `code`. */
async function withManager(): Promise<{ readonly sandbox: Sandbox; readonly env: Record<string, string> }> {
  const sandbox = await createSandboxInCi();
  const script =
    '#!/bin/sh\necho "$@" >> "$HOME/calls"\n[ -f "$HOME/code" ] || exit 0\necho "No bus" >&2\nexit 1\n';
  const program = await sandbox.writeHome("bin/systemctl", script);
  await chmod(program, 0o755);
  return { sandbox, env: { PATH: `${join(sandbox.home, "bin")}:${process.env["PATH"] ?? ""}` } };
}

const linesOf = async (sandbox: Sandbox, name: string): Promise<string[]> =>
  (await readFile(join(sandbox.home, name), "utf8").catch(() => "")).split("\n").filter(Boolean);

test.runIf(process.platform === "linux")(
  "`daemon install` enables a service of systemd, and `daemon uninstall` removes it",
  async () => {
    const { sandbox, env } = await withManager();
    await using _ = sandbox;
    const run = (...words: string[]) => runCli(["daemon", ...words], { sandbox, env });
    expect((await run("install")).stdout).toContain("The daemon starts with each login.");
    expect(await linesOf(sandbox, "calls")).toEqual([
      "--user daemon-reload",
      "--user enable --now plugboard.service",
    ]);
    const unit = await readFile(join(sandbox.home, UNIT), "utf8");
    expect(unit).toContain(`main.cjs" "daemon" "run" "--keep"\n`);
    expect((await run("install", "--json")).json()).toMatchObject({ outcome: "installed" });
    expect((await run("uninstall")).stdout).toBe("The service was removed.\n");
    expect(existsSync(join(sandbox.home, UNIT))).toBe(false);
    expect((await linesOf(sandbox, "calls")).at(-1)).toBe("--user disable --now plugboard.service");
    expect((await run("uninstall")).stdout).toBe("No service is installed.\n");
  },
);

test.runIf(process.platform === "linux")(
  "if the service manager cannot be used, `daemon install` leaves no file behind and says what to do",
  async () => {
    const { sandbox, env } = await withManager();
    await using _ = sandbox;
    await sandbox.writeHome("code", "1");
    const refused = await runCli(["daemon", "install"], { sandbox, env });
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("because systemctl says: No bus");
    expect(refused.stderr).toContain("plugboard daemon install --print");
    expect(existsSync(join(sandbox.home, UNIT))).toBe(false);
    const shown = await runCli(["daemon", "install", "--print"], { sandbox, env });
    expect(shown.stdout).toContain("[Service]\nExecStart=");
    expect(shown.stdout).toContain("  systemctl --user enable --now plugboard.service\n");
    expect(existsSync(join(sandbox.home, UNIT))).toBe(false);
  },
);

test.runIf(process.platform === "linux")(
  "another program's service file is neither replaced nor removed",
  async () => {
    const { sandbox, env } = await withManager();
    await using _ = sandbox;
    await sandbox.writeHome(UNIT, "[Unit]\nDescription=mine\n");
    for (const word of ["install", "uninstall"])
      expect(await runCli(["daemon", word], { sandbox, env })).toMatchObject({ code: 2 });
    expect(await readFile(join(sandbox.home, UNIT), "utf8")).toContain("Description=mine");
    expect(await linesOf(sandbox, "calls")).toEqual([]);
  },
);

test.runIf(process.platform === "linux")("`plugboard uninstall` removes the service, too", async () => {
  const { sandbox, env } = await withManager();
  await using _ = sandbox;
  await runCli(["daemon", "install"], { sandbox, env });
  expect(await runCli(["uninstall", "--yes"], { sandbox, env })).toMatchObject({ code: 0 });
  expect(existsSync(join(sandbox.home, UNIT))).toBe(false);
});

test("`daemon run --keep` runs until it is stopped", async () => {
  await using sandbox = await createSandboxInCi();
  await using running = startCli(["daemon", "run", "--keep"], { sandbox });
  await eventually(async () => expect((await daemonStatus(sandbox)).pid).toBe(running.child.pid));
  running.child.kill("SIGTERM");
  await running.ended;
  expect((await daemonStatus(sandbox)).running).toBe(false);
  expect(await runCli(["daemon", "start", "--keep"], { sandbox })).toMatchObject({ code: 2 });
});
