import { request } from "node:http";

export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body, parsed. */
  readonly json: Readonly<Record<string, unknown>>;
}

export interface PageCall {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: unknown;
}

/** Sends exactly these headers, which `fetch` would not. */
export function sendTo(
  origin: string,
  { method = "GET", path, headers = {}, body }: PageCall,
): Promise<PageAnswer> {
  const { hostname, port } = new URL(origin);
  const given = Object.entries(headers).filter(
    (entry): entry is [string, string | string[]] => entry[1] !== undefined,
  );
  const content = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  const length = content === undefined ? {} : { "content-length": String(Buffer.byteLength(content)) };
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, headers: { ...Object.fromEntries(given), ...length }, setHost: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => {
          const isJson = response.headers["content-type"] === "application/json" && text !== "";
          const json = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
        });
      },
    );
    sent.on("error", reject);
    sent.end(content);
  });
}

/** A browser with an open page, as far as requests show it. */
export class PageClient {
  readonly origin: string;
  /** The path of the page. */
  readonly base: string;
  readonly ticket: string;
  cookie: string | undefined;

  constructor(address: string) {
    const { origin, pathname, hash } = new URL(address);
    this.origin = origin;
    this.base = pathname;
    this.ticket = hash.replace("#ticket=", "");
  }

  /** The headers that a browser sends with every request of the page. */
  headers(isWrite: boolean): Record<string, string | undefined> {
    return {
      host: new URL(this.origin).host,
      cookie: this.cookie,
      "sec-fetch-site": "same-origin",
      ...(isWrite && { origin: this.origin, "x-plugboard": "1", "content-type": "application/json" }),
    };
  }

  async signIn(ticket: string = this.ticket): Promise<PageAnswer> {
    const answer = await this.post("session", { ticket });
    const [cookie] = answer.headers["set-cookie"] ?? [];
    if (answer.status === 200) this.cookie = cookie?.split(";")[0];
    return answer;
  }

  get(route: string, headers: Readonly<Record<string, string | undefined>> = {}): Promise<PageAnswer> {
    const path = `${this.base}api/v1/${route}`;
    return sendTo(this.origin, { path, headers: { ...this.headers(false), ...headers } });
  }

  post(
    route: string,
    body: unknown = {},
    headers: Readonly<Record<string, string | undefined>> = {},
  ): Promise<PageAnswer> {
    const path = `${this.base}api/v1/${route}`;
    return sendTo(this.origin, {
      method: "POST",
      path,
      headers: { ...this.headers(true), ...headers },
      body,
    });
  }
}
