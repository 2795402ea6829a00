import { dirname, isAbsolute, join } from "node:path";
import type { AccessSettings, OAuthAccess } from "../access/index.ts";
import { readDocument, readGatewayFile } from "../config/index.ts";
import { type Discovery, readManagedDocument } from "../discovery/index.ts";
import {
  HostError,
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonValue,
  type Problem,
} from "../model/index.ts";
import type { Environment, Files } from "../platform/index.ts";
import { type PolicyDocument, readPolicy } from "../policy/index.ts";

/** Where a gateway listens for the others of its team, and where they reach it. */
export interface ClusterConfig {
  readonly listen: { readonly host: string; readonly port: number };
  /** Default: where it listens. */
  readonly address?: { readonly host: string; readonly port: number };
  /** How long a gateway that ends waits for load balancers and for running calls. */
  readonly drain: { readonly waitMs?: number; readonly callsMs?: number };
}

const USUAL_ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"];
const LARGEST_REFERENCE = 64 * 1024;

/** Where a team's gateway listens. */
export interface TeamListen {
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly trustedProxies: readonly string[];
}

/** How people sign in to the gateway's pages. */
export interface PageSignIn {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
  readonly groupsClaim: string;
  readonly nameClaim: string;
}

export interface TeamLimits {
  readonly requestsPerSecond: number;
  readonly burst: number;
  readonly concurrent: number;
  readonly concurrentPerServer: number;
  readonly concurrentInAll: number;
  readonly queue: number;
  readonly sessions: number;
  readonly anonymousPerSecond: number;
  readonly pagesPerMinute: number;
  readonly memoryPercent: number;
}

const USUAL_LIMITS: TeamLimits = {
  requestsPerSecond: 50,
  burst: 100,
  concurrent: 32,
  concurrentPerServer: 64,
  concurrentInAll: 256,
  queue: 100,
  sessions: 50,
  anonymousPerSecond: 5,
  pagesPerMinute: 30,
  memoryPercent: 80,
};

/** The settings for the gateway in a server's entry. */
export interface ServerTerms {
  /** How many requests may run at the same time. */
  readonly maxConcurrent?: number;
  /** Whether it is a program that the gateway runs. */
  readonly isProgram: boolean;
}

/** The checked content of `gateway.jsonc`. */
export interface TeamConfig {
  readonly file: string;
  readonly publicUrl: string;
  readonly listen: TeamListen;
  readonly internal?: { readonly host: string; readonly port: number };
  /** Set if several gateways use the database. */
  readonly cluster?: ClusterConfig;
  readonly access: AccessSettings;
  readonly signIn?: PageSignIn;
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
  /** `undefined` if the policy is kept in the store, where administrators change it. */
  readonly policy?: PolicyDocument;
  /** The policy as it is written. */
  readonly policySource?: JsonObject;
  readonly managed: Discovery;
  readonly terms: ReadonlyMap<string, ServerTerms>;
  readonly limits: TeamLimits;
  readonly database?: JsonObject;
  readonly keys: JsonValue;
  readonly audit: JsonObject;
  readonly metricsToken?: string;
  readonly toolLabel: boolean;
  /** All secrets in the file, to mask them. */
  readonly secrets: readonly string[];
  /** Problems of single servers. The others work. */
  readonly problems: readonly Problem[];
}

