import { spawn, spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { LONGEST_MS, report, tenthOf } from "../durability/counts.ts";
import { eventually, hostIn } from "../flow/host-in.ts";
import { browse, type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const program = fileURLToPath(new URL("renewal-worker.mjs", import.meta.url));

interface Worker extends AsyncDisposable {
  readonly pid: number;
  /** Sends one call. Returns `ok` or the error. */
  call(): Promise<string>;
  kill(): void;
}

const canUnshare = spawnSync("unshare", ["-p", "-f", "true"]).status === 0;
if (!canUnshare) console.log("PID namespaces cannot be made here, so renewals across them are not tested.");

async function startWorker(sandbox: Sandbox, url: string, launcher: readonly string[] = []): Promise<Worker> {
  const [first = process.execPath, ...others] = launcher;
  const words = [program, url, sandbox.project];
  const child = spawn(first, launcher.length === 0 ? words : [...others, process.execPath, ...words], {
    env: sandbox.env(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next();
    return done ? "it ended" : value;
  };
  expect(await line()).toBe("ready");
  return {
    pid: child.pid ?? 0,
    call() {
      child.stdin.write("call\n");
      return line();
    },
    kill: () => void child.kill("SIGKILL"),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}

async function signedIn(sandbox: Sandbox, server: OauthServer): Promise<void> {
  await using host = await hostIn(sandbox, { servers: { notes: { type: "http", url: server.url } } });
  await host.signIns.login("notes", { browser: false, onSignIn: (url) => void browse(url) });
}

/** Returns the lock file of the running renewal. */
async function renewalLock(sandbox: Sandbox): Promise<string> {
  const folder = join(sandbox.home, ".local", "state", "plugboard", "vault");
  const [lock = ""] = (await readdir(folder)).filter((file) => file.endsWith(".turn"));
  return readFile(join(folder, lock), "utf8");
}

/** Returns the process that is renewing the sign-in. */
async function holder(sandbox: Sandbox): Promise<number> {
  return Number.parseInt(await renewalLock(sandbox), 10);
}

const LINE = "sign-ins renewed by eight processes at once, one of them killed: none lost, one request each";

test(
  "eight processes renew a sign-in once each time, even if the renewing process is killed, and none loses it",
  async () => {
    const rounds = tenthOf(50);
    await using sandbox = await createSandbox();
    await using server = await startOauthServer();
    await signedIn(sandbox, server);
    const started = await Promise.all(Array.from({ length: 8 }, () => startWorker(sandbox, server.url)));
    await using _ = {
      [Symbol.asyncDispose]: () =>
        Promise.all(started.map((worker) => worker[Symbol.asyncDispose]())).then(() => {}),
    };
    let workers = started;
    let right = 0;
    for (let round = 0; round < rounds; round += 1) {
      await server.control("expire");
      const isKill = round === 1;
      if (isKill) await server.control("hold?when=before");
      const { grants } = await server.control();
      const calls = workers.map((worker) => worker.call());
      if (isKill) {
        await eventually(async () => expect((await server.control()).held).toBe(1));
        const pid = await holder(sandbox);
        workers.find((worker) => worker.pid === pid)?.kill();
        workers = workers.filter((worker) => worker.pid !== pid);
      }
      const results = await Promise.all(calls);
      expect(results.filter((result) => result === "ok").length).toBe(workers.length);
      const { grants: after, refusals } = await server.control();
      expect(refusals).toEqual({});
      expect((after["refresh_token"] ?? 0) - (grants["refresh_token"] ?? 0)).toBe(1);
      right += 1;
    }
    expect(workers.length).toBe(7);
    report(LINE, right, rounds);
  },
  LONGEST_MS,
);

test("a process that dies before saving the renewed tokens leaves a required sign-in with the reason", async () => {
  await using sandbox = await createSandbox();
  await using server = await startOauthServer();
  await signedIn(sandbox, server);
  await using first = await startWorker(sandbox, server.url);
  await using second = await startWorker(sandbox, server.url);
  await server.control("expire");
  await server.control("hold?when=after");
  const lost = first.call();
  await eventually(async () => expect((await server.control()).held).toBe(1));
  first.kill();
  expect(await lost).toBe("it ended");
  expect(await second.call()).toBe(
    'INTERACTION_REQUIRED "notes" requires you to sign in: an earlier renewal was interrupted, and its tokens were lost.',
  );
});

test.skipIf(!canUnshare)("a container and its host that share a home renew a sign-in once", async () => {
  await using sandbox = await createSandbox();
  await using server = await startOauthServer();
  await signedIn(sandbox, server);
  await using inside = await startWorker(sandbox, server.url, ["unshare", "-p", "-f", "--kill-child"]);
  await using outside = await startWorker(sandbox, server.url);
  await server.control("expire");
  await server.control("hold?when=before");
  const { grants } = await server.control();
  const renewals = async (): Promise<number> =>
    ((await server.control()).grants["refresh_token"] ?? 0) - (grants["refresh_token"] ?? 0);
  const first = inside.call();
  await eventually(async () => expect((await server.control()).held).toBe(1));
  const second = outside.call();
  // This many heartbeats take longer than the timeout of an abandoned lock.
  await eventually(async () => {
    const lines = (await renewalLock(sandbox)).split("\n");
    expect(lines.length > 10 || (await renewals()) > 0).toBe(true);
  });
  expect(await renewals()).toBe(0);
  await server.control("release");
  expect([await first, await second]).toEqual(["ok", "ok"]);
  const { refusals } = await server.control();
  expect({ refusals, renewals: await renewals() }).toEqual({ refusals: {}, renewals: 1 });
});
