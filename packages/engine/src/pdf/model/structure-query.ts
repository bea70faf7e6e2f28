import type { PdfFile } from '../object/document.ts'
import { isRef, toRefKey, type PdfDict } from '../object/value.ts'
import { type StructureElement, type Structure } from './structure.ts'

/** Returns the element that an object declares by `StructParent`, for example an annotation. */
export function findObjectElement(file: PdfFile, structure: Structure, dict: PdfDict): StructureElement | null {
  const parentNumber = file.number(dict.entries.get('StructParent'))
  const parentEntry = parentNumber === null ? undefined : structure.parentTree.get(parentNumber)
  if (!isRef(parentEntry)) return null
  return structure.byKey.get(toRefKey(parentEntry)) ?? structure.strayElements.get(toRefKey(parentEntry)) ?? null
}

/** Returns the element of marked content. @param structParents `StructParents` of the page or XObject with the content */
export function findContentElement(
  file: PdfFile,
  structure: Structure,
  structParents: number | null,
  mcid: number,
): StructureElement | null {
  const parentEntry = structParents === null ? undefined : structure.parentTree.get(structParents)
  const elementList = file.resolve(parentEntry)
  const elementItem = typeof elementList === 'object' && elementList?.kind === 'array' ? elementList.items[mcid] : undefined
  return isRef(elementItem) ? (structure.byKey.get(toRefKey(elementItem)) ?? null) : null
}

/** Returns true if the parents of an element (`P`) lead to the root of the tree. Otherwise its content is not tagged. */
export function isRooted(file: PdfFile, { rootedDicts }: Structure, element: StructureElement): boolean {
  const visitedDicts: PdfDict[] = []
  let currentDict: PdfDict | null = element.dict
  for (; currentDict && !rootedDicts.has(currentDict); currentDict = file.dict(currentDict.entries.get('P'))) {
    // Preliminary value that ends loops.
    rootedDicts.set(currentDict, false)
    visitedDicts.push(currentDict)
  }
  const isRootReached = currentDict !== null && rootedDicts.get(currentDict) === true
  for (const visitedDict of visitedDicts) rootedDicts.set(visitedDict, isRootReached)
  return isRootReached
}

/** Returns the language of an element, possibly inherited. */
export function findLanguage(element: StructureElement | null): string | null {
  for (let ancestor = element; ancestor; ancestor = ancestor.parent) if (ancestor.lang !== null) return ancestor.lang
  return null
}

/** Grouping types: their content counts as if it were in their place. */
const groupingTypes = new Set<string | null>(['Div', 'NonStruct', 'Part'])
const maxGroupDepth = 100

export const isGrouping = ({ standardType }: StructureElement): boolean => groupingTypes.has(standardType)

/**
 * Returns the listed kids with groups replaced by their kids, opened at their position in the tree. Iterative, as in `buildTree`.
 */
export function flattenKids(element: StructureElement): StructureElement[] {
  const flatKids: StructureElement[] = []
  const openedGroups = new Set<StructureElement>()
  const pendingKids = element.listedKids.map((kidElement) => ({ kid: kidElement, parent: element })).toReversed()
  for (let pendingKid = pendingKids.pop(); pendingKid; pendingKid = pendingKids.pop()) {
    const { kid: kidElement, parent } = pendingKid
    if (!isGrouping(kidElement)) flatKids.push(kidElement)
    else if (kidElement.parent === parent && !openedGroups.has(kidElement)) {
      openedGroups.add(kidElement)
      for (const groupKid of kidElement.listedKids.toReversed()) pendingKids.push({ kid: groupKid, parent: kidElement })
    }
  }
  return flatKids
}

/** Returns the parent of an element outside of groups, up to a maximum depth. */
export function findParentOutsideGroups(element: StructureElement): StructureElement | null {
  let ancestor = element.parent
  for (let groupDepth = 0; ancestor && isGrouping(ancestor) && groupDepth < maxGroupDepth; groupDepth++)
    ancestor = ancestor.parent
  return ancestor
}
