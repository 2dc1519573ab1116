import { createHash } from 'node:crypto';

/** The address of the page. Hosts know pages of servers by its scheme. */
export const pictureUri = 'ui://context-inspector/picture.html';

const style = `
:root { color-scheme: light dark; }
html, body { margin: 0; background: var(--page); color: var(--text); font: 13px/1.4 var(--family); }
main { display: grid; gap: 8px; padding: 8px; }
h1, p { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; font: inherit; }
h1 { font-weight: 600; }
#tree { position: relative; height: 360px; }
#tree:focus { outline: none; }
canvas { display: block; position: absolute; inset: 0; }
#foot { display: flex; gap: 8px; align-items: baseline; min-height: 26px; }
button { font: inherit; color: inherit; background: none; border: 1px solid; border-radius: 4px; padding: 2px 8px; }
button:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
[hidden] { display: none !important; }
`;

/**
 * The whole page, which loads nothing: its policy allows its own script and style only.
 * @param script the bundle of the page, in which nothing ends a script element
 */
export function picturePage(script: string): string {
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>Context</title>
<style>${style}</style>
</head>
<body>
<main>
<div id="heading"></div>
<div id="tree" role="tree" tabindex="0" aria-label="What fills the context" aria-activedescendant="active" hidden>
<div id="active" role="treeitem" aria-selected="false"></div>
<canvas aria-hidden="true"></canvas>
</div>
<div id="foot" hidden><button id="back" type="button" hidden>Back</button><p id="shown" aria-live="polite"></p></div>
</main>
<script>${script}</script>
</body>
</html>
`;
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
