import { chmod, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createFakePorts, type FakePorts } from "../../test/support/fake-ports.ts";
import { isHostError } from "../model/index.ts";
import type { Environment, Keychain, Ports } from "../platform/index.ts";
import { nodePorts } from "../platform/node/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { createFileCredentials } from "./file-credentials.ts";
import { findOwnPaths } from "./own-paths.ts";
import { createVault, type Vault } from "./vault.ts";

const CANARY = "canary-7f3a9b";

async function onDisk(): Promise<{ vault: Vault; folder: string; ports: Ports; environment: Environment }> {
  const root = await mkdtemp(join(tmpdir(), "vault-"));
  const environment = { platform: "linux", home: root, cwd: root, variables: { PLUGBOARD_HOME: root } };
  const ports = nodePorts();
  const vault = createVault(createFileCredentials(ports, findOwnPaths(environment), environment));
  return { vault, folder: join(root, "state", "vault"), ports, environment };
}

/** Creates a keychain in memory. */
function keychainOf(entries: Map<string, string>): Keychain {
  return {
    read: async (name) => entries.get(name),
    write: async (name, text) => void entries.set(name, text),
    remove: async (name) => void entries.delete(name),
  };
}

const DESKTOP: Environment = {
  platform: "linux",
  home: "/home/me",
  cwd: "/repo",
  variables: { DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/1000/bus" },
};

function inMemory(
  contents: Map<string, string>,
  keychain?: Keychain,
  environment = DESKTOP,
): { vault: Vault; ports: FakePorts } {
  const ports = { ...createFakePorts(createMemoryFiles(contents)), ...(keychain && { keychain }) };
  return { vault: createVault(createFileCredentials(ports, findOwnPaths(environment), environment)), ports };
}

describe("a vault", () => {
  test("stores values by namespace and key, for other hosts too", async () => {
    const { vault, ports, environment } = await onDisk();
    await vault.update("secrets", "github", () => ({ value: CANARY }));
    await vault.update("tokens", "github", () => "other");
    const other = createVault(createFileCredentials(ports, findOwnPaths(environment), environment));
    expect(await other.read("secrets", "github")).toEqual({ value: CANARY });
    expect(await other.list("tokens")).toEqual([{ key: "github", value: "other" }]);
    expect(await other.remove("tokens", "github")).toBe(true);
    expect([await vault.remove("tokens", "github"), await vault.list("tokens")]).toEqual([false, []]);
  });

  test("reveals nothing to others: folder 0700, files 0600, no keys or values in plain text", async () => {
    const { vault, folder } = await onDisk();
    await vault.update("secrets", CANARY, () => CANARY);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const files = await readdir(folder);
    expect(files.length).toBe(2);
    for (const file of files) {
      expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
      expect(`${file} ${await readFile(join(folder, file), "utf8")}`).not.toContain(CANARY);
    }
  });

  test.each([0o640, 0o604, 0o660, 0o666])(
    "is not opened if others can read its key: mode %o",
    async (mode) => {
      const { vault, folder, ports, environment } = await onDisk();
      await vault.update("n", "k", () => 1);
      const file = join(folder, "master.key");
      await chmod(file, mode);
      const on = (platform: string) =>
        createVault(createFileCredentials(ports, findOwnPaths(environment), { ...environment, platform }));
      const actions = [
        (vaultOn: Vault) => vaultOn.read("n", "k"),
        (vaultOn: Vault) => vaultOn.list("n"),
        (vaultOn: Vault) => vaultOn.update("n", "k", () => 2),
      ];
      for (const platform of ["linux", "darwin"]) {
        for (const action of actions)
          await expect(action(on(platform))).rejects.toMatchObject({
            code: "STATE_UNREADABLE",
            message: `Other users can read the vault's key ${file}.`,
            hint: expect.stringContaining(`chmod 600 ${file}`),
          });
      }
      expect(await on("win32").read("n", "k")).toBe(1); // modes have no meaning on Windows: every file has 0666
      await chmod(file, 0o600);
      expect(await on("linux").read("n", "k")).toBe(1);
    },
  );

  test("of an earlier version can still be opened", async () => {
    const { vault, folder } = await onDisk();
    await cp(fileURLToPath(new URL("../../test/fixtures/vault", import.meta.url)), folder, {
      recursive: true,
    });
    await chmod(folder, 0o700);
    for (const file of await readdir(folder)) await chmod(join(folder, file), 0o600);
    expect([await vault.read("secret", "github"), await vault.read("secret", "work/key")]).toEqual([
      "stored before",
      "umlaut ä",
    ]);
    expect(await vault.check()).toEqual([]);
  });

  test("creates nothing when it is read before anything was stored", async () => {
    const { vault, environment } = await onDisk();
    expect([await vault.read("n", "k"), await vault.list("n"), await vault.remove("n", "k")]).toEqual([
      undefined,
      [],
      false,
    ]);
    expect(await vault.check()).toEqual([]);
    expect(await readdir(environment.home ?? "")).toEqual([]);
  });

  test("without its key file cannot be read or written, and gets no new key", async () => {
    const { vault, folder, ports, environment } = await onDisk();
    await vault.update("n", "k", () => 1);
    const file = join(folder, "master.key");
    const key = await readFile(file, "utf8");
    await rm(file);
    const other = createVault(createFileCredentials(ports, findOwnPaths(environment), environment));
    const error = {
      code: "STATE_UNREADABLE",
      message: `The key of the vault ${folder} is missing.`,
      hint: expect.stringMatching(
        /^Restore .*master\.key.* delete .*then store your secrets and sign in again\.$/,
      ),
    };
    await expect(other.read("n", "k")).rejects.toMatchObject(error);
    await expect(other.list("n")).rejects.toMatchObject(error);
    await expect(other.update("n", "new", () => 2)).rejects.toMatchObject(error);
    expect(await other.read("n", "never stored")).toBeUndefined();
    expect(await other.check()).toMatchObject([
      { code: "state-unreadable", severity: "error", file: folder },
    ]);
    expect((await readdir(folder)).some((name) => name.startsWith("master.key"))).toBe(false);
    await writeFile(file, key, { mode: 0o600 });
    expect(await other.read("n", "k")).toBe(1); // the same vault, once the key is restored
  });

  test("reports every file that others can read, and every damaged entry", async () => {
    const { vault, folder } = await onDisk();
    await vault.update("n", "kept", () => 1);
    await vault.update("n", "spoiled", () => 2);
    const [first = "", second = ""] = (await readdir(folder)).filter((name) => name.endsWith(".sealed"));
    await writeFile(join(folder, first), "{}");
    await chmod(join(folder, second), 0o644);
    await chmod(folder, 0o755);
    const messages = (await vault.check()).map(({ message }) => message);
    expect(messages).toEqual([
      `Other users can read ${folder}. Run: chmod 700 ${folder}`,
      `Other users can read ${join(folder, second)}. Run: chmod 600 ${join(folder, second)}`,
      expect.stringMatching(/ is damaged and cannot be decrypted\. Restore that file from a backup\./),
    ]);
  });

  test("is not changed by an update that returns undefined", async () => {
    const { vault } = await onDisk();
    await vault.update("n", "k", () => 1);
    await vault.update("n", "k", (current) => (current === 1 ? undefined : 2));
    expect(await vault.read("n", "k")).toBe(1);
  });

  test.each([
    ["an empty file", () => ""],
    ["invalid JSON", () => "{"],
    ["another shape", () => "[1]"],
    [
      "a flipped bit",
      (text: string) => text.replace(/"data":"(.)/, (_, c) => `"data":"${c === "A" ? "B" : "A"}`),
    ],
    ["a short tag", (text: string) => text.replace(/"tag":"[^"]*"/, '"tag":"AAAA"')],
  ])("reports a damaged entry (%s) with its file, and storing it again replaces it", async (_, spoil) => {
    const { vault, folder } = await onDisk();
    await vault.update("n", "kept", () => "fine");
    await vault.update("n", "spoiled", () => "text");
    const files = (await readdir(folder)).filter((file) => file.endsWith(".sealed"));
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
    await writeFile(join(folder, files[0] ?? ""), spoil(texts[0] ?? ""));
    const left = await vault.list("n");
    expect(left.length).toBe(1);
    const lost = left[0]?.key === "kept" ? "spoiled" : "kept";
    await expect(vault.read("n", lost)).rejects.toMatchObject({
      code: "STATE_UNREADABLE",
      message: `${join(folder, files[0] ?? "")} is damaged and cannot be decrypted.`,
      hint: expect.stringContaining("store the secret or sign in again"),
    });
    await vault.update("n", lost, (current) => current ?? "new");
    expect(await vault.read("n", lost)).toBe("new");
  });

  test("rejects an entry that was copied over another", async () => {
    const { vault, folder } = await onDisk();
    await vault.update("n", "cheap", () => "cheap");
    const [cheap = ""] = (await readdir(folder)).filter((file) => file.endsWith(".sealed"));
    const text = await readFile(join(folder, cheap), "utf8");
    await vault.update("n", "dear", () => "dear");
    const [dear = ""] = (await readdir(folder)).filter((file) => file.endsWith(".sealed") && file !== cheap);
    await writeFile(join(folder, dear), text);
    await expect(vault.read("n", "dear")).rejects.toMatchObject({ code: "STATE_UNREADABLE" });
  });

  test("with an invalid key file throws instead of creating a new key", async () => {
    const { vault, folder, ports, environment } = await onDisk();
    await vault.update("n", "k", () => 1);
    await writeFile(join(folder, "master.key"), "garbage");
    const other = createVault(createFileCredentials(ports, findOwnPaths(environment), environment));
    await expect(other.read("n", "k")).rejects.toMatchObject({ code: "STATE_UNREADABLE" });
  });

  test.each(["makeFolder", "create", "read", "mode", "kind", "remove"] as const)(
    "reports errors of the disk (%s), or continues without them",
    async (method) => {
      const { vault, ports, environment } = await onDisk();
      await vault.update("secrets", "kept", () => CANARY);
      const refuse = () => Promise.reject(Object.assign(new Error("EIO: no"), { code: "EIO" }));
      const files = { ...ports.files, [method]: refuse };
      for (const home of [environment.home, await mkdtemp(join(tmpdir(), "vault-"))]) {
        const place = { ...environment, home, variables: { PLUGBOARD_HOME: home } };
        const broken = createVault(createFileCredentials({ ...ports, files }, findOwnPaths(place), place));
        const outcomes = await Promise.allSettled([
          broken.read("secrets", "kept"),
          broken.list("secrets"),
          broken.update("secrets", "kept", () => 1),
          broken.withEntryLock("secrets", "kept", async () => 1),
          broken.remove("secrets", "kept"),
        ]);
        const reasons = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
        expect(reasons.filter((reason) => !isHostError(reason))).toEqual([]);
      }
    },
  );

  test("ignores a key that was only partially written", async () => {
    const { vault, ports, environment, folder } = await onDisk();
    const half: Ports["files"]["create"] = async (path, content, mode) => {
      await ports.files.create(path, content.slice(0, content.length / 2), mode);
      throw Object.assign(new Error("EIO: no"), { code: "EIO" });
    };
    const create: typeof half = (path, ...rest) =>
      (path.endsWith(".lock") ? ports.files.create : half)(path, ...rest);
    const broken = createVault(
      createFileCredentials(
        { ...ports, files: { ...ports.files, create } },
        findOwnPaths(environment),
        environment,
      ),
    );
    await expect(broken.update("secrets", "a", () => 1)).rejects.toThrow("EIO");
    await vault.update("secrets", "a", () => 2);
    expect([await vault.read("secrets", "a"), (await readdir(folder)).sort()]).toEqual([
      2,
      [expect.stringContaining(".sealed"), "master.key"],
    ]);
  });

  test("uses one key even if eight vaults start at the same time", async () => {
    const { ports, environment } = await onDisk();
    const vaults = Array.from({ length: 8 }, () =>
      createVault(createFileCredentials(ports, findOwnPaths(environment), environment)),
    );
    await Promise.all(vaults.map((vault, index) => vault.update("n", String(index), () => index)));
    expect((await vaults[0]?.list("n"))?.length).toBe(8);
  });

  test("runs work on one entry one at a time", async () => {
    const { vault } = await onDisk();
    const seen: string[] = [];
    const work = (name: string) =>
      vault.withEntryLock("n", "k", async () => {
        seen.push(`${name} begins`);
        await vault.update("n", "k", () => name);
        seen.push(`${name} ends`);
      });
    await Promise.all([work("a"), work("b")]);
    expect(seen.map((line) => line.slice(2))).toEqual(["begins", "ends", "begins", "ends"]);
  });
});

describe("the master key", () => {
  test("is in the system's keychain if there is one, and not in a file", async () => {
    const entries = new Map<string, string>();
    const contents = new Map<string, string>();
    const { vault } = inMemory(contents, keychainOf(entries));
    await vault.update("n", "k", () => CANARY);
    const [key = "none"] = entries.values();
    expect(Buffer.from(key, "base64").length).toBe(32);
    expect([...contents].flat().join("\n")).not.toContain(key);
    expect(await inMemory(contents, keychainOf(entries)).vault.read("n", "k")).toBe(CANARY);
  });

  test.each(["darwin", "win32"])("is in the keychain on %s, without a session bus", async (platform) => {
    const entries = new Map<string, string>();
    const { vault } = inMemory(new Map(), keychainOf(entries), { ...DESKTOP, platform, variables: {} });
    await vault.update("n", "k", () => 1);
    expect(entries.size).toBe(1);
  });

  test("is in a file if the keychain does not keep it", async () => {
    const contents = new Map<string, string>();
    const { vault } = inMemory(contents, {
      read: async () => undefined,
      write: async () => {},
      remove: async () => {},
    });
    await vault.update("n", "k", () => CANARY);
    expect([...contents.keys()].some((file) => file.endsWith("/master.key"))).toBe(true);
    expect(await inMemory(contents).vault.read("n", "k")).toBe(CANARY);
  });

  test("is in a file if there is no keychain, no session bus, or the keychain is disabled", async () => {
    for (const variables of [DESKTOP.variables, {}, { ...DESKTOP.variables, PLUGBOARD_KEYCHAIN: "off" }]) {
      const entries = new Map<string, string>();
      const contents = new Map<string, string>();
      const keychain = variables === DESKTOP.variables ? undefined : keychainOf(entries);
      const { vault } = inMemory(contents, keychain, { ...DESKTOP, variables });
      await vault.update("n", "k", () => 1);
      expect([entries.size, [...contents.keys()].some((file) => file.endsWith("/master.key"))]).toEqual([
        0,
        true,
      ]);
    }
  });

  test("is not replaced while the keychain is locked", async () => {
    const entries = new Map<string, string>();
    const contents = new Map<string, string>();
    await inMemory(contents, keychainOf(entries)).vault.update("n", "k", () => CANARY);
    const locked = { ...keychainOf(entries), read: () => Promise.reject(new Error("locked")) };
    const { vault } = inMemory(contents, locked);
    await expect(vault.read("n", "k")).rejects.toMatchObject({ code: "STATE_UNREADABLE" });
    expect(await inMemory(contents, keychainOf(entries)).vault.read("n", "k")).toBe(CANARY);
  });

  test("is created again by a running host after another process removed the vault", async () => {
    const contents = new Map<string, string>();
    const { vault } = inMemory(contents);
    await vault.update("n", "k", () => "before");
    contents.clear();
    await vault.update("n", "k", () => CANARY);
    expect(await inMemory(contents).vault.read("n", "k")).toBe(CANARY);
  });

  test("is not replaced if the keychain lost it", async () => {
    const contents = new Map<string, string>();
    await inMemory(contents, keychainOf(new Map())).vault.update("n", "k", () => 1);
    const entries = new Map<string, string>();
    const { vault } = inMemory(contents, keychainOf(entries));
    await expect(vault.read("n", "k")).rejects.toMatchObject({ code: "STATE_UNREADABLE" });
    await expect(vault.update("n", "k", () => 2)).rejects.toMatchObject({ code: "STATE_UNREADABLE" });
    expect(entries.size).toBe(0);
    for (const file of contents.keys()) if (file.endsWith(".sealed")) contents.delete(file);
    await vault.update("n", "k", () => 2); // an empty vault can get a new key
    expect(await vault.read("n", "k")).toBe(2);
  });
});
