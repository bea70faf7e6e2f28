// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

type Getter = (this: unknown) => unknown

/** Getters of nodes, called with the node. A page can name an element like a property, which would shadow the property. */
export type NodeReader = Readonly<
  Record<
    | 'getShadowRoot'
    | 'getFirstChild'
    | 'getNextSibling'
    | 'getParentElement'
    | 'getLocalName'
    | 'getNodeType'
    | 'getTextContent'
    | 'getDocumentElement'
    | 'getBody',
    Getter
  >
>

/** Creates the getters of a document. */
export function makeNodeReader(): NodeReader {
  const getGetter = (owner: object, name: string) => Reflect.get(Object.getOwnPropertyDescriptor(owner, name)!, 'get') as Getter
  return {
    getShadowRoot: getGetter(Element.prototype, 'shadowRoot'),
    getFirstChild: getGetter(Node.prototype, 'firstChild'),
    getNextSibling: getGetter(Node.prototype, 'nextSibling'),
    getParentElement: getGetter(Node.prototype, 'parentElement'),
    getLocalName: getGetter(Element.prototype, 'localName'),
    getNodeType: getGetter(Node.prototype, 'nodeType'),
    getTextContent: getGetter(Node.prototype, 'textContent'),
    getDocumentElement: getGetter(Document.prototype, 'documentElement'),
    getBody: getGetter(Document.prototype, 'body'),
  }
}
