import { join } from "node:path";
import { updateFile } from "../documents/index.ts";
import {
  HostError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  messageOf,
  type Problem,
} from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import { parseListFile } from "./list-file.ts";
import type { OwnPaths } from "./own-paths.ts";
import { HOST_PRINCIPAL, principalPaths } from "./principal.ts";

/** One tool that the user always allows: one definition of one server with one launch. */
export interface AllowedCall {
  /** The name of the server. */
  readonly server: string;
  /** The config file that defines the server. */
  readonly file: string;
  /** The hash of the server's entry. */
  readonly entry: string;
  /** The server's name for the tool. */
  readonly tool: string;
  /** The hash of the tool's definition. */
  readonly hash: string;
  /** When the user allowed it (ISO 8601). */
  readonly allowedAt: string;
}

/** The allowed calls, and the problems found while reading them. */
export interface AllowedCalls {
  readonly list: readonly AllowedCall[];
  readonly problems: readonly Problem[];
}

/** The allowed calls of one principal. */
export interface AllowedCallRecords {
  readonly file: string;
  /** Reads the allowed calls. If the file is invalid, no call counts as allowed. */
  read(): Promise<AllowedCalls>;
  /** Replaces the list with what `change` returns. Throws if the existing file cannot be parsed. */
  update(change: (list: readonly AllowedCall[]) => readonly AllowedCall[]): Promise<void>;
}

/** Returns the allowed calls of one principal. Without one, those of the host's own user. */
export function allowedCallsOf(
  ports: Ports,
  places: OwnPaths,
  principal: string = HOST_PRINCIPAL,
): AllowedCallRecords {
  const file = join(principalPaths(places, principal).state, "allowed-calls.json");
  return {
    file,
    async read() {
      try {
        const bytes = await ports.files.read(file);
        return { list: bytes === undefined ? [] : parse(bytes), problems: [] };
      } catch (error) {
        const message = `${file} cannot be read (${messageOf(error)}); no call counts as always allowed until it can. Delete it to start over.`;
        return { list: [], problems: [{ code: "state-unreadable", severity: "error", message, file }] };
      }
    },
    async update(change) {
      await updateFile(ports, file, (current) => {
        const calls = change(current === undefined ? [] : parseKept(current, file));
        return `${JSON.stringify({ version: 1, calls }, undefined, 2)}\n`;
      });
    },
  };
}

function parseKept(text: string, file: string): readonly AllowedCall[] {
  try {
    return parse(new TextEncoder().encode(text));
  } catch (cause) {
    throw new HostError("CONFIG_INVALID", `${file} cannot be read (${messageOf(cause)}).`, {
      hint: "Delete it to start over; Plugboard then asks before each call again.",
      cause,
    });
  }
}

function parse(bytes: Uint8Array): readonly AllowedCall[] {
  return parseListFile(bytes, "calls", [1]).items.filter(isAllowedCall);
}

const FIELDS = ["server", "file", "entry", "tool", "hash", "allowedAt"] as const;

function isAllowedCall(value: JsonValue): value is JsonObject & AllowedCall {
  return isJsonObject(value) && FIELDS.every((field) => typeof value[field] === "string");
}
