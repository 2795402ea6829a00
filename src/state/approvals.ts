import { join } from "node:path";
import { decodeText, parseJson, updateFile } from "../documents/index.ts";
import {
  HostError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  messageOf,
  type Problem,
} from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import type { Places } from "./places.ts";

/** A person's yes to one exact launch of one server of one file. */
export interface Approval {
  readonly file: string;
  readonly server: string;
  readonly hash: string;
  /** What was approved, kept to show the difference when it changes. */
  readonly fields: JsonObject;
  readonly approvedAt: string;
}

export interface Approvals {
  readonly list: readonly Approval[];
  readonly problems: readonly Problem[];
}

export const approvalsFile = ({ state }: Places): string => join(state, "approvals.json");

/** A file that cannot be understood approves nothing. */
export async function readApprovals({ files }: Ports, places: Places): Promise<Approvals> {
  const file = approvalsFile(places);
  try {
    const bytes = await files.read(file);
    if (bytes === undefined) return { list: [], problems: [] };
    return { list: parseApprovals(bytes), problems: [] };
  } catch (error) {
    const message = `${file} cannot be read (${messageOf(error)}); nothing counts as approved until it can. Delete it to start over.`;
    return { list: [], problems: [{ code: "state-unreadable", severity: "error", message, file }] };
  }
}

/** Replaces the approval of the same server in the same file. Refuses to write over what it cannot understand. */
export async function writeApproval(ports: Ports, places: Places, approval: Approval): Promise<void> {
  const path = approvalsFile(places);
  await updateFile(ports, path, (current) => {
    const others = (current === undefined ? [] : parseKept(current, path)).filter(
      ({ file, server }) => file !== approval.file || server !== approval.server,
    );
    return `${JSON.stringify({ version: 1, approvals: [...others, approval] }, undefined, 2)}\n`;
  });
}

/** Takes back those that match. Refuses to write over what it cannot understand. */
export async function removeApprovals(
  ports: Ports,
  places: Places,
  matches: (approval: Approval) => boolean,
): Promise<void> {
  const path = approvalsFile(places);
  await updateFile(ports, path, (current) => {
    if (current === undefined) return undefined;
    const others = parseKept(current, path).filter((approval) => !matches(approval));
    return `${JSON.stringify({ version: 1, approvals: others }, undefined, 2)}\n`;
  });
}

function parseKept(text: string, file: string): Approval[] {
  try {
    return parseApprovals(new TextEncoder().encode(text));
  } catch (cause) {
    throw new HostError("CONFIG_INVALID", `${file} cannot be read (${messageOf(cause)}).`, {
      hint: "Delete it to start over; every server has to be approved again then.",
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
  if (version !== 1 || !Array.isArray(list)) throw new Error("it holds no list of approvals of this version");
  return (list as readonly JsonValue[]).filter(isApproval);
}

function isApproval(value: JsonValue): value is JsonObject & Approval {
  if (!isJsonObject(value) || !isJsonObject(value["fields"])) return false;
  return ["file", "server", "hash", "approvedAt"].every((key) => typeof value[key] === "string");
}
