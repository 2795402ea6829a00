import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { eventually, failureOf, hostIn } from "./host-in.ts";

const SECRET = "hunter2-hunter2";

test("a server's output outside the protocol is stored for each run, and only the user can read it", async () => {
  await using sandbox = await createSandbox();
  const noisy = stdioServer("raw-server.mjs", ["--behave", "noise"]);
  const failing = {
    command: "sh",
    args: ["-c", `echo "no $KEY" >&2; printf 'no end'; exit 3`],
    env: { KEY: SECRET },
  };
  {
    await using host = await hostIn(sandbox, { servers: { noisy, failing } });
    await host.call("noisy", "echo", { text: "hi" });
    await failureOf(host.connect("failing"));
  }
  await using host = await hostIn(sandbox, { servers: { noisy, failing } });
  const [noise] = await host.doctor.logs("noisy");
  expect(noise?.lines.slice(0, 3)).toMatchObject([
    { number: 1, stream: "stdout", text: "Server starting up..." },
    { number: 2, stream: "stdout", text: "[info] this is not JSON" },
    { number: 3, stream: "stdout", text: "{ neither is this }" },
  ]);
  const failed = await host.doctor.logs("failing");
  expect(failed[0]).toMatchObject({
    lines: [{ number: 1, stream: "stderr", text: "no [secret]" }],
    end: { code: 3 },
  });
  expect(host.servers().map(({ state }) => state)).toEqual(["idle", "idle"]); // reading starts nothing

  const folder = join(sandbox.home, ".local", "state", "plugboard", "logs");
  for (const name of await readdir(folder)) {
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o700);
    for (const file of await readdir(join(folder, name)))
      expect((await stat(join(folder, name, file))).mode & 0o777).toBe(0o600);
  }
});

test("a log can be read while the server runs", async () => {
  await using sandbox = await createSandbox();
  const noisy = stdioServer("raw-server.mjs", ["--behave", "noise"]);
  await using host = await hostIn(sandbox, { servers: { noisy } });
  await host.connect("noisy");
  await eventually(async () =>
    expect((await host.doctor.logs("noisy"))[0]?.lines[0]?.text).toBe("Server starting up..."),
  );
  expect((await host.doctor.logs("noisy", { lines: 1 }))[0]?.lines).toHaveLength(1);
});

test("the log of an unknown server is refused", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox);
  expect(await failureOf(host.doctor.logs("nobody"))).toMatchObject({ code: "SERVER_UNKNOWN" });
});

test("a log that cannot be written has no other effect", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".local/state/plugboard/logs", "a file where the folder would be");
  const noisy = stdioServer("raw-server.mjs", ["--behave", "noise"]);
  await using host = await hostIn(sandbox, { servers: { noisy } });
  expect(await host.call("noisy", "echo", { text: "hi" })).toMatchObject({ text: "hi" });
  await host.close("noisy");
  expect(await host.doctor.logs("noisy")).toEqual([]);
});
