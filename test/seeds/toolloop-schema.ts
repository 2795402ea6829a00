import { inSection, type SeedRow } from "./seed-row.ts";

/** The shape of the configuration, the rules of bundles, and the functions that load it. */
export const toolloopSchemaRows: readonly SeedRow[] = [
  ...inSection("Schema", [
    {
      id: "toolloop-5.01",
      kind: "rule",
      milestone: 2,
      promise: "The sample with the server `repo` and the bundle `repoRead` is a valid config.",
      deviation: "Plugboard's own file accepts such a server too.",
    },
    {
      id: "toolloop-5.02",
      kind: "name",
      milestone: 2,
      promise: "The top-level keys are `servers` and `bundles`, maps from id to entry.",
    },
    {
      id: "toolloop-5.03",
      kind: "name",
      milestone: 2,
      promise: 'A server has `trust`, which is `"trusted"` or `"untrusted"`.',
      deviation: 'In a project file `"trusted"` counts only after approval.',
    },
    {
      id: "toolloop-5.04",
      kind: "name",
      milestone: 2,
      promise: 'A transport of type `"http"` has `url` and optionally `headers` and `authProviderId`.',
    },
    {
      id: "toolloop-5.05",
      kind: "name",
      milestone: 2,
      promise: 'A transport of type `"sse"` has `url` and optionally `headers` and `authProviderId`.',
    },
    {
      id: "toolloop-5.06",
      kind: "name",
      milestone: 2,
      promise: 'A transport of type `"stdio"` has `command` and optionally `args`, `cwd` and `env`.',
    },
    {
      id: "toolloop-5.07",
      kind: "rule",
      milestone: 2,
      promise: "A bundle's `serverId` refers to an entry in `servers`, or the config is refused.",
      deviation: "The error names the path of the wrong value.",
    },
    {
      id: "toolloop-5.08",
      kind: "name",
      milestone: 2,
      promise: 'A bundle\'s `mode` is `"direct"` or `"meta"`.',
    },
    {
      id: "toolloop-5.09",
      kind: "rule",
      milestone: 5,
      promise: "`direct` gives namespaced tool definitions to the model.",
      deviation: "Under names valid for every provider, `mcp_<server>_<tool>`.",
    },
    {
      id: "toolloop-5.10",
      kind: "rule",
      milestone: 5,
      promise: "`meta` exposes the meta tools instead of the definitions.",
      deviation: "Under provider-safe names, next to `mcp_search_tools` and its companions.",
    },
    {
      id: "toolloop-5.11",
      kind: "name",
      milestone: 2,
      promise: "A bundle takes `allowTools` and `denyTools`.",
      deviation: "A server takes them as well.",
    },
    {
      id: "toolloop-5.12",
      kind: "rule",
      milestone: 5,
      promise: "`allowTools` and `denyTools` hold the server's own tool names, before namespacing.",
      deviation: "Globs work too.",
    },
    {
      id: "toolloop-5.13",
      kind: "rule",
      milestone: 5,
      promise: "`allowTools` is optional for a trusted server.",
    },
    {
      id: "toolloop-5.14",
      kind: "rule",
      milestone: 5,
      promise: "`allowTools` is required for an untrusted server.",
      deviation: "Checked before anything connects.",
    },
    {
      id: "toolloop-5.15",
      kind: "rule",
      milestone: 2,
      promise: "An empty `allowTools` array is refused.",
      deviation: "The error names its path.",
    },
    {
      id: "toolloop-5.16",
      kind: "rule",
      milestone: 5,
      promise: "Leaving `allowTools` out allows all tools, for trusted servers only.",
    },
    {
      id: "toolloop-5.17",
      kind: "rule",
      milestone: 5,
      promise: "Several allow lists are intersected, and an empty intersection allows no tools.",
      deviation: "Deny lists are united.",
    },
    {
      id: "toolloop-5.18",
      kind: "rule",
      milestone: 5,
      promise:
        "`allowTools` is applied first and `denyTools` removes from what is left: deny overrides allow.",
    },
    {
      id: "toolloop-5.19",
      kind: "rule",
      milestone: 5,
      promise: 'Allowing `["read", "write", "delete"]` and denying `["delete"]` gives `["read", "write"]`.',
    },
  ]),
  ...inSection("Public API", [
    {
      id: "toolloop-6.01",
      kind: "name",
      milestone: 2,
      promise: "`parseMcpConfig(input)` turns an unknown value into a config or refuses it.",
      deviation: "One error names every wrong path and every unknown key.",
    },
    {
      id: "toolloop-6.02",
      kind: "name",
      milestone: 2,
      promise: "`loadMcpConfig(options?)` gives a promise of the loaded config.",
      deviation: "With the provenance of each layer.",
    },
    {
      id: "toolloop-6.03",
      kind: "name",
      milestone: 2,
      promise: "`discoverMcpConfigPath(...)` gives the path that discovery finds.",
    },
  ]),
];
