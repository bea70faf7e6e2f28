export const htmlMimeTypes: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])

/** Document types that axe tests. For other types, the browser shows a generated document: a viewer, a tree, a message. */
export const testedMimeTypes: ReadonlySet<string> = new Set([...htmlMimeTypes, 'image/svg+xml'])
