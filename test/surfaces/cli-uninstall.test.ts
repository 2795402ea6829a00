import { chown, lstat, mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { updateFile } from "../../src/documents/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { eventually } from "../flow/host-in.ts";
import { browse, startOauthServer } from "../support/oauth-server.ts";
import { hasTerminal, onTerminal } from "../support/on-terminal.ts";
import { type CliResult, runCli, startCli } from "../support/run-cli.ts";
import { STRANGER, whyNoSecondUser } from "../support/run-program.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

let sandbox: Sandbox;
let env: Record<string, string>;
beforeEach(async () => {
  sandbox = await createSandbox();
  env = {};
  return () => sandbox[Symbol.asyncDispose]();
});

const plugboard = (words: readonly string[], input = ""): Promise<CliResult> =>
  runCli(words, { sandbox, input, env });
const succeed = async (words: readonly string[], input?: string): Promise<CliResult> => {
  const result = await plugboard(words, input);
  expect(result, words.join(" ")).toMatchObject({ code: 0 });
  return result;
};

/** Every file below a folder, by its path from there; empty folders end with a slash. */
async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    names.map(async (entry) => {
      if (!entry.isDirectory()) return [entry.name];
      const inside = await filesIn(join(folder, entry.name));
      return inside.length === 0 ? [`${entry.name}/`] : inside.map((name) => `${entry.name}/${name}`);
    }),
  );
  return found.flat().sort();
}

/**
 * What a user does in the first weeks: a secret, servers, an approval, calls with artifacts, a package that fails and
 * writes a log.
 */
async function useEverything(): Promise<void> {
  const { command, args } = stdioServer("tools-server.mjs");
  await succeed(["secret", "set", "work"], "hunter2hunter2");
  await succeed(["add", "mine", "--scope", "user", "--env", "T=keychain:work", "--", command, ...args]);
  await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { theirs: { command, args } } });
  const { approval } = (await plugboard(["trust", "theirs", "--json"])).json() as {
    approval: { hash: string };
  };
  await succeed(["trust", "theirs", "--yes", "--hash", approval.hash]);
  for (const server of ["mine", "theirs"]) {
    await succeed(["tools", server]);
    await succeed(["call", server, "env", "name=T"]);
    await succeed(["call", server, "image"]);
  }
  await succeed(["add", "package", "--scope", "user", "--", "npx", "--offline", "-y", "no-such-package"]);
  await succeed(["add", "noisy", "--scope", "user", "--", "sh", "-c", "echo no disk >&2; exit 1"]);
  for (const server of ["package", "noisy"])
    expect(await plugboard(["test", server])).toMatchObject({ code: 1 });
}

/** A secret in the vault, and a call with a list in the cache. */
async function useBriefly(): Promise<void> {
  await succeed(["secret", "set", "work"], "hunter2hunter2");
  await succeed(["call", "demo", "text_stats", "text=hello"]);
}

/** The home folder without npm's own cache. */
const filesInHome = async (): Promise<string[]> =>
  (await filesIn(sandbox.home)).filter((name) => !name.startsWith(".npm/"));
const state = (): string => join(sandbox.home, ".local", "state", "plugboard");
const cache = (): string => join(sandbox.home, ".cache", "plugboard");

