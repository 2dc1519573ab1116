import * as vscode from 'vscode';
import { setTranslations } from '../core/base/translate';

setTranslations({ language: vscode.env.language, messages: vscode.l10n.bundle ?? {} });
