import { forwardRef } from 'preact/compat';

interface SearchProps {
  value: string;
  onSearch: (value: string) => void;
}

export const Search = forwardRef<HTMLInputElement, SearchProps>(function Search(
  { value, onSearch },
  ref,
) {
  return (
    <input
      ref={ref}
      type="search"
      aria-label="Where to"
      placeholder="Where to?"
      value={value}
      onInput={(event) => onSearch(event.currentTarget.value)}
    />
  );
});
