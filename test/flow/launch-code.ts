import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Host } from "../../src/index.ts";
import type { Sandbox } from "../support/sandbox.ts";

const raw = fileURLToPath(new URL("../servers/raw-server.mjs", import.meta.url));

/** What a probe server wrote when it started. */
export interface Probe {
  /** Which copy of the server this is. */
  readonly who: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly path: readonly string[];
}

/** A server that writes who it is and where it started into PROBE_FILE, with a name for this copy of it. */
export function probeServer(who: string): string {
  return `#!/usr/bin/env node
import { writeFileSync } from "node:fs";
const { env, argv } = process;
const probe = { who: ${JSON.stringify(who)}, cwd: process.cwd(), args: argv.slice(2), path: (env.PATH ?? "").split(":") };
if (env.PROBE_FILE) writeFileSync(env.PROBE_FILE, JSON.stringify(probe));
process.argv.splice(2);
await import(${JSON.stringify(raw)});
`;
}

export function probeFile(sandbox: Sandbox): string {
  return join(sandbox.home, "probe.json");
}

/** Starts the server and returns what it wrote. */
export async function probe(sandbox: Sandbox, host: Host, server: string): Promise<Probe> {
  await host.doctor.test(server);
  return JSON.parse(await readFile(probeFile(sandbox), "utf8")) as Probe;
}

/** Approves the server as it is now. */
export async function approve(host: Host, server: string): Promise<void> {
  await host.approvals.approve(server, host.approvals.request(server).hash);
}

/** A program that must not run. It reports that and fails. */
export async function writeTrap(sandbox: Sandbox, path: string): Promise<void> {
  const file = await sandbox.writeProject(path, `#!/bin/sh\necho "trap ${path}" >&2\nexit 7\n`);
  await chmod(file, 0o755);
}
