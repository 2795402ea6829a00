/** Builds the dashboard's files: one page, one script, one style sheet and one icon, with hashed names and without source maps. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

/** The oldest browsers that know `light-dark()`, which every colour uses. */
const TARGETS = ["chrome123", "firefox120", "safari17.5"];

/** Returns the bundled chunks, for the list of licences. */
export async function buildDashboard(root, folder) {
  const source = join(root, "src", "surfaces", "dashboard");
  const building = await rolldown({
    input: { app: join(source, "main.tsx") },
    platform: "browser",
    transform: { target: TARGETS },
    tsconfig: join(source, "tsconfig.json"),
  });
  const { output } = await building.generate({ format: "esm", minify: true, sourcemap: false });
  await building.close();
  if (output.length !== 1) throw new Error(`The dashboard has ${output.length} files of code`);

  mkdirSync(folder, { recursive: true });
  const write = (name, ending, text) => {
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
    const file = `${name}-${hash}.${ending}`;
    writeFileSync(join(folder, file), text);
    return file;
  };
  const names = {
    "./app.js": write("app", "js", output[0].code),
    "./app.css": write("app", "css", styles(join(source, "styles"))),
    "./icon.svg": write("icon", "svg", readFileSync(join(source, "icon.svg"), "utf8")),
  };
  let page = readFileSync(join(source, "index.html"), "utf8");
  for (const [name, file] of Object.entries(names)) page = page.replace(name, `./${file}`);
  writeFileSync(join(folder, "index.html"), page);
  return output;
}

/** Joins the style sheets in the order of their imports. Removes comments and indentation. */
function styles(folder) {
  return readFileSync(join(folder, "all.css"), "utf8")
    .replace(/@import "(.+)";/g, (_, file) => readFileSync(join(folder, file), "utf8"))
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/\s*\n\s*/g, "\n")
    .replace(/([{};,>])\n/g, "$1")
    .replaceAll(";}", "}")
    .trim();
}
