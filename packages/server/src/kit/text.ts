export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)

/** The part of a user name that all may see: that of invited people is their email address. */
export const hideAddress = (username: string): string => username.split('@')[0] || '–'

/** Joins a text into one line: a line break would end a mail header. */
export const toSingleLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ')
