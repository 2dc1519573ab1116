// The protocol's own library, loaded when a server is started.
export { deserializeMessage, McpServer } from '@modelcontextprotocol/server';
export { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
export {
  EXTENSION_ID,
  registerAppResource,
  RESOURCE_MIME_TYPE,
  RESOURCE_URI_META_KEY,
} from '@modelcontextprotocol/ext-apps/server';
export { toJsonSchema } from '@valibot/to-json-schema';