/** Reads and checks `gateway.jsonc`. Rejects with a list of all errors, each with its line and column. */
export async function loadTeamConfig(
  file: string,
  files: Files,
  { variables, cwd }: Pick<Environment, "variables" | "cwd">,
): Promise<TeamConfig> {
  const path = isAbsolute(file) ? file : join(cwd, file);
  const { document, exists, problems: syntax } = await readDocument(files, path);
  if (!exists) throw new HostError("CONFIG_NOT_FOUND", `${path} does not exist.`);
  if (document === undefined || syntax.some(({ severity }) => severity === "error")) throw wrong(syntax);
  const reading = readGatewayFile(document, path, variables);
  const { value, problemAt } = reading;
  if (value === undefined) throw wrong(reading.problems);
  const problems: Problem[] = [];
  const report = (at: readonly (string | number)[], message: string): void =>
    void problems.push(problemAt(at, message));
  const secrets: string[] = [];
  const resolve = createResolver({ files, variables, folder: dirname(path), secrets, report });
  const access = objectIn(value, "access");
  const signIn = isJsonObject(access["signIn"])
    ? await readSignIn(access["signIn"], (text) => resolve(text, ["access", "signIn", "clientSecret"]))
    : undefined;
  const policy =
    value["policy"] === undefined
      ? undefined
      : readPolicy(value["policy"], "deny", (at, message) => report(["policy", ...at], message));
  const listen = readListen(objectIn(value, "listen"), report);
  const internal =
    typeof value["internal"] === "string" ? readAddress(value["internal"], ["internal"], report) : undefined;
  const database = isJsonObject(value["database"])
    ? await resolveMembers(value["database"], ["url", "listenUrl"], (text, key) =>
        resolve(text, ["database", key]),
      )
    : undefined;
  const cluster = isJsonObject(value["cluster"]) ? readCluster(value["cluster"], report) : undefined;
  if (cluster !== undefined && database === undefined)
    report(["cluster"], 'needs a "database", which the gateways share');
  const telemetry = objectIn(value, "telemetry");
  const { metricsToken } = telemetry;
  const resolvedToken =
    typeof metricsToken === "string" ? await resolve(metricsToken, ["telemetry", "metricsToken"]) : undefined;
  const oauth = await readOAuth(access, resolve);
  const terms = readTerms(objectIn(value, "servers"), report);
  const publicUrl = String(value["publicUrl"]);
  if (problems.length > 0) throw wrong(problems);
  const managed = readManagedDocument(
    { ...document, value: { ...value, servers: objectIn(value, "servers") } },
    path,
  );
  return {
    file: path,
    publicUrl,
    listen,
    ...(internal && { internal }),
    ...(cluster && { cluster }),
    access: {
      publicUrl,
      tokens: access["tokens"] !== false,
      oauth,
      groups: Object.fromEntries(
        Object.entries(objectIn(access, "groups")).map(([group, people]) => [group, textsIn(people)]),
      ),
      administrators: textsIn(access["administrators"]),
      auditors: textsIn(access["auditors"]),
    },
    ...(signIn && { signIn }),
    allowHosts: textsIn(access["allowHosts"]),
    allowOrigins: textsIn(access["allowOrigins"]),
    ...(policy && { policy }),
    ...(policy && isJsonObject(value["policy"]) && { policySource: value["policy"] }),
    managed,
    terms,
    limits: { ...USUAL_LIMITS, ...objectIn(value, "limits") },
    ...(database && { database }),
    keys: value["keys"] ?? [],
    audit: objectIn(value, "audit"),
    ...(resolvedToken !== undefined && { metricsToken: resolvedToken }),
    toolLabel: telemetry["toolLabel"] === true,
    secrets,
    problems: managed.problems,
  };
}

function wrong(problems: readonly Problem[]): HostError {
  const messages = problems.filter(({ severity }) => severity === "error").map(({ message }) => message);
  return new HostError("CONFIG_INVALID", messages.join("\n"));
}

type Report = (at: readonly (string | number)[], message: string) => void;
type Resolve = (text: string, path: readonly string[]) => Promise<string>;

/** Returns a function that replaces `${env:NAME}` and `{file:path}`, if the text is one of them. */
function createResolver({
  files,
  variables,
  folder,
  secrets,
  report,
}: {
  readonly files: Files;
  readonly variables: Environment["variables"];
  readonly folder: string;
  readonly secrets: string[];
  readonly report: Report;
}): Resolve {
  return async (text, path) => {
    const [, variable, file] = /^(?:\$\{env:([^}]+)\}|\{file:([^}]+)\})$/.exec(text) ?? [];
    let value: string | undefined = text;
    if (variable !== undefined) {
      value = variables[variable];
      if (value === undefined || value === "") report(path, `refers to $${variable}, which is not set`);
    } else if (file !== undefined) {
      const bytes = await files
        .read(isAbsolute(file) ? file : join(folder, file), LARGEST_REFERENCE)
        .catch(() => undefined);
      value = bytes && new TextDecoder().decode(bytes).trim();
      if (value === undefined || value === "")
        report(path, `refers to ${file}, which cannot be read or is empty`);
    }
    if (value !== undefined && value !== "") secrets.push(value);
    return value ?? "";
  };
}

async function resolveMembers(
  object: JsonObject,
  keys: readonly string[],
  resolve: (text: string, key: string) => Promise<string>,
): Promise<JsonObject> {
  const resolved = { ...object } as Record<string, JsonValue>;
  for (const key of keys) {
    const text = resolved[key];
    if (typeof text === "string") resolved[key] = await resolve(text, key);
  }
  return resolved;
}

