import * as vscode from 'vscode';
import { setTranslations } from '../../core/base/translate';

/** Without a bundle, words and numbers are English. */
const { bundle } = vscode.l10n;
setTranslations(bundle === undefined ? undefined : { language: vscode.env.language, messages: bundle });
