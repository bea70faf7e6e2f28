import type { PdfFile } from '../object/document.ts'
import {
  isDict,
  isRef,
  pdfLimits,
  PdfError,
  refKey,
  type PdfDict,
  type PdfRef,
  type PdfValue,
} from '../object/value.ts'
import { decodeText } from './text-string.ts'

/** An element of the structure tree (ISO 32000-1, 14.7.2). */
export type Element = {
  dict: PdfDict
  ref: PdfRef | null
  /** As written. */ type: string
  /** After the role map; null when no standard type is reached. */ standardType: string | null
  isCircular: boolean
  /** A standard type that the role map gives another meaning. */ isRemapped: boolean
  parent: Element | null
  /** Each element of the tree once, where it is met first. */ kids: Element[]
  /** As `K` names them: one that it names twice is there twice, and one that leads back is there, too. */ named: Element[]
  /** Marked content in it, with the page when it is known. */ contents: {
    page: PdfRef | null
    mcid: number
    stream: PdfRef | null
  }[]
  /** Annotations and XObjects in it. */ objects: PdfRef[]
  /** Order of kids, as drawn from `K`: to find the first and last. */ page: PdfRef | null
  lang: string | null
  alt: string | null
  actualText: string | null
  expansion: string | null
  title: string | null
  id: string | null
  hasParentEntry: boolean
  attributes: Map<string, PdfValue>
  /** As `Document/Table[2]/TR[3]`, counted among equal names from 1, a lone one without number. */ path: string
}

export type Structure = {
  roots: Element[]
  /** Every element in document order. */ elements: Element[]
  byKey: Map<string, Element>
  /** Elements of objects that the parent tree alone leads to. */ strays: Map<string, Element>
  /** The elements of marked content: `${struct parents number}` to its list by MCID, or one element of an object. */
  parentTree: Map<number, PdfValue>
  /** Whether the parents that an element names lead to the root, for those that were asked for. */ rooted: Map<
    PdfDict,
    boolean
  >
}

const standardTypes = new Set(
  (
    'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody ' +
    'Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby Warichu RB RT RP WT WP ' +
    'Figure Formula Form'
  ).split(' '),
)

type Role = { standard: string | null; isCircular: boolean; isRemapped: boolean }

function roleOf(file: PdfFile, roleMap: PdfDict | null, type: string): Role {
  const next = (at: string): string | null => (roleMap ? file.name(roleMap.entries.get(at)) : null)
  const seen = new Set<string>()
  let standard: string | null = null
  let isCircular = false
  for (let at: string | null = type; at !== null; at = next(at)) {
    if (seen.has(at)) {
      isCircular = true
      break
    }
    seen.add(at)
    // Even a standard type takes another meaning by the map; the last one that it leads to counts.
    if (standardTypes.has(at)) standard = at
  }
  const other = next(type)
  return { standard, isCircular, isRemapped: standardTypes.has(type) && other !== null && other !== type }
}

function readAttributes(file: PdfFile, dict: PdfDict, classMap: PdfDict | null): Map<string, PdfValue> {
  const attributes = new Map<string, PdfValue>()
  const add = (value: PdfValue | undefined) => {
    const resolved = file.resolve(value)
    const list = Array.isArray((resolved as { items?: unknown } | null)?.items)
      ? file.array(resolved)
      : [resolved]
    for (const item of list) {
      const own = file.dict(item)
      if (own)
        for (const [key, inner] of own.entries)
          if (!attributes.has(key)) attributes.set(key, file.resolve(inner))
    }
  }
  add(dict.entries.get('A'))
  if (classMap) {
    const classes = file.resolve(dict.entries.get('C'))
    const names = file.name(classes) !== null ? [classes] : file.array(classes)
    for (const name of names) {
      const text = file.name(name)
      if (text !== null) add(classMap.entries.get(text))
    }
  }
  return attributes
}

type Building = {
  file: PdfFile
  roleMap: PdfDict | null
  classMap: PdfDict | null
  roles: Map<string, Role>
  structure: Structure
  /** The root, without an element of its own, and each element. */ seen: Map<PdfDict, Element | null>
  repeats: number
}

const textOf = (file: PdfFile, dict: PdfDict, key: string): string | null => {
  const raw = file.string(dict.entries.get(key))
  return raw === null ? null : decodeText(raw)
}

function makeElement(building: Building, dict: PdfDict, ref: PdfRef | null, parent: Element | null): Element {
  const { file, roles } = building
  const type = file.name(dict.entries.get('S')) ?? ''
  let role = roles.get(type)
  if (!role) roles.set(type, (role = roleOf(file, building.roleMap, type)))
  const pageRef = dict.entries.get('Pg')
  const page = isRef(pageRef) ? pageRef : (parent?.page ?? null)
  return {
    dict,
    ref,
    type,
    standardType: role.standard,
    isCircular: role.isCircular,
    isRemapped: role.isRemapped,
    parent,
    kids: [],
    named: [],
    contents: [],
    objects: [],
    page,
    lang: textOf(file, dict, 'Lang'),
    alt: textOf(file, dict, 'Alt'),
    actualText: textOf(file, dict, 'ActualText'),
    expansion: textOf(file, dict, 'E'),
    title: textOf(file, dict, 'T'),
    id: file.string(dict.entries.get('ID')),
    hasParentEntry: dict.entries.has('P') && file.resolve(dict.entries.get('P')) !== null,
    attributes: readAttributes(file, dict, building.classMap),
    path: '',
  }
}

