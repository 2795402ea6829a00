import { join } from "node:path";
import { decodeText, type FileUpdate, parseJson, updateFiles } from "../documents/index.ts";
import {
  codeOf,
  HostError,
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
  messageOf,
  type Problem,
  safeVariableName,
} from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import type { OwnPaths } from "./own-paths.ts";

/** The approval of one exact launch of a server in a config file. */
export interface Approval {
  /** `1` if an older version of Plugboard recorded it. */
  readonly version?: 1;
  /** The config file that defines the server. */
  readonly file: string;
  /** The name of the server. */
  readonly server: string;
  /** The hash of the approved launch. */
  readonly hash: string;
  /** The approved fields, used to show the difference if they change. */
  readonly fields: JsonObject;
  /** The provider that read the entry. */
  readonly reader?: string;
  /** How placeholders in the entry were expanded. */
  readonly expansion?: JsonObject;
  /** Whether the entry's `envFile` existed, and the names of its variables. */
  readonly envFile?: { readonly found: boolean; readonly names: readonly string[] };
  /** When the launch was approved (ISO 8601). */
  readonly approvedAt: string;
  /** Set if the user added the server with Plugboard, which also approved it. */
  readonly added?: true;
}

/** The recorded approvals, and the problems found while reading them. */
export interface Approvals {
  readonly list: readonly Approval[];
  readonly problems: readonly Problem[];
}

/** Returns the path of the file with the approvals. */
export const approvalsFile = ({ state }: OwnPaths): string => join(state, "approvals.json");

/** Reads the approvals. If the file is invalid, nothing counts as approved. */
export async function readApprovals({ files }: Ports, places: OwnPaths): Promise<Approvals> {
  const file = approvalsFile(places);
  try {
    const bytes = await files.read(file);
    if (bytes === undefined) return { list: [], problems: [] };
    return { list: parseApprovals(bytes), problems: [] };
  } catch (error) {
    const message =
      codeOf(error) === "ENOTOWN"
        ? `${file} is not used, so nothing counts as approved: ${messageOf(error)}.`
        : `${file} cannot be read (${messageOf(error)}); nothing counts as approved until it can. Delete it to start over.`;
    return { list: [], problems: [{ code: "state-unreadable", severity: "error", message, file }] };
  }
}

/**
 * Returns an update that adds approvals and replaces those of the same servers. Throws if it cannot parse the existing
 * file.
 */
export function approvalsUpdate(places: OwnPaths, approvals: readonly Approval[]): FileUpdate {
  const path = approvalsFile(places);
  const replaced = new Set(approvals.map(placeOf));
  return {
    path,
    update(current) {
      const others = (current === undefined ? [] : parseKept(current, path)).filter(
        (approval) => !replaced.has(placeOf(approval)),
      );
      return textOf([...others, ...approvals]);
    },
  };
}

/** Writes approvals. See `approvalsUpdate`. */
export async function writeApproval(
  ports: Ports,
  places: OwnPaths,
  ...approvals: readonly Approval[]
): Promise<void> {
  await updateFiles(ports, [approvalsUpdate(places, approvals)]);
}

/** Removes the matching approvals. Throws if it cannot parse the existing file. */
export async function removeApprovals(
  ports: Ports,
  places: OwnPaths,
  matches: (approval: Approval) => boolean,
): Promise<void> {
  const path = approvalsFile(places);
  const update = (current: string | undefined): string | undefined =>
    current === undefined
      ? undefined
      : textOf(parseKept(current, path).filter((approval) => !matches(approval)));
  await updateFiles(ports, [{ path, update }]);
}

/** Formats the file. Older versions reject this version number, so they never use its approvals. */
function textOf(approvals: readonly Approval[]): string {
  return `${JSON.stringify({ version: 2, approvals }, undefined, 2)}\n`;
}

const placeOf = ({ file, server }: Approval): string => `${file}\0${server}`;

function parseKept(text: string, file: string): Approval[] {
  try {
    return parseApprovals(new TextEncoder().encode(text));
  } catch (cause) {
    throw new HostError("CONFIG_INVALID", `${file} cannot be read (${messageOf(cause)}).`, {
      hint: "Delete it to start over; you then have to approve every server again.",
      cause,
    });
  }
}

function parseApprovals(bytes: Uint8Array): Approval[] {
  const decoded = decodeText(bytes);
  if (!("text" in decoded)) throw new Error(decoded.message);
  const { value, problems } = parseJson(decoded.text);
  if (value === undefined) throw new Error(`it ${problems[0]?.message ?? "is not JSON"}`);
  const { version, approvals: list } = isJsonObject(value) ? value : {};
  if ((version !== 1 && version !== 2) || !isList(list))
    throw new Error("it contains no list of approvals of this version");
  const approvals = list.filter(isApproval).map(withShownNames);
  return version === 1 ? approvals.map((approval) => ({ ...approval, version })) : approvals;
}

function isApproval(value: JsonValue): value is JsonObject & Approval {
  if (!isJsonObject(value) || !isJsonObject(value["fields"])) return false;
  const { version, reader, expansion, envFile, added } = value;
  return (
    ["file", "server", "hash", "approvedAt"].every((key) => typeof value[key] === "string") &&
    (version === undefined || version === 1) &&
    (reader === undefined || typeof reader === "string") &&
    (expansion === undefined || isJsonObject(expansion)) &&
    (envFile === undefined || isEnvFile(envFile)) &&
    (added === undefined || added === true)
  );
}

/** Hides names that may be secrets, because an older version stored everything that parsed as a name. */
function withShownNames(approval: Approval): Approval {
  const { envFile } = approval;
  if (envFile === undefined) return approval;
  return { ...approval, envFile: { ...envFile, names: envFile.names.map(safeVariableName) } };
}

function isEnvFile(value: JsonValue): boolean {
  if (!isJsonObject(value) || typeof value["found"] !== "boolean") return false;
  const { names } = value;
  return Array.isArray(names) && names.every((name) => typeof name === "string");
}
