import { join } from "node:path";
import { type FileUpdate, updateFiles } from "../documents/index.ts";
import {
  codeOf,
  HostError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  messageOf,
  type Problem,
  safeVariableName,
} from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import { parseListFile } from "./list-file.ts";
import type { OwnPaths } from "./own-paths.ts";
import { HOST_PRINCIPAL, principalPaths } from "./principal.ts";
import type { Approval, ApprovalStore } from "./stores.ts";

/** The recorded approvals, and the problems found while reading them. */
export interface Approvals {
  readonly list: readonly Approval[];
  readonly problems: readonly Problem[];
}

/** The recorded approvals of one principal. */
export interface ApprovalRecords {
  /** The file with the approvals. Absent if a program supplies the store. */
  readonly file?: string;
  /** Reads the approvals. If they cannot be read, nothing counts as approved. */
  read(): Promise<Approvals>;
  /** Adds approvals and replaces those of the same servers. */
  add(approvals: readonly Approval[]): Promise<void>;
  /** Like `add`, but for a write together with other files. Absent if a program supplies the store. */
  readonly addition?: (approvals: readonly Approval[]) => FileUpdate;
  remove(approvals: readonly ApprovedPlace[]): Promise<void>;
}

type ApprovedPlace = Pick<Approval, "file" | "server">;

/** Creates the approval store in files. Writing throws if it cannot parse the existing file. */
export function createFileApprovals(ports: Ports, places: OwnPaths): FileApprovals {
  const { files } = ports;
  const fileOf = (principal: string): string =>
    join(principalPaths(places, principal).state, "approvals.json");
  const addition: FileApprovals["addition"] = (principal, approvals) => {
    const path = fileOf(principal);
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
  };
  return {
    fileOf,
    addition,
    async list(principal) {
      const file = fileOf(principal);
      try {
        const bytes = await files.read(file);
        return bytes === undefined ? [] : parseApprovals(bytes);
      } catch (cause) {
        const message =
          codeOf(cause) === "ENOTOWN"
            ? `${file} is not used, so nothing counts as approved: ${messageOf(cause)}.`
            : `${file} cannot be read (${messageOf(cause)}); nothing counts as approved until it can. Delete it to start over.`;
        throw new HostError("STATE_UNREADABLE", message, { cause });
      }
    },
    add: (principal, approvals) => updateFiles(ports, [addition(principal, approvals)]),
    async remove(principal, approvals) {
      const path = fileOf(principal);
      const removed = new Set(approvals.map(placeOf));
      const update = (current: string | undefined): string | undefined =>
        current === undefined
          ? undefined
          : textOf(parseKept(current, path).filter((approval) => !removed.has(placeOf(approval))));
      await updateFiles(ports, [{ path, update }]);
    },
  };
}

/** The approval store in files. */
export interface FileApprovals extends ApprovalStore {
  fileOf(principal: string): string;
  /** Returns an update that adds approvals, for a write together with other files. */
  addition(principal: string, approvals: readonly Approval[]): FileUpdate;
}

/** Returns the approvals of one principal. Without one, those of the host's own user. */
export function approvalsOf(
  store: ApprovalStore & Partial<FileApprovals>,
  principal: string = HOST_PRINCIPAL,
): ApprovalRecords {
  const { addition } = store;
  const file = store.fileOf?.(principal);
  return {
    ...(file !== undefined && { file }),
    async read() {
      try {
        return { list: (await store.list(principal)).filter(isApproval), problems: [] };
      } catch (error) {
        const message = file === undefined ? notRead(error) : messageOf(error);
        const problem: Problem = {
          code: "state-unreadable",
          severity: "error",
          message,
          ...(file && { file }),
        };
        return { list: [], problems: [problem] };
      }
    },
    add: (approvals) => store.add(principal, approvals),
    ...(addition && { addition: (approvals: readonly Approval[]) => addition(principal, approvals) }),
    remove: (approvals) => store.remove(principal, approvals),
  };
}

const notRead = (error: unknown): string =>
  `The approvals cannot be read (${messageOf(error)}); nothing counts as approved until they can.`;

/** Formats the file. Older versions reject this version number, so they never use its approvals. */
function textOf(approvals: readonly Approval[]): string {
  return `${JSON.stringify({ version: 2, approvals }, undefined, 2)}\n`;
}

const placeOf = ({ file, server }: ApprovedPlace): string => `${file}\0${server}`;

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
  const { version, items } = parseListFile(bytes, "approvals", [1, 2]);
  const approvals = items.filter(isApproval).map(withShownNames);
  return version === 1 ? approvals.map((approval) => ({ ...approval, version })) : approvals;
}

function isApproval(value: unknown): value is JsonObject & Approval {
  if (!isJsonObject(value) || !isJsonObject(value["fields"])) return false;
  const { version, reader, expansion, envFile, added, package: installed, packageNow } = value;
  return (
    ["file", "server", "hash", "approvedAt"].every((key) => typeof value[key] === "string") &&
    (version === undefined || version === 1) &&
    (reader === undefined || typeof reader === "string") &&
    (expansion === undefined || isJsonObject(expansion)) &&
    (envFile === undefined || isEnvFile(envFile)) &&
    (installed === undefined || typeof installed === "string") &&
    (packageNow === undefined || typeof packageNow === "string") &&
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
