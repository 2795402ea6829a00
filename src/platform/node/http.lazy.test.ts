import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createNodeHttp } from "./http.lazy.ts";

test.each([
  (host: string) => `blob:http://${host}/`,
  (host: string) => `ws://${host}/`,
  (host: string) => `ftp://${host}/`,
  (host: string) => `other://${host}/`,
  () => "file:///",
  () => "data:,x",
])("an address that is not http or https gets no request (%#)", async (address) => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const variables = { http_proxy: `http://127.0.0.1:${port}`, all_proxy: `http://127.0.0.1:${port}` };
  for (const http of [createNodeHttp(), createNodeHttp(variables)]) {
    const url = new URL(address(`127.0.0.1:${port}`));
    await expect(http.request({ url, method: "GET", headers: {} })).rejects.toMatchObject({
      code: "ERR_INVALID_PROTOCOL",
      message: `${url.protocol} addresses are not supported`,
      sent: false,
      reused: false,
    });
    http.close();
  }
  server.closeAllConnections();
  server.close();
  expect(requests).toBe(0);
});
