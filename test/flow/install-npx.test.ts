import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../support/sandbox.ts";
import { startPackageRegistry } from "../support/package-registry.ts";
import { eventsOf, hostIn } from "./host-in.ts";
import { probeServer } from "./launch-code.ts";

test("a package that is not in npm's cache is installed first, and then started", async () => {
  await using sandbox = await createSandbox();
  await using registry = await startPackageRegistry("mcp-acme", probeServer("published"));
  await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
  const servers = { acme: { command: "npx", args: ["-y", "mcp-acme@1.0.0"] } };
  await using host = await hostIn(sandbox, { servers });
  const events = eventsOf(host);
  await host.connect("acme");
  const states = events.flatMap((event) => (event.type === "server.state" ? [event.state] : []));
  expect(states.map(({ kind }) => kind).filter((kind, at, all) => kind !== all[at - 1])).toEqual([
    "connecting",
    "installing",
    "connecting",
    "connected",
  ]);
  expect(states.find(({ kind }) => kind === "installing")).toMatchObject({ runner: "npx", package: "mcp-acme@1.0.0" });
  expect(await readdir(join(sandbox.home, ".npm", "_plugboard"))).toEqual([]);
}, 60_000);
