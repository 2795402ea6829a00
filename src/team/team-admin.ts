import {
  Access,
  createToken,
  findKnownPerson,
  findPerson,
  parseLifetime,
  type TokenScopes,
} from "../access/index.ts";
import type { HostOptions } from "../host-api.ts";
import { sourceOf } from "../host-source.ts";
import { HostError, Redactor } from "../model/index.ts";
import type { AccessToken, Person, RemovedData, Role, TeamStore } from "../store/index.ts";
import { openTeamStore } from "./open-team-store.ts";
import { hashOf, randomId } from "./pages/page-sessions.ts";
import { recordChange } from "./pages/record-change.ts";
import { loadTeamConfig } from "./team-config.ts";

export { parseLifetime };

const LINK_MS = 3_600_000;
const MOST_LISTED = 10_000;

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

/** The operations for commands on a gateway's machine. The gateway need not be running; if it is, it sees the changes within two seconds. */
export interface TeamAdmin {
  createToken(wanted: WantedToken): Promise<{ readonly text: string; readonly token: TokenRow }>;
  /** Returns the tokens of one person, or all, newest first. */
  tokens(person?: string): Promise<readonly TokenRow[]>;
  /** Revokes the tokens with this id or name, of one person if `person` is given. Rejects if several people have a token with this name. */
  revokeTokens(idOrName: string, person?: string): Promise<readonly TokenRow[]>;
  /** Returns people in the order of their names. */
  people(search?: string): Promise<readonly PersonRow[]>;
  /** Adds a person who signs in without an identity provider, unless the person already exists. */
  addPerson(name: string): Promise<PersonRow>;
  setRole(person: string, role: Role): Promise<PersonRow>;
  setDisabled(person: string, isDisabled: boolean): Promise<PersonRow>;
  /** Deletes a person with everything that belongs to the person. Returns how many rows were deleted, by table. */
  removePerson(person: string): Promise<{ readonly person: PersonRow; readonly removed: RemovedData }>;
  /** Returns a page on which one person can become an administrator, once and within an hour. */
  administratorLink(): Promise<string>;
  close(): Promise<void>;
}

/** A person as administrators see it. */
export interface PersonRow extends Person {
  /** The role, with what the config file says. */
  readonly role: Role;
}

/** Opens the store that a gateway's config file names. Rejects if the file is invalid. */
export async function openTeamAdmin(
  configFile: string,
  given: Pick<HostOptions, "cwd" | "home" | "env" | "ports" | "log"> = {},
): Promise<TeamAdmin> {
  const { ports, places, environment } = sourceOf(given, [], new Redactor());
  const config = await loadTeamConfig(configFile, ports.files, environment);
  const { team, audit, close } = await openTeamStore(config, {
    ports,
    places,
    environment,
    isGateway: false,
  });
  const { people, tokens, tickets } = team;
  const access = new Access(config.access, { ...ports, store: team });
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
  const toPersonRow = (person: Person): PersonRow => ({
    ...person,
    role: access.roleOf(person, access.describe(person)),
  });
  const record = (kind: "token" | "admin", method: string, item: string): void =>
    recordChange(audit, now(), { kind, method, item, client: "plugboard" });
  const change = async (
    wanted: string,
    method: string,
    apply: (id: string) => Promise<boolean>,
  ): Promise<PersonRow> => {
    const { id } = await knownPerson(people, wanted);
    await apply(id);
    record("admin", method, id);
    return toPersonRow(await knownPerson(people, id));
  };
  /** Throws for a mistyped name, because the token would be useless. */
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
      record("token", "token/create", token.id);
      return { text, token: await toRow(token, person) };
    },
    async tokens(person) {
      const wanted = person === undefined ? undefined : await knownPerson(people, person);
      return Promise.all((await tokens.list(wanted?.id)).map((token) => toRow(token)));
    },
    async revokeTokens(idOrName, person) {
      const wanted = person === undefined ? undefined : await knownPerson(people, person);
      const found = (await tokens.list(wanted?.id)).filter(
        ({ id, name, revokedAt }) => revokedAt === undefined && (id === idOrName || name === idOrName),
      );
      if (new Set(found.map((token) => token.person)).size > 1)
        throw new HostError("USAGE_INVALID", `Several people have a token "${idOrName}".`, {
          hint: "Specify the person with --person, or use the token's id.",
        });
      for (const { id } of found) {
        await tokens.revoke(id);
        record("token", "token/revoke", id);
      }
      return Promise.all(found.map((token) => toRow({ ...token, revokedAt: now() })));
    },
    people: async (search) =>
      (await people.list({ limit: MOST_LISTED, ...(search !== undefined && { search }) })).map(toPersonRow),
    async addPerson(name) {
      const person = await findPerson(people, name);
      record("admin", "person/add", person.id);
      return toPersonRow(person);
    },
    setRole: (person, role) => change(person, `role/${role}`, (id) => people.setRole(id, role)),
    setDisabled: (person, isDisabled) =>
      change(person, isDisabled ? "person/disable" : "person/enable", (id) =>
        people.setDisabled(id, isDisabled),
      ),
    async removePerson(wanted) {
      const person = await knownPerson(people, wanted);
      const removed = (await people.remove(person.id)) ?? {};
      record("admin", "person/delete", person.id);
      return { person: toPersonRow(person), removed };
    },
    async administratorLink() {
      const link = randomId();
      const value = { administrator: true };
      await tickets.create({ kind: "link", person: "", value, expiresAt: now() + LINK_MS }, hashOf(link));
      record("admin", "administrator/link", "");
      return `${config.publicUrl}/administrator/${link}`;
    },
    async close() {
      access.directory.close();
      await audit.saved();
      await close();
    },
  };
}

async function knownPerson(people: TeamStore["people"], wanted: string): Promise<Person> {
  const found = await findKnownPerson(people, wanted);
  if (found !== undefined) return found;
  throw new HostError("USAGE_INVALID", `Unknown person "${wanted}".`);
}
