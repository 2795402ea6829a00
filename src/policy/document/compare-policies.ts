import { policyFor } from "./decide-access.ts";
import type { PolicyAnswer, PolicyDocument, PolicyPerson, PolicySubject } from "./policy-document.ts";

/** One answer that another policy would change. */
export interface PolicyChange<P> {
  readonly person: P;
  readonly subject: PolicySubject;
  readonly before: PolicyAnswer;
  readonly after: PolicyAnswer;
  /** The rule that would decide. */
  readonly rule: string;
}

/** Returns what another policy would change for whom. */
export function comparePolicies<P extends PolicyPerson>(
  before: PolicyDocument,
  after: PolicyDocument,
  people: readonly P[],
  subjects: readonly PolicySubject[],
): readonly PolicyChange<P>[] {
  return people.flatMap((person) => {
    const [old, next] = [policyFor(before, person), policyFor(after, person)];
    return subjects.flatMap((subject) => {
      const [was, is] = [old.decide(subject), next.decide(subject)];
      return was.answer === is.answer
        ? []
        : [{ person, subject, before: was.answer, after: is.answer, rule: is.rule }];
    });
  });
}
