import type { Threat } from "./threat.ts";

const ATTACKS = "test/dashboard/page-attacks.test.ts";
const SESSIONS = "test/dashboard/page-session.test.ts";
const DOCUMENTS = "test/dashboard/documents.test.ts";
const HOSTILE = "test/dashboard/page-hostile.test.ts";
const COMMAND = "test/surfaces/cli-dashboard.test.ts";

/** What web pages, servers and other programs may try with the dashboard. */
export const ofTheDashboard: readonly Threat[] = [
  {
    id: "P130",
    threat: "A web page sends requests to the dashboard with the user's cookie (CSRF)",
    defence:
      "The cookie is `SameSite=Strict` and limited to a path that pages do not know. Every write needs the page's own `Origin` and a header that forms cannot send; browsers' `Sec-Fetch-Site` must be `same-origin`.",
    shownBy: [
      {
        attack: "every route that changes something, with 14 forged requests each",
        file: ATTACKS,
        test: "changes nothing, whatever it sends to any route",
      },
      {
        attack: "a form",
        file: ATTACKS,
        test: "cannot send a form, because its content type is refused",
      },
      { attack: "reading as a script or image", file: ATTACKS, test: "reads nothing" },
      {
        attack: "a preflight",
        file: ATTACKS,
        test: "gets no permission to read from a preflight",
      },
    ],
  },
  {
    id: "P131",
    threat: "A web page reaches the dashboard under its own host name (DNS rebinding)",
    defence:
      "Only the loopback names with the gateway's own port are served. Hosts and origins that settings allow for clients are not allowed for pages.",
    shownBy: [
      {
        attack: "14 other names, for pages, files, the API and addresses",
        file: ATTACKS,
        test: "requests for any other host name are refused, so DNS rebinding has no effect",
      },
      {
        attack: "names that are allowed for clients",
        file: ATTACKS,
        test: "hosts and origins that are allowed for clients are not allowed for pages",
      },
    ],
  },
  {
    id: "P132",
    threat: "A web page shows the dashboard in a frame, so that the user's clicks approve something",
    defence:
      "`frame-ancestors 'none'` and `X-Frame-Options: DENY` on every response; requests for frames are refused.",
    shownBy: [
      {
        attack: "frames of every kind",
        file: ATTACKS,
        test: "a page in a frame is not sent at all",
      },
      {
        attack: "responses without the headers",
        file: ATTACKS,
        test: "every response forbids frames, other origins, inline code and content sniffing",
      },
    ],
  },
  {
    id: "P133",
    threat: "A program gets the dashboard's address, or guesses it, and signs in",
    defence:
      "A ticket has 256 random bits, is valid for a minute and once. Wrong tickets are limited. On Linux, the browser must belong to the same user.",
    shownBy: [
      { attack: "a second use", file: SESSIONS, test: "a ticket starts one session of an administrator" },
      {
        attack: "uses at the same time",
        file: SESSIONS,
        test: "if many requests use a ticket at the same time, only one is signed in",
      },
      {
        attack: "a late use",
        file: SESSIONS,
        test: "a ticket is valid for a minute, and a session for twelve hours",
      },
      {
        attack: "guesses",
        file: SESSIONS,
        test: "tickets cannot be guessed: after ten wrong ones, others wait a minute, but a valid one is accepted",
      },
      {
        attack: "another user of the machine",
        file: SESSIONS,
        test: "another user of the machine cannot use a ticket, and it stays valid (skipped unless run as root)",
      },
    ],
  },
  {
    id: "P134",
    threat: "A client that may call tools opens the dashboard and approves servers",
    defence:
      "Addresses need a proof of a key that is in a separate file. Clients get only the bearer token. A proof is for one port and one use, so that an impostor learns nothing from it.",
    shownBy: [
      {
        attack: "the clients' token, and forged proofs",
        file: ATTACKS,
        test: "rejects a client's token, a replayed proof and a modified proof for dashboard access",
      },
      {
        attack: "another user's command",
        file: COMMAND,
        test: "a running gateway's dashboard is opened by its address; other users' programs cannot open it",
      },
      {
        attack: "a repeated proof, or one for another port",
        file: "src/serving/access/key-proof.test.ts",
        test: "a proof is accepted only once, and only for its host, its key and a limited time",
      },
    ],
  },
  {
    id: "P135",
    threat: "Another port of this machine plants a cookie, or reads the dashboard's",
    defence:
      "Signing in always creates a new session and ends the one whose cookie was sent. Planted cookies are ignored. The cookie's path has 256 random bits, so browsers send it to no other page.",
    shownBy: [
      {
        attack: "session fixation",
        file: SESSIONS,
        test: "signing in always creates a new session, and ends the one whose cookie was sent",
      },
      {
        attack: "planted cookies",
        file: SESSIONS,
        test: "the cookie is for this page only, and cookies that other ports add are ignored",
      },
      {
        attack: "cookies and tickets of another gateway",
        file: SESSIONS,
        test: "a gateway accepts neither tickets nor cookies of another gateway",
      },
    ],
  },
  {
    id: "P136",
    threat: "A page, or a request that imitates one, adds a program to run",
    defence: "No route takes a command or edits an entry. Roles decide in one place what a page may change.",
    shownBy: [
      {
        attack: "commands in requests",
        file: ATTACKS,
        test: "no route takes a command or a definition of a server",
      },
      {
        attack: "a read-only page",
        file: ATTACKS,
        test: "a read-only page may read everything and change nothing",
      },
    ],
  },
  {
    id: "P137",
    threat: "A person approves something else than the page shows",
    defence:
      "Every approval names the hash of what was shown, and covers a call's exact arguments. What cannot be shown as a whole cannot be approved on the page.",
    shownBy: [
      {
        attack: "a launch that changes after it was shown",
        file: DOCUMENTS,
        test: "a project's launch is shown with its diff, and approved by its hash only",
      },
      {
        attack: "a launch that hides its end",
        file: DOCUMENTS,
        test: "a launch that cannot be shown completely cannot be approved",
      },
      {
        attack: "other arguments",
        file: DOCUMENTS,
        test: "are found, previewed and called; a call that needs approval requires the hash of its preview",
      },
    ],
  },
  {
    id: "P138",
    threat: "Text from servers, clients or files attacks the page or reveals secrets",
    defence:
      "Every document passes one function that masks secrets and limits texts, depth and size. It is sent as JSON that browsers cannot run. Images are sent in four types that cannot contain programs.",
    shownBy: [
      {
        attack: "hostile texts in every document",
        file: HOSTILE,
        test: "whatever servers, clients and files contain, documents are bounded JSON without secrets",
      },
      {
        attack: "images with programs",
        file: HOSTILE,
        test: "a result has no images that can contain a program, and at most two megabytes of images",
      },
      { attack: "paths of files", file: ATTACKS, test: "no path leaves the folder of the page's files" },
      { attack: "wrong requests", file: ATTACKS, test: "wrong bodies are refused" },
    ],
  },
  {
    id: "P155",
    threat: "A tool's result makes the dashboard's gateway slow",
    defence:
      "A document of a page is limited by how long masking it takes, so that very many short values are omitted.",
    shownBy: [
      {
        attack: "hundreds of thousands of short texts",
        file: "src/serving/pages/safe-document.test.ts",
        test: "if there are very many short values, only as many are shown as can be masked quickly",
      },
    ],
  },
];
