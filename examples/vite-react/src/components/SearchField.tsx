import { forwardRef } from 'react';
import { Glass } from './icons';

interface SearchFieldProps {
  value: string;
  onChange: (value: string) => void;
}

export const SearchField = forwardRef<HTMLInputElement, SearchFieldProps>(
  ({ value, onChange }, ref) => (
    <label className="search">
      <Glass />
      <input
        ref={ref}
        type="search"
        aria-label="Search the menu"
        placeholder="Search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  ),
);
