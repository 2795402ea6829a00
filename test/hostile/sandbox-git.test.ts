import { execFileSync } from "node:child_process";
import { readFile, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { hostIn } from "../flow/host-in.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { whyNoSandbox } from "../support/sandbox-support.ts";

const PROBE = { command: "node", args: [resolve("test/servers/probe-server.mjs")], sandbox: true };
const obstacle = whyNoSandbox();

/** A repository with git's less known ways to run code. `git` runs in a folder of the project. */
async function repository(): Promise<{ place: Sandbox; git: (folder: string, ...args: string[]) => string }> {
  const place = await createSandbox();
  await place.writeHome(".plugboard/mcp.json", { mcpServers: { probe: PROBE } });
  const options = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"];
  const git = (folder: string, ...args: string[]): string =>
    execFileSync("git", [...options, ...args], {
      cwd: join(place.project, folder),
      env: { ...place.env(), GIT_CONFIG_NOSYSTEM: "1" },
      encoding: "utf8",
      stdio: "pipe",
    });
  git("", "init", "--quiet");
  return { place, git };
}

/** Returns which of the commands succeed in the sandbox. */
async function succeeding(place: Sandbox, commands: readonly string[], cwd?: string): Promise<string[]> {
  await using host = await hostIn(place, cwd === undefined ? {} : { cwd });
  const found: string[] = [];
  for (const command of commands) {
    const { text } = await host.call("probe", "run", { command: `cd '${place.project}' && ${command}` });
    if (text.startsWith("0\n")) found.push(command);
  }
  return found;
}

describe.skipIf(obstacle !== undefined)("a sandboxed server cannot make git run its code", () => {
  test("from the folder that core.hooksPath names", async () => {
    const { place, git } = await repository();
    await using _ = place;
    await place.writeProject("tools/hooks/pre-commit", "");
    git("", "config", "core.hooksPath", "tools/hooks");
    const attacks = [
      "echo evil > tools/hooks/pre-commit",
      "echo evil > tools/hooks/post-checkout",
      "mv tools/hooks tools/old",
      "mv tools old",
    ];
    expect(await succeeding(place, [...attacks, "echo fine > tools/other"])).toEqual([
      "echo fine > tools/other",
    ]);
  });

  test("from a folder that the user's own git config names", async () => {
    const { place } = await repository();
    await using _ = place;
    await place.writeHome(".gitconfig", '[core]\n\tHooksPath = ".my hooks" ; in every repository\n');
    await place.writeProject(".my hooks/pre-commit", "");
    expect(await succeeding(place, ["echo evil > '.my hooks/pre-commit'"])).toEqual([]);
  });

  test("with settings in a file that its config includes, or a program that they name", async () => {
    const { place, git } = await repository();
    await using _ = place;
    await place.writeProject("shared.gitconfig", "[include]\npath = more.gitconfig\n");
    await place.writeProject("more.gitconfig", '[filter "f"]\n\tclean = "sh scripts/clean.sh %f"\n');
    await place.writeProject("scripts/clean.sh", "");
    git("", "config", "include.path", "../shared.gitconfig");
    const attacks = ["shared.gitconfig", "more.gitconfig", "scripts/clean.sh"].map(
      (file) => `echo evil >> ${file}`,
    );
    expect(await succeeding(place, [...attacks, "echo fine > scripts/b.sh"])).toEqual([
      "echo fine > scripts/b.sh",
    ]);
  });

  test("with its own repository in place of a submodule", async () => {
    const { place, git } = await repository();
    await using _ = place;
    await place.writeHome("library/a.txt", "a");
    const library = join(place.home, "library");
    git("", "init", "--quiet", library);
    git("", "-C", library, "add", ".");
    git("", "-C", library, "commit", "--quiet", "--message", "a");
    for (const name of ["libs/used", "libs/empty"]) git("", "submodule", "--quiet", "add", library, name);
    git("", "commit", "--quiet", "--message", "b");
    git("", "submodule", "--quiet", "deinit", "--force", "libs/empty");
    const attacks = [
      "echo 'gitdir: ../../evil' > libs/used/.git",
      "mv libs/used/.git libs/used/old",
      "mv libs/used libs/old",
      "mv libs old",
      "mkdir libs/empty/.git",
      "rmdir libs/empty",
      "echo >> .gitmodules",
    ];
    expect(await succeeding(place, [...attacks, "echo fine > libs/used/a.txt"])).toEqual([
      "echo fine > libs/used/a.txt",
    ]);
  });

  test("in a repository directly below the project, and links to others do not matter", async () => {
    await using place = await createSandbox();
    await place.writeHome("other/.git/config", "");
    await symlink(join(place.home, "other"), join(place.project, "link"));
    await place.writeHome(".plugboard/mcp.json", { mcpServers: { probe: PROBE } });
    const hook = await place.writeProject("one/.git/hooks/pre-commit", "");
    await place.writeProject("one/.git/config", "");
    expect(await succeeding(place, ["echo evil > one/.git/hooks/pre-commit", "mv one two"])).toEqual([]);
    expect(await readFile(hook, "utf8")).toBe("");
  });

  test("through the programs that manage hooks", async () => {
    const { place } = await repository();
    await using _ = place;
    const files = [".pre-commit-config.yaml", "lefthook.yml", ".overcommit.yml", ".githooks/pre-push"];
    for (const file of files) await place.writeProject(file, "");
    expect(
      await succeeding(
        place,
        files.map((file) => `echo evil > ${file}`),
      ),
    ).toEqual([]);
  });

  test("in a worktree, whose config is elsewhere", async () => {
    const { place, git } = await repository();
    await using _ = place;
    await place.writeProject("hooks/pre-commit", "");
    git("", "config", "core.hooksPath", "hooks");
    git("", "add", ".");
    git("", "commit", "--quiet", "--no-verify", "--message", "a");
    const worktree = join(place.home, "worktree");
    git("", "worktree", "add", "--quiet", worktree);
    const attacks = ["echo evil > hooks/pre-commit", "echo evil > .git"];
    expect(
      await succeeding(
        place,
        attacks.map((each) => `cd '${worktree}' && ${each}`),
        worktree,
      ),
    ).toEqual([]);
    expect(await readFile(join(worktree, "hooks/pre-commit"), "utf8")).toBe("");
  });
});
