import type { ExpansionRules, Launch } from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import { expand, mayHoldSecrets } from "./expand.ts";
import { expansionContext } from "./expansion-context.ts";
import { launchTexts } from "./launch-texts.ts";
import { sourceOf } from "./value-source.ts";

/** A part of a launch value that the environment cannot provide. */
export interface MissingValue {
  readonly field: string;
  /** An unset variable, a user input, a command that is not run, or a file that is read at startup. */
  readonly kind: "variable" | "input" | "command" | "file";
  readonly name: string;
}

/** Returns what the environment cannot provide now. Checks only variables; reads and runs nothing. */
export function findMissingValues(
  launch: Launch,
  rules: ExpansionRules,
  environment: Environment,
): MissingValue[] {
  const context = expansionContext(environment, { expansion: rules });
  const { variables } = environment;
  const fromTexts = launchTexts(launch).flatMap(([field, text]): MissingValue[] => {
    const isSource = rules.secretValues === true && /^(?:env|headers)\./.test(field) && sourceOf(text);
    if (isSource) return []; // requires reading the source
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
  const named = "url" in launch ? (launch.headersFromEnv ?? {}) : {};
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
