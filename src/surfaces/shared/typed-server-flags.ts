import type { Flag } from "./command.ts";

/** Flags that describe a server for one run, for commands that need no entry. */
export const TYPED_SERVER_FLAGS: Readonly<Record<"url" | "token" | "header" | "env" | "save", Flag>> = {
  url: { type: "string", value: "<url>", summary: "use the server at this URL instead of a configured one" },
  token: { type: "string", value: "env:NAME|keychain:NAME", summary: "bearer token for --url" },
  header: { type: "list", value: "K=V", summary: "HTTP header for --url; repeatable" },
  env: { type: "list", value: "K=V", summary: "environment variable for the command after --; repeatable" },
  save: {
    type: "string",
    value: "<name>",
    summary: "add the server under this name if the command succeeds",
  },
};

/** The help line of commands that have these flags. */
export const TYPED_SERVER_NOTE =
  "Instead of a configured server: --url <url>, or its command after --. It is approved for this run only.";
