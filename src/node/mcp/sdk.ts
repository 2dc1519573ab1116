// The protocol's own library, loaded when a server is started.
export { McpServer } from '@modelcontextprotocol/server';
export { serveStdio } from '@modelcontextprotocol/server/stdio';
export { toJsonSchema } from '@valibot/to-json-schema';
