// Writes what the code describes into package.json: the settings of src/app/settings/settingsTable.ts, with the list of those that only trusted
// workspaces can set, the tools of src/core/contextTools as tools of VS Code's chat, and the commands of @context for them. `--check` writes nothing and fails if package.json is out of date.
import './lib/currentNode.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { root } from './lib/packages.mjs';
import { loadBundle } from './lib/runBundle.mjs';

/** The JSON schema for a schema of valibot. Throws for a kind that no setting uses so far. */
function jsonSchema(schema) {
  return { ...typeOf(schema), ...limitsOf(schema), ...v.getMetadata(schema) };
}

/** In a pipe with several schemas, the last is the most precise. */
function typeOf({ pipe = [], ...first }) {
  const schema = pipe.findLast(({ kind }) => kind === 'schema') ?? first;
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'number':
      return { type: schema.type };
    case 'picklist':
      return { type: 'string', enum: schema.options };
    case 'array':
      return { type: 'array', items: jsonSchema(schema.item) };
    case 'union':
      return { anyOf: schema.options.map(jsonSchema) };
    case 'record':
      return { type: 'object', additionalProperties: jsonSchema(schema.value) };
    case 'object':
    case 'strict_object':
      return objectOf(Object.entries(schema.entries));
    default:
      throw new Error(`No JSON schema is known for ${schema.type}.`);
  }
}

function objectOf(entries) {
  const isOptional = ({ type }) => type === 'exact_optional';
  const required = entries.filter(([, entry]) => !isOptional(entry)).map(([name]) => name);
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    properties: Object.fromEntries(
      entries.map(([name, entry]) => [name, jsonSchema(isOptional(entry) ? entry.wrapped : entry)]),
    ),
  };
}

/** The minimum, maximum and similar keywords, from the checks that follow a schema in its pipe. */
function limitsOf(schema) {
  return Object.assign({}, ...actionsOf(schema).map(limitOf));
}

function actionsOf({ pipe = [] }) {
  return pipe.flatMap(item => (item.kind === 'schema' ? actionsOf(item) : [item]));
}

function limitOf({ type, requirement }) {
  switch (type) {
    case 'safe_integer':
      return { type: 'integer' };
    case 'min_value':
      return { minimum: requirement };
    case 'max_value':
      return { maximum: requirement };
    case 'check':
    case 'finite':
    case 'metadata':
      return {};
    default:
      throw new Error(`No JSON schema is known for the check ${type}.`);
  }
}

function declarationOf(name, { schema, usual, order, scope, choices }) {
  const texts = choices === undefined ? [] : schema.options.map(value => `%settings.${name}.${value}%`);
  return {
    ...jsonSchema(schema),
    ...(choices === 'markdown' ? { markdownEnumDescriptions: texts } : {}),
    ...(choices === 'plain' ? { enumDescriptions: texts } : {}),
    default: usual,
    ...(scope === undefined ? {} : { scope }),
    order,
    markdownDescription: `%settings.${name}%`,
  };
}

/** Checked when a tool is called. In the schema, which every request of the chat carries, they would only cost tokens. */
const checked = ['min_length', 'max_length', 'min_value', 'max_value'];

/** A tool for agents as a tool of the chat, whose own session is seldom the one that is meant. */
function chatTool({ name, description, params }) {
  const { $schema: _, ...inputSchema } = toJsonSchema(params, { ignoreActions: checked });
  if (inputSchema.properties.session !== undefined) {
    inputSchema.properties.session.description = 'Session id; default: the open one, else the workspace’s';
  }
  return {
    name: `${toolPrefix}${name}`,
    displayName: `%tools.${name}%`,
    userDescription: `%tools.${name}.description%`,
    modelDescription: `About a recorded session of an agent. ${description.replace('your context', 'its context')}`,
    toolReferenceName: name,
    canBeReferencedInPrompt: true,
    icon: '$(layers)',
    inputSchema,
  };
}

const chatCommand = ([name, { command }]) => ({ name: command, description: `%tools.${name}.description%` });

/** The names of texts in package.json that package.nls.json lacks; VS Code would show the names. */
function missingTexts(manifest) {
  const texts = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'));
  const names = [...manifest.matchAll(/"%([\w.-]+)%"/g)].map(([, name]) => name);
  return names.filter(name => !(name in texts));
}

const { declaredSettings, restrictedSettings, settingId } = await loadBundle(
  'src/app/settings/settingsTable.ts',
);
const { contextTools } = await loadBundle('src/core/contextTools/contextTools.ts');
const { chatForms } = await loadBundle('src/host/chat/toolChoice.ts');
const { chatParticipantId, serverProviderId, toolPrefix } = await loadBundle('src/host/manifest.ts');
const path = join(root, 'package.json');
const before = readFileSync(path, 'utf8');
const manifest = JSON.parse(before);
manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = restrictedSettings.map(settingId);
manifest.contributes.configuration.properties = Object.fromEntries(
  Object.entries(declaredSettings).map(([name, setting]) => [settingId(name), declarationOf(name, setting)]),
);
manifest.contributes.languageModelTools = contextTools.map(chatTool);
manifest.contributes.chatParticipants = [
  {
    id: chatParticipantId,
    name: 'context',
    fullName: '%extension.displayName%',
    description: '%chat.description%',
    commands: Object.entries(chatForms).map(chatCommand),
  },
];
manifest.contributes.mcpServerDefinitionProviders = [
  { id: serverProviderId, label: '%extension.displayName%' },
];
const after = `${JSON.stringify(manifest, null, 2)}\n`;
const missing = missingTexts(after);
if (missing.length > 0) {
  console.error(`package.nls.json has no text for ${missing.join(', ')}.`);
  process.exitCode = 1;
} else if (!process.argv.includes('--check')) {
  writeFileSync(path, after);
} else if (after !== before) {
  console.error('package.json differs from what the code describes. Run npm run manifest.');
  process.exitCode = 1;
}
