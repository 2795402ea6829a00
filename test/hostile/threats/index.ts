import { ofConfigFiles } from "./of-config-files.ts";
import { ofGatewayClients } from "./of-gateway-clients.ts";
import { ofGatewayLoad } from "./of-gateway-load.ts";
import { ofMachines } from "./of-machines.ts";
import { ofPrincipals } from "./of-principals.ts";
import { ofRecordings } from "./of-recordings.ts";
import { ofRegistries } from "./of-registries.ts";
import { ofRepositories } from "./of-repositories.ts";
import { ofRequests } from "./of-requests.ts";
import { ofSandboxedServers } from "./of-sandboxed-servers.ts";
import { ofSecrets } from "./of-secrets.ts";
import { ofSignIns } from "./of-sign-ins.ts";
import { ofTeams } from "./of-teams.ts";
import { ofTheDaemon } from "./of-the-daemon.ts";
import { ofTheDashboard } from "./of-the-dashboard.ts";
import { ofTools } from "./of-tools.ts";
import type { Threat } from "./threat.ts";

/**
 * All threats, by section of `SECURITY.md`, whose tables are generated from them. `defences.test.ts` checks that the tests
 * exist.
 */
export const THREATS: Readonly<Record<string, readonly Threat[]>> = {
  "What a repository may try": [...ofRepositories, ...ofRecordings],
  "What a repository may try with its config files": ofConfigFiles,
  "What an entry of the server registry may try": ofRegistries,
  "What a server may try with its tools": ofTools,
  "What a server may try with its own requests": ofRequests,
  "What a server may try with your terminal, your files and your secrets": ofSecrets,
  "What a server may try with your machine": ofMachines,
  "What a server may try in its sandbox": ofSandboxedServers,
  "What a server may try with a sign-in": ofSignIns,
  "What one user of a program may try with another's account": ofPrincipals,
  "What a client of the gateway may try, or a server with its clients": [
    ...ofGatewayClients,
    ...ofGatewayLoad,
  ],
  "What a person of a team, or anyone on the network, may try with its gateway": ofTeams,
  "What another process of the machine may try with the daemon": ofTheDaemon,
  "What a web page, a server or another program may try with the dashboard": ofTheDashboard,
};
