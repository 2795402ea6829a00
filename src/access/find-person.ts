import { HostError } from "../model/index.ts";
import type { Person, TeamStore } from "../store/index.ts";
import { LOCAL_ISSUER } from "./principal.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the person that an administrator means: an id, a name or an email address. Throws if several people match. */
export async function findKnownPerson(
  people: TeamStore["people"],
  wanted: string,
): Promise<Person | undefined> {
  const byId = UUID.test(wanted) ? await people.get(wanted) : undefined;
  if (byId !== undefined) return byId;
  const found = (await people.list({ search: wanted })).filter(({ name, email, subject }) =>
    [name, email, subject].includes(wanted),
  );
  if (found.length > 1)
    throw new HostError("USAGE_INVALID", `Several people are called "${wanted}". Use the id of one of them.`);
  return found[0];
}

/** Returns the person that an administrator named. For an unknown name, creates a person who signs in without an identity provider. */
export async function findPerson(people: TeamStore["people"], wanted: string): Promise<Person> {
  if (wanted === "" || wanted.length > 256 || /[\p{Cc}\p{Cf}\p{Cs}]/u.test(wanted))
    throw new HostError(
      "USAGE_INVALID",
      "A person's name must be a text of 1 to 256 characters without control characters.",
    );
  const known = await findKnownPerson(people, wanted);
  return known ?? people.save({ issuer: LOCAL_ISSUER, subject: wanted, name: wanted, groups: [] });
}
