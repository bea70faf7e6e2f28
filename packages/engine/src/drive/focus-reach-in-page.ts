// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.
import type { FocusSelectors } from './focus-selectors-in-page.ts'
import type { DriveKit } from './kit-in-page.ts'

export type FocusReach = {
  /** Elements that the focus of an element can change, the element first: by styles, or by scripts since the last call. */
  listReached(focused: Element): Element[]
  /** True if the focus may show in a part of a focused element whose styles no script can read. */
  hasHiddenParts(focused: Element): boolean
  /** Leaves out what scripts have changed until now. */
  forgetMutations(): void
}

/** Creates the reach of the focus in a document. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function makeFocusReach(kit: DriveKit, readFocusSelectors: () => FocusSelectors): FocusReach {
  const maxDescendants = 60
  const maxReached = 150

  const isInShadowTree = (element: Element) =>
    kit.call(element, 'getRootNode') instanceof ShadowRoot || kit.getShadowRoot(element) !== null
  const listReached = (focused: Element): Element[] => {
    const reached = new Set<Element>([focused])
    const addAll = (elements: Iterable<Element>, maxCount: number) => {
      let count = 0
      for (const element of elements) {
        if (count++ >= maxCount || reached.size > 400) return
        reached.add(element)
      }
    }
    const descend = (element: Element) => kit.call(element, 'querySelectorAll', '*')
    const ancestors = kit.listAncestors(focused)
    const { selectors, ...reach } = readFocusSelectors()
    // Sheets of shadow trees are not read.
    const isShadowed = isInShadowTree(focused)
    const hasAncestors = reach.hasAncestors || isShadowed
    const hasSiblings = reach.hasSiblings || isShadowed
    addAll(descend(focused), maxDescendants)
    const shadowRoot = kit.getShadowRoot(focused)
    if (shadowRoot) addAll(shadowRoot.querySelectorAll('*'), maxDescendants)
    addAll(ancestors, hasAncestors ? 40 : 3)
    // Neighbors of the element and of the boxes next to it: `:focus + .ring`, labels of fields.
    for (const one of hasSiblings ? [focused, ...ancestors.slice(0, 2)] : [])
      for (const sibling of [kit.read(one, 'nextElementSibling'), kit.read(one, 'previousElementSibling')]) {
        if (!sibling) continue
        reached.add(sibling)
        addAll(descend(sibling), 12)
      }
    addAll(kit.listLabels(focused), 5)
    for (const selector of selectors)
      try {
        addAll(document.querySelectorAll(selector), maxReached)
      } catch {
        // A selector that was taken apart may be invalid.
      }
    noteMutations(observer.takeRecords())
    addAll(
      mutatedElements.filter((element) => kit.read(element, 'isConnected')),
      40,
    )
    mutatedElements = []
    return [...reached]
  }

  /** Elements that scripts changed since the last look. */
  let mutatedElements: Element[] = []
  const noteMutations = (records: MutationRecord[]) => {
    for (const { target, addedNodes } of records) {
      if (mutatedElements.length > 200) return
      if (target instanceof Element) mutatedElements.push(target, ...[...kit.read(target, 'children')].slice(0, 10))
      for (const node of addedNodes)
        if (node instanceof Element) mutatedElements.push(node, ...[...kit.call(node, 'querySelectorAll', '*')].slice(0, 20))
    }
  }
  const observer = new MutationObserver(noteMutations)
  observer.observe(document, { subtree: true, childList: true, attributes: true })
  return {
    listReached,
    hasHiddenParts(focused) {
      const { ofParts, isPartial } = readFocusSelectors()
      const isSlider = kit.matches(focused, 'input[type="range" i]')
      return (isSlider && isPartial) || ofParts.some((selector) => kit.matches(focused, selector))
    },
    forgetMutations() {
      observer.takeRecords()
      mutatedElements = []
    },
  }
}
