import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHost, isHostError } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startSeededRegistry } from "../support/seeded-registry.ts";
import type { PackageCase } from "./seeded-packages.ts";

const SERVER = fileURLToPath(new URL("../servers/raw-server.mjs", import.meta.url));

/** What happened to one package. */
export interface PackageOutcome {
  readonly what: string;
  /** The package and version whose program started, if any. */
  readonly started: readonly string[];
  /** Whether the install script of the case ran. */
  readonly ranScript: boolean;
  /** The error code, or `"connected"`. */
  readonly result: string;
  readonly message: string;
}

/** Starts the package of every case from a registry of its own, with one home, one lock file and one file of advisories. */
export async function runPackageCases(
  build: (marker: (name: string) => string) => readonly PackageCase[],
  atOnce = 2,
): Promise<readonly PackageOutcome[]> {
  await using sandbox = await createSandbox();
  const marks = join(sandbox.home, "marks");
  await mkdir(marks);
  const marker = (name: string): string => join(marks, `script-${encodeURIComponent(name)}`);
  const cases = build(marker);
  await using registry = await startSeededRegistry(
    (spec) => `#!/usr/bin/env node
import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(join(marks, `started-${encodeURIComponent(spec)}`))}, "");
await import(${JSON.stringify(SERVER)});
`,
    cases.flatMap(({ packages }) => packages),
  );
  const advisories = createServer((_, response) =>
    response.end(JSON.stringify(cases.flatMap((each) => each.advisories ?? []))),
  );
  await new Promise<void>((resolve) => advisories.listen(0, "127.0.0.1", resolve));
  const servers = Object.fromEntries(
    cases.map(({ spec }, index) => [`s${index}`, { command: "npx", args: ["-y", ...spec.split(" ")] }]),
  );
  const locked = cases.flatMap(({ lock }, index) => {
    if (lock === undefined) return [];
    const { name, version, integrity = registry.integrityOf(name, version) } = lock;
    const entry = { launch: "0".repeat(64), package: { ecosystem: "npm", name, version, integrity } };
    return [[`s${index}`, entry] as const];
  });
  await sandbox.writeHome(".npmrc", `registry=${registry.url}/\nfetch-retries=0\n`);
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: servers });
  await sandbox.writeHome(".plugboard/mcp.lock.json", {
    lockfileVersion: 1,
    servers: Object.fromEntries(locked),
  });
  await sandbox.writeHome(".plugboard/settings.json", {
    advisories: `http://127.0.0.1:${(advisories.address() as AddressInfo).port}/osv.json`,
    allowPackages: cases.flatMap(({ settings }) => settings?.allowPackages ?? []),
    installScripts: cases.flatMap(({ settings }) => settings?.installScripts ?? []),
  });
  const host = await createHost({ cwd: sandbox.project, env: sandbox.env(), timeoutMs: 120_000 });
  try {
    if (cases.some((each) => each.advisories !== undefined)) await host.supply.updateAdvisories();
    const results = new Map<number, { readonly code: string; readonly message: string }>();
    const queue = [...cases.keys()];
    const worker = async (): Promise<void> => {
      for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
        const result = await host.connect(`s${index}`).then(
          () => ({ code: "connected", message: "" }),
          (error: unknown) => ({
            code: isHostError(error) ? error.code : "UNEXPECTED",
            message: String(error),
          }),
        );
        results.set(index, result);
        await host.close(`s${index}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    const started = (await readdir(marks)).flatMap((file) =>
      file.startsWith("started-") ? [decodeURIComponent(file.slice("started-".length))] : [],
    );
    return cases.map(({ what, packages, scriptOf }, index) => {
      const { code = "", message = "" } = results.get(index) ?? {};
      const own = packages.flatMap(({ name, versions }) =>
        versions.map(({ version }) => `${name}@${version}`),
      );
      const scripted = scriptOf ?? packages[0]?.name ?? "";
      return {
        what,
        started: own.filter((spec) => started.includes(spec)),
        ranScript: existsSync(marker(scripted)),
        result: code,
        message,
      };
    });
  } finally {
    await host.close();
    await new Promise((resolve) => advisories.close(resolve));
  }
}

/** Returns whether a bad package was stopped: its code did not run. */
export function isStopped({ scriptOf }: PackageCase, outcome: PackageOutcome): boolean {
  if (scriptOf !== undefined) return outcome.result === "connected" && !outcome.ranScript;
  return outcome.started.length === 0 && /^(?:PACKAGE_REFUSED|INSTALL_FAILED)$/.test(outcome.result);
}

/** Returns whether a good package started, in the right version and with its script if it has one. */
export function hasStarted({ starts, packages, settings }: PackageCase, outcome: PackageOutcome): boolean {
  const [root] = packages;
  const expected = `${root?.name}@${starts ?? root?.versions[0]?.version}`;
  return (
    outcome.result === "connected" &&
    outcome.started.join() === expected &&
    outcome.ranScript === (settings?.installScripts !== undefined)
  );
}
