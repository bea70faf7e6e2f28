/** Forms of arguments; `none` is the form without parentheses. */
export type ArgumentKind =
  | 'none'
  | 'forgiving'
  | 'selectors'
  | 'relative'
  | 'compound'
  | 'compounds'
  | 'nth'
  | 'nthOf'
  | 'name'
  | 'names'
  | 'words'
  | 'transition'
  | 'select'
  | 'side'

// Names that Chromium 153 and 156 accept. css.test.ts compares all of them with the browser.

const readNames = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/).filter((name) => name !== ''))
const toArgumentMap = (rows: readonly (readonly [ArgumentKind[], string])[]): ReadonlyMap<string, readonly ArgumentKind[]> =>
  new Map(rows.flatMap(([kinds, names]) => [...readNames(names)].map((name) => [name, kinds] as const)))

export const pseudoClassArguments = toArgumentMap([
  [
    ['none'],
    `
    -internal-autofill-previewed -internal-autofill-selected -internal-dialog-in-top-layer
    -internal-popover-in-top-layer -internal-relative-anchor -webkit-any-link -webkit-autofill -webkit-drag
    -webkit-full-page-media -webkit-full-screen -webkit-full-screen-ancestor active active-view-transition
    any-link autofill checked corner-present current decrement default defined disabled double-button empty
    enabled end first-child first-of-type focus focus-visible focus-within fullscreen future horizontal hover
    in-range increment indeterminate interest-source interest-target invalid last-child last-of-type link modal
    no-button only-child only-of-type open optional out-of-range past picture-in-picture placeholder-shown
    popover-open read-only read-write required root scope single-button start target target-after target-before
    target-current user-invalid user-valid valid vertical visited window-inactive xr-overlay`,
  ],
  [
    ['names'],
    `
    active-view-transition-type`,
  ],
  [
    ['name'],
    `
    dir lang state`,
  ],
  [
    ['relative'],
    `
    has`,
  ],
  [
    ['none', 'compound'],
    `
    host`,
  ],
  [
    ['compound'],
    `
    host-context`,
  ],
  [
    ['forgiving'],
    `
    is where`,
  ],
  [
    ['selectors'],
    `
    not`,
  ],
  [
    ['nthOf'],
    `
    nth-child nth-last-child`,
  ],
  [
    ['nth'],
    `
    nth-last-of-type nth-of-type`,
  ],
  [
    ['compounds'],
    `
    -webkit-any`,
  ],
])

const knownElements = toArgumentMap([
  [
    ['none', 'compounds'],
    `
    cue`,
  ],
  [
    ['none'],
    `
    -internal-media-controls-overlay-cast-button after backdrop before checkmark column details-content
    file-selector-button first-letter first-line grammar-error interest-button marker permission-icon
    picker-icon placeholder scroll-marker scroll-marker-group search-text selection spelling-error target-text
    view-transition`,
  ],
  [
    ['compound'],
    `
    slotted`,
  ],
  [
    ['transition'],
    `
    view-transition-group view-transition-group-children view-transition-image-pair view-transition-new
    view-transition-old`,
  ],
  [
    ['name'],
    `
    highlight`,
  ],
  [
    ['words'],
    `
    part`,
  ],
  [
    ['select'],
    `
    picker`,
  ],
  [
    ['side'],
    `
    scroll-button`,
  ],
])

/** Elements that may be written with one colon, as before CSS 3. */
const oldElements = readNames('after before first-letter first-line')

export const isElementName = (name: string, isDouble: boolean): boolean => isDouble || oldElements.has(name)

/** Arguments of a pseudo-element; undefined for an unknown one. `-webkit-` names are parts of controls or pseudo-classes. */
export function elementArguments(name: string): readonly ArgumentKind[] | undefined {
  const isControlPart = name.startsWith('-webkit-') && !pseudoClassArguments.get(name)?.includes('none')
  return knownElements.get(name) ?? (isControlPart ? ['none'] : undefined)
}

