import { spawnSync } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type CliResult, runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import {
  createSecretService,
  missingForSecretService,
  type SecretService,
} from "../support/secret-service.ts";

const isSkipped = process.platform !== "linux" || missingForSecretService.length > 0;
if (isSkipped)
  console.warn(
    `Skipped: a real Secret Service needs Linux and ${missingForSecretService.join(", ")} on PATH.`,
  );

describe.skipIf(isSkipped)("with a real Secret Service, the vault's key", () => {
  let sandbox: Sandbox;
  let service: SecretService;
  beforeEach(async () => {
    sandbox = await createSandbox();
    service = await createSecretService(join(sandbox.home, "keychain"));
    return async () => {
      await service[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    };
  });
  const secret = (words: readonly string[], input = ""): Promise<CliResult> =>
    runCli(["secret", ...words], { sandbox, input, env: { ...service.env, PLUGBOARD_KEYCHAIN: "on" } });
  const uninstall = (): Promise<CliResult> =>
    runCli(["uninstall", "--yes"], { sandbox, env: { ...service.env, PLUGBOARD_KEYCHAIN: "on" } });
  const vault = () => join(sandbox.home, ".local", "state", "plugboard", "vault");
  const keyFiles = async (): Promise<string[]> =>
    (await readdir(vault())).filter((file) => !file.endsWith(".sealed")).sort();

  test("is stored there and in no file; if the keychain is unavailable or locked, nothing is lost", async () => {
    await service.start("unlocked");
    expect(await secret(["set", "token"], "hunter2")).toMatchObject({ code: 0 });
    expect(await keyFiles()).toEqual(["key-in-keychain"]);
    expect(await secret(["get", "token"])).toMatchObject({ code: 0, stdout: "hunter2\n", stderr: "" });

    await service.stop();
    const away = await secret(["get", "token"]);
    expect([away.code, away.stderr]).toEqual([
      1,
      expect.stringContaining("The system's keychain cannot be read"),
    ]);
    await service.start("locked");
    const locked = await secret(["set", "other"], "x");
    expect([locked.code, locked.stderr]).toEqual([1, expect.stringContaining("Unlock it")]);
    expect(await keyFiles()).toEqual(["key-in-keychain"]);

    await service.start("unlocked");
    expect(await secret(["get", "token"])).toMatchObject({ code: 0, stdout: "hunter2\n", stderr: "" });
  });

  test("is removed by `uninstall`; if the keychain is unavailable, `uninstall` reports it and can be repeated", async () => {
    await service.start("unlocked");
    expect(await secret(["set", "token"], "hunter2")).toMatchObject({ code: 0 });
    const name = `vault ${vault()}`;
    expect(readEntry(service, name)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^.{44}$/) });

    await service.stop();
    const away = await uninstall();
    expect([away.code, away.stdout]).toEqual([
      1,
      expect.stringContaining(`the keychain entry "${name}" could not be removed`),
    ]);
    expect(await readdir(vault())).toEqual(["key-in-keychain"]);

    await service.start("unlocked");
    const { code, stdout } = await uninstall();
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`the keychain entry "${name}" (service "plugboard")\n`),
    ]);
    await expect(readdir(vault())).rejects.toThrow("ENOENT");
    expect(readEntry(service, name)).toMatchObject({ code: 1 });
  });

  test.each(["away", "locked"])("is in a private file if the keychain is %s from the start", async (how) => {
    if (how === "locked") await service.start("locked");
    expect(await secret(["set", "token"], "hunter2")).toMatchObject({ code: 0 });
    expect(await keyFiles()).toEqual(["master.key"]);
    expect((await stat(join(vault(), "master.key"))).mode & 0o777).toBe(0o600);
    await service.start("unlocked");
    expect(await secret(["get", "token"])).toMatchObject({ code: 0, stdout: "hunter2\n" });
  });
});

/** Reads the keychain in a separate process: 0 and the text, or 1 if there is no such entry. */
function readEntry({ env }: SecretService, name: string): { readonly code: number; readonly stdout: string } {
  const program = `const { AsyncEntry } = require("@napi-rs/keyring");
    new AsyncEntry("plugboard", process.argv[1], { linux: { store: "secret-service" } })
      .getPassword().then((text) => { process.stdout.write(text ?? ""); process.exitCode = text === null ? 1 : 0; });`;
  const { status, stdout } = spawnSync(process.execPath, ["-e", program, name], {
    env: { ...env, PATH: process.env["PATH"] ?? "" },
    encoding: "utf8",
  });
  return { code: status ?? -1, stdout };
}
