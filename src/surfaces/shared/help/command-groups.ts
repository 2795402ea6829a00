/** The commands by task, each in a few words, so that they fit a terminal of 40 columns. */
export const COMMAND_GROUPS: readonly {
  readonly title: string;
  readonly commands: Readonly<Record<string, string>>;
}[] = [
  {
    title: "Servers",
    commands: {
      list: "show every server",
      status: "connect to all of them",
      test: "see why a server fails",
      explain: "show where fields are set",
      doctor: "check every config file",
      logs: "show a server's output",
      reload: "read everything again",
      reconnect: "connect to a server again",
    },
  },
  {
    title: "Tools, resources and prompts",
    commands: {
      tools: "show tools, or one tool",
      call: "call a tool",
      resources: "show resources",
      read: "read a resource",
      prompts: "show prompts",
      prompt: "get a prompt",
      bundles: "show subsets of tools",
    },
  },
  {
    title: "Config files",
    commands: {
      search: "find servers to add",
      add: "add a server",
      set: "change a server's settings",
      unset: "remove a server's settings",
      outdated: "find newer versions",
      upgrade: "change to a newer version",
      remove: "remove a server",
      enable: "turn a server on",
      disable: "turn a server off",
      use: "use a set of servers",
      move: "move to another file",
      import: "copy from another tool",
      export: "write to another tool",
      sync: "write to several tools",
    },
  },
  {
    title: "Approval and sign-in",
    commands: {
      trust: "approve a project's server",
      untrust: "revoke an approval",
      pins: "review changed tools",
      lock: "write mcp.lock.json",
      verify: "compare with the lock",
      sandbox: "what a server can reach",
      advisories: "known malicious packages",
      login: "sign in to a server",
      logout: "sign out",
      auth: "show sign-ins",
      reauth: "sign in again",
      unauth: "remove a sign-in",
      secret: "store secrets",
    },
  },
  {
    title: "Other",
    commands: {
      serve: "offer all servers as one",
      daemon: "keep servers running",
      dashboard: "open the dashboard",
      ps: "show server processes",
      audit: "show what clients called",
      database: "change a team's database",
      forget: "delete what was learned",
      generate: "write TypeScript types",
      completion: "complete in your shell",
      uninstall: "remove Plugboard's data",
    },
  },
];
