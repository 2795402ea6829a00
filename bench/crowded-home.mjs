/** Homes with many config files: the repository's fixtures, and many servers in the files of many tools. */
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { emptyHome } from "./scratch.mjs";

const fixtures = fileURLToPath(new URL("../test/fixtures/configs", import.meta.url));

/** The fixture files as a home and a project. */
export function fixtureHome() {
  const { folder, env, remove } = emptyHome();
  cpSync(fixtures, folder, { recursive: true });
  const [home, project] = [join(folder, "HOME"), join(folder, "PROJECT")];
  for (const file of readdirSync(folder, { recursive: true }).map((name) => join(folder, name))) {
    if (!statSync(file).isFile()) continue;
    const bytes = readFileSync(file);
    const text = bytes.toString("utf8");
    if (!Buffer.from(text).equals(bytes)) continue; // an intentionally broken file
    writeFileSync(file, text.replaceAll("__HOME__", home).replaceAll("__PROJECT__", project));
  }
  mkdirSync(join(project, ".git"));
  return { project, env: { ...env, HOME: home, USERPROFILE: home }, remove };
}

/** Writes servers with unique names, evenly distributed over files in four formats. */
export function crowdedHome({ files, servers }) {
  const { folder, env, remove } = emptyHome();
  const project = join(folder, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  const each = servers / files;
  const written = placesIn(folder, project, files).map(({ path, format }, index) => {
    const names = Array.from({ length: each }, (_, position) => `server-${index}-${position}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, FORMATS[format](names));
    return path;
  });
  const bytes = written.reduce((sum, path) => sum + statSync(path).size, 0);
  return { cwd: project, project, files: written, bytes, env, remove };
}

function placesIn(home, project, count) {
  const places = [
    { path: join(home, ".plugboard", "mcp.json"), format: "mcpServers" },
    { path: join(project, ".plugboard", "mcp.json"), format: "mcpServers" },
    { path: join(home, ".cursor", "mcp.json"), format: "mcpServers" },
    { path: join(project, ".cursor", "mcp.json"), format: "mcpServers" },
    { path: join(home, ".claude.json"), format: "mcpServers" },
    { path: join(project, ".mcp.json"), format: "mcpServers" },
    { path: join(project, ".vscode", "mcp.json"), format: "servers" },
    { path: join(home, ".gemini", "settings.json"), format: "mcpServers" },
    { path: join(home, ".codex", "config.toml"), format: "toml" },
    { path: join(project, ".codex", "config.toml"), format: "toml" },
    { path: join(home, ".codeium", "windsurf", "mcp_config.json"), format: "mcpServers" },
    { path: join(home, ".lmstudio", "mcp.json"), format: "mcpServers" },
  ];
  for (let index = 0; places.length < count; index++) {
    const path = join(project, ".continue", "mcpServers", `more-${index}.yaml`);
    const profile = join(home, ".config", "Code", "User", "profiles", `profile-${index}`, "mcp.json");
    places.push(index % 6 === 0 ? { path, format: "yaml" } : { path: profile, format: "servers" });
  }
  return places;
}

const entry = (name) => ({
  command: "npx",
  args: ["-y", `@example/${name}@1.2.3`, "--verbose"],
  env: { API_URL: `https://${name}.example/api`, LEVEL: "info" },
});
const json = (key) => (names) =>
  JSON.stringify({ [key]: Object.fromEntries(names.map((name) => [name, entry(name)])) }, undefined, 2);

const FORMATS = {
  mcpServers: json("mcpServers"),
  servers: json("servers"),
  toml: (names) =>
    names
      .map((name) => {
        const { command, args, env } = entry(name);
        const variables = Object.entries(env).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
        return `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n\n[mcp_servers.${name}.env]\n${variables.join("\n")}\n`;
      })
      .join("\n"),
  yaml: (names) =>
    `name: More\nversion: 0.0.1\nschema: v1\nmcpServers:\n${names
      .map((name) => {
        const { command, args, env } = entry(name);
        const list = args.map((arg) => `      - ${JSON.stringify(arg)}\n`).join("");
        const variables = Object.entries(env).map(([key, value]) => `      ${key}: ${value}\n`);
        return `  - name: ${name}\n    command: ${command}\n    args:\n${list}    env:\n${variables.join("")}`;
      })
      .join("")}`,
};
