import * as Switch from '@radix-ui/react-switch';
import { useId } from 'react';

interface VegetarianSwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function VegetarianSwitch({ checked, onChange }: VegetarianSwitchProps) {
  const id = useId();
  return (
    <div className="switch-field">
      <label htmlFor={id}>Vegetarian</label>
      <Switch.Root id={id} className="switch" checked={checked} onCheckedChange={onChange}>
        <Switch.Thumb className="switch-thumb" />
      </Switch.Root>
    </div>
  );
}
