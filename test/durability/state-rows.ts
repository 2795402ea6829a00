import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type HttpScriptedServer, serveHttp } from "../../src/testing/index.ts";
import { hostIn } from "../flow/host-in.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

/** How many servers of a project can be approved. */
export const APPROVABLE = 300;

/** A home that stores secrets, approvals and pins, and the server whose tools are pinned. */
export interface StateRows extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly url: string;
  /** Stores one row of each kind, as the writers do. */
  keep(name: string): Promise<string[]>;
  /** Returns what is wrong with the stored data. Rows are `secret <name>`, `approval <server>` and `pins <name>`. */
  faults(rows: Iterable<string>): Promise<string[]>;
}

export async function openStateRows(): Promise<StateRows> {
  const sandbox = await createSandbox();
  const server: HttpScriptedServer = await serveHttp({
    name: "pinned",
    version: "1.0.0",
    tools: { echo: { inputSchema: { type: "object" }, run: ({ text }) => String(text) } },
  });
  const entries = Array.from({ length: APPROVABLE }, (_, at) => [
    `p${at}`,
    { command: "node", args: [`${at}`] },
  ]);
  await sandbox.writeProject(".mcp.json", { mcpServers: Object.fromEntries(entries) });
  return {
    sandbox,
    url: server.url,
    keep: (name) => keepIn(sandbox, server.url, name),
    faults: async (rows) => [...(await lostOf(sandbox, server.url, [...rows])), ...(await brokenIn(sandbox))],
    async [Symbol.asyncDispose]() {
      await server.close();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

async function keepIn(sandbox: Sandbox, url: string, name: string): Promise<string[]> {
  await using host = await hostIn(sandbox, {
    servers: { [name]: { type: "http", url: `${url}?of=${name}` } },
  });
  await host.secrets.store(name, `the secret of ${name}`);
  await host.approvals.approve("p0", host.approvals.request("p0").hash);
  const [report] = await host.pins.review(name);
  await host.pins.accept(name, report?.hash ?? "");
  return [`secret ${name}`, "approval p0", `pins ${name}`];
}

async function lostOf(sandbox: Sandbox, url: string, rows: readonly string[]): Promise<string[]> {
  const named = (kind: string): string[] =>
    rows.filter((row) => row.startsWith(`${kind} `)).map((row) => row.slice(kind.length + 1));
  const pinned = named("pins");
  await using host = await hostIn(sandbox, {
    servers: Object.fromEntries(pinned.map((name) => [name, { type: "http", url: `${url}?of=${name}` }])),
  });
  const secrets = await host.secrets.list();
  const approved = host.approvals
    .list()
    .flatMap(({ server, status }) => (status === "approved" ? [server] : []));
  const lost = [
    ...named("secret").filter((name) => !secrets.includes(name)),
    ...named("approval").filter((name) => !approved.includes(name)),
  ];
  for (const name of pinned) {
    const [report] = await host.pins.review(name);
    if (report === undefined || report.isFirst || report.unreadable !== undefined) lost.push(name);
  }
  return lost.map((name) => `${name} is lost`);
}

/** Returns files with incomplete content. Files that a killed process did not finish have another name. */
async function brokenIn({ home }: Sandbox): Promise<string[]> {
  const files = (await readdir(home, { recursive: true })).filter((file) =>
    /\.(?:jsonl?|sealed)$/.test(file),
  );
  const texts = await Promise.all(files.map((file) => readFile(join(home, file), "utf8")));
  return files.filter((file, at) => {
    const text = texts[at] ?? "";
    const parts = file.endsWith("l") ? text.trimEnd().split("\n") : [text];
    return !parts.every(isJson);
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
