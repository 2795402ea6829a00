import { type ApprovalRequest, safeText } from "../../../index.ts";
import { renderPlace, type Standpoint } from "./place.ts";
import type { Style } from "./style.ts";

/** Everything a person approves, untruncated: what is not shown here is not approved. */
export function renderApproval(request: ApprovalRequest, style: Style, standpoint: Standpoint): string {
  const { server, source, launch, hash, changes } = request;
  const value = (given: unknown): string =>
    safeText(typeof given === "string" ? given : JSON.stringify(given));
  const fields = Object.entries(launch).map(([field, given]) => {
    const changed = changes.some((change) => change.field === field);
    return `  ${style.dim(field.padEnd(12))}${changed ? style.warn(value(given)) : value(given)}`;
  });
  return [
    `${style.bold(safeText(server))} from ${renderPlace(source, standpoint)}`,
    "",
    ...fields,
    "",
    ...(changes.length === 0
      ? []
      : [
          style.warn("Changed since you approved it:"),
          ...changes.flatMap(({ field, before, after }) => [
            `  ${field}`,
            ...(before === undefined ? [] : [`    ${style.bad(`- ${value(before)}`)}`]),
            ...(after === undefined ? [] : [`    ${style.good(`+ ${value(after)}`)}`]),
          ]),
          "",
        ]),
    `${style.dim("sha256")} ${hash}`,
    "",
  ].join("\n");
}
