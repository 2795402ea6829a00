import { isJsonObject, isList, type JsonObject, type JsonValue } from "../model/index.ts";
import { IGNORED, type ReportProblem } from "./model-settings.ts";

/** Settings for `plugboard serve`. */
export interface GatewaySettings {
  /** Additional exact `Host` values that requests may have, such as `host.docker.internal:7420`. */
  readonly allowHosts: readonly string[];
  /** Additional exact `Origin` values that requests may have. */
  readonly allowOrigins: readonly string[];
  /** Rules for clients, by the name that they send. */
  readonly clients: Readonly<Record<string, GatewayClientSettings>>;
}

/** Settings for one client of the gateway, by the name that it announces. */
export interface GatewayClientSettings {
  /** Capabilities that this client announces but does not have. */
  readonly without: readonly string[];
}

export const NO_GATEWAY_SETTINGS: GatewaySettings = { allowHosts: [], allowOrigins: [], clients: {} };
const KEYS = Object.keys(NO_GATEWAY_SETTINGS);
const CAPABILITIES = ["elicitation", "sampling", "roots", "tasks", "extensions"];

/** Reads the gateway's settings. Reports and skips invalid ones. */
export function readGatewaySettings(value: JsonObject, report: ReportProblem): GatewaySettings | undefined {
  const { gateway } = value;
  if (gateway === undefined) return undefined;
  if (!isJsonObject(gateway)) {
    report(["gateway"], '"gateway" must be an object', IGNORED);
    return undefined;
  }
  for (const key of Object.keys(gateway).filter((each) => !KEYS.includes(each)))
    report(["gateway", key], `"${key}" is not a known setting in "gateway"`);
  const textsIn = (key: "allowHosts" | "allowOrigins"): readonly string[] =>
    textList(gateway[key], () => report(["gateway", key], `"${key}" must be a list of strings`, IGNORED));
  const { clients = {} } = gateway;
  if (!isJsonObject(clients)) report(["gateway", "clients"], '"clients" must be an object', IGNORED);
  const entries = Object.entries(isJsonObject(clients) ? clients : {}).map(([name, client]) => {
    const wrong = (): void =>
      report(["gateway", "clients", name], `"without" must list some of ${CAPABILITIES.join(", ")}`, IGNORED);
    if (!isJsonObject(client)) wrong();
    const without = textList(isJsonObject(client) ? client["without"] : undefined, wrong);
    if (!without.every((one) => CAPABILITIES.includes(one))) wrong();
    return [name, { without: without.filter((one) => CAPABILITIES.includes(one)) }] as const;
  });
  return {
    allowHosts: textsIn("allowHosts"),
    allowOrigins: textsIn("allowOrigins"),
    clients: Object.fromEntries(entries),
  };
}

function textList(value: JsonValue | undefined, onWrong: () => void): readonly string[] {
  if (value === undefined) return [];
  const texts = isList(value) ? value.filter((item): item is string => typeof item === "string") : [];
  if (!isList(value) || texts.length !== value.length) onWrong();
  return texts;
}
