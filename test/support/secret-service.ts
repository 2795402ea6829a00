import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { vi } from "vitest";

const PROGRAMS = ["dbus-daemon", "dbus-send", "gnome-keyring-daemon"];
const onPath = (name: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));

/** The programs that a separate keychain needs and that are missing here. */
export const missingForSecretService: readonly string[] = PROGRAMS.filter((name) => !onPath(name));

export interface SecretService extends AsyncDisposable {
  /** The variables that a program needs to find it. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts the keychain, unlocked or locked as after a reboot. Without this, only the bus runs. */
  start(how: "unlocked" | "locked"): Promise<void>;
  stop(): Promise<void>;
}

/** A separate session bus and Secret Service, which store their data in that folder. */
export async function createSecretService(folder: string): Promise<SecretService> {
  const [bus, run] = [join(folder, "bus"), join(folder, "run")];
  await mkdir(run, { recursive: true, mode: 0o700 });
  const config = join(folder, "bus.conf");
  await writeFile(config, CONFIG.replace("ADDRESS", `unix:path=${bus}`));
  const env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}`, XDG_RUNTIME_DIR: run };
  const whole = { ...env, HOME: folder, XDG_DATA_HOME: folder, PATH: process.env["PATH"] ?? "" };
  const daemon = spawn("dbus-daemon", [`--config-file=${config}`, "--nofork"], {
    env: whole,
    stdio: "ignore",
  });
  await vi.waitFor(() => existsSync(bus) || Promise.reject(new Error("the bus does not start")), WAIT);

  let keychain: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (keychain !== undefined) await end(keychain);
    keychain = undefined;
  };
  return {
    env,
    async start(how) {
      await stop();
      const words = ["--foreground", "--components=secrets", how === "unlocked" ? "--unlock" : "--start"];
      const child = spawn("gnome-keyring-daemon", words, { env: whole, stdio: ["pipe", "ignore", "ignore"] });
      keychain = child;
      child.stdin.end(how === "unlocked" ? "password" : "");
      await vi.waitFor(() => ask(whole), WAIT);
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await end(daemon);
    },
  };
}

const WAIT = { timeout: 15_000, interval: 50 };

/** Starts no services automatically, because those would be the user's own. */
const CONFIG = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>ADDRESS</listen>
  <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
</busconfig>
`;

async function ask(env: Record<string, string>): Promise<void> {
  const words = ["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/"];
  const question = ["org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"];
  const { stdout } = await promisify(execFile)("dbus-send", [...words, ...question], { env });
  if (!stdout.includes("true")) throw new Error("the keychain does not start");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}
