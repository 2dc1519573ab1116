import { visibleText } from '../../src/core/base/visibleText';
import {
  readSetting,
  type SettingKind,
  settingKinds,
  type SettingName,
  settingText,
  takesOthers,
} from '../../src/core/whatIf/settings';
import { Dropdown } from '../controls/Dropdown';
import { IconButton } from '../controls/IconButton';
import { TextField } from '../controls/TextField';
import { whatIfWords as words } from '../words/whatIf';
import type { UsageViewState } from './usageState';

export type ChosenSettings = UsageViewState['settings'];

interface WhatIfSettingsProps {
  readonly chosen: ChosenSettings;
  readonly onChange: (chosen: ChosenSettings) => void;
}

/** The chosen settings with their values. The table of settings says which there are. */
export function WhatIfSettings({ chosen, onChange }: WhatIfSettingsProps) {
  const left = settingKinds.filter(({ name }) => chosen.every(setting => setting.name !== name));
  const wrong = chosen.find(
    setting => setting.text !== '' && readSetting(settingText(setting)) === undefined,
  );
  const add = (name: SettingName | ''): void => {
    const kind = settingKinds.find(each => each.name === name);
    if (kind !== undefined) {
      onChange([...chosen, { name: kind.name, text: kind.choices?.[0] ?? '' }]);
    }
  };
  return (
    <>
      {settingKinds.map(kind => {
        const setting = chosen.find(({ name }) => name === kind.name);
        return setting === undefined ? null : (
          <SettingValue
            key={kind.name}
            kind={kind}
            text={setting.text}
            onChange={text =>
              onChange(chosen.map(each => (each.name === kind.name ? { name: kind.name, text } : each)))
            }
            onRemove={() => onChange(chosen.filter(({ name }) => name !== kind.name))}
          />
        );
      })}
      {left.length > 0 && (
        <div>
          <Dropdown<SettingName | ''>
            name={words.add}
            value=""
            options={[
              { value: '', label: words.add },
              ...left.map(({ name, label }) => ({ value: name, label: label() })),
            ]}
            onChange={add}
          />
        </div>
      )}
      {wrong !== undefined && (
        <span className="small muted" role="status">
          {words.notAValue(
            visibleText(wrong.text),
            settingKinds.find(({ name }) => name === wrong.name)?.value ?? '',
          )}
        </span>
      )}
    </>
  );
}

/** No setting has this value. It stands for the field in which any value can be typed. */
const other = '…';

interface SettingValueProps {
  readonly kind: SettingKind;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onRemove: () => void;
}

function SettingValue({ kind, text, onChange, onRemove }: SettingValueProps) {
  const { choices = [], help } = kind;
  const label = kind.label();
  const name = words.valueOf(label);
  const isChosen = choices.includes(text);
  return (
    <div className="setting row gap-6 framed small" title={help()}>
      <span>{label}</span>
      {isChosen ? (
        <Dropdown
          name={name}
          value={text}
          options={[
            ...choices.map(choice => ({ value: choice, label: choice })),
            ...(takesOthers(kind) ? [{ value: other, label: words.other }] : []),
          ]}
          onChange={choice => onChange(choice === other ? '' : choice)}
        />
      ) : (
        <TextField name={name} value={text} placeholder={kind.value} onInput={onChange} />
      )}
      <IconButton icon="close" name={words.remove(label)} onPress={onRemove} />
    </div>
  );
}
