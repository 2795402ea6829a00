import { ofConfigFiles } from "./of-config-files.ts";
import { ofMachines } from "./of-machines.ts";
import { ofRepositories } from "./of-repositories.ts";
import { ofSecrets } from "./of-secrets.ts";
import { ofSignIns } from "./of-sign-ins.ts";
import { ofTools } from "./of-tools.ts";
import type { Threat } from "./threat.ts";

/**
 * All threats, by section of `SECURITY.md`, whose tables are generated from them. `defences.test.ts` checks that the tests
 * exist.
 */
export const THREATS: Readonly<Record<string, readonly Threat[]>> = {
  "Attacks by a repository": ofRepositories,
  "Attacks by a repository's config files": ofConfigFiles,
  "Attacks by a server's tools": ofTools,
  "Attacks by a server on your terminal, files and secrets": ofSecrets,
  "Attacks by a server on your machine": ofMachines,
  "Attacks by a server on a sign-in": ofSignIns,
};
