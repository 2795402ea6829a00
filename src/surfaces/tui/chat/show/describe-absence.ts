import { safeLine } from "../../../../terminal.ts";
import { fitSurface } from "../../../shared/render/fit-surface.ts";
import { nextStep, STATE_TRAITS } from "../../../shared/render/state.ts";
import type { AbsentServer } from "../ready-servers.ts";

/** Describes in one line why a server is not available, and what to do. */
export function describeAbsence(
  { name, state, because = "" }: AbsentServer,
  program: "plugboard" | "/mcp",
): string {
  const server = safeLine(name);
  const { needsPerson, tone, words } = STATE_TRAITS[state];
  if (!needsPerson) return `${server} was not ready in time. Its tools are not available for this answer.`;
  const next = nextStep({ name, state, because }, program);
  return `${server} ${words}: ${tone === "bad" && because !== "" ? safeLine(fitSurface(because, program)) : next}`;
}
