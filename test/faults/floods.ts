/** Messages that a server can send endlessly, each as JSON text. `$N` is replaced with the request ID. */
export const FLOODS: readonly (readonly [name: string, message: string])[] = [
  ["pings", '{"jsonrpc":"2.0","id":"$N","method":"ping"}'],
  ["requests for roots", '{"jsonrpc":"2.0","id":"$N","method":"roots/list"}'],
  [
    "requests for sampling",
    '{"jsonrpc":"2.0","id":"$N","method":"sampling/createMessage","params":{"messages":[]}}',
  ],
  ["questions", '{"jsonrpc":"2.0","id":"$N","method":"elicitation/create","params":{"message":"?"}}'],
  ["requests of an unknown kind", '{"jsonrpc":"2.0","id":"$N","method":"no/such/method"}'],
  ["notices of change", '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'],
  ["log messages", '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}'],
  [
    "progress of the call",
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$ID,"progress":1}}',
  ],
  ["cancellations", '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}'],
  [
    "updates of resources",
    '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"note://a"}}',
  ],
  ["answers to nothing", '{"jsonrpc":"2.0","id":999999,"result":{}}'],
];
