import * as vscode from 'vscode';
import { setTranslations } from '../../core/base/translate';

/** Without a bundle the words are English, and so are the numbers beside them. */
const { bundle } = vscode.l10n;
setTranslations(bundle === undefined ? undefined : { language: vscode.env.language, messages: bundle });
