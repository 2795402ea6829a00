/**
 * The official client with nothing around it but what its documents ask of a program, judged by the same suite for the score:
 * it signs in when it is told to, once per request, and otherwise does what `client.mjs` does.
 */
import {
  Client,
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  DpopSession,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";

const MOST_SIGN_INS = 2;
const REDIRECT = "http://127.0.0.1:9/done";
const url = new URL(process.argv.at(-1));
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");

const PROVIDERS = {
  "auth/client-credentials-basic": () =>
    new ClientCredentialsProvider({ clientId: context.client_id, clientSecret: context.client_secret }),
  "auth/client-credentials-jwt": () =>
    new PrivateKeyJwtProvider({
      clientId: context.client_id,
      privateKey: context.private_key_pem,
      algorithm: context.signing_algorithm ?? "ES256",
    }),
  "auth/enterprise-managed-authorization": () =>
    new CrossAppAccessProvider({
      clientId: context.client_id,
      clientSecret: context.client_secret,
      assertion: async ({ authorizationServerUrl, resourceUrl, scope, fetchFn }) => {
        const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
          tokenEndpoint: context.idp_token_endpoint,
          audience: authorizationServerUrl,
          resource: resourceUrl,
          idToken: context.idp_id_token,
          clientId: context.idp_client_id,
          scope,
          fetchFn,
        });
        return jwtAuthGrant;
      },
    }),
};

/** What the SDK leaves to the program: a grant of its own, in place of a browser. */
const BY_ASSERTION = {
  prepareTokenRequest: () =>
    new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: context.valid_jwt,
      resource: url.href,
    }),
};

let callback;
const authProvider = scenario.startsWith("auth/")
  ? await (PROVIDERS[scenario] ?? createProvider)()
  : undefined;
let { client, transport } = await connect();
try {
  await act();
} catch (error) {
  console.error(`${error.name}: ${error.message}`);
  process.exitCode = 1;
} finally {
  await client.close();
}

/** A provider as programs write them: it keeps what it is given, and the suite's page sends the browser straight back. */
async function createProvider() {
  const dpop = scenario.startsWith("auth/dpop") ? await DpopSession.create() : undefined;
  const kept = {
    client: context.client_id && { client_id: context.client_id, client_secret: context.client_secret },
  };
  const state = crypto.randomUUID();
  return {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: "Judged", redirect_uris: [REDIRECT] },
    clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
    state: () => state,
    clientInformation: () => kept.client,
    saveClientInformation: (information) => void (kept.client = information),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
    discoveryState: () => kept.discovered,
    saveDiscoveryState: (discovered) => void (kept.discovered = discovered),
    invalidateCredentials(what) {
      if (what === "all" || what === "client") kept.client = undefined;
      if (what === "all" || what === "tokens") kept.tokens = undefined;
      if (what === "all" || what === "discovery") kept.discovered = undefined;
    },
    ...(dpop && { dpop: () => dpop }),
    ...(scenario === "auth/wif-jwt-bearer" && BY_ASSERTION),
    async redirectToAuthorization(page) {
      const { headers } = await fetch(page, { redirect: "manual" });
      const { searchParams } = new URL(headers.get("location"));
      if (searchParams.get("state") === state) callback = searchParams;
    },
  };
}

async function connect() {
  return signingIn(async () => {
    const opened = open();
    try {
      await opened.client.connect(opened.transport);
      return opened;
    } catch (error) {
      throw Object.assign(error, { transport: opened.transport });
    }
  });
}

function open() {
  const own = new Client(
    { name: "judged", version: "1.0.0" },
    {
      capabilities: { elicitation: { form: { applyDefaults: true } } },
      versionNegotiation: { mode: "auto" },
    },
  );
  own.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));
  return { client: own, transport: new StreamableHTTPClientTransport(url, { authProvider }) };
}

/** Tries again once a person has signed in, and not for ever. */
async function signingIn(action) {
  for (let left = MOST_SIGN_INS; ; left -= 1) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || callback === undefined || left === 0) throw error;
      const answer = callback;
      callback = undefined;
      await (error.transport ?? transport).finishAuth(answer);
      authProvider.invalidateCredentials("discovery"); // kept for the way back from the browser only
    }
  }
}

async function act() {
  const { tools } = await signingIn(() => client.listTools());
  const call = (name, args) => signingIn(() => client.callTool({ name, arguments: args }));
  if (scenario === "tools_call") return call("add_numbers", { a: 5, b: 3 });
  if (scenario === "http-custom-headers") {
    for (const { name, arguments: args } of context.toolCalls ?? []) await call(name, args);
    return;
  }
  if (scenario === "json-schema-2020-12-preservation") {
    const { inputSchema } = tools.find(({ name }) => name === "json_schema_2020_12_tool");
    return call("json_schema_echo", { schema: inputSchema });
  }
  const CALLING = ["elicitation-sep1034-client-defaults", "sse-retry", "sep-2322-client-request-state"];
  const isCalling = [...CALLING, "http-standard-headers", "http-invalid-tool-headers"].includes(scenario);
  if (!isCalling && !scenario.startsWith("auth/")) return;
  for (const { name, inputSchema } of tools) {
    try {
      await call(name, sample(inputSchema));
    } catch (error) {
      if (scenario.startsWith("auth/")) throw error;
      console.error(`${name}: ${error.message}`); // the others are looked at all the same
    }
  }
  if (scenario !== "http-standard-headers") return;
  for (const { uri } of (await client.listResources()).resources) await client.readResource({ uri });
  for (const { name } of (await client.listPrompts()).prompts) await client.getPrompt({ name });
}

/** Something for every argument that has to be there. */
function sample({ required = [], properties = {} }) {
  const examples = {
    string: "text",
    integer: 1,
    number: 1.5,
    boolean: true,
    object: {},
    array: [],
    null: null,
  };
  return Object.fromEntries(required.map((name) => [name, examples[properties[name]?.type] ?? "text"]));
}
