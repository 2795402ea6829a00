/** Renders results as text. The terminal and the document use the same Markdown table. */

/** Renders a part: title, table and notes. */
export function renderPart({ title, head, rows, notes, quiet, failures }) {
  const missing = failures.map(({ label, reason }) => `${label}: not measured: ${reason}`);
  const remarks = [...notes, `${quiet} samples started on a quiet machine.`, ...missing].map(
    (text) => `- ${text}`,
  );
  return [`### ${title}`, "", renderTable(head, rows), "", ...remarks, ""].join("\n");
}

/** Renders one line about the machine. */
export function renderMachine({ plugboard, date, node, platform, cores }) {
  return `Plugboard ${plugboard}, ${date}: Node ${node}, ${platform}, ${cores} cores.\n`;
}

/** Formats a number with its significant digits: 0.87, 4.2, 43. */
export function digits(value) {
  if (value === undefined) return "–";
  if (value < 1) return value.toFixed(2);
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en-US");
}

/** Formats a ratio: `1.43 ×`. */
export function times(value, baseline) {
  return value === undefined || baseline === undefined ? "–" : `${(value / baseline).toFixed(2)} ×`;
}

/** Formats the middle half of the samples, `41–44`, which shows how noisy the run was. */
export function spread(summary) {
  return summary === undefined ? "–" : `${digits(summary.lower)}–${digits(summary.upper)}`;
}

/** Renders a padded Markdown table. The first column and the goals are text, the others numbers. */
export function renderTable(head, rows) {
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
