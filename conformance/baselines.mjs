/**
 * Scenarios that cannot pass between different eras, with the reason, by revision of the client and era of the server. Equal eras have
 * none. A scenario that passes although it is listed here counts as failed.
 */
const KEYS =
  "the suite answers with fixed keys such as user_name, which a legacy server's requests cannot carry; test/gateway/server-requests.test.ts answers with the keys that it gets";

const CAPABILITY =
  "a legacy server learns from the answer that the client cannot be asked, and returns a tool error instead of -32021";

export const BASELINES = {
  "2026-07-28 legacy": {
    "server-stateless": CAPABILITY,
    "input-required-result-basic-elicitation": KEYS,
    "input-required-result-basic-sampling": KEYS,
    "input-required-result-request-state": KEYS,
    "input-required-result-multiple-input-requests": KEYS,
    "input-required-result-multi-round": KEYS,
    "input-required-result-non-tool-request": KEYS,
    "input-required-result-ignore-extra-params": KEYS,
  },
};
