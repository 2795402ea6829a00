import { codeOf, messageOf } from "../../model/index.ts";
import type { Http, HttpRequest, HttpResponse } from "../../platform/index.ts";
import { WireError } from "../wire/wire-error.ts";

const MOST_REDIRECTS = 3;

/** Sends a request and follows redirects within the same origin; headers never go anywhere else. */
export async function exchange(http: Http, request: HttpRequest): Promise<HttpResponse> {
  let { url } = request;
  for (let hop = 0; ; hop += 1) {
    const response = await attempt(http, { ...request, url });
    const target = redirectTarget(response, url, request.method);
    if (target === undefined) return response;
    response.cancel();
    if (target.origin !== url.origin) {
      throw new WireError(
        { kind: "status", status: response.status },
        `it redirects to another place, ${target.origin}`,
      );
    }
    if (hop >= MOST_REDIRECTS)
      throw new WireError({ kind: "status", status: response.status }, "it redirects in circles");
    url = target;
  }
}

async function attempt(http: Http, request: HttpRequest): Promise<HttpResponse> {
  try {
    return await http.request(request);
  } catch (error) {
    if (request.signal?.aborted)
      throw new WireError({ kind: "aborted" }, "the request was cancelled", { cause: error });
    const reason = codeOf(error) ?? messageOf(error);
    throw new WireError({ kind: "unreachable", reason, sent: !NEVER_SENT.has(reason) }, reason, {
      cause: error,
    });
  }
}

/** Failures that prove that the server never saw the request. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

function redirectTarget({ status, headers }: HttpResponse, from: URL, method: string): URL | undefined {
  const isRedirect =
    status === 307 || status === 308 || (method === "GET" && [301, 302, 303].includes(status));
  const location = headers.get("location");
  if (!isRedirect || location === undefined || !URL.canParse(location, from.href)) return undefined;
  return new URL(location, from);
}

/** The whole body as text, at most `limit` bytes of it. */
export function readText(response: HttpResponse, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    response.read(
      (chunk) => {
        size += chunk.length;
        if (size <= limit) chunks.push(chunk);
        else {
          response.cancel();
          reject(
            new WireError(
              { kind: "tooLarge" },
              `the answer is larger than ${Math.round(limit / 1024 / 1024)} MB`,
            ),
          );
        }
      },
      (error) => {
        if (error === undefined) resolve(Buffer.concat(chunks).toString("utf8"));
        else
          reject(
            new WireError({ kind: "streamLost" }, "the connection was cut before the answer was whole", {
              cause: error,
            }),
          );
      },
    );
  });
}

/** An answer that is a refusal, with what the server says about it. */
export function statusError({ status, headers }: HttpResponse): WireError {
  const challenge = headers.get("www-authenticate");
  const retryAfter = headers.get("retry-after");
  return new WireError(
    {
      kind: "status",
      status,
      ...(challenge !== undefined && { challenge }),
      ...(retryAfter !== undefined &&
        /^\d+$/.test(retryAfter) && { retryAfterMs: Number(retryAfter) * 1000 }),
    },
    `HTTP ${status}`,
  );
}
