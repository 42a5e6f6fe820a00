import { type JSX, splitProps } from 'solid-js';

export function Button(props: JSX.ButtonHTMLAttributes<HTMLButtonElement>) {
  const [own, rest] = splitProps(props, ['class', 'children']);
  return (
    <button type="button" class={`button ${own.class ?? ''}`} {...rest}>
      {own.children}
    </button>
  );
}
