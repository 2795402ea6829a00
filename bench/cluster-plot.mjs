/** Draws the picture of part `cluster-costs`: the CPU time of a call by number of gateways. No dependencies. */
import { STYLE } from "./plot-scale.mjs";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 400, 76, 500, 56, 330];
const LINES = [
  { key: "modernUs", label: "modern, measured" },
  { key: "legacyUs", label: "legacy, measured" },
  { key: "predictedUs", label: "legacy, model", isModel: true },
];

/** `points`: `{ nodes, modernUs, legacyUs, predictedUs }`; a value may be missing. */
export function plotCluster(points) {
  const most = Math.max(...points.flatMap((point) => LINES.map(({ key }) => point[key] ?? 0)));
  const top = Math.ceil(most / 500) * 500;
  const x = (nodes) => Math.round(LEFT + ((nodes - 1) / (points.at(-1).nodes - 1)) * (RIGHT - LEFT));
  const y = (value) => Math.round(BOTTOM - (value / top) * (BOTTOM - TOP));
  const rows = Array.from({ length: 6 }, (_, index) => (top / 5) * index).map(
    (value) =>
      `<line class="grid" x1="${LEFT}" x2="${RIGHT}" y1="${y(value)}" y2="${y(value)}"/><text x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end">${Math.round(value)} µs</text>`,
  );
  const columns = points.map(
    ({ nodes }) => `<text x="${x(nodes)}" y="${BOTTOM + 22}" text-anchor="middle">${nodes}</text>`,
  );
  const lines = LINES.map(({ key, label, isModel }, index) => {
    const known = points.filter((point) => point[key] !== undefined);
    const path = known.map((point) => `${x(point.nodes)},${y(point[key])}`).join(" ");
    const dots = isModel
      ? ""
      : known
          .map((point) => `<circle class="d${index}" cx="${x(point.nodes)}" cy="${y(point[key])}" r="3.5"/>`)
          .join("");
    const dash = isModel ? ' stroke-dasharray="6 4"' : "";
    const legend = TOP + 20 + index * 24;
    return `<polyline class="line c${index}"${dash} points="${path}"/>${dots}<line class="c${index}" x1="${RIGHT + 30}" x2="${RIGHT + 54}" y1="${legend - 4}" y2="${legend - 4}"${dash}/><text class="d${index}" x="${RIGHT + 62}" y="${legend}">${label}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="CPU time of a call by number of gateways, measured and predicted">
<style>
${STYLE}
</style>
<rect class="paper" x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="9"/>
<text class="title" x="${LEFT}" y="${TOP - 24}">CPU time of a call, all gateways together</text>
${[...rows, ...columns, ...lines].join("\n")}
<text x="${(LEFT + RIGHT) / 2}" y="${BOTTOM + 46}" text-anchor="middle">gateways</text>
</svg>
`;
}
