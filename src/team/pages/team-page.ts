import type { Access } from "../../access/index.ts";
import { safeLine } from "../../model/index.ts";
import type { IncomingRequest, OutgoingResponse } from "../../platform/index.ts";
import type { Person, Role } from "../../store/index.ts";
import { type Html, html, type Link, PAGE_HEADERS, page } from "./html.ts";

const LARGEST_FORM = 256 * 1024;

/** A request to a page. */
export interface PageRequest {
  readonly request: IncomingRequest;
  readonly response: OutgoingResponse;
  readonly path: string;
  readonly person: Person | undefined;
}

/** A request of a person who is signed in. */
export interface SignedInRequest extends PageRequest {
  readonly person: Person;
  readonly role: Role;
}

export type Answer = (asked: PageRequest) => Promise<void>;
/** Answers by method and path, such as `GET /people`. */
export type Answers = Readonly<Record<string, Answer>>;

/** Returns an answer for people who are signed in and have one of these roles. Others are asked to sign in, or refused. */
export function forRoles(
  access: Access,
  roles: readonly Role[],
  answer: (asked: SignedInRequest) => Promise<void>,
): Answer {
  return async (asked) => {
    const { person, response, path, request } = asked;
    if (person === undefined) {
      const back = request.method === "GET" ? request.target : path;
      return redirect(response, `/login?return=${encodeURIComponent(back)}`);
    }
    const role = access.roleOf(person, access.describe(person));
    if (roles.includes(role)) return answer({ ...asked, person, role });
    send(
      response,
      403,
      "Not allowed",
      html`<p>You are ${nameOf(person)}. Only ${roles.join("s and ")}s can use this page.</p>`,
      { navigation: navigationFor(role, path) },
    );
  };
}

export const EVERYONE: readonly Role[] = ["person", "auditor", "administrator"];
export const READERS: readonly Role[] = ["auditor", "administrator"];
export const ADMINISTRATORS: readonly Role[] = ["administrator"];

const PAGES: readonly (readonly [path: string, name: string, roles: readonly Role[]])[] = [
  ["/connections", "Connections", EVERYONE],
  ["/tokens", "Tokens", EVERYONE],
  ["/approvals", "Approvals", EVERYONE],
  ["/activity", "Activity", EVERYONE],
  ["/people", "People", READERS],
  ["/policy", "Policy", READERS],
  ["/nodes", "Gateways", READERS],
];

/** Returns the links to the pages that a person may use. */
export function navigationFor(role: Role, current: string): readonly Link[] {
  return PAGES.filter(([, , roles]) => roles.includes(role)).map(([path, name]) => ({
    path,
    name,
    isCurrent: current === path || current.startsWith(`${path}/`),
  }));
}

export function send(
  response: OutgoingResponse,
  status: number,
  title: string,
  body: Html,
  { headers = {}, navigation = [] }: SendOptions = {},
): void {
  response.send(status, { ...PAGE_HEADERS, ...headers }, page(title, body, navigation));
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly navigation?: readonly Link[];
}

/** Sends a page with the links to the other pages. */
export function sendPage(
  { response, role, path }: Pick<SignedInRequest, "response" | "role" | "path">,
  title: string,
  body: Html,
  status = 200,
): void {
  send(response, status, title, body, { navigation: navigationFor(role, path) });
}

export function redirect(
  response: OutgoingResponse,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.send(303, { ...PAGE_HEADERS, ...headers, location: safePath(path) });
}

/** Returns a path of this gateway, whatever a link contains. It is stored during a sign-in, so it must not be long. */
export function safePath(path: string): string {
  return /^\/(?![/\\])[\w\-./~%?=&+:]{0,2000}$/.test(path) ? path : "/connections";
}

export async function formOf(request: IncomingRequest): Promise<URLSearchParams | undefined> {
  const body = await request.readBody(LARGEST_FORM);
  return body === undefined ? undefined : new URLSearchParams(body);
}

export function queryOf({ target }: IncomingRequest): URLSearchParams {
  return new URL(target, "http://localhost").searchParams;
}

export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function nameOf({ name, email, subject }: Person): string {
  return safeLine(email ?? name ?? subject);
}

/** Returns a time that the reader's browser cannot convert, because pages have no scripts. */
export function timeText(ms: number | undefined): Html {
  if (ms === undefined) return html`never`;
  const text = new Date(ms).toISOString();
  return html`<time datetime="${text}">${text.slice(0, 16).replace("T", " ")} UTC</time>`;
}
