/** Pages of `plugboard help <topic>`. Lines that start with two spaces are printed as they are. */
export const HELP_TOPICS: Readonly<Record<string, { readonly summary: string; readonly text: string }>> = {
  servers: {
    summary: "where servers are defined",
    text: `Plugboard reads the config files of about forty tools, and its own: ~/.plugboard/mcp.json and .plugboard/mcp.json in a project. If two files define the same name, one entry takes precedence.

  plugboard list                # every server, by file
  plugboard list --all          # shadowed entries too
  plugboard explain files       # each field, with file and line

To try a server without adding it:

  plugboard tools --url https://mcp.example.com/mcp
  plugboard tools -- npx -y @modelcontextprotocol/server-everything`,
  },
  approval: {
    summary: "what may run",
    text: `Servers in your own files may run. A server in a project's file runs only after you approved its exact launch. If the launch changes, Plugboard asks again. Adding a server with "plugboard add" also approves it.

  plugboard trust github        # show the launch and approve it
  plugboard trust --list        # all approvals
  plugboard untrust github      # revoke one
  plugboard tools github --review`,
  },
  secrets: {
    summary: "keep secrets out of files",
    text: `Config files name secrets instead of containing them. env:NAME refers to an environment variable, keychain:NAME to a secret in Plugboard's vault.

  plugboard secret set github
  plugboard add github --url https://mcp.example.com/mcp --token keychain:github
  plugboard set files env.TOKEN=env:GITHUB_TOKEN

For servers that require a sign-in:

  plugboard login github`,
  },
  arguments: {
    summary: "write a tool's arguments",
    text: `Arguments are converted to the types in the tool's schema. On a terminal, "call" asks for required arguments that are missing.

  key=value     a value: count=3, flag=true; repeat a key for a list
  a.b=1         a field inside an object
  key:=json     any JSON: tags:='["a","b"]'
  key=@file     the contents of a file
  --input -     all arguments as JSON from standard input

  plugboard tools demo text_stats
  plugboard call demo text_stats text="hello there"`,
  },
  output: {
    summary: "JSON, pipes and exit codes",
    text: `Results go to standard output, everything else to standard error. With --json, every command prints one JSON document and nothing else; errors are JSON too.

  plugboard list --json
  plugboard call demo uuid count=3 --json

Exit codes:

  0    success
  1    the command failed, or the tool returned an error
  2    usage error
  3    a person must act: approve, sign in, provide a value
  130  cancelled`,
  },
  files: {
    summary: "files and variables",
    text: `Plugboard's own files:

  ~/.plugboard/mcp.json         your servers
  .plugboard/mcp.json           a project's servers
  ~/.plugboard/settings.json    settings
  $XDG_STATE_HOME/plugboard     approvals, sign-ins, secrets, logs
  $XDG_CACHE_HOME/plugboard     cached lists

Variables:

  PLUGBOARD_HOME                a folder for all of these files
  PLUGBOARD_MCP_CONFIG_PATH     a config file that is used first
  PLUGBOARD_PAGER, PAGER        a program for long output
  PLUGBOARD_KEYCHAIN=off        keep the vault's key in a file
  NO_COLOR=1                    no colours`,
  },
};
