import { expect, test } from "vitest";
import { KNOWN_SERVERS } from "./known-servers.ts";

test.each(Object.entries(KNOWN_SERVERS))(
  "the known server %s is pinned to one exact version",
  (_, { server }) => {
    expect(server).toMatchObject({
      type: "stdio",
      command: "npx",
      args: ["-y", expect.stringMatching(/^(?:@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+$/)],
    });
  },
);

test.each(Object.entries(KNOWN_SERVERS))(
  "the known server %s contains variable names and no secrets",
  (_, known) => {
    const env = (known.server["env"] ?? {}) as Record<string, string>;
    expect(Object.values(env)).toEqual((known.needs ?? []).map((name) => `\${${name}}`));
  },
);
