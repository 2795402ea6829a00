import { safeLine } from "../../../../terminal.ts";
import { fitSurface } from "../../../shared/render/fit-surface.ts";
import { nextStep, STATE_TRAITS } from "../../../shared/render/state.ts";
import type { AbsentServer } from "../ready-servers.ts";

/** Why a server has no part in a turn, and what to do about it, in one line. */
export function describeAbsence(
  { name, state, because = "" }: AbsentServer,
  program: "plugboard" | "/mcp",
): string {
  const server = safeLine(name);
  const { needsPerson, tone, words } = STATE_TRAITS[state];
  if (!needsPerson) return `${server} was not ready in time. Its tools are not available for this answer.`;
  const next = nextStep({ name, state }, program);
  return `${server} ${words}: ${tone === "bad" && because !== "" ? safeLine(fitSurface(because, program)) : next}`;
}
