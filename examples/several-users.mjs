import { createHost } from "plugboard";

const host = await createHost({
  discover: false,
  servers: { crm: { url: process.env.CRM_URL, headers: { Authorization: "Bearer ${keychain:crm}" } } },
});
try {
  for (const [user, token] of [
    ["alice", "token-alice-1"],
    ["bob", "token-bob-1"],
  ]) {
    const { secrets } = await host.as(user);
    await secrets.store("crm", token); // or a sign-in: (await host.as(user)).signIns.login("crm")
  }
  const answer = async (user) => {
    const session = host.session({ principal: user });
    const tool = (await session.tools()).find(({ tool }) => tool === "whoami");
    const { text } = await tool.execute({});
    session.close();
    return `${user}: ${text}`;
  };
  console.log((await Promise.all(["alice", "bob"].map(answer))).join("\n"));
} finally {
  await host.close();
}
