/** Performs one action with the server `faulty` and returns the outcome. */
export async function exercise(host, act = "call") {
  try {
    return await ACTS[act](host);
  } catch (error) {
    return {
      code: error.code ?? error.name,
      says: error.message,
      ...(error.cause?.code !== undefined && { cause: error.cause.code }),
    };
  }
}

const ACTS = {
  async connect(host) {
    await host.connect("faulty");
    return {};
  },
  async call(host) {
    const { text } = await host.call("faulty", "echo", { text: "hello" });
    return { text };
  },
  async list(host) {
    const { tools, problems } = await host.doctor.test("faulty");
    return { tools, problems: problems.map(({ code }) => code) };
  },
};

/** Timers of minutes run a thousand times as fast, for limits of minutes. */
export const HURRIED_CLOCK = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(() => callback(), ms >= 60_000 ? ms / 1_000 : ms);
    return () => clearTimeout(timer);
  },
};
