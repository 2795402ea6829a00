/** Turns results into text. One markdown table serves the terminal and the document. */

/** The part as it is printed and written: title, table, then what has to be said about it. */
export function renderPart({ title, head, rows, notes, quiet, failures }) {
  const missing = failures.map(({ label, reason }) => `${label}: not measured: ${reason}`);
  const remarks = [...notes, `${quiet} samples began on a quiet machine.`, ...missing].map(
    (text) => `- ${text}`,
  );
  return [`### ${title}`, "", renderTable(head, rows), "", ...remarks, ""].join("\n");
}

/** One line about the machine. */
export function renderMachine({ plugboard, date, node, platform, cores }) {
  return `Plugboard ${plugboard}, ${date}: Node ${node}, ${platform}, ${cores} cores.\n`;
}

/** A number with as many digits as can be meant: 0.87, 4.2, 43. */
export function digits(value) {
  if (value === undefined) return "–";
  if (value < 1) return value.toFixed(2);
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en-US");
}

/** `1.43 ×`. */
export function times(value, yardstick) {
  return value === undefined || yardstick === undefined ? "–" : `${(value / yardstick).toFixed(2)} ×`;
}

/** The middle half of the samples, `41–44`: how noisy the run was. */
export function spread(summary) {
  return summary === undefined ? "–" : `${digits(summary.lower)}–${digits(summary.upper)}`;
}

/** The first column and the goals are text, the others numbers; padded, so that it reads well unrendered too. */
function renderTable(head, rows) {
  const isText = head.map((title, column) => column === 0 || title === "goal");
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  const pad = (cell, column) =>
    isText[column] ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
  const line = (cells) => `| ${cells.map(pad).join(" | ")} |`;
  const rules = widths.map((width, column) =>
    isText[column] ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(head), line(rules), ...rows.map(line)].join("\n");
}
