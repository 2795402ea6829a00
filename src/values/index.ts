/**
 * Server → resolved server: expands placeholders by their owner's rules, as late as possible and only for allowed
 * launches.
 */
export type { DeclaredProgram } from "./declared-program.ts";
export { commandPath, declaredProgram, expandTilde, workingFolder } from "./declared-program.ts";
export type { EnvFile } from "./env-file.ts";
export { changesWhatRuns, envFilePath, readEnvFile } from "./env-file.ts";
export { mayHoldSecrets, placeholder, placeholdersIn } from "./expand.ts";
export { expandForDisplay } from "./expansion-context.ts";
export { isFolderVariable } from "./folder-variables.ts";
export { declaringFolder, isOfProject } from "./inside-project.ts";
export { launchTexts } from "./launch-texts.ts";
export type { LiteralSecret } from "./literal-secrets.ts";
export { findLiteralSecrets } from "./literal-secrets.ts";
export type { MissingValue } from "./missing-values.ts";
export { findMissingValues } from "./missing-values.ts";
export { fromPlainValue, toNativeText, toPlainValue } from "./native-text.ts";
export { checkSources, expandTildeInCode, resolveServer } from "./resolve.ts";
export type { ResolveContext, ResolvedLaunch, ResolvedServer } from "./resolved-server.ts";
export { inputSecretName, missingInputs } from "./stored-inputs.ts";
export { createValueCommands } from "./value-commands.ts";
export type { ValueSources } from "./value-source.ts";
export { sourceOf, variableValue } from "./value-source.ts";
