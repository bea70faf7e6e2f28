import type { PdfFile } from '../object/document.ts'
import { isDict, isRef, pdfLimits, PdfError, toRefKey, type PdfDict, type PdfRef, type PdfValue } from '../object/value.ts'
import { decodeText } from './text-string.ts'

/** An element of the structure tree (ISO 32000-1, 14.7.2). */
export type StructureElement = {
  dict: PdfDict
  ref: PdfRef | null
  /** As written. */
  type: string
  /** After the role map; null when no standard type is reached. */
  standardType: string | null
  isCircular: boolean
  /** A standard type that the role map remaps. */
  isRemapped: boolean
  parent: StructureElement | null
  /** Child elements; each element occurs once in the tree, at its first position. */
  kids: StructureElement[]
  /** Child elements as listed in `K`, including duplicates and loops. */
  listedKids: StructureElement[]
  /** Marked content with its page, if known. */
  contents: {
    page: PdfRef | null
    mcid: number
    stream: PdfRef | null
  }[]
  /** Contained annotations and XObjects. */
  objects: PdfRef[]
  /** Order of kids, as drawn from `K`: to find the first and last. */
  page: PdfRef | null
  lang: string | null
  alt: string | null
  actualText: string | null
  expansion: string | null
  title: string | null
  id: string | null
  hasParentEntry: boolean
  attributes: Map<string, PdfValue>
  /** Such as `Document/Table[2]/TR[3]`: numbered from 1 among equal names, without a number if unique. */
  path: string
}

export type Structure = {
  roots: StructureElement[]
  /** Every element in document order. */
  elements: StructureElement[]
  byKey: Map<string, StructureElement>
  /** Elements of objects that the parent tree alone leads to. */
  strayElements: Map<string, StructureElement>
  /** Elements of marked content: the struct parents number maps to a list by MCID, or to the element of one object. */
  parentTree: Map<number, PdfValue>
  /** Cache: true if an element’s parents lead to the root. */
  rootedDicts: Map<PdfDict, boolean>
}

const standardTypes = new Set(
  (
    'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody ' +
    'Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby Warichu RB RT RP WT WP ' +
    'Figure Formula Form'
  ).split(' '),
)

type ResolvedRole = { standard: string | null; isCircular: boolean; isRemapped: boolean }

function resolveRole(file: PdfFile, roleMap: PdfDict | null, type: string): ResolvedRole {
  const getMappedType = (mappedType: string): string | null => (roleMap ? file.name(roleMap.entries.get(mappedType)) : null)
  const visitedTypes = new Set<string>()
  let lastStandardType: string | null = null
  let isCircular = false
  for (let currentType: string | null = type; currentType !== null; currentType = getMappedType(currentType)) {
    if (visitedTypes.has(currentType)) {
      isCircular = true
      break
    }
    visitedTypes.add(currentType)
    // The role map can remap even standard types; the last standard type in the chain counts.
    if (standardTypes.has(currentType)) lastStandardType = currentType
  }
  const mappedType = getMappedType(type)
  return {
    standard: lastStandardType,
    isCircular,
    isRemapped: standardTypes.has(type) && mappedType !== null && mappedType !== type,
  }
}

function readAttributes(file: PdfFile, dict: PdfDict, classMap: PdfDict | null): Map<string, PdfValue> {
  const mergedAttributes = new Map<string, PdfValue>()
  const addAttributes = (value: PdfValue | undefined) => {
    const resolvedValue = file.resolve(value)
    const attributeItems = Array.isArray((resolvedValue as { items?: unknown } | null)?.items)
      ? file.array(resolvedValue)
      : [resolvedValue]
    for (const item of attributeItems) {
      const attributeDict = file.dict(item)
      if (attributeDict)
        for (const [attributeName, attributeValue] of attributeDict.entries)
          if (!mergedAttributes.has(attributeName)) mergedAttributes.set(attributeName, file.resolve(attributeValue))
    }
  }
  addAttributes(dict.entries.get('A'))
  if (classMap) {
    const classValue = file.resolve(dict.entries.get('C'))
    const classNames = file.name(classValue) !== null ? [classValue] : file.array(classValue)
    for (const classItem of classNames) {
      const className = file.name(classItem)
      if (className !== null) addAttributes(classMap.entries.get(className))
    }
  }
  return mergedAttributes
}

type TreeBuilder = {
  file: PdfFile
  roleMap: PdfDict | null
  classMap: PdfDict | null
  roles: Map<string, ResolvedRole>
  structure: Structure
  /** The root (without an element) and each element. */
  elementsByDict: Map<PdfDict, StructureElement | null>
  repeatCount: number
}

const readText = (file: PdfFile, dict: PdfDict, key: string): string | null => {
  const rawText = file.string(dict.entries.get(key))
  return rawText === null ? null : decodeText(rawText)
}

