import type { JsonValue, ServerExplanation } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { type DisplayContext, renderPlace, shortenPaths } from "./place.ts";
import { stateLabel, stateMark } from "./state.ts";
import type { Style } from "./style.ts";
import { renderTable } from "./table.ts";

/** Renders one server field by field. */
export function renderExplanation(
  explanation: ServerExplanation,
  style: Style,
  display: DisplayContext,
): string {
  const { server, fields, reasons, shadowed } = explanation;
  const rows = fields.map(({ field, value, source }) => {
    const place = source.file === server.source.file ? { ...server.source, ...source } : source;
    return [
      { text: `  ${safeLine(field)}`, paint: style.name },
      { text: show(value) },
      { text: renderPlace(place, display), paint: style.dim },
    ];
  });
  const because =
    server.because === undefined ? [] : [`    ${style.warn(shortenPaths(server.because, display))}`];
  const problems = server.problems.filter(({ message }) => message !== server.because);
  return [
    `${stateMark(server.state, style)} ${style.bold(safeLine(server.name))}  ${stateLabel(server.state)}  ${style.dim(`${server.tier} tier · ${renderPlace(server.source, display)}`)}`,
    ...because,
    "",
    ...renderTable(rows),
    "",
    ...reasons.map((reason) => `  ${style.dim("·")} ${shortenPaths(reason, display)}`),
    ...shadowed.map(
      ({ source }) => `  ${style.dim("↳")} shadows ${renderPlace(source, display)} (${source.tool})`,
    ),
    ...problems.map(({ message }) => `  ${style.warn("!")} ${shortenPaths(message, display)}`),
    "",
  ].join("\n");
}

function show(value: JsonValue): string {
  return safeLine(typeof value === "string" ? value : JSON.stringify(value));
}
