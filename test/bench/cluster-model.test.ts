import { describe, expect, test } from "vitest";
import { fitCosts, forwardedShare, predictCpu, sizeTeam } from "../../bench/cluster-model.mjs";

const COSTS = {
  own: 500,
  hop: 300,
  idleUsPerSecond: 5_000,
  nodeBytes: 100e6,
  personBytes: 100e3,
  sessionBytes: 10e3,
};

describe("the model of a cluster", () => {
  test("finds the costs that the measured times follow, and predicts more gateways with them", () => {
    const measured = [1, 2, 3].map((nodes) => ({ nodes, cpuUs: 500 + 300 * forwardedShare(nodes) }));
    const costs = fitCosts(measured);
    expect(costs.own).toBeCloseTo(500);
    expect(costs.hop).toBeCloseTo(300);
    expect(predictCpu(costs, 4)).toBeCloseTo(725);
  });

  test("cannot be found from one number of gateways", () => {
    expect(() => fitCosts([{ nodes: 2, cpuUs: 1 }])).toThrow("Two different numbers");
  });

  /** Sends requests at random, and counts those that arrive at another gateway than the session's. */
  test.each([1, 2, 3, 4, 8])("agrees with a simulation of a balancer in front of %i gateways", (nodes) => {
    let seed = 1;
    const random = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const pick = (): number => Math.floor(random() * nodes);
    const sessions = Array.from({ length: 1_000 }, pick);
    const cpu = Array.from({ length: nodes }, () => 0);
    const calls = 100_000;
    for (let call = 0; call < calls; call += 1) {
      const home = sessions[call % sessions.length] ?? 0;
      const arrived = pick();
      cpu[home] = (cpu[home] ?? 0) + COSTS.own;
      if (arrived !== home) cpu[arrived] = (cpu[arrived] ?? 0) + COSTS.hop;
    }
    const each = cpu.reduce((sum, us) => sum + us, 0) / calls;
    expect(Math.abs(each - predictCpu(COSTS, nodes)) / each).toBeLessThan(0.01);
  });

  test("sizes a team so that one gateway may be missing", () => {
    const small = sizeTeam(COSTS, { people: 10, sessions: 10, callsPerPersonAndHour: 60 });
    expect(small).toMatchObject({ nodes: 2 });
    const large = sizeTeam(COSTS, { people: 10_000, sessions: 200_000, callsPerPersonAndHour: 600 });
    expect(large.callsPerSecond).toBeCloseTo(1_666.7, 1);
    const { nodes, cpuPercent, bytesPerNode } = large;
    expect(cpuPercent).toBeLessThanOrEqual(60);
    expect(bytesPerNode).toBeLessThanOrEqual(4 * 2 ** 30);
    expect(cpuPercent * (nodes - 1)).toBeGreaterThan(60 * (nodes - 2));
  });
});
