import { describe, expect, test } from "vitest";
import { credentialOf, fakeAuth, MCP, subjectOf } from "../../../test/support/oauth-fakes.ts";
import type { AuthSubject, ProjectEntry } from "../auth-subject.ts";
import { type Credential, programId } from "./credential.ts";
import { findCredential, findSignIn } from "./find-credential.ts";
import { assertOwnSignInId, describeOwner, unusedReason } from "./sign-in-owner.ts";

const TURN = { assertHeld: async () => {} };
const FILE = "/home/u/mcp.json";
const URL_OF = `${MCP}/mcp`;

const project = (more: Partial<ProjectEntry> = {}): Pick<AuthSubject, "entry"> => ({
  entry: { file: FILE, project: { launch: "hash-1", approvedAt: 10, origins: [], ...more } },
});

/** A sign-in that was created for a local program. */
function ofProgram(more: Partial<Credential> = {}): Credential {
  const { url: _, ...rest } = credentialOf({ program: { name: "notes", file: FILE }, ...more });
  return rest;
}

/** A sign-in for a local program as an earlier version stored it. */
function unnamed(more: Partial<Credential> = {}): Credential {
  const { program: _, ...rest } = ofProgram(more);
  return rest;
}

const PROGRAM = { url: undefined } as const;
const OTHER = "it was created for https://other.example/mcp";
const elsewhere = credentialOf({ url: "https://other.example/mcp" });
const beside = credentialOf({ url: `${MCP}/other` });
const withClient = (clientId: string): Pick<AuthSubject, "settings"> => ({
  settings: { grant: "authorization_code", clientId },
});

describe("a sign-in", () => {
  test.each<[string, Credential, Partial<AuthSubject>, string | undefined]>([
    ["is used for its server", credentialOf(), {}, undefined],
    ["is used for its server in a repository", credentialOf(), project({ launch: undefined }), undefined],
    ["is used with the client of the entry", credentialOf(), withClient("client-1"), undefined],
    [
      "is not used with another client than the entry's",
      credentialOf(),
      withClient("client-2"),
      "it was created with a different client ID than the entry has now",
    ],
    ["is not used for another host", elsewhere, {}, OTHER],
    ["is not used for another path", beside, {}, `it was created for ${MCP}/other`],
    ["of a program is not used for a server", ofProgram(), {}, `it was created for "notes" in ${FILE}`],
    ["of an unnamed program is not used for a server", unnamed(), {}, "it was created for a local program"],

    ["that the user's file names is used for another path", beside, { credentialId: "sign-in-1" }, undefined],
    [
      "that the user's file names is not used for another host",
      elsewhere,
      { credentialId: "sign-in-1" },
      OTHER,
    ],
    [
      "of a program that the user's file names is used for a server",
      ofProgram(),
      { credentialId: "sign-in-1" },
      undefined,
    ],
    [
      "of a server that the user's file names is used for a program",
      elsewhere,
      { ...PROGRAM, credentialId: "sign-in-1" },
      undefined,
    ],
    [
      "that a project names is not used for another path",
      beside,
      { credentialId: "sign-in-1", ...project() },
      `it was created for ${MCP}/other`,
    ],

    ["of a program is used for that program", ofProgram(), PROGRAM, undefined],
    ["of a server is not used for a program", credentialOf(), PROGRAM, `it was created for ${URL_OF}`],
    [
      "of a program is not used for another one",
      ofProgram({ program: { name: "other", file: FILE } }),
      PROGRAM,
      `it was created for "other" in ${FILE}`,
    ],
    [
      "of a program is not used for one in another file",
      ofProgram({ program: { name: "notes", file: "/x.json" } }),
      PROGRAM,
      'it was created for "notes" in /x.json',
    ],
    [
      "of a project's program is used while its launch is the same",
      ofProgram({ program: { name: "notes", file: FILE, launch: "hash-1" } }),
      { ...PROGRAM, ...project() },
      undefined,
    ],
    [
      "of a project's program is not used after its launch changed",
      ofProgram({ program: { name: "notes", file: FILE, launch: "hash-0" } }),
      { ...PROGRAM, ...project() },
      "the entry changed since you signed in",
    ],
    [
      "of a project's program is not used while it is not approved",
      ofProgram(),
      { ...PROGRAM, ...project({ launch: undefined }) },
      "the entry is not approved",
    ],

    ["of an unnamed program is used for the user's program", unnamed(), PROGRAM, undefined],
    [
      "of an unnamed program is used for a project's program that was approved before",
      unnamed({ generation: 10 }),
      { ...PROGRAM, ...project() },
      undefined,
    ],
    [
      "of an unnamed program is not used for a project's program that was approved later",
      unnamed({ generation: 9 }),
      { ...PROGRAM, ...project() },
      "it was created for a local program",
    ],
    [
      "of an unnamed program is not used for a project's program that was never approved",
      unnamed({ generation: 10 }),
      { ...PROGRAM, ...project({ approvedAt: undefined }) },
      "it was created for a local program",
    ],
  ])("%s", async (_, credential, more, expected) => {
    const { credentials } = fakeAuth().deps;
    expect(await unusedReason(credentials, credential, subjectOf(more))).toBe(expected);
  });

  test("that two addresses of a server share is used for both", async () => {
    const { credentials, vault } = fakeAuth().deps;
    await vault.update("oauth.servers", URL_OF, () => ({ url: URL_OF, accounts: { default: "sign-in-1" } }));
    expect(await unusedReason(credentials, beside, subjectOf())).toBeUndefined();
    expect(await unusedReason(credentials, elsewhere, subjectOf())).toBe(OTHER);
    expect(await unusedReason(credentials, { ...beside, id: "x" }, subjectOf())).toBe(
      `it was created for ${MCP}/other`,
    );
  });

  test("describes what it was created for", () => {
    expect([credentialOf(), ofProgram(), unnamed()].map(describeOwner)).toStrictEqual([
      URL_OF,
      `"notes" in ${FILE}`,
      "a local program",
    ]);
  });
});