/** More is no slip of a program: a list that many elements share could be as long as the file. */
const mostRepeats = 1000

/** Puts one entry of `K` where it belongs; gives an element that has to be walked on. */
function placeKid(building: Building, kid: PdfValue, parent: Element): Element | null {
  const { file, structure } = building
  const value = file.resolve(kid)
  if (typeof value === 'number') {
    parent.contents.push({ page: parent.page, mcid: value, stream: null })
    return null
  }
  const dict = isDict(value) ? value : null
  if (!dict) return null
  const type = file.name(dict.entries.get('Type'))
  const ownPage = dict.entries.get('Pg')
  if (type === 'MCR') {
    const mcid = file.number(dict.entries.get('MCID'))
    const stream = dict.entries.get('Stm')
    if (mcid !== null)
      parent.contents.push({
        page: isRef(ownPage) ? ownPage : parent.page,
        mcid,
        stream: isRef(stream) ? stream : null,
      })
    return null
  }
  if (type === 'OBJR') {
    const object = dict.entries.get('Obj')
    if (isRef(object)) parent.objects.push(object)
    return null
  }
  const known = building.seen.get(dict)
  if (known !== undefined) {
    if (known && building.repeats++ < mostRepeats) parent.named.push(known)
    return null
  }
  const element = makeElement(building, dict, isRef(kid) ? kid : null, parent)
  building.seen.set(dict, element)
  if (element.ref) structure.byKey.set(refKey(element.ref), element)
  parent.kids.push(element)
  parent.named.push(element)
  return element
}

const kidsOf = (file: PdfFile, dict: PdfDict): readonly PdfValue[] => {
  const kids = dict.entries.get('K')
  if (kids === undefined) return []
  const resolved = file.resolve(kids)
  return typeof resolved === 'object' && resolved?.kind === 'array' ? resolved.items : [kids]
}

function walk(building: Building, root: Element): void {
  // By a stack of our own: a tree may be as deep as its file is long.
  const stack: { element: Element; kids: readonly PdfValue[]; next: number }[] = [
    { element: root, kids: kidsOf(building.file, root.dict), next: 0 },
  ]
  const { elements } = building.structure
  while (stack.length > 0) {
    const top = stack.at(-1)!
    if (top.next >= top.kids.length) {
      stack.pop()
      continue
    }
    const element = placeKid(building, top.kids[top.next++]!, top.element)
    if (!element) continue
    elements.push(element)
    if (elements.length > pdfLimits.structureElements)
      throw new PdfError('limit', `The file has more than ${pdfLimits.structureElements} structure elements`)
    stack.push({ element, kids: kidsOf(building.file, element.dict), next: 0 })
  }
}

function namePaths(roots: readonly Element[]): void {
  const stack = roots.length > 0 ? [{ kids: roots, prefix: '' }] : []
  while (stack.length > 0) {
    const { kids, prefix } = stack.pop()!
    const total = new Map<string, number>()
    for (const kid of kids) total.set(kid.type, (total.get(kid.type) ?? 0) + 1)
    const count = new Map<string, number>()
    for (const kid of kids) {
      const n = (count.get(kid.type) ?? 0) + 1
      count.set(kid.type, n)
      kid.path = `${prefix}${kid.type}${total.get(kid.type)! > 1 ? `[${n}]` : ''}`.slice(-1000)
      if (kid.kids.length > 0) stack.push({ kids: kid.kids, prefix: `${kid.path}/` })
    }
  }
}

/** Every entry of a number tree, loops left out. */
function readNumberTree(file: PdfFile, root: PdfValue | undefined): Map<number, PdfValue> {
  const found = new Map<number, PdfValue>()
  const seen = new Set<PdfDict>()
  const queue: PdfValue[] = root === undefined ? [] : [root]
  while (queue.length > 0 && seen.size < pdfLimits.objects) {
    const dict = file.dict(queue.pop())
    if (!dict || seen.has(dict)) continue
    seen.add(dict)
    const numbers = file.array(dict.entries.get('Nums'))
    for (let i = 0; i + 1 < numbers.length; i += 2) {
      const key = file.number(numbers[i])
      if (key !== null) found.set(key, numbers[i + 1]!)
    }
    queue.push(...file.array(dict.entries.get('Kids')).slice(0, 100_000))
  }
  return found
}

const deepestStray = 100
const mostStrays = 100_000