function createElement(
  treeBuilder: TreeBuilder,
  dict: PdfDict,
  ref: PdfRef | null,
  parent: StructureElement | null,
): StructureElement {
  const { file, roles } = treeBuilder
  const elementType = file.name(dict.entries.get('S')) ?? ''
  let elementRole = roles.get(elementType)
  if (!elementRole) roles.set(elementType, (elementRole = resolveRole(file, treeBuilder.roleMap, elementType)))
  const pageRef = dict.entries.get('Pg')
  const elementPage = isRef(pageRef) ? pageRef : (parent?.page ?? null)
  return {
    dict,
    ref,
    type: elementType,
    standardType: elementRole.standard,
    isCircular: elementRole.isCircular,
    isRemapped: elementRole.isRemapped,
    parent,
    kids: [],
    listedKids: [],
    contents: [],
    objects: [],
    page: elementPage,
    lang: readText(file, dict, 'Lang'),
    alt: readText(file, dict, 'Alt'),
    actualText: readText(file, dict, 'ActualText'),
    expansion: readText(file, dict, 'E'),
    title: readText(file, dict, 'T'),
    id: file.string(dict.entries.get('ID')),
    hasParentEntry: dict.entries.has('P') && file.resolve(dict.entries.get('P')) !== null,
    attributes: readAttributes(file, dict, treeBuilder.classMap),
    path: '',
  }
}

/** Limit for repeated entries: a list shared by many elements could be as long as the file. */
const maxRepeats = 1000

/** Adds one entry of `K` to its parent. Returns the element if its kids must be visited. */
function addKid(treeBuilder: TreeBuilder, kid: PdfValue, parent: StructureElement): StructureElement | null {
  const { file, structure } = treeBuilder
  const kidValue = file.resolve(kid)
  if (typeof kidValue === 'number') {
    parent.contents.push({ page: parent.page, mcid: kidValue, stream: null })
    return null
  }
  const kidDict = isDict(kidValue) ? kidValue : null
  if (!kidDict) return null
  const kidType = file.name(kidDict.entries.get('Type'))
  const kidPage = kidDict.entries.get('Pg')
  if (kidType === 'MCR') {
    const contentId = file.number(kidDict.entries.get('MCID'))
    const contentStream = kidDict.entries.get('Stm')
    if (contentId !== null)
      parent.contents.push({
        page: isRef(kidPage) ? kidPage : parent.page,
        mcid: contentId,
        stream: isRef(contentStream) ? contentStream : null,
      })
    return null
  }
  if (kidType === 'OBJR') {
    const objectRef = kidDict.entries.get('Obj')
    if (isRef(objectRef)) parent.objects.push(objectRef)
    return null
  }
  const existingElement = treeBuilder.elementsByDict.get(kidDict)
  if (existingElement !== undefined) {
    if (existingElement && treeBuilder.repeatCount++ < maxRepeats) parent.listedKids.push(existingElement)
    return null
  }
  const newElement = createElement(treeBuilder, kidDict, isRef(kid) ? kid : null, parent)
  treeBuilder.elementsByDict.set(kidDict, newElement)
  if (newElement.ref) structure.byKey.set(toRefKey(newElement.ref), newElement)
  parent.kids.push(newElement)
  parent.listedKids.push(newElement)
  return newElement
}

const readKids = (file: PdfFile, dict: PdfDict): readonly PdfValue[] => {
  const kidsValue = dict.entries.get('K')
  if (kidsValue === undefined) return []
  const resolvedKids = file.resolve(kidsValue)
  return typeof resolvedKids === 'object' && resolvedKids?.kind === 'array' ? resolvedKids.items : [kidsValue]
}

function buildTree(treeBuilder: TreeBuilder, root: StructureElement): void {
  // Iterative: a tree may be as deep as the file is long.
  const pendingElements: { element: StructureElement; kids: readonly PdfValue[]; next: number }[] = [
    { element: root, kids: readKids(treeBuilder.file, root.dict), next: 0 },
  ]
  const { elements } = treeBuilder.structure
  while (pendingElements.length > 0) {
    const currentEntry = pendingElements.at(-1)!
    if (currentEntry.next >= currentEntry.kids.length) {
      pendingElements.pop()
      continue
    }
    const kidElement = addKid(treeBuilder, currentEntry.kids[currentEntry.next++]!, currentEntry.element)
    if (!kidElement) continue
    elements.push(kidElement)
    if (elements.length > pdfLimits.structureElements)
      throw new PdfError('limit', `The file has more than ${pdfLimits.structureElements} structure elements`)
    pendingElements.push({ element: kidElement, kids: readKids(treeBuilder.file, kidElement.dict), next: 0 })
  }
}

