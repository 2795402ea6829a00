import type { Threat } from "./threat.ts";

/** Attacks by a server on a sign-in. */
export const ofSignIns: readonly Threat[] = [
  {
    id: "S14",
    threat: "A sign-in accesses your internal network",
    defence:
      "All requests to URLs that a server names pass one guard: https only, no private or local addresses, checked again when the connection is made and for redirects.",
    shownBy: [
      {
        attack: "a URL of the sign-in has an internal address",
        file: "src/auth/guard/guarded-fetch.test.ts",
        test: "does not connect to https://%s",
      },
      { attack: "every URL of a sign-in", file: "src/auth/discovery/plan-sign-in.test.ts", test: "%s" },
      {
        attack: "a host name whose address changes",
        file: "src/auth/guard/guarded-fetch.test.ts",
        test: "does not connect to a name that resolves to an address that is not allowed",
      },
      {
        attack: "a redirect",
        file: "src/auth/guard/guarded-fetch.test.ts",
        test: "follows no redirect to another origin and no redirect of a POST",
      },
      {
        attack: "a proxy",
        file: "src/auth/guard/guarded-proxy.test.ts",
        test: "is not used for a private address that a server names: %s",
      },
    ],
  },
  {
    id: "S15",
    threat: "A response of one authorization server is accepted for another",
    defence: "The issuer must match exactly before a response is used or shown.",
    shownBy: [
      {
        attack: "a response of another issuer",
        file: "test/auth/attacks.test.ts",
        test: "of another issuer shows none of its text",
      },
    ],
  },
  {
    id: "S16",
    threat: "PKCE is removed",
    defence: "A server that does not announce S256 is refused. Only your own files can allow it.",
    shownBy: [
      { attack: "PKCE is removed", file: "test/auth/attacks.test.ts", test: "%s" },
      {
        attack: "a project allows it",
        file: "test/auth/attacks.test.ts",
        test: "a project's entry cannot allow a server without PKCE, approved or not",
      },
    ],
  },
  {
    id: "S17",
    threat: "The redirect from the browser is abused",
    defence:
      "The callback server listens on 127.0.0.1 for five minutes. It accepts one path, one method and one state, which is valid once.",
    shownBy: [
      {
        attack: "a forged callback",
        file: "test/auth/attacks.test.ts",
        test: "%s is rejected and does not end the sign-in",
      },
      {
        attack: "another path or method",
        file: "src/auth/flows/callback.lazy.test.ts",
        test: "rejects %s and keeps waiting for the right one",
      },
      {
        attack: "a port that is in use",
        file: "test/auth/sign-in.test.ts",
        test: "a callback port that is in use is reported immediately",
      },
    ],
  },
  {
    id: "S18",
    threat: "A URL is run as a command",
    defence: "Only http and https URLs are opened, as one argument, without a shell.",
    shownBy: [
      {
        attack: "a URL that is a command",
        file: "src/platform/node/browser.lazy.test.ts",
        test: "gets %j as one argument, without a shell",
      },
      {
        attack: "a URL that is not a web page",
        file: "src/platform/node/browser.lazy.test.ts",
        test: "is not opened for %s",
      },
    ],
  },
  {
    id: "A1",
    threat: "Metadata are read from the wrong URL",
    defence:
      "The URL that the server announces first, then the well-known URLs, in the order of the specification.",
    shownBy: [
      {
        attack: "metadata at both URLs, in order",
        file: "src/auth/discovery/plan-sign-in.test.ts",
        test: "is found from the server's own metadata",
      },
    ],
  },
  {
    id: "A2",
    threat: "Metadata of another issuer",
    defence: "`issuer` must match the requested issuer exactly.",
    shownBy: [{ attack: "metadata of another issuer", file: "test/auth/attacks.test.ts", test: "%s" }],
  },
  {
    id: "A3",
    threat: "No PKCE is announced",
    defence: "Refused; see S16.",
    shownBy: [{ attack: "no PKCE is announced", file: "test/auth/attacks.test.ts", test: "%s" }],
  },
  {
    id: "A4",
    threat: "A callback with another state or issuer",
    defence: "Rejected; Plugboard continues to wait for the right one.",
    shownBy: [
      {
        attack: "another state or issuer",
        file: "test/auth/attacks.test.ts",
        test: "%s is rejected and does not end the sign-in",
      },
    ],
  },
  {
    id: "A5",
    threat: "Metadata of another resource",
    defence: "Refused: `resource` must be the server that the sign-in is for.",
    shownBy: [{ attack: "the metadata of another resource", file: "test/auth/attacks.test.ts", test: "%s" }],
  },
  {
    id: "A6",
    threat: "A server moves to another authorization server",
    defence:
      "A sign-in belongs to one issuer, one client and one server, and is not sent to any other. Nor is the secret of a client that your entry contains.",
    shownBy: [
      {
        attack: "a server that moves to another issuer",
        file: "test/auth/sign-in.test.ts",
        test: "is not used if the server moves to another authorization server",
      },
      {
        attack: "it gets the secret of the client in the entry",
        file: "test/auth/moved-issuer.test.ts",
        test: "a server that moves to another authorization server does not get %s",
        failsBefore: "a7217ad5",
      },
    ],
  },
  {
    id: "A7",
    threat: "The client cannot register itself",
    defence: "A separate state, with instructions for a person.",
    shownBy: [
      {
        attack: "the client cannot register itself",
        file: "test/auth/clients.test.ts",
        test: "that must be registered manually is requested, with instructions",
      },
    ],
  },
  {
    id: "A8",
    threat: "Scopes are requested repeatedly",
    defence: "New scopes are requested together with the existing ones, and only once.",
    shownBy: [
      {
        attack: "scopes requested repeatedly",
        file: "test/auth/sign-in.test.ts",
        test: "requests all scopes together when a call needs more, and only once",
      },
    ],
  },
  {
    id: "A9",
    threat: "A token is sent to another server",
    defence:
      "A token is sent only to the server that it was issued for, in a header, whatever the config contains.",
    shownBy: [
      {
        attack: "a token of another server",
        file: "test/auth/clients.test.ts",
        test: "is not sent to another server, regardless of the entry",
      },
    ],
  },
  {
    id: "A10",
    threat: "A sign-in page that is not a web page",
    defence: "Not opened; see S18.",
    shownBy: [
      {
        attack: "a URL that is not a web page",
        file: "src/platform/node/browser.lazy.test.ts",
        test: "is not opened for %s",
      },
    ],
  },
  {
    id: "A11",
    threat: "Internal addresses in any notation",
    defence: "Refused; see S14.",
    shownBy: [
      {
        attack: "internal addresses",
        file: "src/auth/guard/guarded-fetch.test.ts",
        test: "does not connect to https://%s",
      },
    ],
  },
  {
    id: "A12",
    threat: "Stored tokens are read, or a callback is used twice",
    defence: "An encrypted vault; a state that is valid once.",
    shownBy: [
      {
        attack: "other users read the vault",
        file: "src/state/vault.test.ts",
        test: "reveals nothing to others: folder 0700, files 0600, no keys or values in plain text",
      },
      {
        attack: "a callback that is used twice",
        file: "src/auth/flows/callback.lazy.test.ts",
        test: "is accepted once, and its page waits for the result",
      },
    ],
  },
  {
    id: "P7",
    threat: "A repository's entry names your sign-in for another server",
    defence:
      "A sign-in is used only for its own server, unless your own file assigns it to another. `trust`, `explain` and `doctor` show which sign-in goes where.",
    shownBy: [
      {
        attack: "a repository's program",
        file: "test/auth/sign-in-owner.test.ts",
        test: "does not get the sign-in of a remote server, even when it is approved: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "an entry that is moved to your own file",
        file: "test/auth/sign-in-owner.test.ts",
        test: "does not keep another server's sign-in by being moved or imported into the user's file",
        failsBefore: "505e8c0",
      },
      {
        attack: "a program's own sign-in",
        file: "test/auth/providers.test.ts",
        test: "is not given to a project that is trusted for this run only",
        failsBefore: "9d25cc3",
      },
      {
        attack: "another path of the host",
        file: "test/auth/sign-in-owner.test.ts",
        test: "does not get a sign-in for another path of the same host",
        failsBefore: "505e8c0",
      },
      {
        attack: "the use is hidden",
        file: "test/auth/sign-in-owner.test.ts",
        test: "trust and explain show which sign-in goes where",
        failsBefore: "505e8c0",
      },
      {
        attack: "the same URL with another client",
        file: "test/auth/sign-in-owner.test.ts",
        test: "does not replace the user's sign-in by one of its own %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "the token endpoint repeats the request",
        file: "test/auth/sign-in-owner.test.ts",
        test: "the code and the verifier of a sign-in are masked when the token endpoint repeats them",
        failsBefore: "505e8c0",
      },
      {
        attack: "a header names another site",
        file: "test/auth/sent-headers.test.ts",
        test: "a project's headers cannot send the user's token to another site behind the same address",
        failsBefore: "505e8c0",
      },
      {
        attack: "the authorization server sends a token that is not valid in a request",
        file: "src/auth/token-request.test.ts",
        test: "a refresh token %s is refused",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P13",
    threat: "The metadata of a server on this machine redirect the sign-in to another port",
    defence:
      "The address is shown before anything is sent. For a repository's server it is refused, unless the approved entry names it.",
    shownBy: [
      {
        attack: "every field that can contain a port",
        file: "test/auth/inside-addresses.test.ts",
        test: "does not make a sign-in contact another port: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "the address is not shown first",
        file: "test/auth/inside-addresses.test.ts",
        test: "may sign in at another port, which is reported before anything is sent there",
        failsBefore: "505e8c0",
      },
    ],
  },
];
