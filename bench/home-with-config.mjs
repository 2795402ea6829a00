/** A temporary HOME that contains only one tool's config, with three tiny servers. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { emptyHome } from "./scratch.mjs";

/** `file` is relative to the home, `of` converts servers to the tool's format, `node` runs them. `renew` restores the original state. */
export function homeWithConfig({ file, of }, node) {
  const home = emptyHome();
  const project = join(home.folder, "project");
  const path = join(home.folder, file);
  const renew = () => {
    for (const name of readdirSync(home.folder)) rmSync(join(home.folder, name), { recursive: true });
    const folders = [dirname(path), join(project, ".git"), home.env.TMPDIR]; // .git stops the search for a project in parent folders
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
