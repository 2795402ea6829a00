import { expect, test } from "vitest";
import { readServerJson } from "./server-json.ts";

const of = (more: object) =>
  readServerJson(JSON.parse(JSON.stringify({ name: "io.github.acme/one", ...more })));
const launch = (more: object) =>
  of({ packages: [{ identifier: "one", version: "1.0.0", ...more }] }).map(({ fields }) => [
    fields["command"],
    fields["args"],
  ])[0];

test.each([
  ["npm", { registryType: "npm" }, ["npx", ["-y", "one@1.0.0"]]],
  ["pypi", { registryType: "pypi" }, ["uvx", ["one@1.0.0"]]],
  ["nuget", { registryType: "nuget" }, ["dnx", ["--yes", "one@1.0.0"]]],
  ["oci", { registryType: "oci" }, ["docker", ["run", "-i", "--rm", "one:1.0.0"]]],
  [
    "an image with a tag and a variable",
    {
      registryType: "oci",
      identifier: "ghcr.io/a/one:2",
      environmentVariables: [{ name: "K", isRequired: true }],
    },
    ["docker", ["run", "-i", "--rm", "-e", "K", "ghcr.io/a/one:2"]],
  ],
  [
    "a runtime with arguments",
    {
      registryType: "npm",
      runtimeHint: "bunx",
      runtimeArguments: [{ type: "positional", value: "-y" }],
    },
    ["bunx", ["-y", "one@1.0.0"]],
  ],
  [
    "keys in snake case",
    {
      registry_type: "npm",
      runtime_hint: "npx",
      package_arguments: [{ type: "positional", value_hint: "dir", is_required: true }],
    },
    ["npx", ["-y", "one@1.0.0", "{dir}"]],
  ],
])("a package is started by its runner: %s", (_, more, expected) => {
  expect(launch(more)).toEqual(expected);
});

test("the choices of a variable become options", () => {
  const [template] = of({
    packages: [
      {
        registryType: "npm",
        identifier: "one",
        environmentVariables: [
          { name: "REGION", isRequired: true, choices: ["eu", 7, "us"] },
          { name: "ANY", isRequired: true, choices: [] },
        ],
      },
    ],
  });
  expect(template?.inputs).toEqual([
    { id: "REGION", required: true, options: ["eu", "us"] },
    { id: "ANY", required: true },
  ]);
});

test("arguments without a value become inputs, or are omitted if optional", () => {
  const [template] = of({
    packages: [
      {
        registryType: "npm",
        identifier: "one",
        packageArguments: [
          { type: "named", name: "--port", default: "80" },
          { type: "named", name: "--quiet", format: "boolean" },
          { type: "named", name: "--loud", format: "boolean", default: "true" },
          { type: "positional", valueHint: "folder", isRequired: true, description: "Where" },
          { type: "positional", valueHint: "extra" },
        ],
        environmentVariables: [
          { name: "LEVEL", default: "info" },
          { name: "DEBUG" },
          { name: "URL", value: "https://{host}/", variables: { host: { isRequired: true } } },
        ],
      },
    ],
  });
  expect(template?.fields).toEqual({
    type: "stdio",
    command: "npx",
    args: ["-y", "one", "--port", "{port}", "--loud", "{folder}"],
    env: { LEVEL: "info", URL: "https://{host}/" },
  });
  expect(template?.inputs).toEqual([
    { id: "LEVEL", default: "info" },
    { id: "DEBUG" },
    { id: "host", required: true },
    { id: "port", default: "80" },
    { id: "folder", required: true, description: "Where" },
  ]);
});

test("a package with a URL is not started", () => {
  const [template] = of({
    packages: [
      {
        registryType: "npm",
        identifier: "one",
        transport: { type: "streamable-http", url: "http://localhost:1" },
      },
    ],
  });
  expect([template?.transport?.kind, template?.fields["command"], template?.fields["url"]]).toEqual([
    "http",
    undefined,
    "http://localhost:1",
  ]);
});

test.each([
  [
    "a package of a registry without a runner",
    { packages: [{ registryType: "mcpb", identifier: "x" }] },
    "missing-command",
  ],
  ["a remote without a type", { remotes: [{ url: "https://one.test" }] }, "missing-type"],
  [
    "a remote with another format's type",
    { remotes: [{ type: "http", url: "https://one.test" }] },
    "unknown-type",
  ],
  ["a remote without a URL", { remotes: [{ type: "sse" }] }, "missing-url"],
])("%s is not usable", (_, more, problem) => {
  expect(of(more).map(({ owner }) => owner)).toEqual([{ valid: false, problems: [problem] }]);
});

test.each([
  ["no content", null],
  ["no name", { packages: [{ identifier: "x" }] }],
  ["a name in another format", { name: "my-app", packages: [{ identifier: "x" }] }],
])("a file with %s is not the registry's", (_, value) => {
  expect(readServerJson(value)).toEqual([]);
});
