/** The client that the official suite judges: what each scenario wants done, with nothing but the public API. */
import { createHost } from "plugboard";

const SERVER = "judge";
const url = process.argv.at(-1);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");

const DEEDS = {
  tools_call: (host) => host.call(SERVER, "add_numbers", { a: 5, b: 3 }),
  "elicitation-sep1034-client-defaults": callEverything,
  "sse-retry": callEverything,
  "sep-2322-client-request-state": callEverything,
  "http-standard-headers": useEverything,
  async "http-custom-headers"(host) {
    // Plugboard refuses null where a schema wants something else; leaving it out is what the scenario means.
    for (const { name, arguments: args } of context.toolCalls ?? []) {
      const given = Object.entries(args).filter(([, value]) => value !== null);
      await host.call(SERVER, name, Object.fromEntries(given));
    }
  },
  "http-invalid-tool-headers": callEverything,
  async "json-schema-2020-12-preservation"(host) {
    const tools = await host.tools(SERVER);
    const { inputSchema } = tools.find(({ tool }) => tool === "json_schema_2020_12_tool");
    await host.call(SERVER, "json_schema_echo", { schema: inputSchema });
  },
};

/** What a person would have written into the config, by scenario. */
const SIGN_INS = {
  "auth/pre-registration": { clientId: context.client_id, clientSecret: context.client_secret },
  "auth/client-credentials-basic": {
    grantType: "client_credentials",
    clientId: context.client_id,
    clientSecret: context.client_secret,
  },
  "auth/client-credentials-jwt": {
    grantType: "client_credentials",
    clientId: context.client_id,
    privateKey: context.private_key_pem,
    signingAlgorithm: context.signing_algorithm,
  },
  "auth/enterprise-managed-authorization": {
    clientId: context.client_id,
    clientSecret: context.client_secret,
    idp: {
      tokenUrl: context.idp_token_endpoint,
      clientId: context.idp_client_id,
      idToken: context.idp_id_token,
    },
  },
  "auth/wif-jwt-bearer": { clientId: context.client_id, assertion: context.valid_jwt },
  "auth/dpop": { dpop: true },
  "auth/dpop-nonce": { dpop: true },
};
const oauth = SIGN_INS[scenario] ?? {
  clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
};

/** With `CONFORMANCE_PROVIDER` a provider of the program signs in, in place of Plugboard's own store. */
const byProvider = process.env.CONFORMANCE_PROVIDER !== undefined && { authProviderId: "own" };

const host = await createHost({
  discover: false,
  servers: { [SERVER]: { type: "http", url, ...(scenario.startsWith("auth/") && { oauth }), ...byProvider } },
  authProvidersById: { own: createProvider() },
  interaction: "ask",
  ports: { browser: { open: async () => false } },
  /** The suite's page agrees to everything and sends the browser straight back. */
  onSignIn: async (page) => (await fetch(page, { redirect: "manual" })).headers.get("location"),
  onElicitation: () => ({ action: "accept" }),
});
try {
  await host.connect(SERVER); // signs in if the server requires it; listing tools never does
  await host.tools(SERVER, { refresh: true });
  await (scenario.startsWith("auth/") ? callEverything(host) : DEEDS[scenario]?.(host));
} catch (error) {
  console.error(`${error.code ?? error.name}: ${error.message}`);
  process.exitCode = 1;
} finally {
  await host.close();
}

/** As programs write it for the official SDK. */
function createProvider() {
  const redirectUrl = "http://127.0.0.1:9/done";
  const kept = {
    client: context.client_id && { client_id: context.client_id, client_secret: context.client_secret },
  };
  return {
    redirectUrl,
    clientMetadata: { client_name: "Judged", redirect_uris: [redirectUrl] },
    clientMetadataUrl: oauth.clientMetadataUrl,
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
    redirectToAuthorization: () => {},
  };
}

async function callEverything(own) {
  for (const { tool, inputSchema } of await own.tools(SERVER))
    await own.call(SERVER, tool, sample(inputSchema));
}

async function useEverything(own) {
  await callEverything(own);
  for (const { uri } of await own.resources(SERVER)) await own.readResource(SERVER, uri);
  for (const { name } of await own.prompts(SERVER)) await own.getPrompt(SERVER, name);
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
