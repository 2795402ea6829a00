import type { Threat } from "./threat.ts";

/** What a server may try with a sign-in. */
export const ofSignIns: readonly Threat[] = [
  {
    id: "S14",
    threat: "A sign-in leads to the inside of your network",
    defence:
      "One guarded way to every address that a server names: https, no private or local address, checked again when the connection is made, redirects too.",
    shownBy: [
      {
        attack: "a URL of the sign-in leads inside",
        file: "src/auth/guard/guarded-fetch.test.ts",
        test: "connects to nothing at https://%s",
      },
      { attack: "whichever URL it is", file: "src/auth/discovery/plan-sign-in.test.ts", test: "%s" },
      {
        attack: "by a name that changes its mind",
        file: "src/auth/guard/guarded-fetch.test.ts",
        test: "does not connect to a name that stands for an address that is not allowed",
      },
      {
        attack: "by a redirect",
        file: "src/auth/guard/guarded-fetch.test.ts",
        test: "follows no redirect to another place, and none of a post",
      },
      {
        attack: "through a proxy",
        file: "src/auth/guard/guarded-proxy.test.ts",
        test: "is not sent to the inside for a URL that a server names: %s",
      },
    ],
  },
  {
    id: "S15",
    threat: "An answer of one authorization server is taken for another's",
    defence: "The issuer is compared to the letter before anything of an answer is used or shown.",
    shownBy: [
      {
        attack: "an answer of another issuer",
        file: "test/auth/attacks.test.ts",
        test: "of another issuer shows nothing of what it says",
      },
    ],
  },
  {
    id: "S16",
    threat: "PKCE is taken away",
    defence: "A server that does not promise S256 is refused; only your own files can allow it.",
    shownBy: [
      { attack: "PKCE is taken away", file: "test/auth/attacks.test.ts", test: "%s" },
      {
        attack: "by a project",
        file: "test/auth/attacks.test.ts",
        test: "a project cannot allow that, approved or not",
      },
    ],
  },
  {
    id: "S17",
    threat: "The way back from the browser is abused",
    defence:
      "A listener on 127.0.0.1 for one path, one method and one state that counts once, for five minutes.",
    shownBy: [
      {
        attack: "a forged callback",
        file: "test/auth/attacks.test.ts",
        test: "%s is turned away and ends nothing",
      },
      {
        attack: "at another place, by another way",
        file: "src/auth/flows/callback.test.ts",
        test: "turns away %s, and still waits for the right one",
      },
      {
        attack: "on a port that somebody holds",
        file: "test/auth/sign-in.test.ts",
        test: "a callback port that is taken is an error, not a wait",
      },
    ],
  },
  {
    id: "S18",
    threat: "An address is run as a command",
    defence: "Only http and https are opened, as one argument, without a shell.",
    shownBy: [
      {
        attack: "an address that is a command",
        file: "src/platform/node/browser.test.ts",
        test: "gets %j as one word, and no shell sees it",
      },
      { attack: "or no page", file: "src/platform/node/browser.test.ts", test: "is not opened for %s" },
    ],
  },
  {
    id: "A1",
    threat: "Metadata are looked for in the wrong place",
    defence: "The server's own word first, then the well-known places, in the order of the specification.",
    shownBy: [
      {
        attack: "metadata at both places, in order",
        file: "src/auth/discovery/plan-sign-in.test.ts",
        test: "is found from the server's own metadata",
      },
    ],
  },
  {
    id: "A2",
    threat: "Metadata of another issuer",
    defence: "`issuer` has to be the one that was asked, to the letter.",
    shownBy: [{ attack: "metadata of another issuer", file: "test/auth/attacks.test.ts", test: "%s" }],
  },
  {
    id: "A3",
    threat: "No PKCE is announced",
    defence: "Refused, as S16.",
    shownBy: [{ attack: "no PKCE is announced", file: "test/auth/attacks.test.ts", test: "%s" }],
  },
  {
    id: "A4",
    threat: "A state or an issuer that is not ours",
    defence: "Turned away; the wait for the right one goes on.",
    shownBy: [
      {
        attack: "a state or an issuer that is not ours",
        file: "test/auth/attacks.test.ts",
        test: "%s is turned away and ends nothing",
      },
    ],
  },
  {
    id: "A5",
    threat: "Metadata of another resource",
    defence: "Refused: `resource` has to be the server that is signed in to.",
    shownBy: [{ attack: "the metadata of another resource", file: "test/auth/attacks.test.ts", test: "%s" }],
  },
  {
    id: "A6",
    threat: "A server moves to another authorization server",
    defence: "A sign-in belongs to one issuer, one client and one server, and goes to no other.",
    shownBy: [
      {
        attack: "a server that moves to another issuer",
        file: "test/auth/sign-in.test.ts",
        test: "is not used with another authorization server, should the server move to one",
      },
    ],
  },
  {
    id: "A7",
    threat: "A client that cannot register itself",
    defence: "A state of its own, with what a person has to do.",
    shownBy: [
      {
        attack: "a client that cannot register itself",
        file: "test/auth/clients.test.ts",
        test: "that nobody but a person can register is asked for, with what to do",
      },
    ],
  },
  {
    id: "A8",
    threat: "Rights are asked for again and again",
    defence: "More rights are asked for together with those there are, once for the same.",
    shownBy: [
      {
        attack: "rights asked for again and again",
        file: "test/auth/sign-in.test.ts",
        test: "asks for more rights when a call takes more, all together, and only once for the same",
      },
    ],
  },
  {
    id: "A9",
    threat: "A token goes to another server",
    defence: "A token is sent to the server it was made for, in a header, whatever a config says.",
    shownBy: [
      {
        attack: "a token for another server",
        file: "test/auth/clients.test.ts",
        test: "does not go to another server, whatever the config says",
      },
    ],
  },
  {
    id: "A10",
    threat: "A page that is none",
    defence: "Not opened, as S18.",
    shownBy: [
      {
        attack: "a page that is none",
        file: "src/platform/node/browser.test.ts",
        test: "is not opened for %s",
      },
    ],
  },
  {
    id: "A11",
    threat: "Addresses on the inside, however they are written",
    defence: "Refused, as S14.",
    shownBy: [
      {
        attack: "addresses on the inside",
        file: "src/auth/guard/guarded-fetch.test.ts",
        test: "connects to nothing at https://%s",
      },
    ],
  },
  {
    id: "A12",
    threat: "Tokens at rest, and a callback that counts twice",
    defence: "A locked vault; a state that counts once.",
    shownBy: [
      {
        attack: "a vault that others read",
        file: "src/state/vault.test.ts",
        test: "shows nobody else anything: folder 0700, files 0600, neither keys nor values in them",
      },
      {
        attack: "a callback that counts twice",
        file: "src/auth/flows/callback.test.ts",
        test: "counts once, and its page waits for what comes of it",
      },
    ],
  },
  {
    id: "P7",
    threat: "A repository's entry names your sign-in for another server",
    defence:
      "A sign-in is used for the server it was made for only, unless your own file lends it. `trust`, `explain` and `doctor` show which goes where.",
    shownBy: [
      {
        attack: "a repository's program",
        file: "test/auth/sign-in-owner.test.ts",
        test: "does not get the sign-in of a remote server, even when it is approved: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "by way of your own file",
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
        attack: "nobody can see it",
        file: "test/auth/sign-in-owner.test.ts",
        test: "trust and explain show which sign-in goes where",
        failsBefore: "505e8c0",
      },
      {
        attack: "the same URL with a client of its own",
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
        test: "a repository's headers cannot send the user's token to another site behind the same address",
        failsBefore: "505e8c0",
      },
      {
        attack: "the authorization server sends a token that no request could hold",
        file: "src/auth/token-request.test.ts",
        test: "a refresh token %s is refused",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P13",
    threat: "The metadata of a server on this machine sends the sign-in to another port",
    defence:
      "The address is shown before anything is sent; for a repository's server it is refused unless the approved entry names it.",
    shownBy: [
      {
        attack: "every place that can name a port",
        file: "test/auth/inside-addresses.test.ts",
        test: "does not make a sign-in contact another port: %s",
        failsBefore: "505e8c0",
      },
      {
        attack: "the user sees it first",
        file: "test/auth/inside-addresses.test.ts",
        test: "may sign in at another port, which is shown before anything is sent there",
        failsBefore: "505e8c0",
      },
    ],
  },
];
