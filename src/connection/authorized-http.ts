import { type Http, type HttpRequest, type HttpResponse, isSameOrigin } from "../platform/index.ts";

/** Somebody who knows what lets a person in. */
export interface Authorizer {
  /** Goes with the next request; what the config says by the same name gives way. */
  headers(method: string, url: URL): Promise<Readonly<Record<string, string>>>;
  /** Answers whether the request is worth sending again. Rejects with a `HostError` when a person is needed. */
  refused(refusal: {
    readonly status: number;
    readonly challenge: string | undefined;
    readonly nonce: string | undefined;
    /** The `Authorization` that was refused. */
    readonly sent: string | undefined;
    readonly attempt: number;
  }): Promise<boolean>;
}

/** The same HTTP with a person's sign-in on every request to the origin of one URL, and to no other. */
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
      const isWorthwhile = await authorizer
        .refused({ status, challenge, nonce, sent, attempt })
        .catch((error: unknown) => {
          response.cancel();
          throw error;
        });
      if (!isWorthwhile) return response;
      response.cancel();
    }
  };
  return { request: send, close: () => http.close() };
}
