import { createGateway } from "plugboard/gateway";

const gateway = await createGateway({ offer: { servers: ["files"] } });
const { url, token } = await gateway.listen({ port: 0 });
const response = await fetch(url, {
  method: "POST",
  headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
});
console.log(await response.json());
await gateway.close();
