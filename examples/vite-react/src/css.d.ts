import 'react';

declare module 'react' {
  interface CSSProperties {
    '--hue'?: number;
  }
}