/** Names that may follow a pseudo-element. The first row is for parts of controls that no other row names. */
export const elementsByFollowers = [
  {
    elements: `
    -internal-media-controls-overlay-cast-button cue file-selector-button`,
    classNames: `
    active focus focus-visible focus-within hover is where`,
    elementNames: `
    `,
  },
  {
    elements: `
    backdrop checkmark first-letter first-line grammar-error highlight interest-button marker picker-icon
    placeholder spelling-error target-text view-transition`,
    classNames: `
    is where`,
    elementNames: `
    `,
  },
  {
    elements: `
    slotted`,
    classNames: `
    `,
    elementNames: `
    after backdrop before checkmark details-content file-selector-button interest-button marker permission-icon
    picker picker-icon placeholder view-transition view-transition-group view-transition-group-children
    view-transition-image-pair view-transition-new view-transition-old`,
  },
  {
    elements: `
    view-transition-group view-transition-group-children view-transition-image-pair view-transition-new
    view-transition-old`,
    classNames: `
    is only-child where`,
    elementNames: `
    `,
  },
  {
    elements: `
    -webkit-resizer -webkit-scrollbar -webkit-scrollbar-button -webkit-scrollbar-corner -webkit-scrollbar-thumb
    -webkit-scrollbar-track -webkit-scrollbar-track-piece`,
    classNames: `
    active corner-present decrement disabled double-button enabled end horizontal hover increment is no-button
    single-button start vertical where window-inactive`,
    elementNames: `
    `,
  },
  {
    elements: `
    after before`,
    classNames: `
    is where`,
    elementNames: `
    marker`,
  },
  {
    elements: `
    column`,
    classNames: `
    `,
    elementNames: `
    scroll-marker`,
  },
  {
    elements: `
    details-content part permission-icon picker`,
    classNames: `
    -internal-autofill-previewed -internal-autofill-selected -internal-dialog-in-top-layer
    -internal-popover-in-top-layer -internal-relative-anchor -webkit-any-link -webkit-autofill -webkit-drag
    -webkit-full-page-media -webkit-full-screen -webkit-full-screen-ancestor active active-view-transition
    active-view-transition-type any-link autofill checked default defined dir disabled enabled focus
    focus-visible focus-within fullscreen future hover in-range indeterminate interest-source interest-target
    invalid is lang link modal open optional out-of-range past picture-in-picture placeholder-shown popover-open
    read-only read-write required state target target-after target-before target-current user-invalid user-valid
    valid visited where window-inactive xr-overlay`,
    elementNames: `
    -webkit- -internal-media-controls-overlay-cast-button after backdrop before checkmark column cue
    details-content file-selector-button first-letter first-line grammar-error highlight interest-button marker
    permission-icon picker picker-icon placeholder scroll-button scroll-marker scroll-marker-group search-text
    selection spelling-error target-text view-transition view-transition-group view-transition-group-children
    view-transition-image-pair view-transition-new view-transition-old`,
  },
  {
    elements: `
    scroll-button`,
    classNames: `
    active disabled enabled focus focus-visible focus-within hover is where`,
    elementNames: `
    `,
  },
  {
    elements: `
    scroll-marker`,
    classNames: `
    active focus focus-visible focus-within hover is target-after target-before target-current where`,
    elementNames: `
    `,
  },
  {
    elements: `
    scroll-marker-group`,
    classNames: `
    focus-within hover is where`,
    elementNames: `
    `,
  },
  {
    elements: `
    search-text`,
    classNames: `
    current is where`,
    elementNames: `
    `,
  },
  {
    elements: `
    selection`,
    classNames: `
    is where window-inactive`,
    elementNames: `
    `,
  },
  { elements: 'cue()', classNames: '', elementNames: '' },
].map(({ elements, classNames, elementNames }) => ({
  elements: readNames(elements),
  classNames: readNames(classNames),
  elementNames: readNames(elementNames),
}))
