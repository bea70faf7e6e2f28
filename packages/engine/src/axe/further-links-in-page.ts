// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

/**
 * An address that no link has. `alternate`: the page in another language. `option`: a choice of a menu. `script`: the page that a script
 * of an element opens. `form`: a result of a form that has few values and no text.
 */
export type FurtherLink = { address: string; kind: 'alternate' | 'option' | 'script' | 'form'; element: Element }

/** Creates the function that finds addresses of a document that no link has. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makeFurtherLinkReader(): () => FurtherLink[] {
  const maxElements = 200
  const maxFormValues = 20
  // A page can name an element like a property, which would shadow the property.
  const queryAll = (root: Document | Element, selector: string): Element[] =>
    Array.from(
      (root === document ? Document.prototype : Element.prototype).querySelectorAll.call(root, selector) as NodeListOf<Element>,
    ).slice(0, maxElements)
  const read = (element: Element, name: string): string | null => Element.prototype.getAttribute.call(element, name)
  const has = (element: Element, selector: string): boolean => Element.prototype.matches.call(element, selector)
  const readText = (node: Node) => Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')!.get!.call(node) as string
  const getBaseUrl = () => Object.getOwnPropertyDescriptor(Node.prototype, 'baseURI')!.get!.call(document) as string
  const readValue = (option: Element): string => read(option, 'value') ?? readText(option).trim()

  const listAlternates = (): FurtherLink[] =>
    queryAll(document, 'link[rel~="alternate" i][hreflang][href]').map((element) => ({
      address: read(element, 'href')!,
      kind: 'alternate',
      element,
    }))

  /** Menus whose choices are addresses; what a form sends is data. */
  const listOptions = (): FurtherLink[] =>
    queryAll(document, 'select option[value]:not([disabled])').flatMap((element) => {
      const address = read(element, 'value')!.trim()
      const isSent = Element.prototype.closest.call(element, 'form[method="post" i]') !== null
      return !isSent && /^(?:https?:\/\/|\/(?!\/)|\.{1,2}\/|\?)/i.test(address) ? [{ address, kind: 'option', element }] : []
    })

  /** A script that does nothing but open one page: `location.href = '/next'`. */
  const openingScript =
    /^(?:javascript:)? ?(?:window\.)?(?:document\.|self\.|top\.)?(?:location(?:\.href)? ?= ?|location\.(?:assign|replace)\( ?|open\( ?)(["'])([^"'\\]{1,2000})\1 ?(?:, ?["'][\w=,]{0,100}["'] ?)?\)? ?;? ?(?:return (?:false|true);?)?$/
  const listScripted = (): FurtherLink[] =>
    queryAll(document, '[onclick], [data-href], a[href^="javascript:" i]').flatMap((element) => {
      const code = read(element, 'onclick') ?? read(element, 'href') ?? ''
      const script = openingScript.exec(code.replaceAll(/\s+/g, ' ').trim())
      const address = script?.[2] ?? read(element, 'data-href')?.trim() ?? ''
      return address === '' || address.startsWith('#') ? [] : [{ address, kind: 'script', element }]
    })

  /** Values of a control that a user may choose, the first one is the initial one; null for none. */
  type Field = { name: string; values: (string | null)[] }

  const readFields = (form: Element): Field[] => {
    const selects = queryAll(form, 'select[name]:not([disabled], [multiple])').map((select): Field => {
      const options = queryAll(select, 'option:not([disabled])')
      const initial = options.find((option) => has(option, '[selected]')) ?? options[0]
      const values = [initial, ...options.filter((option) => option !== initial)].flatMap((option) =>
        option ? readValue(option) : [],
      )
      return { name: read(select, 'name')!, values }
    })
    const boxes = queryAll(form, 'input[type="checkbox" i][name]:not([disabled])').map((box): Field => {
      const value = read(box, 'value') ?? 'on'
      return { name: read(box, 'name')!, values: has(box, '[checked]') ? [value, null] : [null, value] }
    })
    const radios = queryAll(form, 'input[type="radio" i][name]:not([disabled])')
    const radioNames = [...new Set(radios.map((radio) => read(radio, 'name')!))]
    const groups = radioNames.map((name): Field => {
      const group = radios.filter((radio) => read(radio, 'name') === name)
      const initial = group.find((radio) => has(radio, '[checked]'))
      const others = group.filter((radio) => radio !== initial)
      return {
        name,
        values: [initial ? (read(initial, 'value') ?? 'on') : null, ...others.map((one) => read(one, 'value') ?? 'on')],
      }
    })
    const hidden = queryAll(form, 'input[type="hidden" i][name]:not([disabled])').map((input): Field => ({
      name: read(input, 'name')!,
      values: [read(input, 'value') ?? ''],
    }))
    return [...hidden, ...selects, ...groups, ...boxes]
  }

  const harmlessTypes = 'hidden, checkbox, radio, submit, button, reset, image'
    .split(', ')
    .map((type) => `[type="${type}" i]`)
    .join(', ')
  const asksFirst = '[onsubmit], [data-confirm], [data-turbo-confirm], [data-method], [data-turbo-method]'
  const buttons = 'button, input[type="submit" i], input[type="image" i]'
  /** Returns true for a form that may ask before it sends, or has controls elsewhere in the document. */
  const isUnclear = (form: Element): boolean => {
    const id = read(form, 'id')
    return (
      has(form, asksFirst) ||
      queryAll(form, asksFirst).length > 0 ||
      queryAll(form, buttons).some((button) => has(button, '[onclick]')) ||
      (id !== null && queryAll(document, '[form]').some((control) => read(control, 'form') === id))
    )
  }
  /** Results of forms that send nothing but choices: each choice once, with the initial values of the others. */
  const listForms = (): FurtherLink[] =>
    queryAll(document, 'form:not([method]), form[method="get" i]').flatMap((form) => {
      const mayHoldText = `input:not(${harmlessTypes}), textarea, select[multiple], [form], [formaction], [formmethod]`
      const fields = readFields(form)
      const choiceCount = fields.reduce((count, { values }) => count + values.length - 1, 0)
      if (isUnclear(form) || queryAll(form, mayHoldText).length > 0 || choiceCount === 0 || choiceCount > maxFormValues) return []
      const action = URL.parse(read(form, 'action') ?? '', getBaseUrl())
      if (!action) return []
      // The name of the button says what the form does.
      const button = queryAll(form, buttons)[0] ?? form
      return fields.flatMap((field) =>
        field.values.slice(1).map((choice): FurtherLink => {
          const parameters = fields.flatMap((other) => {
            const value = other === field ? choice : other.values[0]
            return value == null ? [] : [[other.name, value]]
          })
          action.search = new URLSearchParams(parameters).toString()
          return { address: action.href, kind: 'form', element: button }
        }),
      )
    })
  return () => [...listAlternates(), ...listOptions(), ...listScripted(), ...listForms()]
}
