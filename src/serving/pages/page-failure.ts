import { isHostError, messageOf, type Redactor, truncate } from "../../model/index.ts";
import { RpcError } from "../rpc-error.ts";
import type { PageError, PageErrorCode } from "./api/page.ts";

const LONGEST_MESSAGE = 2_000;

/** A request of a page that cannot be answered. */
export class PageFailure extends Error {
  readonly status: number;
  readonly code: PageErrorCode;
  readonly hint: string | undefined;

  constructor(status: number, code: PageErrorCode, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

export function unknownItem(message = "There is nothing at this address."): PageFailure {
  return new PageFailure(404, "PAGE_UNKNOWN", message);
}

export function invalidRequest(message: string, status = 400): PageFailure {
  return new PageFailure(status, "PAGE_REQUEST_INVALID", message);
}

/** The response to a request that failed. */
export interface FailedResponse {
  readonly status: number;
  readonly body: PageError;
}

/** Translates an error for a page. Secrets in it are masked. */
export function toFailedResponse(error: unknown, redactor: Redactor): FailedResponse {
  const masked = (text: string): string => truncate(redactor.redact(text), LONGEST_MESSAGE);
  const body = (code: string, message: string, hint: string | undefined): PageError => ({
    error: { code, message: masked(message), ...(hint !== undefined && { hint: masked(hint) }) },
  });
  if (error instanceof PageFailure)
    return { status: error.status, body: body(error.code, error.message, error.hint) };
  if (isHostError(error, "POLICY_HASH_MISMATCH") || isHostError(error, "POLICY_NOT_NEEDED"))
    return { status: 409, body: body("PAGE_OUTDATED", error.message, "Load the page again.") };
  if (isHostError(error)) {
    const status = error.code.endsWith("_UNKNOWN") ? 404 : 400;
    return { status, body: body(error.code, error.message, error.hint) };
  }
  if (error instanceof RpcError)
    return { status: 400, body: body("REQUEST_REFUSED", error.message, undefined) };
  return { status: 500, body: body("INTERNAL_BUG", messageOf(error), undefined) };
}
