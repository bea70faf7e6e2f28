export const htmlTypes: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])

/** The types of documents that axe tests. Of others a browser shows what it made up itself: a viewer, a tree, a message. */
export const testedTypes: ReadonlySet<string> = new Set([...htmlTypes, 'image/svg+xml'])
