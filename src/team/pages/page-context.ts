import type { Access } from "../../access/index.ts";
import type { Bundle, JsonObject } from "../../model/index.ts";
import type { Http, IncomingRequest, OutgoingResponse, Ports } from "../../platform/index.ts";
import type { PolicySubject } from "../../policy/index.ts";
import type { Person } from "../../store/index.ts";
import type { OpenedTeamStore } from "../open-team-store.ts";
import type { PeopleServings } from "../people-servings.ts";
import type { PolicySource } from "../policy-source.ts";
import type { PageSignIn } from "../team-config.ts";

/** The dependencies of the pages. The functions return what applies now. */
export interface TeamPagesContext {
  readonly access: Access;
  readonly opened: OpenedTeamStore;
  readonly policy: PolicySource;
  readonly people: () => PeopleServings;
  readonly ports: Pick<Ports, "clock" | "log"> & { readonly http: Http };
  /** Lets another gateway of the team answer a request. Resolves with `false` if it cannot. */
  forward(request: IncomingRequest, response: OutgoingResponse, node: string): Promise<boolean>;
  /** Returns whether a person may know about a server. */
  sees(person: Person, server: string): boolean;
  publicUrl(): string;
  signIn(): PageSignIn | undefined;
  /** The policy of the config file, as written. */
  policySource(): JsonObject | undefined;
  /** The names of all servers. */
  servers(): readonly string[];
  bundles(): readonly Bundle[];
  /** Returns the known tools, resources and prompts of the servers. */
  subjects(): Promise<readonly PolicySubject[]>;
}
