import { type ApprovalRequest, type LaunchInspection, safeLine, safeText } from "../../../index.ts";
import { renderPlace, type Standpoint } from "./place.ts";
import type { Style } from "./style.ts";

/** Everything a person approves, untruncated: what is not shown here is not approved. */
export function renderApproval(
  request: ApprovalRequest,
  style: Style,
  standpoint: Standpoint,
  { program, reads, destination }: LaunchInspection,
): string {
  const { server, source, launch, hash, changes } = request;
  const value = (given: unknown): string =>
    safeText(typeof given === "string" ? given : JSON.stringify(given));
  const fields = Object.entries(launch).map(([field, given]) => {
    const changed = changes.some((change) => change.field === field);
    return `  ${style.dim(safeLine(field).padEnd(12))}${changed ? style.warn(value(given)) : value(given)}`;
  });
  return [
    `${style.bold(safeText(server))} from ${renderPlace(source, standpoint)}`,
    "",
    ...fields,
    "",
    ...(program === undefined ? [] : [`  ${style.dim("runs".padEnd(12))}${safeLine(program)}`]),
    ...(typeof launch["command"] === "string" && program === undefined
      ? [`  ${style.dim("runs".padEnd(12))}${style.warn("no such program is found here")}`]
      : []),
    ...reads.map(
      ({ variable, field }) =>
        `  ${style.dim("reads".padEnd(12))}$${safeLine(variable)} for ${safeLine(field)}, handed to ${field === "oauth" ? "whoever signs you in" : safeLine(destination)}`,
    ),
    ...(typeof launch["command"] === "string" || reads.length > 0 ? [""] : []),
    ...(changes.length === 0
      ? []
      : [
          style.warn("Changed since you approved it:"),
          ...changes.flatMap(({ field, before, after }) => [
            `  ${safeLine(field)}`,
            ...(before === undefined ? [] : [`    ${style.bad(`- ${value(before)}`)}`]),
            ...(after === undefined ? [] : [`    ${style.good(`+ ${value(after)}`)}`]),
          ]),
          "",
        ]),
    `${style.dim("sha256")} ${hash}`,
    "",
  ].join("\n");
}
