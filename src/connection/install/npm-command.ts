import { commandLineOf, withCommandLine } from "../prepare/preparation.ts";
import type { StdioLaunch } from "../start-program.ts";
import type { NpxLine } from "./npx-line.ts";
import { type InstallerRun, runInstaller } from "./run-installer.ts";

/** What the registry says about a version. */
export interface PublishedFacts {
  /** Milliseconds since 1970. `undefined` if the registry does not say. */
  readonly publishedAt?: number;
  /** The type of the provenance attestation, if the version has one. npm itself has not verified it. */
  readonly provenance?: string;
  /** Why the publisher advises against the version. */
  readonly deprecated?: string;
}

/** A command line with npx, and the index of npx in it. */
interface NpxRun {
  readonly launch: StdioLaunch;
  readonly at: number;
  readonly line: NpxLine;
}

/** Options that decide which registry npm asks, and how. The prefix keeps it from the settings of the folder that it runs in. */
const REGISTRY_OPTIONS = /^--(?:registry|prefix|userconfig|globalconfig|proxy|https-proxy|noproxy|cafile)$/;

/** Returns a command line that runs npm instead of the npx of an installation, with the same registry. */
export function npmCommand(
  { launch, at, line: { optionsEnd } }: NpxRun,
  words: readonly string[],
): StdioLaunch {
  const line = commandLineOf(launch);
  const npm = (line[at] ?? "npm").replace(/np[xm](?=(?:\.\w+)?$)/i, "npm");
  const given = line.slice(at + 1, optionsEnd);
  const options = given.flatMap((word, index) => {
    const [name = ""] = word.split("=", 1);
    if (!REGISTRY_OPTIONS.test(name)) return [];
    return word.includes("=") ? [word] : [`${word}=${given[index + 1] ?? ""}`];
  });
  return withCommandLine(launch, [...line.slice(0, at), npm, ...options, ...words]);
}

/** Asks the registry about one version. Returns nothing that it does not say, and nothing if it cannot be asked. */
export async function readPublishedFacts(
  installation: NpxRun,
  spec: string,
  run: InstallerRun,
): Promise<PublishedFacts> {
  const version = spec.slice(spec.lastIndexOf("@") + 1);
  const fields = ["version", `time[${version}]`, "dist.attestations.provenance.predicateType", "deprecated"];
  const words = ["view", spec, ...fields, "--prefer-offline", "--logs-max=0"];
  const { output } = await runInstaller(npmCommand(installation, words), { ...run, onLine: () => {} });
  const value = (start: string): string | undefined =>
    output
      .split("\n")
      .find((line) => line.startsWith(`${start} = '`))
      ?.slice(start.length + 4, -1);
  const publishedAt = Date.parse(value(`time[${version}]`) ?? "");
  const provenance = value("dist.attestations.provenance.predicateType");
  const deprecated = value("deprecated");
  return {
    ...(Number.isFinite(publishedAt) && { publishedAt }),
    ...(provenance !== undefined && { provenance }),
    ...(deprecated !== undefined && { deprecated }),
  };
}
