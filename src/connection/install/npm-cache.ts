import type { posix } from "node:path";
import type { Files } from "../../platform/index.ts";

/** Returns npm's cache folder, or `undefined` if it cannot be determined without npm. */
export async function npmCacheFolder(
  env: Readonly<Record<string, string>>,
  {
    platform,
    path,
    files,
  }: { readonly platform: string; readonly path: typeof posix; readonly files: Files },
): Promise<string | undefined> {
  const given = setting(env, "npm_config_cache") ?? (await fromUserConfig(env, { platform, path, files }));
  if (given !== undefined) return path.isAbsolute(given) ? given : undefined;
  const home = platform === "win32" ? env["LOCALAPPDATA"] : env["HOME"];
  if (home === undefined || !path.isAbsolute(home)) return undefined;
  return path.join(home, platform === "win32" ? "npm-cache" : ".npm");
}

/** Returns the value of an npm variable. npm ignores the case of their names. */
function setting(env: Readonly<Record<string, string>>, name: string): string | undefined {
  const named = Object.keys(env).find((key) => key.toLowerCase() === name);
  return named === undefined || env[named] === "" ? undefined : env[named];
}

/** Reads `cache=…` from the user's .npmrc. */
async function fromUserConfig(
  env: Readonly<Record<string, string>>,
  {
    platform,
    path,
    files,
  }: { readonly platform: string; readonly path: typeof posix; readonly files: Files },
): Promise<string | undefined> {
  const home = (platform === "win32" ? env["USERPROFILE"] : env["HOME"]) ?? "";
  const file = setting(env, "npm_config_userconfig") ?? path.join(home, ".npmrc");
  if (!path.isAbsolute(file)) return undefined;
  const bytes = await files.read(file).catch(() => undefined);
  const [, value] = /^[ \t]*cache[ \t]*=[ \t]*(\S.*)$/m.exec(new TextDecoder().decode(bytes)) ?? [];
  return value
    ?.trimEnd()
    .replace(/^(["'])(.*)\1$/, "$2")
    .replace(/\$\{(\w+)\}/g, (placeholder, name: string) => env[name] ?? placeholder)
    .replace(/^~(?=[\\/])/, () => home);
}
