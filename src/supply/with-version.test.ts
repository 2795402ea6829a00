import { expect, test } from "vitest";
import { withVersion } from "./with-version.ts";

test.each([
  ["npx -y weather@1.0.0 --units 1.0.0", "2.1.0", "npx -y weather@2.1.0 --units 1.0.0"],
  ["npx --package=@acme/weather@1.0.0 weather", "2.1.0", "npx --package=@acme/weather@2.1.0 weather"],
  ["cmd /c npx -y @acme/weather@1.0.0", "2.1.0", "cmd /c npx -y @acme/weather@2.1.0"],
  ["npx -y weather .", "2.1.0", "npx -y weather@2.1.0 ."],
  ["uvx mcp-fetch==1.0.0", "1.2.0", "uvx mcp-fetch==1.2.0"],
  ["uvx mcp-fetch@1.0.0", "1.2.0", "uvx mcp-fetch@1.2.0"],
  ["uvx mcp-fetch", "1.2.0", "uvx mcp-fetch==1.2.0"],
  ["uvx --from weather-tools==1.0.0 mcp-weather", "1.2.0", "uvx --from weather-tools==1.2.0 mcp-weather"],
  ["docker run -i --rm acme/weather:1.0", "1.1", "docker run -i --rm acme/weather:1.1"],
])("%s gets version %s", (line, version, expected) => {
  expect(withVersion(line.split(" "), version)?.join(" ")).toBe(expected);
});

test.each([
  "node server.js",
  "npx -y ./folder",
  "npx -y github:acme/weather",
  "npx -y weather@npm:other@1.0.0 x",
])("%s: either only the version changes, or nothing", (line) => {
  const changed = withVersion(line.split(" "), "2.0.0");
  expect(changed?.join(" ") ?? line).toBe(line.replace("other@1.0.0", "other@2.0.0"));
});
