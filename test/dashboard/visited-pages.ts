/** The pages of the dashboard, with addresses that `busyWorld` has. */
export const PAGES = [
  "overview",
  "servers",
  "servers/files",
  "servers/browser",
  "tools",
  "tools/files/write_file",
  "tools/github/search_issues",
  "clients",
  "connections",
  "approvals",
  "approvals/launch/tracker",
  "approvals/tools/github",
  "activity",
  "setup",
] as const;
