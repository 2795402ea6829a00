import type { Threat } from "./threat.ts";

/** What an entry of the server registry may try. */
export const ofRegistries: readonly Threat[] = [
  {
    id: "P56",
    threat: "A registry entry does more than run the package that it names",
    defence:
      "Package runners get only a few harmless options before the package. Options such as `npx -c`, `uvx --from` and `docker run -v`, and variables such as `NODE_OPTIONS`, are refused. Texts that cannot be shown unchanged are refused, too.",
    shownBy: [
      {
        attack: "options of a package runner",
        file: "src/operations/registry/runner-options.test.ts",
        test: "%s is refused",
      },
      {
        attack: "variables that load code",
        file: "src/operations/registry/registry-launch.test.ts",
        test: "is refused if the registry sets it: %s",
        failsBefore: "e9fb46e",
      },
      {
        attack: "options of an input that control the terminal",
        file: "src/operations/registry/registry-launch.test.ts",
        test: "has only options that can be shown as they are",
        failsBefore: "e9fb46e",
      },
      {
        attack: "each of these with `add --yes`",
        file: "test/surfaces/cli-registry.test.ts",
        test: "refuses a launch with %s",
        failsBefore: "e9fb46e",
      },
    ],
  },
  {
    id: "P70",
    threat: "A website's server card runs a program or makes Plugboard request machines of your network",
    defence:
      "Packages in a card are ignored. A card is read only from the site that you typed, or over https from a public address. Plugboard warns if the server is not at the site itself, shows the launch, and asks.",
    shownBy: [
      {
        attack: "a package in a card, and a catalog that refers to a local address",
        file: "test/surfaces/cli-add-files.test.ts",
        test: "runs no package that a card names, and requests no other machine of the local network",
      },
    ],
  },
  {
    id: "P71",
    threat: "An MCP bundle writes outside its folder or fills the disk",
    defence:
      "Every path in the archive is checked before anything is written. Links are skipped. The number of files and their announced sizes are limited, and a file that is larger than announced is refused.",
    shownBy: [
      {
        attack: "paths that lead out of the folder",
        file: "src/operations/mcpb/read-zip.test.ts",
        test: "an archive with the path %j is refused",
      },
      {
        attack: "a small archive with a very large content",
        file: "src/operations/mcpb/read-zip.test.ts",
        test: "content that is larger than announced is refused",
      },
      {
        attack: "a launch that refers to this machine's variables",
        file: "test/surfaces/cli-add-files.test.ts",
        test: "refuses a bundle %s",
      },
    ],
  },
  {
    id: "P156",
    threat: "A package index or a list of advisories blocks the process",
    defence:
      "Of an index, only the last 20,000 versions are compared. An advisory with over 2,000 events counts for all versions. The local list of advisories is read in slices.",
    shownBy: [
      {
        attack: "millions of versions",
        file: "src/supply/package-index.test.ts",
        test: "if an index lists more versions than any real package has, only the last ones are compared",
      },
      {
        attack: "hundreds of thousands of events",
        file: "src/supply/advisories.test.ts",
        test: "an advisory with more events than can be sorted quickly counts for every version",
      },
    ],
  },
];
