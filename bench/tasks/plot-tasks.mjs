/** Draws the tokens of the tasks: a large dot for the median and a small one for the worst task, on a logarithmic axis. */
import { STYLE } from "../plot-scale.mjs";
import { digits } from "../print.mjs";

const [WIDTH, LEFT, RIGHT, TOP, ROW] = [860, 150, 690, 76, 36];

/** `rows`: `{ label, tokens: { median, worst } }`. */
export function plotTasks(rows, tools) {
  const bottom = TOP + rows.length * ROW;
  const height = bottom + 46;
  const values = rows.flatMap(({ tokens }) => [tokens.median, tokens.worst]);
  const [low, high] = [
    Math.floor(Math.log10(Math.min(...values))),
    Math.ceil(Math.log10(Math.max(...values))),
  ];
  const x = (value) => Math.round(LEFT + ((Math.log10(value) - low) / (high - low)) * (RIGHT - LEFT));
  const title = `Tokens to solve a task with ${tools.toLocaleString("en-US")} tools: median and worst`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${title}, logarithmic">
<style>
${STYLE}
</style>
<rect class="paper" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="9"/>
<text class="title" x="24" y="38">${title}</text>
${drawAxis(low, high, bottom, x)}
${rows.map((row, index) => drawRow(row, TOP + index * ROW, index, x)).join("\n")}
</svg>
`;
}

function drawAxis(low, high, bottom, x) {
  return Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index))
    .map(
      (value) =>
        `<line class="grid" x1="${x(value)}" x2="${x(value)}" y1="${TOP - 8}" y2="${bottom}"/><text x="${x(value)}" y="${bottom + 22}" text-anchor="middle">${value.toLocaleString("en-US")}</text>`,
    )
    .join("\n");
}

/** Both models of a mode have the colour of the mode. */
function drawRow({ label, tokens: { median, worst } }, top, index, x) {
  const colour = Math.floor(index / 2);
  const middle = top + ROW / 2;
  return [
    `<text x="${LEFT - 12}" y="${middle + 4}" text-anchor="end">${label}</text>`,
    `<circle class="d${colour}" cx="${x(median)}" cy="${middle}" r="7"/>`,
    `<line class="line c${colour}" x1="${x(median)}" x2="${x(worst)}" y1="${middle}" y2="${middle}"/>`,
    `<circle class="d${colour}" cx="${x(worst)}" cy="${middle}" r="3.5"/>`,
    `<text x="${x(worst) + 12}" y="${middle + 4}">${digits(median)} – ${digits(worst)}</text>`,
  ].join("");
}
