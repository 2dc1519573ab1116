// A lint rule: texts for the user go through src/host/messages/userMessages.ts, so that nothing foreign in them becomes a link or an icon.

const vscodeWindow = 'MemberExpression[object.name="vscode"][property.name="window"]';

/**
 * Members of `vscode.window` that show no text. All others are forbidden, including those of later versions of VS Code.
 */
const silent =
  'state|tabGroups|showTextDocument|showOpenDialog|showSaveDialog|registerCustomEditorProvider|registerUriHandler|registerWebviewViewProvider|createWebviewPanel|registerWebviewPanelSerializer';

const forbidden = [
  `${vscodeWindow.replaceAll('[', '[object.')}:not([property.name=/^(${silent})$/])`,
  `:not(MemberExpression) > ${vscodeWindow}`,
  'MemberExpression[object.object.name="vscode"][object.property.name="commands"][property.name=/^register/]',
  'NewExpression[callee.object.name="vscode"][callee.property.name=/^(TreeItem|MarkdownString)$/]',
  // Other ways to the same interfaces.
  'MemberExpression[object.name="vscode"][computed=true]',
  'MemberExpression[object.object.name="vscode"][computed=true]',
  ':not(MemberExpression, ImportNamespaceSpecifier, TSQualifiedName, TSTypeQuery) > Identifier[name="vscode"]',
  'ImportDeclaration[source.value="vscode"] > :matches(ImportSpecifier, ImportDefaultSpecifier)',
  'ImportNamespaceSpecifier[local.name!="vscode"][parent.source.value="vscode"]',
];

const plainMessages = {
  create: context =>
    Object.fromEntries(
      forbidden.map(selector => [
        selector,
        node =>
          context.report({
            node,
            message: 'Texts for the user go through src/host/messages/userMessages.ts.',
          }),
      ]),
    ),
};

export default { meta: { name: 'project' }, rules: { 'plain-messages': plainMessages } };
