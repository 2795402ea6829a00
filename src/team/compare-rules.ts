import type { Access } from "../access/index.ts";
import { nextTurn } from "../platform/index.ts";
import { comparePolicies, type PolicyDocument, type PolicySubject } from "../policy/index.ts";
import type { AuditFiles } from "../state/index.ts";
import type { Person, TeamStore } from "../store/index.ts";

const MOST_PEOPLE = 500;
const MOST_SUBJECTS = 2_000;
const MOST_CHANGES = 500;
const MOST_ENTRIES = 5_000;

/** A decision that another policy would change for one person. */
export interface RuleChange {
  readonly person: Person;
  readonly subject: PolicySubject;
  readonly before: string;
  readonly after: string;
  readonly rule: string;
}

/** The decisions that another policy would change. */
export interface RuleComparison {
  readonly changes: readonly RuleChange[];
  /** How many people and subjects were compared. */
  readonly people: number;
  readonly subjects: number;
  /** Whether there are more people, subjects or changes than these. */
  readonly isIncomplete: boolean;
}

/** The input of a comparison. */
export interface ComparisonSource {
  readonly access: Access;
  readonly team: Pick<TeamStore, "people">;
  readonly audit: Pick<AuditFiles, "read">;
  /** The known tools, resources and prompts of the servers. */
  readonly known: readonly PolicySubject[];
}

/** Returns the decisions that another policy would change, by person. Covers everything that servers offer now and that people have used. */
export async function compareRules(
  { access, team, audit, known }: ComparisonSource,
  before: PolicyDocument,
  after: PolicyDocument,
): Promise<RuleComparison> {
  const people = await team.people.list({ limit: MOST_PEOPLE + 1 });
  const all = uniqueSubjects([...known, ...(await usedSubjects(audit))]);
  const subjects = all.slice(0, MOST_SUBJECTS);
  const changes: RuleChange[] = [];
  for (const person of people.slice(0, MOST_PEOPLE)) {
    const { names, groups } = access.describe(person);
    const rules = { names, groups, token: undefined, scopes: [] };
    for (const { subject, before: was, after: is, rule } of comparePolicies(before, after, [rules], subjects))
      changes.push({ person, subject, before: was, after: is, rule });
    if (changes.length > MOST_CHANGES) break;
    await nextTurn(); // calls continue in the meantime
  }
  return {
    changes: changes.slice(0, MOST_CHANGES),
    people: Math.min(people.length, MOST_PEOPLE),
    subjects: subjects.length,
    isIncomplete: people.length > MOST_PEOPLE || all.length > MOST_SUBJECTS || changes.length > MOST_CHANGES,
  };
}

const KINDS: Readonly<Record<string, PolicySubject["kind"]>> = {
  "tools/call": "tool",
  "resources/read": "resource",
  "prompts/get": "prompt",
};

/** Returns what people have used recently. */
async function usedSubjects(audit: Pick<AuditFiles, "read">): Promise<readonly PolicySubject[]> {
  const entries = await audit.read({ limit: MOST_ENTRIES });
  return entries.flatMap(({ method, server, item }) => {
    const kind = Object.hasOwn(KINDS, method) ? KINDS[method] : undefined;
    return kind === undefined || server === undefined || item === undefined ? [] : [{ kind, server, item }];
  });
}

/** The first of equal subjects is kept: what a server offers now also says whether it is read-only. */
function uniqueSubjects(subjects: readonly PolicySubject[]): readonly PolicySubject[] {
  const unique = new Map<string, PolicySubject>();
  for (const subject of subjects) {
    const key = JSON.stringify([subject.kind, subject.server, subject.item]);
    if (!unique.has(key)) unique.set(key, subject);
  }
  return [...unique.values()];
}
