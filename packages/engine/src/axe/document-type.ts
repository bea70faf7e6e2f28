export const htmlMimeTypes: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])

/**
 * Expression for the type of a document as the browser shows it. XHTML may be sent as any XML. An element that the page
 * names `contentType` would shadow the document's property.
 */
export const documentTypeExpression = `(() => {
  const read = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document)
  const isXhtml = /xml$/.test(read('contentType')) && read('documentElement')?.namespaceURI === 'http://www.w3.org/1999/xhtml'
  // The browser shows other XML as a tree.
  const isTree = Document.prototype.querySelector.call(document, '#webkit-xml-viewer-source-xml') !== null
  return isXhtml && !isTree ? 'application/xhtml+xml' : read('contentType')
})()`

/** Document types that axe tests. For other types, the browser shows a generated document: a viewer, a tree, a message. */
export const testedMimeTypes: ReadonlySet<string> = new Set([...htmlMimeTypes, 'image/svg+xml'])
