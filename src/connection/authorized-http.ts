import { type Http, type HttpRequest, type HttpResponse, isSameOrigin } from "../platform/index.ts";

/** Adds credentials to requests and decides whether a refused request is retried. */
export interface Authorizer {
  /** Returns the headers for the next request. They override headers of the same name in the entry. */
  headers(method: string, url: URL): Promise<Readonly<Record<string, string>>>;
  /** Returns whether to retry the request. Rejects with a `HostError` if the user has to sign in. */
  refused(refusal: {
    readonly status: number;
    readonly challenge: string | undefined;
    readonly nonce: string | undefined;
    /** The `Authorization` header that was refused. */
    readonly sent: string | undefined;
    readonly attempt: number;
  }): Promise<boolean>;
}

/** Adds a person's sign-in to every request to the origin of one URL, and to no other request. */
export function authorizedHttp(http: Http, server: URL, authorizer: Authorizer): Http {
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    if (!isSameOrigin(request.url, server)) return http.request(request);
    for (let attempt = 0; ; attempt += 1) {
      const added = await authorizer.headers(request.method, request.url);
      const response = await http.request({ ...request, headers: { ...request.headers, ...added } });
      const { status, headers } = response;
      if (status !== 401 && status !== 403) return response;
      const challenge = headers.get("www-authenticate");
      const nonce = headers.get("dpop-nonce");
      const sent = added["authorization"];
      const shouldRetry = await authorizer
        .refused({ status, challenge, nonce, sent, attempt })
        .catch((error: unknown) => {
          response.cancel();
          throw error;
        });
      if (!shouldRetry) return response;
      response.cancel();
    }
  };
  return { request: send, close: () => http.close() };
}
