/** A transport in the shape of the official SDKs. Their transports can be passed as they are. */
export interface McpTransport {
  /** Starts receiving. Called once, after the callbacks are set. */
  start(): Promise<void>;
  /** Sends one JSON-RPC message. */
  send(message: object): Promise<void>;
  /** Closes the connection. */
  close(): Promise<void>;
  /** Called with each received message. */
  onmessage?(message: object): void;
  /** Called when the connection is closed, by either side. */
  onclose?(): void;
  /** Called with errors that do not close the connection. */
  onerror?(error: Error): void;
}

/** A server object in the shape of the official SDKs: their `McpServer` or `Server`, version 1 or 2. */
export interface InProcessServer {
  /** Connects the server to a transport. */
  connect(transport: McpTransport): Promise<void>;
  /** Closes the server's connection. */
  close(): Promise<void>;
}

/** What the program passed to reach a server without starting a process. */
export type InProcessSource =
  | { readonly server: InProcessServer }
  /** Called for each connection, with the principal that it is for. */
  | { readonly transport: (principal?: string) => McpTransport | Promise<McpTransport> };
