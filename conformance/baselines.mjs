/** Scenarios that cannot pass between different eras, with the reason, by revision of the client and era of the server. */
export const BASELINES = {};
