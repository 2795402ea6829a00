import {
  createToken,
  findKnownPerson,
  findPerson,
  parseLifetime,
  type TokenScopes,
} from "../access/index.ts";
import type { HostOptions } from "../host-api.ts";
import { sourceOf } from "../host-source.ts";
import { HostError, Redactor } from "../model/index.ts";
import type { AccessToken, Person, TeamStore } from "../store/index.ts";
import { openTeamStore } from "./open-team-store.ts";
import { loadTeamConfig } from "./team-config.ts";

export { parseLifetime };

/** A token as administrators see it. */
export interface TokenRow extends Omit<AccessToken, "person"> {
  readonly person: { readonly id: string; readonly name: string };
  readonly state: "valid" | "expired" | "revoked";
}

/** A token to create. */
export interface WantedToken {
  /** The name, email address or id of the person. A new name is a new person. */
  readonly person: string;
  readonly name: string;
  readonly lifetimeMs: number;
  readonly scopes: TokenScopes;
}

/** What commands on the machine of a gateway may do. The gateway need not run; if it does, it notices within two seconds. */
export interface TeamAdmin {
  createToken(wanted: WantedToken): Promise<{ readonly text: string; readonly token: TokenRow }>;
  /** Returns the tokens of one person, or all, newest first. */
  tokens(person?: string): Promise<readonly TokenRow[]>;
  /** Revokes the tokens with this id or name. Returns them. */
  revokeTokens(idOrName: string): Promise<readonly TokenRow[]>;
  close(): Promise<void>;
}

/** Opens what a gateway's config file names. Rejects if the file is wrong. */
export async function openTeamAdmin(
  configFile: string,
  given: Pick<HostOptions, "cwd" | "home" | "env" | "ports" | "log"> = {},
): Promise<TeamAdmin> {
  const { ports, places, environment } = sourceOf(given, [], new Redactor());
  const config = await loadTeamConfig(configFile, ports.files, environment);
  const { team, close } = await openTeamStore(config, { ports, places, environment, isGateway: false });
  const { people, tokens } = team;
  const now = (): number => ports.clock.now();
  const toRow = async (token: AccessToken, known?: Person): Promise<TokenRow> => {
    const person = known ?? (await people.get(token.person));
    const isRevoked = token.revokedAt !== undefined;
    return {
      ...token,
      person: { id: token.person, name: person?.name ?? person?.subject ?? token.person },
      state: isRevoked ? "revoked" : token.expiresAt <= now() ? "expired" : "valid",
    };
  };
  /** Throws for a typo in a name, which would make the token useless. */
  const assertKnown = ({ servers = [], bundles = [] }: TokenScopes): void => {
    const { declarations, bundles: known } = config.managed;
    for (const server of servers)
      if (!declarations.some(({ name }) => name === server))
        throw new HostError("SERVER_UNKNOWN", `Unknown server "${server}".`, { server });
    for (const bundle of bundles)
      if (!known.some(({ id }) => id === bundle))
        throw new HostError("BUNDLE_UNKNOWN", `Unknown bundle "${bundle}".`);
  };
  return {
    async createToken({ person: wanted, name, lifetimeMs, scopes }) {
      assertKnown(scopes);
      const person = await findPerson(people, wanted);
      const { text, token } = await createToken(
        tokens,
        { person: person.id, name, scopes, lifetimeMs },
        now(),
      );
      return { text, token: await toRow(token, person) };
    },
    async tokens(person) {
      const wanted = person === undefined ? undefined : await knownPerson(people, person);
      return Promise.all((await tokens.list(wanted?.id)).map((token) => toRow(token)));
    },
    async revokeTokens(idOrName) {
      const found = (await tokens.list()).filter(
        ({ id, name, revokedAt }) => revokedAt === undefined && (id === idOrName || name === idOrName),
      );
      for (const { id } of found) await tokens.revoke(id);
      return Promise.all(found.map((token) => toRow({ ...token, revokedAt: now() })));
    },
    close,
  };
}

async function knownPerson(people: TeamStore["people"], wanted: string): Promise<Person> {
  const found = await findKnownPerson(people, wanted);
  if (found !== undefined) return found;
  throw new HostError("USAGE_INVALID", `Unknown person "${wanted}".`);
}
