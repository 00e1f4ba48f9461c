declare module 'sbd' {
  export const sentences: (text: string, options?: { readonly preserve_whitespace?: boolean }) => string[];
}
