import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Rig } from "./check-fault.ts";
import type { HttpFault } from "./fault.ts";

const program = fileURLToPath(new URL("faulty-http.mjs", import.meta.url));

/** What one server reports about itself. */
export interface Witness {
  readonly seen: readonly string[];
  readonly open: number;
  readonly at: number;
}

export interface FaultyHttp extends AsyncDisposable {
  /** A healthy server of the same program. */
  readonly healthyUrl: string;
  urlOf(fault: HttpFault): string;
  ask(name: string): Promise<Witness>;
}

/** Starts the program that serves all faults, each at its own URL. */
export async function startFaultyHttp(faults: readonly HttpFault[]): Promise<FaultyHttp> {
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const scripts = {
    healthy: { on: {} },
    ...Object.fromEntries(faults.map(({ name, server }) => [name, server])),
  };
  child.stdin.write(`${JSON.stringify(scripts)}
`);
  const line = await new Promise<string>((resolve) =>
    createInterface({ input: child.stdout }).once("line", resolve),
  );
  const { urls, control } = JSON.parse(line) as { urls: Record<string, string>; control: string };
  return {
    healthyUrl: urls["healthy"] ?? "",
    urlOf({ name, server: { url = urls[name] ?? "", secure } }) {
      return secure ? url.replace("http:", "https:") : url;
    },
    async ask(name) {
      const response = await fetch(`${control}/${encodeURIComponent(name)}`);
      return (await response.json()) as Witness;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}

export function httpRig(http: FaultyHttp, fault: HttpFault): Rig {
  return {
    good: { type: "http", url: http.healthyUrl },
    entry: () => ({ type: fault.server.sse ? "sse" : "http", url: http.urlOf(fault) }),
    seen: async () => (await http.ask(fault.name)).seen,
    async left() {
      const { open } = await http.ask(fault.name);
      return open === 0 ? [] : [`${open} connections`];
    },
  };
}
