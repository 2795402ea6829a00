/** Draws the picture of part `scale`: time and memory by number of servers, with logarithmic axes. No dependencies. */

const [WIDTH, HEIGHT] = [960, 490];
const [TOP, BOTTOM] = [64, 396];
/** The positions of the two panels. The names of the lines are to the right of their panel. */
const PANELS = [
  { left: 66, right: 416, title: "Time", unitOf: timeLabel },
  { left: 662, right: 828, title: "Memory", unitOf: memoryLabel, isMemory: true },
];
const LINES = 6; // the number of colours
const LABEL_HEIGHT = 17;

/** `series`: `{ plot, values, isMemory? }`, one value per size; a value may be missing. */
export function plotScale(sizes, series) {
  const panels = PANELS.map((panel) => {
    const mine = series.filter(({ isMemory = false }) => isMemory === (panel.isMemory ?? false));
    return drawPanel(panel, sizes, mine);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="Time and memory by number of servers, both axes logarithmic">
<style>
${STYLE}
</style>
<rect class="paper" x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="9"/>
${panels.join("\n")}
<line class="slope" x1="66" y1="${HEIGHT - 21}" x2="96" y2="${HEIGHT - 21}"/><text x="104" y="${HEIGHT - 17}">slope of linear growth</text>
</svg>
`;
}

/** The style of all pictures, for light and dark pages. `.c` and `.d` are the colours of lines and areas. */
export const STYLE = `text { font: 13px system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: #57606a }
.title { font-weight: 600; font-size: 15px; fill: #1f2328 }
.paper { fill: #ffffff; stroke: #d0d7de }
.grid { stroke: #d8dee4; stroke-width: 1 }
.slope { stroke: #8c959f; stroke-width: 1; stroke-dasharray: 3 4 }
.line { fill: none; stroke-width: 2; stroke-linejoin: round }
${["#0969da", "#bf3989", "#1a7f37", "#bc4c00", "#6639ba", "#4d7c8a"].map(paint).join("\n")}
@media (prefers-color-scheme: dark) {
text { fill: #9198a1 }
.title { fill: #e6edf3 }
.paper { fill: #0d1117; stroke: #30363d }
.grid { stroke: #262c36 }
.slope { stroke: #6e7681 }
${["#58a6ff", "#f778ba", "#56d364", "#ffa657", "#bc8cff", "#79c0c9"].map(paint).join("\n")}
}`;

function paint(colour, index) {
  return `.c${index} { stroke: ${colour} } .d${index} { fill: ${colour} }`;
}

function drawPanel({ left, right, title, unitOf }, sizes, series) {
  const values = series.flatMap((each) => each.values).filter((value) => value > 0);
  if (values.length === 0) return "";
  const [low, high] = [10 ** Math.floor(log(Math.min(...values))), 10 ** Math.ceil(log(Math.max(...values)))];
  const x = scale(sizes[0], sizes.at(-1), left, right);
  const y = scale(low, high, BOTTOM, TOP);
  return [
    `<text class="title" x="${left}" y="${TOP - 26}">${title}</text>`,
    ...powers(low, high).map((value) => drawRow(unitOf(value), y(value), { left, right })),
    ...sizes.map(
      (size) =>
        `<line class="grid" x1="${x(size)}" x2="${x(size)}" y1="${TOP}" y2="${BOTTOM}"/><text x="${x(size)}" y="${BOTTOM + 20}" text-anchor="middle">${size.toLocaleString("en-US")}</text>`,
    ),
    `<text x="${(left + right) / 2}" y="${BOTTOM + 44}" text-anchor="middle">servers</text>`,
    ...drawSlope(low, high, sizes, { x, y }),
    ...series.map(({ values: line }, index) => drawLine(line, index % LINES, sizes, { x, y })),
    ...drawLabels(series, right, y),
  ].join("\n");
}

function timeLabel(ms) {
  return ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`;
}

function memoryLabel(megabytes) {
  return megabytes < 1_000 ? `${megabytes} MB` : `${megabytes / 1_000} GB`;
}

function drawRow(label, height, { left, right }) {
  return `<line class="grid" x1="${left}" x2="${right}" y1="${height}" y2="${height}"/><text x="${left - 8}" y="${height + 4}" text-anchor="end">${label}</text>`;
}

/** Draws the slope of linear growth. */
function drawSlope(low, high, sizes, { x, y }) {
  const [first, last] = [sizes[0], sizes.at(-1)];
  const end = Math.min(last, (first * high) / low);
  return [
    `<line class="slope" x1="${x(first)}" y1="${y(low)}" x2="${x(end)}" y2="${y((low * end) / first)}"/>`,
  ];
}

function drawLine(values, colour, sizes, { x, y }) {
  const points = values.flatMap((value, index) =>
    value === undefined ? [] : [`${x(sizes[index])},${y(value)}`],
  );
  const dots = points.map((point) => {
    const [cx, cy] = point.split(",");
    return `<circle class="d${colour}" cx="${cx}" cy="${cy}" r="3.5"/>`;
  });
  return `<polyline class="line c${colour}" points="${points.join(" ")}"/>${dots.join("")}`;
}

/** Places the names at the ends of their lines, without overlaps. */
function drawLabels(series, right, y) {
  const labels = series
    .map(({ plot, values }, index) => ({ plot, index, end: y(values.at(-1) ?? 1) }))
    .sort((one, other) => one.end - other.end);
  let free = Number.NEGATIVE_INFINITY;
  for (const label of labels) {
    label.height = Math.max(label.end, free);
    free = label.height + LABEL_HEIGHT;
  }
  return labels.map(({ plot, index, end, height }) => {
    const colour = index % LINES;
    const lead = `<line class="c${colour}" x1="${right + 6}" y1="${end}" x2="${right + 16}" y2="${height}"/>`;
    return `${lead}<text class="d${colour}" x="${right + 20}" y="${height + 4}">${plot}</text>`;
  });
}

function scale(from, to, start, end) {
  return (value) =>
    Math.round((start + ((log(value) - log(from)) / (log(to) - log(from))) * (end - start)) * 10) / 10;
}

function powers(low, high) {
  return Array.from({ length: Math.round(log(high / low)) + 1 }, (_, index) => low * 10 ** index);
}

const log = Math.log10;