function assignPaths(roots: readonly StructureElement[]): void {
  const pendingLists = roots.length > 0 ? [{ kids: roots, prefix: '' }] : []
  while (pendingLists.length > 0) {
    const { kids: siblings, prefix } = pendingLists.pop()!
    const totalsByType = new Map<string, number>()
    for (const kidElement of siblings) totalsByType.set(kidElement.type, (totalsByType.get(kidElement.type) ?? 0) + 1)
    const countsByType = new Map<string, number>()
    for (const kid of siblings) {
      const typeIndex = (countsByType.get(kid.type) ?? 0) + 1
      countsByType.set(kid.type, typeIndex)
      kid.path = `${prefix}${kid.type}${totalsByType.get(kid.type)! > 1 ? `[${typeIndex}]` : ''}`.slice(-1000)
      if (kid.kids.length > 0) pendingLists.push({ kids: kid.kids, prefix: `${kid.path}/` })
    }
  }
}

/** Reads all entries of a number tree without loops. */
function readNumberTree(file: PdfFile, root: PdfValue | undefined): Map<number, PdfValue> {
  const entriesByNumber = new Map<number, PdfValue>()
  const visitedDicts = new Set<PdfDict>()
  const pendingNodes: PdfValue[] = root === undefined ? [] : [root]
  while (pendingNodes.length > 0 && visitedDicts.size < pdfLimits.objects) {
    const nodeDict = file.dict(pendingNodes.pop())
    if (!nodeDict || visitedDicts.has(nodeDict)) continue
    visitedDicts.add(nodeDict)
    const numberItems = file.array(nodeDict.entries.get('Nums'))
    for (let i = 0; i + 1 < numberItems.length; i += 2) {
      const entryNumber = file.number(numberItems[i])
      if (entryNumber !== null) entriesByNumber.set(entryNumber, numberItems[i + 1]!)
    }
    pendingNodes.push(...file.array(nodeDict.entries.get('Kids')).slice(0, 100_000))
  }
  return entriesByNumber
}

const maxStrayDepth = 100
const maxStrays = 100_000

/** Adds the element of a reference that no `K` contains, together with its named parents. */
function addStray(treeBuilder: TreeBuilder, startRef: PdfRef): void {
  const { file, structure } = treeBuilder
  const strayChain: { ref: PdfRef; dict: PdfDict }[] = []
  let parentElement: StructureElement | null = null
  for (let currentRef: PdfValue | undefined = startRef; isRef(currentRef) && strayChain.length < maxStrayDepth;) {
    parentElement = structure.byKey.get(toRefKey(currentRef)) ?? structure.strayElements.get(toRefKey(currentRef)) ?? null
    const strayDict: PdfDict | null = parentElement ? null : file.dict(currentRef)
    if (!strayDict || file.name(strayDict.entries.get('S')) === null) break
    strayChain.push({ ref: currentRef, dict: strayDict })
    currentRef = strayDict.entries.get('P')
  }
  for (const { ref: strayRef, dict: chainDict } of strayChain.toReversed()) {
    parentElement = createElement(treeBuilder, chainDict, strayRef, parentElement)
    parentElement.path = parentElement.type
    structure.strayElements.set(toRefKey(strayRef), parentElement)
  }
}

/** The parent tree assigns objects to elements even if no `K` leads to those elements. */
function addStrays(treeBuilder: TreeBuilder): void {
  const { structure } = treeBuilder
  for (const parentTreeValue of structure.parentTree.values())
    if (isRef(parentTreeValue) && !structure.byKey.has(toRefKey(parentTreeValue)) && structure.strayElements.size < maxStrays)
      addStray(treeBuilder, parentTreeValue)
}

/**
 * Reads the structure tree; null if the file has none.
 * @throws PdfError with trouble `limit`
 */
export function readStructure(file: PdfFile): Structure | null {
  const rootDict = file.dict(file.catalog.entries.get('StructTreeRoot'))
  if (!rootDict) return null
  const newStructure: Structure = {
    roots: [],
    elements: [],
    byKey: new Map(),
    strayElements: new Map(),
    parentTree: new Map(),
    rootedDicts: new Map([[rootDict, true]]),
  }
  const treeBuilder: TreeBuilder = {
    file,
    roleMap: file.dict(rootDict.entries.get('RoleMap')),
    classMap: file.dict(rootDict.entries.get('ClassMap')),
    roles: new Map(),
    structure: newStructure,
    elementsByDict: new Map([[rootDict, null]]),
    repeatCount: 0,
  }
  const rootElement = createElement(treeBuilder, rootDict, null, null)
  buildTree(treeBuilder, rootElement)
  newStructure.roots = rootElement.kids
  for (const topElement of rootElement.kids) topElement.parent = null
  assignPaths(rootElement.kids)
  newStructure.parentTree = readNumberTree(file, rootDict.entries.get('ParentTree'))
  addStrays(treeBuilder)
  return newStructure
}