describe("`uninstall`", () => {
  test("removes approvals, caches, secrets and sign-ins, but not the user's config", async () => {
    await useEverything();
    await using server = await startOauthServer();
    await succeed(["add", "notes", "--scope", "user", "--url", server.url]);
    await signIn("notes");
    await succeed(["tools", "notes"]);
    await sandbox.writeHome(".plugboard/settings.json", {});
    const { folders, ...plan } = (await succeed(["uninstall", "--dry-run", "--json"])).json() as {
      folders: { path: string; files: number; bytes: number }[];
    };
    expect(folders.map(({ path }) => path)).toEqual([state(), cache()]);
    const kinds = ["approvals.json", "artifacts", "eras.json", "logs", "pins", "tool-names.json", "vault"];
    expect(await readdir(state())).toEqual(expect.arrayContaining(kinds));
    expect((await readdir(cache())).sort()).toEqual(["catalogs", "code", "runners", "swept"]);
    for (const { files, bytes } of folders) expect([files > 0, bytes > 0]).toEqual([true, true]);
    const config = ["mcp.json", "settings.json"].map((name) => join(sandbox.home, ".plugboard", name));
    expect(plan).toMatchObject({
      approvals: 1,
      pins: 3,
      signIns: 1,
      secrets: 1,
      config: { files: config, removed: false },
      others: [],
      skipped: [],
      removed: false,
    });

    const { stdout } = await succeed(["uninstall", "--yes"]);
    expect(stdout).toContain("1 approval, pins for 3 servers, 1 sign-in, 1 secret\n");
    expect(stdout).toContain("Sign-ins stay valid until they expire.");
    expect(stdout).toContain("✓ Removed.");
    expect(await filesInHome()).toEqual([
      ".cache/",
      ".local/state/",
      ".plugboard/mcp.json",
      ".plugboard/settings.json",
    ]);
    expect((await server.control()).alive).toBe(1);

    await succeed(["uninstall", "--yes", "--config"]);
    expect(await filesInHome()).toEqual([".cache/", ".local/state/"]);
    expect(await filesIn(join(sandbox.project, ".plugboard"))).toEqual(["mcp.json"]);
    expect((await succeed(["uninstall", "--yes"])).stdout).toBe("There is nothing to remove.\n");
    expect(await filesInHome()).toEqual([".cache/", ".local/state/"]);
  }, 90_000);

  test("with PLUGBOARD_HOME removes only Plugboard's names in that folder, and never the folder", async () => {
    env = { PLUGBOARD_HOME: join(sandbox.home, "mine") };
    await sandbox.writeHome("mine/thesis.txt", "ten years");
    await sandbox.writeHome("mine/state/vault/passwords.txt", "mine");
    await sandbox.writeHome("mine/state/logs/app.log", "mine");
    await sandbox.writeHome("mine/cache/code/main.c", "mine");
    await useBriefly();
    const { others } = (await succeed(["uninstall", "--yes", "--config", "--json"])).json() as {
      others: string[];
    };
    const left = ["cache/code/main.c", "state/logs/app.log", "state/vault/passwords.txt", "thesis.txt"];
    expect(await filesIn(join(sandbox.home, "mine"))).toEqual(left);
    const again = (await succeed(["uninstall", "--yes"])).stdout;
    expect(again.startsWith("There is nothing to remove.\n")).toBe(true);
    expect(others.sort()).toEqual(left.slice(0, 3).map((name) => join(sandbox.home, "mine", name)));
  });

  test("finds state and cache that share one folder", async () => {
    const shared = join(sandbox.home, "shared");
    env = { XDG_STATE_HOME: shared, XDG_CACHE_HOME: shared };
    await useBriefly();
    expect((await succeed(["uninstall", "--yes", "--json"])).json()).toMatchObject({ others: [] });
    expect(await filesIn(shared)).toEqual([]);
  });

  test("removes folders that are empty", async () => {
    await mkdir(state(), { recursive: true, mode: 0o700 });
    expect((await succeed(["uninstall", "--yes", "--json"])).json()).toMatchObject({
      folders: [{ path: state(), files: 0, bytes: 0 }],
      signIns: 0,
      secrets: 0,
      removed: true,
    });
    expect(await filesInHome()).toEqual([".local/state/"]);
  });

  test("removes nothing without a terminal and without --yes", async () => {
    await succeed(["secret", "set", "work"], "hunter2hunter2");
    const before = await filesInHome();
    const refused = await plugboard(["uninstall"]);
    expect([refused.code, refused.stderr]).toEqual([
      3,
      "✗ Nothing was removed.\n  To remove it without a terminal: plugboard uninstall --yes\n",
    ]);
    expect(refused.stdout).toContain("1 secret");
    const asJson = await plugboard(["uninstall", "--json", "--config"]);
    expect([asJson.code, asJson.json()]).toEqual([
      3,
      {
        error: {
          code: "INTERACTION_REQUIRED",
          message: "Nothing was removed.",
          hint: "To remove it without a terminal: plugboard uninstall --yes --config",
        },
        plan: expect.objectContaining({ secrets: 1 }),
      },
    ]);
    await succeed(["uninstall", "--dry-run", "--yes"]);
    expect(await filesInHome()).toEqual(before);
  });

  test.skipIf(!hasTerminal)("on a terminal asks, and removes only after yes", async () => {
    await succeed(["secret", "set", "work"], "hunter2hunter2");
    const before = await filesInHome();
    const no = await onTerminal(sandbox, "uninstall", "n\r");
    expect([no.code, await filesInHome()]).toEqual([3, before]);
    expect(no.screen).toContain("Remove all of this? It cannot be undone. [y/N]");
    const yes = await onTerminal(sandbox, "uninstall", "y\r");
    expect([yes.code, await filesInHome()]).toEqual([0, [".cache/", ".local/state/"]]);
  });

  test("never follows a link: it removes links to files and leaves links to folders", async () => {
    await succeed(["secret", "set", "work"], "hunter2hunter2");
    const hash = "0".repeat(64);
    const [file, pin] = await Promise.all([
      sandbox.writeHome("dotfiles/approvals.json", "{}"),
      sandbox.writeHome(`dotfiles/pins/${hash}.jsonl`, "mine"),
    ]);
    await symlink(file, join(state(), "approvals.json"));
    await symlink(join(pin, ".."), join(state(), "pins"));
    const { others } = (await succeed(["uninstall", "--yes", "--json"])).json() as { others: string[] };
    expect(others).toEqual([join(state(), "pins")]);
    expect(await filesIn(state())).toEqual(["pins"]);
    expect(await filesIn(join(sandbox.home, "dotfiles"))).toEqual(["approvals.json", `pins/${hash}.jsonl`]);
  });

  test("skips a state folder that is a link, and fails", async () => {
    await mkdir(join(sandbox.home, "disk"), { mode: 0o700 });
    await mkdir(join(sandbox.home, ".local", "state"), { recursive: true });
    await symlink(join(sandbox.home, "disk"), state());
    await succeed(["secret", "set", "work"], "hunter2hunter2");
    const before = await filesIn(join(sandbox.home, "disk"));
    const { code, stdout } = await plugboard(["uninstall", "--yes"]);
    expect([code, await filesIn(join(sandbox.home, "disk"))]).toEqual([1, before]);
    expect(stdout).toContain(
      `! ~/.local/state/plugboard is skipped: it is a link to ${join(sandbox.home, "disk")}, and links are not followed.\n`,
    );
    expect((await lstat(state())).isSymbolicLink()).toBe(true);
  });

  const noSecondUser = whyNoSecondUser();
  if (noSecondUser !== undefined) console.warn(`Skipped: ${noSecondUser}.`);
  test.skipIf(noSecondUser !== undefined)("skips a folder of another user, and fails", async () => {
    await sandbox.writeHome(".local/state/plugboard/approvals.json", '{"version":2,"approvals":[]}');
    await chown(state(), STRANGER, STRANGER);
    const { code, stdout } = await plugboard(["uninstall", "--yes"]);
    expect([code, await filesIn(state())]).toEqual([1, ["approvals.json"]]);
    expect(stdout).toContain(`${state()} belongs to user ${STRANGER}`);
  });

  test("keeps a folder that has the name of one of its files", async () => {
    const name = `${"0".repeat(64)}.jsonl`;
    await sandbox.writeHome(`.cache/plugboard/catalogs/${name}/mine`, "");
    expect((await succeed(["uninstall", "--yes"])).stdout).toContain("not written by Plugboard");
    expect(await filesIn(cache())).toEqual([`catalogs/${name}/mine`]);
  });

  test("takes the lock of a running process, which then writes nothing", async () => {
    await succeed(["secret", "set", "work"], "hunter2hunter2");
    const file = join(state(), "approvals.json");
    let uninstalled: Promise<CliResult> | undefined;
    const ports = nodePorts();
    const { files } = ports;
    const create: typeof files.create = async (path, content, mode) => {
      await files.create(path, content, mode);
      if (!path.endsWith(".tmp")) return;
      uninstalled = plugboard(["uninstall", "--yes"]); // while the new text is written but not in place yet
      await uninstalled;
    };
    const writing = updateFile({ ...ports, files: { ...files, create } }, file, () => "{}\n");
    await expect(writing).rejects.toMatchObject({ code: "STATE_LOCKED" });
    expect(await uninstalled).toMatchObject({ code: 0 });
    expect(await filesInHome()).toEqual([".cache/", ".local/state/"]);
  });
});

/** Signs in by pasting the final URL. */
async function signIn(server: string): Promise<void> {
  await using cli = startCli(["login", server, "--no-browser"], { sandbox, env });
  const url = await eventually(() => {
    const [found = ""] = /http:\/\/127\.0\.0\.1:\d+\/auth\?\S+/.exec(cli.output()) ?? [];
    expect(found).not.toBe("");
    return found;
  });
  cli.child.stdin.write(`${await browse(url, new URL(url).searchParams.get("redirect_uri") ?? "")}\n`);
  expect(await cli.ended).toMatchObject({ code: 0 });
}
