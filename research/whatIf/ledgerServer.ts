/** The tools of the MCP server that some runs connect: six, of about 300 tokens each. */
export const ledgerTools = ['accounts', 'bookings', 'reports', 'periods', 'partners', 'currencies'].map(
  topic => ({
    name: `find_${topic}`,
    description: `Finds ${topic} in the ledger. ${`Give the name or the number, or a range of dates in which the ${topic} were changed last. Use this tool before you answer a question about ${topic}, and name the ledger's own numbers in the answer. `.repeat(4)}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        ['name', 'number', 'from', 'until', 'owner', 'state'].map(name => [
          name,
          { type: 'string', description: `The ${name} of the ${topic}, as it is written in the ledger` },
        ]),
      ),
      required: ['name'],
    },
  }),
);

/** The server's program: lines of JSON on its standard input and output. */
export const ledgerScript = `
const tools = ${JSON.stringify(ledgerTools)};
let rest = '';
process.stdin.on('data', chunk => {
  rest += chunk;
  for (;;) {
    const end = rest.indexOf('\\n');
    if (end < 0) return;
    const line = rest.slice(0, end);
    rest = rest.slice(end + 1);
    if (line.trim() === '') continue;
    const { id, method, params } = JSON.parse(line);
    const result =
      method === 'initialize'
        ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'ledger', version: '1.0.0' } }
        : method === 'tools/list' ? { tools } : method === 'ping' ? {} : undefined;
    if (id !== undefined) {
      process.stdout.write(JSON.stringify(result === undefined
        ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } }
        : { jsonrpc: '2.0', id, result }) + '\\n');
    }
  }
});
`;
