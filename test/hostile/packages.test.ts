import { expect, test } from "vitest";
import { failureOf, hostIn } from "../flow/host-in.ts";
import { createSandbox } from "../support/sandbox.ts";
import { hasStarted, isStopped, runPackageCases } from "./run-package-cases.ts";
import { badPackages, goodPackages, type PackageCase } from "./seeded-packages.ts";

/** `npm run score` runs all forty. */
const KINDS = {
  bad: [
    "malicious dependency",
    "malicious by tag",
    "tampered tarball",
    "changed tarball",
    "another version",
    "new release",
  ],
  good: ["older version", "new and locked", "script and allowed", "vulnerable"],
};

function oneOfEach(cases: readonly PackageCase[], kinds: readonly string[]): PackageCase[] {
  return kinds.map((kind) => {
    const found = cases.find((each) => each.kind === kind);
    if (found === undefined) throw new Error(`there is no case of the kind "${kind}"`);
    return found;
  });
}

test("a bad package of each kind is stopped before any of its code runs", async () => {
  let cases: readonly PackageCase[] = [];
  const kinds = [...KINDS.bad, "install script", "look-alike", "yanked"];
  const outcomes = await runPackageCases((marker) => (cases = oneOfEach(badPackages(marker), kinds)));
  const wrong = outcomes.filter((outcome, index) => !isStopped(cases[index] as PackageCase, outcome));
  expect(wrong).toEqual([]);
}, 120_000);

test("good packages start, even if they resemble bad ones", async () => {
  let cases: readonly PackageCase[] = [];
  const outcomes = await runPackageCases(
    (marker) => (cases = goodPackages(marker).filter(({ kind }) => KINDS.good.includes(kind))),
  );
  const wrong = outcomes.filter((outcome, index) => !hasStarted(cases[index] as PackageCase, outcome));
  expect(wrong).toEqual([]);
}, 120_000);

test("a repository's lock file does not make a look-alike package known", async () => {
  await using sandbox = await createSandbox();
  const name = "@modelcontextprotocol/server-filesytem";
  const locked = { ecosystem: "npm", name, version: "1.0.0", integrity: "sha512-AA==" };
  await sandbox.writeHome(".npmrc", "registry=http://127.0.0.1:9/\nfetch-retries=0\n");
  await sandbox.writeProject(".mcp.json", {
    mcpServers: { files: { command: "npx", args: ["-y", `${name}@1.0.0`, "."] } },
  });
  await sandbox.writeProject("mcp.lock.json", {
    lockfileVersion: 1,
    servers: { files: { launch: "0".repeat(64), package: locked } },
  });
  await using host = await hostIn(sandbox, { trustProject: true });
  expect(await failureOf(host.connect("files"))).toMatchObject({
    code: "PACKAGE_REFUSED",
    message: expect.stringContaining("resembles @modelcontextprotocol/server-filesystem"),
    hint: expect.stringContaining("If this is a typo, correct the name in the server's entry."),
  });
});
