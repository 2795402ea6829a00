import type { PageError } from "../../../page-api.ts";
import { encodePart } from "../routes.ts";

const ROOT = "api/v1/";

/** The code of a `PageFailure` if the gateway could not be reached. */
export const OFFLINE = "OFFLINE";

/** A request that failed. */
export class PageFailure extends Error {
  override readonly name = "PageFailure";
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;

  constructor(message: string, { status = 0, code, hint }: FailureFacts) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

interface FailureFacts {
  readonly status?: number;
  readonly code: string;
  readonly hint?: string | undefined;
}

/** Loads a document of the page API. */
export function load<T>(path: string, signal?: AbortSignal): Promise<T> {
  return exchange<T>(path, { method: "GET", ...(signal === undefined ? {} : { signal }) });
}

/** Writes. The header proves that the request comes from a script of this page. */
export function send<T>(path: string, body: object = {}, signal?: AbortSignal): Promise<T> {
  return exchange<T>(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Plugboard": "1" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Joins the parts of a path. Names of servers and tools can contain any character. */
export function pathOf(...parts: readonly string[]): string {
  return parts.map(encodePart).join("/");
}

/** Adds a query. Omits empty values. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** Returns whether the page session is over. After a restart, the gateway does not know the page's address, and never will. */
export function isSessionOver({ status, code }: PageFailure): boolean {
  return status === 401 || (status === 404 && code === "PAGE_UNKNOWN");
}

export function toFailure(error: unknown): PageFailure {
  if (error instanceof PageFailure) return error;
  return new PageFailure(error instanceof Error ? error.message : String(error), { code: "PAGE_BUG" });
}

async function exchange<T>(path: string, init: RequestInit): Promise<T> {
  const response = await reach(path, init);
  const document: unknown = await response.json().catch(() => undefined);
  if (response.ok && document !== undefined) return document as T;
  const { error } = (document ?? {}) as Partial<PageError>;
  const { status } = response;
  throw new PageFailure(error?.message ?? `The gateway answered with HTTP status ${status}.`, {
    status,
    code: error?.code ?? "PAGE_UNREADABLE",
    hint: error?.hint,
  });
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(ROOT + path, { ...init, credentials: "same-origin", redirect: "error" });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new PageFailure("The gateway cannot be reached.", {
      code: OFFLINE,
      hint: "This page reconnects automatically. To start the gateway: plugboard dashboard",
    });
  }
}
