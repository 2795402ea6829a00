import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Objects and lists are written as JSON, text and bytes as they are. */
export type FileContent = string | Uint8Array | Readonly<Record<string, unknown>> | readonly unknown[];

export interface Sandbox extends AsyncDisposable {
  readonly home: string;
  /** A folder that looks like the root of a git repository. */
  readonly project: string;
  /** Both return the absolute path of what they wrote. */
  writeProject(path: string, content: FileContent): Promise<string>;
  writeHome(path: string, content: FileContent): Promise<string>;
  /** The whole environment of a child: HOME, PATH and XDG_*, and a variable that keeps it from the user's keychain. */
  env(): Record<string, string>;
}

/** A sandbox in which no program starts the daemon by itself. The user that runs the tests need not be root. */
export async function createSandboxInCi(): Promise<Sandbox> {
  const sandbox = await createSandbox();
  return { ...sandbox, env: () => ({ ...sandbox.env(), CI: "1" }) };
}

/** A separate home and project, removed when disposed. */
export async function createSandbox(): Promise<Sandbox> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "sandbox-")));
  const home = join(root, "home");
  const project = join(root, "project");
  await mkdir(home);
  await mkdir(join(project, ".git"), { recursive: true });
  return {
    home,
    project,
    writeProject: (path, content) => write(join(project, path), content),
    writeHome: (path, content) => write(join(home, path), content),
    env: () => ({
      HOME: home,
      PATH: process.env["PATH"] ?? "",
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_STATE_HOME: join(home, ".local", "state"),
      XDG_CACHE_HOME: join(home, ".cache"),
      XDG_DATA_HOME: join(home, ".local", "share"),
      PLUGBOARD_KEYCHAIN: "off",
    }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

async function write(file: string, content: FileContent): Promise<string> {
  const asIs = typeof content === "string" || content instanceof Uint8Array;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, asIs ? content : `${JSON.stringify(content, undefined, 2)}\n`);
  return file;
}
