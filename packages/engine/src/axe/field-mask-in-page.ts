// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

/**
 * Hides fields that are named like properties of their form from it. `form.nodeName` is the field then, and axe, which reads it,
 * fails or overlooks the form.
 */
export type FieldMask = {
  /** Runs `work` while such fields belong to no form. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Removes the mask from the code of elements in serialized results. */
  clean(json: string): string
}

/** Creates the mask of a document. */
export function makeFieldMask(): FieldMask {
  /** No form has this id, so a field that names it as its form has none. */
  const maskId = 'clearway-no-form'
  /** Names that fields often have, and that axe reads as attributes only. Their fields stay as they are. */
  const unreadNames = new Set(
    'id title lang dir role prefix slot part hidden translate className before after append prepend remove normalize'.split(' '),
  )
  const prototypes = [HTMLElement.prototype, Element.prototype, Node.prototype, EventTarget.prototype]
  const isShadowing = (name: string | null) =>
    name !== null && !unreadNames.has(name) && prototypes.some((prototype) => Object.hasOwn(prototype, name))
  const getAttribute = (element: Element, name: string) => Element.prototype.getAttribute.call(element, name)
  const setAttribute = (element: Element, name: string, value: string | null) =>
    value === null
      ? Element.prototype.removeAttribute.call(element, name)
      : Element.prototype.setAttribute.call(element, name, value)
  const listRoots = (): (Document | ShadowRoot)[] => {
    const roots: (Document | ShadowRoot)[] = [document]
    for (const root of roots)
      for (const element of queryAll(root, '*')) {
        const shadowRoot = Reflect.get(Element.prototype, 'shadowRoot', element) as ShadowRoot | null
        if (shadowRoot) roots.push(shadowRoot)
      }
    return roots
  }
  const queryAll = (root: Document | ShadowRoot, selector: string) =>
    (root === document ? Document.prototype : DocumentFragment.prototype).querySelectorAll.call(root, selector)

  let hiddenAttributes: { element: Element; name: string; value: string | null }[] = []
  const hide = (element: Element, name: string, value: string | null) => {
    hiddenAttributes.push({ element, name, value: getAttribute(element, name) })
    setAttribute(element, name, value)
  }
  const hideFields = () => {
    for (const root of listRoots()) {
      for (const form of queryAll(root, 'form')) {
        // A hidden field leaves the collection.
        const fields = Array.from(Reflect.get(HTMLFormElement.prototype, 'elements', form) as HTMLFormControlsCollection)
        for (const field of fields)
          if (isShadowing(getAttribute(field, 'name')) || isShadowing(getAttribute(field, 'id'))) hide(field, 'form', maskId)
      }
      // Pictures belong to the form around them, whatever their attributes. Their ids may be referenced.
      for (const picture of queryAll(root, 'form img[name]'))
        if (isShadowing(getAttribute(picture, 'name'))) hide(picture, 'name', null)
    }
  }
  const showFields = () => {
    for (const { element, name, value } of hiddenAttributes) setAttribute(element, name, value)
    hiddenAttributes = []
  }
  return {
    async during(work) {
      hideFields()
      try {
        return await work()
      } finally {
        showFields()
      }
    },
    clean: (json) => json.replaceAll(` form=\\"${maskId}\\"`, ''),
  }
}
