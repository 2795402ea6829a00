/** `npm run build && node scripts/picture.mjs`: draws `docs/interactive.svg` from the terminal output of the built program, with published servers. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const COLUMNS = 92;
const ROWS = 31;
const [LETTER_WIDTH, LINE_HEIGHT, MARGIN, BAR] = [8.4, 19, 18, 30];
const COLOURS = { 31: "#f47067", 32: "#6bc46d", 33: "#daaa3f", 36: "#56c8d8" };
const [PAPER, INK, FAINT, EDGE] = ["#16181d", "#d5d9e0", "#868e9b", "#2b2f38"];

const { createSandbox, startOnPty } = await loadKit();
const sandbox = await createSandbox();
try {
  writeFileSync("docs/interactive.svg", draw(await play(sandbox)));
} finally {
  await sandbox[Symbol.asyncDispose]();
}

/** Types the commands that the picture shows. */
async function play({ home, writeHome }) {
  const published = (name, ...args) => ({
    command: "node",
    args: [resolve(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
  });
  const cwd = join(home, "notes");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  await writeHome(".plugboard/mcp.json", {
    mcpServers: {
      files: published("filesystem", cwd),
      memory: published("memory"),
      samples: published("everything", "stdio"),
    },
  });
  await writeHome("notes/.mcp.json", {
    mcpServers: { tracker: { command: "npx", args: ["-y", "tracker-mcp"] } },
  });
  const program = startOnPty([], { sandbox, cwd, columns: COLUMNS, rows: ROWS, env: { NO_COLOR: "" } });
  try {
    await program.waitFor(isSettled, "three servers and all their tools");
    program.enter("/mcp list");
    await program.waitFor("› /mcp list");
    await program.waitFor(/stdio/);
    program.type("/mcp t");
    await program.waitFor(/^  trust/m);
    return program.model.painted();
  } finally {
    await program[Symbol.asyncDispose]();
  }
}

/** Returns whether all servers are connected and the status line counts all tools. */
function isSettled(screen) {
  const numbers = screen.flatMap((line) => / connected · (\d+) tools$/.exec(line)?.[1] ?? []).map(Number);
  const all = numbers.reduce((sum, number) => sum + number, 0);
  return numbers.length === 3 && screen.at(-1).includes(`${all} tools`);
}

function draw(rows) {
  const used = rows.slice(0, rows.findLastIndex((row) => row.length > 0) + 1);
  const width = Math.round(COLUMNS * LETTER_WIDTH + 2 * MARGIN);
  const height = Math.round(used.length * LINE_HEIGHT + 2 * MARGIN + BAR);
  const texts = used.flatMap((row, index) => row.map((piece) => drawPiece(piece, index)));
  const buttons = [0, 1, 2].map((index) => `<circle cx="${20 + index * 18}" cy="18" r="5" fill="${EDGE}"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Plugboard in interactive mode">
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="9" fill="${PAPER}" stroke="${EDGE}"/>
${buttons.join("")}
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="${INK}" xml:space="preserve">
${texts.join("\n")}
</g>
</svg>
`;
}

function drawPiece({ paint, text, column }, row) {
  const codes = paint.split(" ");
  const colour =
    codes.map((code) => COLOURS[code]).find(Boolean) ?? (codes.includes("2") ? FAINT : undefined);
  const start = text.length - text.trimStart().length;
  const words = text.trim();
  const attributes = [
    `x="${(MARGIN + (column + start) * LETTER_WIDTH).toFixed(1)}"`,
    `y="${MARGIN + BAR + row * LINE_HEIGHT}"`,
    `textLength="${([...words].length * LETTER_WIDTH).toFixed(1)}"`,
    ...(colour === undefined ? [] : [`fill="${colour}"`]),
    ...(codes.includes("1") ? ['font-weight="600"'] : []),
  ];
  return `<text ${attributes.join(" ")}>${words.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;
}

/** Compiles the tests' terminal to JavaScript, in a folder from which it finds the program and its packages. */
async function loadKit() {
  const dir = resolve("dist/picture");
  const input = { pty: resolve("test/support/pty.ts"), sandbox: resolve("test/support/sandbox.ts") };
  const building = await rolldown({ input, platform: "node" });
  await building.write({ dir, format: "esm", entryFileNames: "[name].mjs" });
  await building.close();
  try {
    const load = (name) => import(pathToFileURL(join(dir, `${name}.mjs`)).href);
    return { ...(await load("pty")), ...(await load("sandbox")) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