async function readSignIn(
  given: JsonObject,
  resolve: (text: string) => Promise<string>,
): Promise<PageSignIn> {
  const { issuer, clientId, clientSecret, scopes, groupsClaim = "groups", nameClaim = "sub" } = given;
  const secret = typeof clientSecret === "string" ? await resolve(clientSecret) : undefined;
  return {
    issuer: String(issuer),
    clientId: String(clientId),
    ...(secret !== undefined && { clientSecret: secret }),
    scopes: scopes === undefined ? ["openid", "profile", "email"] : textsIn(scopes),
    groupsClaim: String(groupsClaim),
    nameClaim: String(nameClaim),
  };
}

async function readOAuth(access: JsonObject, resolve: Resolve): Promise<readonly OAuthAccess[]> {
  const read = itemsOf(access["oauth"])
    .filter(isJsonObject)
    .map(async (given): Promise<OAuthAccess> => {
      const {
        issuer,
        audience,
        scopes,
        groupsClaim = "groups",
        nameClaim = "sub",
        jwksUrl,
        introspection,
      } = given;
      return {
        issuer: String(issuer),
        ...(typeof audience === "string" && { audience }),
        scopes: textsIn(scopes),
        groupsClaim: String(groupsClaim),
        nameClaim: String(nameClaim),
        algorithms: given["algorithms"] === undefined ? USUAL_ALGORITHMS : textsIn(given["algorithms"]),
        ...(typeof jwksUrl === "string" && { jwksUrl }),
        ...(isJsonObject(introspection) && {
          introspection: {
            url: String(introspection["url"]),
            clientId: String(introspection["clientId"]),
            clientSecret: await resolve(String(introspection["clientSecret"]), [
              "access",
              "oauth",
              "introspection",
              "clientSecret",
            ]),
          },
        }),
      };
    });
  return Promise.all(read);
}

function readListen({ address, tls, trustedProxies }: JsonObject, report: Report): TeamListen {
  const { cert, key } = isJsonObject(tls) ? tls : {};
  return {
    ...readAddress(String(address), ["listen", "address"], report),
    ...(cert !== undefined && key !== undefined && { tls: { cert: String(cert), key: String(key) } }),
    trustedProxies: textsIn(trustedProxies),
  };
}

function readCluster(
  { listen, address, drainWaitMs, drainCallsMs }: JsonObject,
  report: Report,
): ClusterConfig {
  return {
    listen: readAddress(String(listen), ["cluster", "listen"], report),
    ...(address !== undefined && { address: readAddress(String(address), ["cluster", "address"], report) }),
    drain: {
      ...(typeof drainWaitMs === "number" && { waitMs: drainWaitMs }),
      ...(typeof drainCallsMs === "number" && { callsMs: drainCallsMs }),
    },
  };
}

/** Reads `host:port`, `:port` or `[::1]:port`. Without a host, it is this machine only. */
export function readAddress(
  text: string,
  path: readonly string[] = [],
  report: Report = () => {},
): { readonly host: string; readonly port: number } {
  const [, bracketed, plain = "", digits = ""] = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535) report(path, "must be [host]:port, such as 0.0.0.0:8443");
  const host = bracketed ?? plain;
  return { host: host === "" ? "127.0.0.1" : host, port };
}

function readTerms(servers: JsonObject, report: Report): ReadonlyMap<string, ServerTerms> {
  const read = Object.entries(servers).flatMap(([name, entry]) => {
    if (!isJsonObject(entry)) return [];
    const { credential = "person", maxConcurrent, placement } = entry;
    const at = (key: string): readonly string[] => ["servers", name, key];
    if (credential !== "person")
      report(at("credential"), 'must be "person": this version has no sign-ins that people share');
    if (placement !== undefined && placement !== "one")
      report(at("placement"), 'must be "one": this version runs each server of a person on one gateway');
    const isCount = typeof maxConcurrent === "number" && Number.isInteger(maxConcurrent) && maxConcurrent > 0;
    if (maxConcurrent !== undefined && !isCount)
      report(at("maxConcurrent"), "must be a whole number of at least 1");
    const terms: ServerTerms = {
      isProgram: typeof entry["command"] === "string",
      ...(isCount && { maxConcurrent }),
    };
    return [[name, terms] as const];
  });
  return new Map(read);
}

function objectIn(holder: JsonObject, key: string): JsonObject {
  const value = holder[key];
  return isJsonObject(value) ? value : {};
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  return itemsOf(value).filter((item) => typeof item === "string");
}
