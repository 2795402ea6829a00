/** A temporary HOME in which one tool's config declares three tiny servers, and nothing else is. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { emptyHome } from "./scratch.mjs";

/** `file` is below the home, `of` puts servers into the tool's shape, `node` runs them. `renew` undoes what was added since. */
export function homeWithConfig({ file, of }, node) {
  const home = emptyHome();
  const project = join(home.folder, "project");
  const path = join(home.folder, file);
  const renew = () => {
    for (const name of readdirSync(home.folder)) rmSync(join(home.folder, name), { recursive: true });
    const folders = [dirname(path), join(project, ".git"), home.env.TMPDIR]; // .git: no tool looks for a project above
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    writeFileSync(path, JSON.stringify(of(threeServers(node)), undefined, 2));
  };
  renew();
  return { ...home, project, renew };
}

function threeServers(node) {
  const program = fileURLToPath(new URL("servers/tiny.mjs", import.meta.url));
  return {
    tiny: { command: node, args: [program, "--noted"] },
    second: { command: node, args: [program, "second"] },
    third: { command: node, args: [program, "third"] },
  };
}
