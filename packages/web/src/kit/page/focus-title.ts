/** Gives the focus to the title of the screen: what had it is gone, and nothing nearer stays. */
export const focusTitle = (options?: FocusOptions): void => document.querySelector('h1')?.focus(options)
