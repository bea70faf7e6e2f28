/** Fills the placeholders (`{name}`) of a text. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)

/** Joins a text into one line: a line break would end a mail header. */
export const toSingleLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ')
