import type { Threat } from "./threat.ts";

/** What an entry of the server registry may try. */
export const ofRegistries: readonly Threat[] = [
  {
    id: "P56",
    threat: "A registry entry does more than run the package that it names",
    defence:
      "Package runners get only a few harmless options before the package. Options such as `npx -c`, `uvx --from` and `docker run -v`, and variables such as `NODE_OPTIONS`, are refused. Texts that cannot be shown as they are are refused, too.",
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
];
