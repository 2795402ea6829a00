/** Server → resolved server: placeholders filled by their owner's rules, late and only for what may run. */
export type { DeclaredProgram } from "./declared-program.ts";
export { commandPath, declaredProgram, workingFolder } from "./declared-program.ts";
export type { EnvFile } from "./env-file.ts";
export { envFilePath, readEnvFile } from "./env-file.ts";
export { placeholdersIn } from "./expand.ts";
export { launchTexts } from "./launch-texts.ts";
export type { LiteralSecret } from "./literal-secrets.ts";
export { findLiteralSecrets, holdsSecret, isPlain } from "./literal-secrets.ts";
export type { MissingValue } from "./missing-values.ts";
export { findMissingValues } from "./missing-values.ts";
export { toNativeText } from "./native-text.ts";
export { checkSources, resolveServer } from "./resolve.ts";
export type { ResolveContext, ResolvedLaunch, ResolvedServer } from "./resolved-server.ts";
export type { ValueCommands } from "./value-commands.ts";
export { createValueCommands } from "./value-commands.ts";
export type { ValueSources } from "./value-source.ts";
export { sourceOf, variableNamed } from "./value-source.ts";
