// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

/** Lists the document and its shadow roots, also closed ones that were revealed. */
export function listRootsInPage(): Node[] {
  const maxRoots = 1000
  const shadowDescriptor = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')!
  // The common elements among those that cannot have a shadow root: a long page consists of them.
  const hostSelector =
    ':not(a, b, br, button, code, dd, dl, dt, em, i, img, input, label, li, link, meta, ol, option, path, pre, script, small, strong, style, sub, sup, table, tbody, td, th, thead, tr, ul)'
  const searchRoots: Node[] = [document]
  for (const root of searchRoots) {
    const prototype = root === document ? Document.prototype : DocumentFragment.prototype
    for (const element of prototype.querySelectorAll.call(root, hostSelector)) {
      const shadowRoot = shadowDescriptor.get!.call(element) as ShadowRoot | null
      if (shadowRoot && searchRoots.length < maxRoots) searchRoots.push(shadowRoot)
    }
  }
  return searchRoots
}
