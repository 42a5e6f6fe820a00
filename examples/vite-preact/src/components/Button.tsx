import type { ButtonHTMLAttributes } from 'preact';

export function Button({ class: className, children, ...rest }: ButtonHTMLAttributes) {
  return (
    <button type="button" class={`button ${className ?? ''}`} {...rest}>
      {children}
    </button>
  );
}
