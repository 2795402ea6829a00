import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { acquireLock } from "../../src/documents/file-lock.ts";
import { parseJson, parseText } from "../../src/documents/index.ts";
import { isJsonObject } from "../../src/model/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import type { Sandbox } from "../support/sandbox.ts";
import type { Fault } from "./fate.ts";

/** The servers that any of the files declares. */
export async function namesDeclared(sandbox: Sandbox): Promise<string[]> {
  const names: string[] = [];
  for (const file of (await filesIn(sandbox)).filter((path) => path.endsWith(".json"))) {
    const { value } = parseJson(await readFile(file, "utf8"));
    const servers = isJsonObject(value) ? value["mcpServers"] : undefined;
    if (isJsonObject(servers)) names.push(...Object.keys(servers));
  }
  return names;
}

/**
 * Checks that every file can be read, every lock is free, and no partial file is left except those that could not be
 * removed.
 */
export async function complaintsAboutFiles(
  sandbox: Sandbox,
  failed = "",
  { lasting }: Fault,
): Promise<string[]> {
  const complaints: string[] = [];
  const left: string[] = [];
  for (const file of await filesIn(sandbox)) {
    if (/\.(?:lock|turn|tmp)$/.test(file)) left.push(file);
    else complaints.push(...(await complaintsAboutText(file, lasting || failed.startsWith("files.append"))));
  }
  if (!lasting)
    complaints.push(
      ...left.filter((file) => !failed.includes(` ${file}`)).map((file) => `${file} lies about`),
    );
  for (const file of left) if (!file.endsWith(".tmp")) complaints.push(...(await complaintsAboutLock(file)));
  const stillThere = new Set(await filesIn(sandbox));
  return [
    ...complaints,
    ...left.filter((file) => stillThere.has(file)).map((file) => `${file} is never cleared away`),
  ];
}

async function complaintsAboutLock(file: string): Promise<string[]> {
  try {
    await (await acquireLock(nodePorts(), file)).release();
    return [];
  } catch (error) {
    return [`${file} stays locked: ${String(error)}`];
  }
}

/** Only files that are appended to may end with a partial line. */
async function complaintsAboutText(file: string, mayBeCut: boolean): Promise<string[]> {
  const text = await readFile(file, "utf8");
  const wrong = (parts: readonly string[]): string[] =>
    parts.flatMap((part) => parseJson(part).problems.map(({ message }) => `${file} ${message}`));
  switch (extname(file)) {
    case ".json":
    case ".sealed":
      return wrong([text]);
    case ".toml":
      return (await parseText(text, "toml")).problems.map(({ message }) => `${file} ${message}`);
    case ".key":
      return Buffer.from(text, "base64").length === 32 ? [] : [`${file} is no key`];
    case ".jsonl":
      return mayBeCut && file.includes("/logs/") ? [] : wrong(text.trimEnd().split("\n"));
    default:
      return [];
  }
}

async function filesIn({ home, project }: Sandbox): Promise<string[]> {
  const entries = await Promise.all(
    [home, project].map((folder) => readdir(folder, { recursive: true, withFileTypes: true })),
  );
  return entries
    .flat()
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
