import { join } from "node:path";
import { isJsonObject, isList, type JsonObject } from "../model/index.ts";
import { type Ports, parseOwnJson } from "../platform/index.ts";
import type { OwnPaths } from "./own-paths.ts";

/** A conversation without its messages. */
export interface ConversationInfo {
  /** Identifies the conversation. */
  readonly id: string;
  /** The working folder. */
  readonly folder: string;
  /** The beginning of the first message. */
  readonly title: string;
  /** The model that answered last, as `provider/model`. */
  readonly model: string;
  /** When the last message was added, as an ISO 8601 date and time. */
  readonly updatedAt: string;
}

/** A conversation. */
export interface SavedConversation extends ConversationInfo {
  /** The messages in the AI SDK's format, without images and other media. */
  readonly messages: readonly JsonObject[];
}

/** Stores conversations, one file each. */
export interface ConversationFiles {
  write(conversation: SavedConversation): Promise<void>;
  /** Returns a conversation, or `undefined` if there is none with this id. Throws if the file is invalid. */
  read(id: string): Promise<SavedConversation | undefined>;
  /** Returns the conversations, the newest first. Skips files that are invalid. */
  list(): Promise<ConversationInfo[]>;
  /** Removes all conversations, and returns how many there were. */
  clear(): Promise<number>;
}

/** The format of an id: when the conversation started, and a random part. Other files are never read or removed. */
const ID = /^\d{17}-[0-9a-f]{8}$/;
const MAX_FILES = 200;
const KEPT_MS = 90 * 24 * 60 * 60 * 1_000;
/** Larger conversations are not kept. */
const MAX_BYTES = 16 * 1024 * 1024;

export function createConversationFiles({ files, clock }: Ports, { state }: OwnPaths): ConversationFiles {
  const folder = join(state, "conversations");
  const fileOf = (id: string): string => join(folder, `${id}.json`);
  const ids = async (): Promise<string[]> =>
    (await files.list(folder))
      .filter((name) => name.endsWith(".json") && ID.test(name.slice(0, -5)))
      .map((name) => name.slice(0, -5))
      .sort()
      .reverse();
  const read = async (id: string): Promise<SavedConversation | undefined> => {
    if (!ID.test(id)) return undefined;
    const bytes = await files.read(fileOf(id), MAX_BYTES);
    return bytes && parse(id, await parseOwnJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  };
  const prune = async (): Promise<void> => {
    const oldest = timeOf(clock.now() - KEPT_MS);
    for (const [index, id] of (await ids()).entries())
      if (index >= MAX_FILES || id.slice(0, 17) < oldest) await files.remove(fileOf(id));
  };
  return {
    read,
    async write({ id, ...content }) {
      const text = `${JSON.stringify({ version: 1, ...content })}\n`;
      if (!ID.test(id) || Buffer.byteLength(text) > MAX_BYTES) return;
      await files.makeFolder(folder, 0o700);
      await files.replace(fileOf(id), text, 0o600);
      await prune();
    },
    async list() {
      const found: ConversationInfo[] = [];
      for (const id of await ids()) {
        const { messages: _, ...info } = (await read(id).catch(() => undefined)) ?? { id: "" };
        if ("title" in info) found.push(info);
      }
      return found.sort((left, right) => (left.updatedAt < right.updatedAt ? 1 : -1));
    },
    async clear() {
      const all = await ids();
      for (const id of all) await files.remove(fileOf(id));
      return all.length;
    },
  };
}

/** Formats the time part of an id. */
export function timeOf(now: number): string {
  return new Date(now).toISOString().replace(/\D/g, "");
}

const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "tool"]);

function parse(id: string, value: unknown): SavedConversation {
  const { version, folder, title, model, updatedAt, messages } = isJsonObject(value) ? value : {};
  if (
    version !== 1 ||
    typeof folder !== "string" ||
    typeof title !== "string" ||
    typeof model !== "string" ||
    typeof updatedAt !== "string" ||
    !isList(messages) ||
    !messages.every(isMessage)
  )
    throw new Error("it contains no conversation of this version");
  return { id, folder, title, model, updatedAt, messages };
}

function isMessage(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || !ROLES.has(value["role"])) return false;
  const { content } = value;
  return typeof content === "string" || (isList(content) && content.every(isJsonObject));
}
