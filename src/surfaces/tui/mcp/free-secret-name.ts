import type { Host } from "../../../index.ts";

/** Returns an unused name for a server's secret. */
export async function freeSecretName(host: Host, server: string): Promise<string> {
  const taken = new Set(await host.secrets.list());
  const base = server.replace(/[^A-Za-z0-9_.-]/g, "-").replace(/^[^A-Za-z0-9_]+/, "") || "server";
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(name)) return name;
  }
}
