import type { Clock } from "../../platform/index.ts";
import type { PolicyStore, PolicyVersion } from "../team-records.ts";
import type { ListFile } from "./list-file.ts";

const USUAL_PAGE = 20;

/** Keeps the versions of the policy document in a file. */
export function createFilePolicies(file: ListFile<PolicyVersion>, clock: Clock): PolicyStore {
  return {
    current: async () => (await file.read()).at(-1),
    async add(document, author, revision) {
      let added: PolicyVersion | undefined;
      await file.update((versions) => {
        const newest = versions.at(-1)?.revision;
        if (newest !== revision) return versions;
        added = { revision: (newest ?? 0) + 1, document, author, createdAt: clock.now() };
        return [...versions, added];
      });
      return added;
    },
    list: async (limit = USUAL_PAGE) => (await file.read()).slice(-limit).toReversed(),
  };
}
