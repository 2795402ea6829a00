import { randomUUID } from "node:crypto";
import { HostError } from "../../model/index.ts";
import type { Clock } from "../../platform/index.ts";
import type { PeopleStore, Person, RemovedData } from "../team-records.ts";
import type { ListFile } from "./list-file.ts";

const MINUTE_MS = 60_000;
const USUAL_PAGE = 100;

/** Keeps people in a file. `removeData` deletes what else is stored about a person. */
export function createFilePeople(
  file: ListFile<Person>,
  clock: Clock,
  removeData: (id: string) => Promise<RemovedData>,
): PeopleStore {
  const change = async (id: string, changed: (person: Person) => Person): Promise<boolean> => {
    let isFound = false;
    await file.update((people) => {
      isFound = people.some((person) => person.id === id);
      if (!isFound) return people;
      const next = people.map((person) => (person.id === id ? changed(person) : person));
      assertAdministrator(people, next);
      return next;
    });
    return isFound;
  };
  return {
    get: async (id) => (await file.read()).find((person) => person.id === id),
    find: async (issuer, subject) => (await file.read()).find(isSame({ issuer, subject })),
    async save(facts, role = "person") {
      let saved: Person | undefined;
      await file.update((people) => {
        const known = people.find(isSame(facts));
        const { id, createdAt } = known ?? { id: randomUUID(), createdAt: clock.now() };
        const person: Person = { role, ...known, ...facts, id, createdAt };
        saved = person;
        if (known !== undefined && JSON.stringify(known) === JSON.stringify(person)) return people;
        return [...people.filter((one) => one !== known), person];
      });
      if (saved === undefined) throw new TypeError("The update was not called.");
      return saved;
    },
    async list({ search = "", offset = 0, limit = USUAL_PAGE } = {}) {
      const wanted = search.toLowerCase();
      const found = (await file.read()).filter(({ name = "", email = "", subject }) =>
        [name, email, subject].some((text) => text.toLowerCase().includes(wanted)),
      );
      const rank = ({ name = "", email = "", subject }: Person): number =>
        [name, email, subject].some((text) => text.toLowerCase() === wanted) ? 0 : 1;
      return found
        .toSorted((left, right) => rank(left) - rank(right) || (nameOf(left) < nameOf(right) ? -1 : 1))
        .slice(offset, offset + limit);
    },
    setRole: (id, role) => change(id, (person) => ({ ...person, role })),
    setDisabled: (id, isDisabled) =>
      change(id, ({ disabledAt, ...person }) =>
        isDisabled ? { ...person, disabledAt: disabledAt ?? clock.now() } : person,
      ),
    async seen(ids) {
      const now = clock.now() - (clock.now() % MINUTE_MS);
      await file.update((people) =>
        people.some((person) => ids.includes(person.id) && person.seenAt !== now)
          ? people.map((person) => (ids.includes(person.id) ? { ...person, seenAt: now } : person))
          : people,
      );
    },
    async remove(id) {
      let isFound = false;
      await file.update((people) => {
        const next = people.filter((person) => person.id !== id);
        isFound = next.length < people.length;
        assertAdministrator(people, next);
        return isFound ? next : people;
      });
      return isFound ? { people: 1, ...(await removeData(id)) } : undefined;
    },
  };
}

function isSame({ issuer, subject }: Pick<Person, "issuer" | "subject">): (person: Person) => boolean {
  return (person) => person.issuer === issuer && person.subject === subject;
}

function nameOf({ name, subject }: Person): string {
  return (name ?? subject).toLowerCase();
}

/** Without an administrator, the people could never be changed again. */
function assertAdministrator(before: readonly Person[], after: readonly Person[]): void {
  const isIn = ({ role, disabledAt }: Person): boolean =>
    role === "administrator" && disabledAt === undefined;
  if (before.some(isIn) && !after.some(isIn))
    throw new HostError("USAGE_INVALID", "The last administrator must stay one.");
}
