import type { Clock } from "../../platform/index.ts";
import type { CallInbox } from "../../serving/index.ts";
import type { TeamStore } from "../../store/index.ts";

/** A call that has waited longer must be made again. */
const KEPT_MS = 3_600_000;

/** The path of the page with the calls that wait. */
export const APPROVALS = "/approvals";

/** Keeps the calls that wait for a decision in the store, where all gateways see them. */
export function createCallInbox(
  { callApprovals }: Pick<TeamStore, "callApprovals">,
  clock: Clock,
  publicUrl: () => string,
): CallInbox {
  return {
    async ask({ item: tool, ...call }) {
      const { id, state } = await callApprovals.ask({ ...call, tool, expiresAt: clock.now() + KEPT_MS });
      if (state === "denied") return { state };
      if (state === "allowed" && (await callApprovals.use(id, call.requestHash))) return { state };
      return { state: "waiting", url: publicUrl() + APPROVALS };
    },
  };
}
