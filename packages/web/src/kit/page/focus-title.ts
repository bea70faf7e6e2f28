/** Focuses the title of the screen when the focused element and everything near it are gone. */
export const focusTitle = (options?: FocusOptions): void => document.querySelector('h1')?.focus(options)
