import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "../../src/index.ts";

const FIXTURES = join("test", "fixtures", "configs");

/** A server as the manifest expects it. */
export interface ExpectedServer extends JsonObject {
  readonly name: string;
  readonly valid: boolean;
  readonly problems: readonly string[];
}

export interface ExpectedFile {
  readonly path: string;
  readonly tool: string;
  readonly kind: string;
  readonly groups: readonly {
    readonly scope: string;
    readonly keyPath: readonly string[];
    readonly servers: readonly ExpectedServer[];
    readonly project?: string;
    readonly tool?: string;
  }[];
  readonly fileProblems?: readonly string[];
  readonly perReader?: Readonly<Record<string, Readonly<Record<string, Partial<ExpectedServer>>>>>;
}

export interface Scenario {
  readonly tool: string;
  readonly effective: Readonly<Record<string, string | null>>;
  readonly merged?: Readonly<Record<string, JsonObject>>;
  readonly shadowed?: readonly {
    readonly name: string;
    readonly by: string;
    readonly hidden: readonly string[];
  }[];
}

export interface Manifest {
  readonly testEnv: Readonly<Record<string, string>>;
  readonly files: readonly ExpectedFile[];
  readonly scenarios: readonly Scenario[];
}

export interface FixtureTree extends AsyncDisposable {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly manifest: Manifest;
  /** Returns the absolute path of a file in the manifest. */
  path(manifestPath: string): string;
}

/** Copies the fixture files to a temporary folder and replaces their placeholders. */
export async function copyFixtures(): Promise<FixtureTree> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "fixtures-")));
  cpSync(FIXTURES, root, { recursive: true });
  const home = join(root, "HOME");
  const project = join(root, "PROJECT");
  const fill = (text: string): string => text.replaceAll("__HOME__", home).replaceAll("__PROJECT__", project);
  for (const file of readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) =>
    join(root, name),
  )) {
    if (!statSync(file).isFile()) continue;
    const bytes = readFileSync(file);
    const text = bytes.toString("utf8");
    if (Buffer.from(text, "utf8").equals(bytes)) writeFileSync(file, fill(text));
  }
  mkdirSync(join(project, ".git"));
  const manifest = JSON.parse(readFileSync(join(root, "manifest.json"), "utf8")) as Manifest & JsonValue;
  return {
    root,
    home,
    project,
    manifest,
    path: (manifestPath) => join(root, ...manifestPath.split("/")),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}
