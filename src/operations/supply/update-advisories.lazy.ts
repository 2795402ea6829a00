import { isAbsolute, resolve } from "node:path";
import {
  HostError,
  isHostError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  messageOf,
} from "../../model/index.ts";
import { type Cancellation, readBodyText } from "../../platform/index.ts";
import type { Workspace } from "../workspace.ts";
import {
  type AdvisoryFile,
  advisoryPath,
  MOST_BYTES,
  readAdvisories,
  reduceAdvisory,
} from "./advisory-file.ts";
import type { AdvisoryStatus, UpdateAdvisoriesOptions } from "./supply-api.ts";

const TIMEOUT_MS = 120_000;
const MOST_ADVISORIES = 1_000_000;

/** Describes the local advisories. */
export async function describeAdvisories(workspace: Workspace): Promise<AdvisoryStatus | undefined> {
  const file = await readAdvisories(workspace);
  return file && statusOf(file);
}

/** Fetches advisories and replaces the local ones. Keeps the local ones if anything is wrong. */
export async function updateAdvisories(
  workspace: Workspace,
  { from, signal }: UpdateAdvisoriesOptions,
): Promise<AdvisoryStatus> {
  const { ports, places, environment, inventory } = workspace;
  const source = from ?? inventory().settings.advisories;
  if (source === undefined)
    throw new HostError("USAGE_INVALID", "No address for advisories is configured.", {
      hint: 'Set "advisories" in the settings to the https URL of a file in OSV format, or name a file or URL.',
    });
  const text = /^https?:/i.test(source)
    ? await download(workspace, source, signal)
    : await readFile(workspace, isAbsolute(source) ? source : resolve(environment.cwd, source));
  const advisories = parse(text, source);
  const fetchedAt = new Date(ports.clock.now()).toISOString();
  const file: AdvisoryFile = { fetchedAt, source: shown(source), advisories };
  await ports.files.makeFolder(places.state, 0o700);
  await ports.files.replace(advisoryPath(places), `${JSON.stringify(file)}\n`, 0o600);
  return statusOf(file);
}

function statusOf({ fetchedAt, source, advisories }: AdvisoryFile): AdvisoryStatus {
  return { fetchedAt, source, advisories: advisories.length };
}

/** Accepts a JSON list of OSV entries, an object with such a list as `vulns`, one entry, or one entry per line. */
function parse(text: string, source: string): JsonObject[] {
  const entries = parseJson(text) ?? parseLines(text);
  if (entries === undefined) throw unusable(source, "it is neither JSON nor one JSON object per line");
  const found = entries
    .slice(0, MOST_ADVISORIES)
    .map(reduceAdvisory)
    .filter((entry) => entry !== undefined);
  // An error page or an empty file must not remove the protection.
  if (found.length === 0) throw unusable(source, "it contains no advisories about npm or PyPI packages");
  return found;
}

function parseJson(text: string): readonly JsonValue[] | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (Array.isArray(value)) return value as readonly JsonValue[];
    if (!isJsonObject(value)) return undefined;
    return Array.isArray(value["vulns"]) ? (value["vulns"] as readonly JsonValue[]) : [value];
  } catch {
    return undefined;
  }
}

function parseLines(text: string): readonly JsonValue[] | undefined {
  try {
    return text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line) as JsonValue);
  } catch {
    return undefined;
  }
}

async function readFile({ ports }: Workspace, file: string): Promise<string> {
  try {
    const bytes = await ports.files.read(file, MOST_BYTES);
    if (bytes === undefined) throw new Error("it does not exist");
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw unusable(file, messageOf(error), error);
  }
}

async function download(
  { ports }: Workspace,
  source: string,
  signal: Cancellation | undefined,
): Promise<string> {
  const limit = new AbortController();
  const stop = (): void => limit.abort();
  const stopTimer = ports.clock.after(TIMEOUT_MS, stop);
  signal?.addEventListener("abort", stop);
  try {
    const url = new URL(source);
    const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
    if (url.protocol !== "https:" && !isLocal) throw unusable(source, "it must be an https URL");
    const headers = { accept: "application/json" };
    const response = await ports.http.request({ url, method: "GET", headers, signal: limit.signal });
    const text = await readBodyText(response, MOST_BYTES);
    if (response.status !== 200) throw unusable(source, `the server answered with status ${response.status}`);
    if (text === undefined) throw unusable(source, "it is too large");
    return text;
  } catch (error) {
    if (isHostError(error) || signal?.aborted === true) throw error;
    throw unusable(
      source,
      limit.signal.aborted ? "the server did not answer in time" : messageOf(error),
      error,
    );
  } finally {
    stopTimer();
    signal?.removeEventListener("abort", stop);
  }
}

function unusable(source: string, because: string, cause?: unknown): HostError {
  return new HostError("CONNECT_FAILED", `The advisories at ${shown(source)} cannot be used: ${because}.`, {
    hint: "The advisories that were fetched before are still used.",
    cause,
  });
}

/** A query may contain a token. */
function shown(source: string): string {
  return source.replace(/[?#].*$/s, "").slice(0, 500);
}
