import { Dropdown, type DropdownProps } from './Dropdown';

/** A dropdown with its name before it. */
export function LabelledDropdown<Value extends string>(props: DropdownProps<Value>) {
  return (
    <div className="controls__row">
      <span>{props.name}</span>
      <Dropdown {...props} />
    </div>
  );
}
