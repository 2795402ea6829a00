import { expect, test } from "vitest";
import { packageOfLaunch } from "./launch-package.ts";

test.each([
  ["npx -y @scope/server@1.2.3 --x", "npm", "@scope/server", "1.2.3", true],
  ["npx server", "npm", "server", undefined, false],
  ["npx -y server@latest", "npm", "server", "latest", false],
  ["npx -p server@^1.0.0 bin", "npm", "server", "^1.0.0", false],
  ["npx --package=server@1.0.0 bin", "npm", "server", "1.0.0", true],
  ["npx alias@npm:real@2.0.0", "npm", "real", "2.0.0", true],
  ["cmd /c npx -y server@1.0.0", "npm", "server", "1.0.0", true],
  ["bunx server@1.0.0", "npm", "server", "1.0.0", true],
  ["pnpm dlx server@1.0.0", "npm", "server", "1.0.0", true],
  ["yarn dlx server", "npm", "server", undefined, false],
  ["uvx mcp_server.Git", "PyPI", "mcp-server-git", undefined, false],
  ["uvx --from server==1.4 run", "PyPI", "server", "1.4", true],
  ["uvx server@1.4", "PyPI", "server", "1.4", true],
  ["uvx server>=1", "PyPI", "server", ">=1", false],
  ["uv tool run server[extra]==2", "PyPI", "server", "2", true],
  ["pipx run --spec server==1.0 bin", "PyPI", "server", "1.0", true],
  ["docker run -i --rm -e TOKEN ghcr.io/acme/server:1", "oci", "ghcr.io/acme/server", "1", false],
  [`podman run img@sha256:${"a".repeat(64)}`, "oci", "img", `sha256:${"a".repeat(64)}`, true],
])("%s runs a package", (line, ecosystem, name, version, isExact) => {
  expect(packageOfLaunch(line.split(" "))).toEqual({
    ecosystem,
    name,
    ...(version !== undefined && { version }),
    isExact,
  });
});

test.each([
  "node server.js",
  "npx ./folder",
  "npx github:acme/server",
  "npm run x",
  "uv run x",
  "uvx ./x",
  "docker ps",
  "npx -y",
])("%s runs no package of a registry", (line) => {
  expect(packageOfLaunch(line.split(" "))).toBeUndefined();
});
