import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/model/index.ts";
import type { Sandbox } from "../support/sandbox.ts";
import type { HostileConfig } from "./configs.ts";

/** The content of files and variables that no config may access. */
export const CANARIES = {
  variable: "hush-variable-7f3a",
  file: "hush-file-91cc",
  project: "hush-project-05de",
};

/** A config in a project, with its own server name. */
export interface LaidOut {
  readonly config: HostileConfig;
  readonly name: string;
  /** The program that it tries to start. */
  readonly program: string;
}

/** Writes the configs of one project, and everything that they try to access. */
export async function layOut(
  sandbox: Sandbox,
  configs: readonly HostileConfig[],
  trap: { readonly url: string },
): Promise<LaidOut[]> {
  const { home, project } = sandbox;
  const secret = await sandbox.writeHome(".ssh/id", `${CANARIES.file}: [\n`);
  await sandbox.writeProject(".env", `KEY=${CANARIES.project}\n`);
  const laid = configs.map((config, index) => {
    const name = `bad${index}`;
    return { config, name, program: join(project, "run", name) };
  });
  const files = new Map<string, JsonObject | string>();
  for (const { config, name, program } of laid) {
    await sandbox.writeProject(join("run", name), `#!/bin/sh\necho sang > "${join(home, `sang-${name}`)}"\n`);
    await chmod(program, 0o755);
    const fill = (text: string): string =>
      text
        .replaceAll("@RUN@", program)
        .replaceAll("@URL@", `${trap.url}/${name}`)
        .replaceAll("@HOST@", new URL(trap.url).host)
        .replaceAll("@SECRET@", secret)
        .replaceAll("@HOME@", home)
        .replaceAll("@PROJECT@", project);
    const { content, file } = config;
    if (typeof content !== "function") {
      await mkdir(dirname(join(project, file)), { recursive: true });
      await symlink(fill(content.linkTo), join(project, file));
      continue;
    }
    const more = content(name);
    const before = files.get(file);
    files.set(
      file,
      typeof more === "string"
        ? `${typeof before === "string" ? before : ""}${fill(more)}`
        : (merge(isJsonObject(before) ? before : {}, JSON.parse(fill(JSON.stringify(more)))) as JsonObject),
    );
  }
  for (const [file, content] of files) {
    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), typeof content === "string" ? content : JSON.stringify(content));
  }
  return laid;
}

/** Merges objects member by member, and concatenates lists. */
function merge(before: JsonValue | undefined, after: JsonValue): JsonValue {
  if (Array.isArray(before) && Array.isArray(after)) return [...before, ...after];
  if (!isJsonObject(before) || !isJsonObject(after)) return after;
  const members = Object.entries(after).map(([key, value]) => [key, merge(before[key], value)] as const);
  return { ...before, ...Object.fromEntries(members) };
}
