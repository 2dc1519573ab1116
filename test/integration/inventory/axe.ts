import { source } from 'axe-core';
import * as vscode from 'vscode';
import { isDeep } from '../../fixtures/variants';
import { nextPicture, ui } from '../driver';
import type { Frame, Place } from './rows';

/** The settings for the themes of the four kinds that VS Code uses by default. The last one is in use otherwise. */
const themeSettings = [
  'preferredLightColorTheme',
  'preferredHighContrastColorTheme',
  'preferredHighContrastLightColorTheme',
  'preferredDarkColorTheme',
] as const;

/** Shows VS Code in a theme, waits until a page is drawn in it, and returns its name. */
async function useTheme(frame: Frame, setting: (typeof themeSettings)[number]): Promise<string> {
  const workbench = vscode.workspace.getConfiguration('workbench');
  const theme = workbench.get(setting, '');
  await workbench.update('colorTheme', theme, vscode.ConfigurationTarget.Global);
  await ui(
    (window, wanted) =>
      window[wanted.frame].locator(`body[data-vscode-theme-id="${wanted.theme}"]`).waitFor(),
    { frame, theme },
  );
  await nextPicture(frame);
  return theme;
}

/** Violations on the page in its current state: each rule with its elements. Another theme can only change colours. */
async function brokenRules(frame: Frame, isOtherTheme: boolean): Promise<readonly string[]> {
  const rules = isOtherTheme ? { runOnly: ['color-contrast'] } : {};
  const found = await ui(
    async (window, wanted) => {
      // The page's own policy allows no scripts. Code evaluated by the browser is exempt.
      const element = await window[wanted.frame].locator('html').elementHandle();
      const document = await element.ownerFrame();
      if (document === null) {
        throw new Error('The page is in no frame.');
      }
      await document.evaluate(wanted.source);
      return document.evaluate(
        `axe.run(${wanted.options}).then(({ violations }) =>
          violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`,
      );
    },
    { frame, source, options: JSON.stringify({ ...rules, resultTypes: ['violations'] }) },
  );
  return Array.isArray(found) ? found.map(String) : ['axe gave no answer'];
}

/**
 * The themes in which a place is checked: all in a deep run, otherwise the usual one and one of the others in turn.
 * While work is in progress, there is time for only one.
 */
function themesFor({ isBusy }: Place, index: number): readonly (typeof themeSettings)[number][] {
  const [usual, others] = [themeSettings.slice(-1), themeSettings.slice(0, -1)];
  if (isBusy === true) {
    return usual;
  }
  return [...(isDeep ? others : others.filter((_, each) => each === index % others.length)), ...usual];
}

/** Violations of the rules for accessible pages in a place. `index` is its number among all places and selects the themes. */
export async function violationsIn(place: Place, index: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (const setting of themesFor(place, index)) {
    const theme = await useTheme(place.frame, setting);
    found.push(
      ...(await brokenRules(place.frame, setting !== 'preferredDarkColorTheme')).map(
        rule => `${place.name} in ${theme}: ${rule}`,
      ),
    );
  }
  return found;
}