/** Keeps the element that a reference names, though no `K` may lead to it: its parents are those that it names, and kept as well. */
function keepStray(building: Building, at: PdfRef): void {
  const { file, structure } = building
  const chain: { ref: PdfRef; dict: PdfDict }[] = []
  let parent: Element | null = null
  for (let ref: PdfValue | undefined = at; isRef(ref) && chain.length < deepestStray;) {
    parent = structure.byKey.get(refKey(ref)) ?? structure.strays.get(refKey(ref)) ?? null
    const dict: PdfDict | null = parent ? null : file.dict(ref)
    if (!dict || file.name(dict.entries.get('S')) === null) break
    chain.push({ ref, dict })
    ref = dict.entries.get('P')
  }
  for (const { ref, dict } of chain.toReversed()) {
    parent = makeElement(building, dict, ref, parent)
    parent.path = parent.type
    structure.strays.set(refKey(ref), parent)
  }
}

/** An object belongs to the element that the parent tree names for it, also where no `K` leads to that element. */
function readStrays(building: Building): void {
  const { structure } = building
  for (const value of structure.parentTree.values())
    if (isRef(value) && !structure.byKey.has(refKey(value)) && structure.strays.size < mostStrays)
      keepStray(building, value)
}

/** Reads the structure tree; null when the file has none. Throws `PdfError` limit. */
export function readStructure(file: PdfFile): Structure | null {
  const root = file.dict(file.catalog.entries.get('StructTreeRoot'))
  if (!root) return null
  const structure: Structure = {
    roots: [],
    elements: [],
    byKey: new Map(),
    strays: new Map(),
    parentTree: new Map(),
    rooted: new Map([[root, true]]),
  }
  const building: Building = {
    file,
    roleMap: file.dict(root.entries.get('RoleMap')),
    classMap: file.dict(root.entries.get('ClassMap')),
    roles: new Map(),
    structure,
    seen: new Map([[root, null]]),
    repeats: 0,
  }
  const top = makeElement(building, root, null, null)
  walk(building, top)
  structure.roots = top.kids
  for (const element of top.kids) element.parent = null
  namePaths(top.kids)
  structure.parentTree = readNumberTree(file, root.entries.get('ParentTree'))
  readStrays(building)
  return structure
}

/** The element that an object says it belongs to (an annotation, by `StructParent`). */
export function elementOfObject(file: PdfFile, structure: Structure, dict: PdfDict): Element | null {
  const number = file.number(dict.entries.get('StructParent'))
  const entry = number === null ? undefined : structure.parentTree.get(number)
  if (!isRef(entry)) return null
  return structure.byKey.get(refKey(entry)) ?? structure.strays.get(refKey(entry)) ?? null
}

/** The element of marked content. @param parents `StructParents` of the page or XObject that the content is in */
export function elementOfContent(
  file: PdfFile,
  structure: Structure,
  parents: number | null,
  mcid: number,
): Element | null {
  const entry = parents === null ? undefined : structure.parentTree.get(parents)
  const list = file.resolve(entry)
  const item = typeof list === 'object' && list?.kind === 'array' ? list.items[mcid] : undefined
  return isRef(item) ? (structure.byKey.get(refKey(item)) ?? null) : null
}

/** Whether the parents that an element names (`P`) lead to the root of the tree: where they do not, what is in it is not tagged. */
export function isRooted(file: PdfFile, { rooted }: Structure, element: Element): boolean {
  const passed: PdfDict[] = []
  let at: PdfDict | null = element.dict
  for (; at && !rooted.has(at); at = file.dict(at.entries.get('P'))) {
    // Until the answer is known: who comes back here goes round.
    rooted.set(at, false)
    passed.push(at)
  }
  const answer = at !== null && rooted.get(at) === true
  for (const dict of passed) rooted.set(dict, answer)
  return answer
}

/** The language that an element has by itself or from above. */
export function languageOf(element: Element | null): string | null {
  for (let at = element; at; at = at.parent) if (at.lang !== null) return at.lang
  return null
}

/** Types that only group: what is in them counts as if it were in their place. */
const groups = new Set<string | null>(['Div', 'NonStruct', 'Part'])
const deepestGroup = 100

export const isGroup = ({ standardType }: Element): boolean => groups.has(standardType)

/** The kids that are named, with those of groups in place of the group, which is opened where the tree has it. By a stack of our own, as in `walk`. */
export function kidsWithin(element: Element): Element[] {
  const found: Element[] = []
  const opened = new Set<Element>()
  const stack = element.named.map((kid) => ({ kid, parent: element })).toReversed()
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { kid, parent } = next
    if (!isGroup(kid)) found.push(kid)
    else if (kid.parent === parent && !opened.has(kid)) {
      opened.add(kid)
      for (const inner of kid.named.toReversed()) stack.push({ kid: inner, parent: kid })
    }
  }
  return found
}

/** What an element is in, groups left out; as many of them as a document may well have. */
export function parentAround(element: Element): Element | null {
  let at = element.parent
  for (let depth = 0; at && isGroup(at) && depth < deepestGroup; depth++) at = at.parent
  return at
}