describe("an entry that names a sign-in", () => {
  test.each<[string, Credential | undefined, Partial<AuthSubject>]>([
    ["in the user's file may name any", elsewhere, { credentialId: "sign-in-1" }],
    ["in a project may name that of its server", credentialOf(), { credentialId: "sign-in-1", ...project() }],
    ["in a project may name one that does not exist", undefined, { credentialId: "sign-in-1", ...project() }],
    ["in a repository may name none", elsewhere, project()],
  ])("%s", async (_, kept, more) => {
    const { credentials } = fakeAuth().deps;
    if (kept) await credentials.save(kept, TURN);
    await expect(assertOwnSignInId(credentials, subjectOf(more))).resolves.toBeUndefined();
  });

  test("must not name another server's if it is in a project", async () => {
    const { credentials } = fakeAuth().deps;
    await credentials.save(elsewhere, TURN);
    const subject = subjectOf({ credentialId: "sign-in-1", ...project() });
    await expect(assertOwnSignInId(credentials, subject)).rejects.toMatchObject({
      name: "Refusal",
      message:
        'the entry names the sign-in "sign-in-1", which was created for https://other.example/mcp; remove "credentialId" from the entry',
    });
  });
});

describe("the sign-in for a server", () => {
  async function found(kept: readonly Credential[], more: Partial<AuthSubject>) {
    const { deps } = fakeAuth();
    for (const credential of kept) {
      if (credential.url === undefined) await deps.credentials.save(credential, TURN);
      else await deps.credentials.adopt(credential);
    }
    const subject = subjectOf(more);
    const signIn = await findSignIn(deps, subject);
    expect(await findCredential(deps, subject)).toStrictEqual(
      signIn?.unused === undefined ? signIn?.credential : undefined,
    );
    return signIn && [signIn.credential.id, signIn.unused];
  }
  const work = credentialOf({ id: "sign-in-2", account: "work" });
  const ownId = programId(FILE, "notes");

  test.each<[string, readonly Credential[], Partial<AuthSubject>, unknown]>([
    ["is that of the account in use", [credentialOf(), work], {}, ["sign-in-1", undefined]],
    [
      "is that of the account in the entry",
      [credentialOf(), work],
      { account: "work" },
      ["sign-in-2", undefined],
    ],
    ["is none for an unknown account", [credentialOf()], { account: "work" }, undefined],
    ["is none if there is none", [], {}, undefined],
    [
      "is the one that the entry names",
      [credentialOf(), work],
      { credentialId: "sign-in-2" },
      ["sign-in-2", undefined],
    ],
    [
      "is not used if it was created for another host",
      [elsewhere],
      { credentialId: "sign-in-1" },
      ["sign-in-1", OTHER],
    ],

    ["is that of the program", [ofProgram({ id: ownId })], PROGRAM, [ownId, undefined]],
    [
      "is that of the program's account",
      [ofProgram({ id: ownId, account: "work" })],
      { ...PROGRAM, account: "work" },
      [ownId, undefined],
    ],
    [
      "is not that of another account of the program",
      [ofProgram({ id: ownId })],
      { ...PROGRAM, account: "work" },
      undefined,
    ],
    ["is the one an earlier version kept by name", [unnamed({ id: "notes" })], PROGRAM, ["notes", undefined]],
    [
      "is the program's own rather than the one stored by name",
      [unnamed({ id: "notes" }), ofProgram({ id: ownId })],
      PROGRAM,
      [ownId, undefined],
    ],
    ["is not a server's that happens to have that name", [credentialOf({ id: "notes" })], PROGRAM, undefined],
    [
      "is not another program's that happens to have that name",
      [ofProgram({ id: "notes" })],
      PROGRAM,
      undefined,
    ],
    ["is none for a program that has none", [], PROGRAM, undefined],
    ["is none for an account of a program that has none", [], { ...PROGRAM, account: "work" }, undefined],
  ])("%s", async (_, kept, more, expected) => {
    expect(await found(kept, more)).toStrictEqual(expected);
  });
});
