import { randomUUID } from "node:crypto";
import type { Clock } from "../../platform/index.ts";
import type { CallApproval, CallApprovalStore } from "../team-records.ts";
import type { ListFile } from "./list-file.ts";

/** Keeps the calls that wait for a decision in a file. */
export function createFileCallApprovals(file: ListFile<CallApproval>, clock: Clock): CallApprovalStore {
  const isOpen = ({ state, expiresAt }: CallApproval): boolean => expiresAt > clock.now() && state !== "used";
  const change = async (
    isWanted: (call: CallApproval) => boolean,
    changed: Partial<CallApproval>,
  ): Promise<boolean> => {
    let isFound = false;
    await file.update((calls) => {
      isFound = calls.some((call) => isOpen(call) && isWanted(call));
      if (!isFound) return calls;
      return calls.map((call) => (isOpen(call) && isWanted(call) ? { ...call, ...changed } : call));
    });
    return isFound;
  };
  return {
    async ask(asked) {
      let answer: CallApproval | undefined;
      await file.update((calls) => {
        const kept = calls.filter(isOpen);
        answer = kept.find(
          ({ person, requestHash }) => person === asked.person && requestHash === asked.requestHash,
        );
        if (answer !== undefined) return calls;
        answer = { ...asked, id: randomUUID(), state: "waiting", createdAt: clock.now() };
        return [...kept, answer];
      });
      if (answer === undefined) throw new TypeError("The update was not called.");
      return answer;
    },
    get: async (id) => (await file.read()).find((call) => call.id === id && isOpen(call)),
    waiting: async (person) =>
      (await file.read()).filter(
        (call) =>
          isOpen(call) && call.state === "waiting" && (person === undefined || call.person === person),
      ),
    decide: (id, decision, by) =>
      change((call) => call.id === id && call.state === "waiting", { state: decision, decidedBy: by }),
    use: (id, requestHash) =>
      change((call) => call.id === id && call.requestHash === requestHash && call.state === "allowed", {
        state: "used",
      }),
  };
}
