import { isAbsolute, join } from "node:path";
import { codeOf, HostError, messageOf } from "../../model/index.ts";
import type { Cancellation, Environment, Ports } from "../../platform/index.ts";
import {
  type LaunchPackage,
  type PackageReleases,
  readNpmReleases,
  readPythonReleases,
} from "../../supply/index.ts";
import { requestJson } from "../registry/request-json.ts";

interface IndexDeps {
  readonly ports: Pick<Ports, "http" | "clock" | "files">;
  readonly environment: Environment;
}

/** Documents of packages with many releases are large. */
const MOST_BYTES = 16 * 1024 * 1024;
const NPM = "https://registry.npmjs.org";
const PYTHON = "https://pypi.org/simple";

/** Asks the index that the package runner uses for a package's releases. Sends no credentials. */
export async function requestReleases(
  deps: IndexDeps,
  named: LaunchPackage,
  signal: Cancellation | undefined,
): Promise<PackageReleases> {
  const isNpm = named.ecosystem === "npm";
  const base = isNpm ? await npmRegistry(deps, named.name) : pythonIndex(deps.environment);
  const path = isNpm ? `/${named.name.replace("/", "%2F")}` : `/${named.name}/`;
  const url = URL.canParse(base) ? new URL(`${base.replace(/\/+$/, "")}${path}`) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new HostError("CONNECT_FAILED", "The address of the package index is not an http or https URL.");
  if (url.username !== "" || url.password !== "")
    throw new HostError("CONNECT_FAILED", "The address of the package index contains credentials.");
  const accept = isNpm
    ? "application/vnd.npm.install-v1+json, application/json"
    : "application/vnd.pypi.simple.v1+json";
  const missing = `The package index at ${url.origin} does not have ${named.name}.`;
  try {
    const value = await requestJson(deps.ports, url, { mostBytes: MOST_BYTES, missing, accept, signal });
    return isNpm ? readNpmReleases(value, named.version) : readPythonReleases(value, named);
  } catch (error) {
    if (error instanceof HostError || signal?.aborted === true) throw error;
    const reason = codeOf(error) ?? messageOf(error);
    throw new HostError("CONNECT_FAILED", `The package index at ${url.origin} cannot be used: ${reason}`, {
      cause: error,
    });
  }
}

/** As for npm, variables come before the user's `.npmrc`, and a scope can have its own registry. */
async function npmRegistry({ ports, environment }: IndexDeps, name: string): Promise<string> {
  const file = variable(environment, "npm_config_userconfig") ?? join(environment.home ?? "", ".npmrc");
  const bytes = isAbsolute(file) ? await ports.files.read(file).catch(() => undefined) : undefined;
  const text = new TextDecoder().decode(bytes);
  const scope = /^@[^/]+/.exec(name)?.[0];
  const scoped = scope === undefined ? undefined : valueIn(text, `${scope}:registry`);
  return scoped ?? variable(environment, "npm_config_registry") ?? valueIn(text, "registry") ?? NPM;
}

function pythonIndex(environment: Environment): string {
  const names = ["uv_default_index", "uv_index_url", "pip_index_url"];
  return names.map((name) => variable(environment, name)).find((value) => value !== undefined) ?? PYTHON;
}

function valueIn(text: string, key: string): string | undefined {
  for (const line of text.split(/\r?\n/)) {
    const at = line.indexOf("=");
    if (at !== -1 && line.slice(0, at).trim() === key)
      return line
        .slice(at + 1)
        .trim()
        .replace(/^(["'])(.*)\1$/, "$2");
  }
  return undefined;
}

/** npm ignores the case of its variables. */
function variable({ variables }: Environment, name: string): string | undefined {
  const named = Object.keys(variables).find((key) => key.toLowerCase() === name);
  const value = named === undefined ? undefined : variables[named];
  return value === "" ? undefined : value;
}
