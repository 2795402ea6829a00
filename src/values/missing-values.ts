import type { ExpansionRules, Launch } from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import { expand, mayHoldSecrets } from "./expand.ts";
import { expansionContext } from "./expansion-context.ts";
import { launchTexts } from "./launch-texts.ts";
import { sourceOf } from "./value-source.ts";

/** Something in a value of a launch that the environment does not fill in. */
export interface MissingValue {
  readonly field: string;
  /** A variable that nobody set, a question to a person, a command that is not run, a file that is read at the start. */
  readonly kind: "variable" | "input" | "command" | "file";
  readonly name: string;
}

/** What the environment cannot fill in as it is now. Looks at variables only; reads and runs nothing. */
export function findMissingValues(
  launch: Launch,
  rules: ExpansionRules,
  environment: Environment,
): MissingValue[] {
  const context = expansionContext(environment, { expansion: rules });
  const { variables } = environment;
  const fromTexts = launchTexts(launch).flatMap(([field, text]): MissingValue[] => {
    const isSource = rules.secretValues === true && /^(?:env|headers)\./.test(field) && sourceOf(text);
    if (isSource) return []; // only its source can tell
    const { missing, inputs, dynamic } = expand(text, rules, context, field);
    return [
      ...missing
        .filter((name) => !name.startsWith("keychain:") || !mayHoldSecrets(field))
        .map(
          (name): MissingValue =>
            name.startsWith("file:")
              ? { field, kind: "file", name: name.slice("file:".length) }
              : { field, kind: "variable", name },
        ),
      ...inputs.map((name): MissingValue => ({ field, kind: "input", name })),
      ...dynamic.map((name): MissingValue => ({ field, kind: "command", name })),
    ];
  });
  const named = launch.transport === "stdio" ? {} : (launch.headersFromEnv ?? {});
  const fromNames = Object.entries(named)
    .filter(([, { variable }]) => !variables[variable])
    .map(
      ([header, { variable }]): MissingValue => ({
        field: `headers.${header}`,
        kind: "variable",
        name: variable,
      }),
    );
  return [...fromTexts, ...fromNames];
}
