import type { PdfFile } from '../object/document.ts'
import { kidsWithin, type Element } from '../model/structure.ts'
import type { Facts, Hit } from './hit.ts'

type Cell = { element: Element; row: number; column: number; rows: number; columns: number }
type Grid = {
  cells: Cell[]
  rows: number
  widths: number[]
  hasOverlap: Set<Element>
  endsUnevenly: boolean
  isOverlong: boolean
}

const mostSpan = 1000
const mostSlots = 1_000_000

function rowsOf(table: Element): Element[] {
  const rows: Element[] = []
  for (const kid of kidsWithin(table)) {
    if (kid.standardType === 'TR') rows.push(kid)
    if (['THead', 'TBody', 'TFoot'].includes(kid.standardType ?? ''))
      for (const inner of kidsWithin(kid)) if (inner.standardType === 'TR') rows.push(inner)
  }
  return rows
}

function spanOf(element: Element, key: 'ColSpan' | 'RowSpan'): number {
  const value = element.attributes.get(key)
  return typeof value === 'number' && value >= 1 ? Math.min(mostSpan, Math.floor(value)) : 1
}

/** Lays the cells out as their spans say; null when the table is too large to be laid out. */
function layOut(table: Element): Grid | null {
  const rows = rowsOf(table)
  const taken: Set<number>[] = rows.map(() => new Set())
  const grid: Grid = {
    cells: [],
    rows: rows.length,
    widths: [],
    hasOverlap: new Set(),
    endsUnevenly: false,
    isOverlong: false,
  }
  const ends = new Map<number, number>()
  let slots = 0
  for (const [r, row] of rows.entries()) {
    let column = 0
    for (const element of kidsWithin(row)) {
      if (element.standardType !== 'TH' && element.standardType !== 'TD') continue
      const columns = spanOf(element, 'ColSpan')
      const span = spanOf(element, 'RowSpan')
      while (taken[r]!.has(column)) column += 1
      slots += columns * Math.min(span, rows.length - r)
      if (slots > mostSlots) return null
      for (let c = column; c < column + columns; c++) {
        for (let k = r; k < Math.min(r + span, rows.length); k++) {
          if (taken[k]!.has(c)) grid.hasOverlap.add(element)
          taken[k]!.add(c)
        }
        ends.set(c, r + span)
      }
      grid.cells.push({ element, row: r, column, rows: span, columns })
      column += columns
    }
  }
  grid.widths = taken.map((row) => row.size)
  grid.endsUnevenly = new Set(ends.values()).size > 1
  grid.isOverlong = [...ends.values()].some((end) => end > rows.length)
  return grid
}

const meets = (a: number, aSize: number, b: number, bSize: number): boolean => a < b + bSize && b < a + aSize

const scopeOf = (file: PdfFile, element: Element): string | null => file.name(element.attributes.get('Scope'))

function hasScopedHeader(file: PdfFile, headers: readonly Cell[], cell: Cell): boolean {
  return headers.some((header) => {
    const scope = scopeOf(file, header.element)
    const sameColumn = meets(header.column, header.columns, cell.column, cell.columns)
    const sameRow = meets(header.row, header.rows, cell.row, cell.rows)
    return (
      ((scope === 'Column' || scope === 'Both') && sameColumn) ||
      ((scope === 'Row' || scope === 'Both') && sameRow)
    )
  })
}

const isEmpty = (element: Element): boolean =>
  element.kids.length === 0 && element.contents.length === 0 && element.objects.length === 0

/**
 * The first cell whose headers are not clear, by `Headers` or by the scopes of the headers in its row and column.
 * A table in which every header has a scope is always fine; one whose rows are uneven has no columns to go by.
 */
function headerHit({ file }: Facts, grid: Grid): Hit | null {
  const heads = grid.cells.filter(({ element }) => element.standardType === 'TH')
  const ids = new Set(grid.cells.map(({ element }) => element.id).filter((id) => id !== null))
  const allScoped = heads.every(({ element }) => scopeOf(file, element) !== null)
  for (const cell of grid.cells) {
    const { element } = cell
    if (element.standardType !== 'TD' || isEmpty(element)) continue
    const named = file.array(element.attributes.get('Headers')).map((id) => file.string(id) ?? '')
    const unknown = named.filter((id) => !ids.has(id))
    if (named.length > unknown.length || hasScopedHeader(file, heads, cell)) continue
    if (unknown.length > 0) return { test: '7.5-2', element, text: unknown.join(' ') }
    if (!allScoped) return { test: '7.5-1', element }
  }
  return null
}

/** What is wrong with the tables: cells that overlap, rows of different lengths, cells without their headers. */
export function* checkTables(facts: Facts): Generator<Hit> {
  for (const table of facts.structure?.elements ?? []) {
    if (table.standardType !== 'Table') continue
    const grid = layOut(table)
    if (!grid) continue
    for (const element of grid.hasOverlap) yield { test: '7.2-15', element }
    const width = grid.widths[0] ?? 0
    const different = grid.widths.find((w) => w !== width)
    if (grid.endsUnevenly && grid.isOverlong) yield { test: '7.2-41', element: table }
    else if (different !== undefined) yield { test: different > width ? '7.2-42' : '7.2-43', element: table }
    else if (grid.endsUnevenly) yield { test: '7.2-41', element: table }
    else {
      const hit = headerHit(facts, grid)
      if (hit) yield hit
    }
    if (grid.rows > 1 && width > 1 && !grid.cells.some(({ element }) => element.standardType === 'TH'))
      yield { test: 'table-without-headers', element: table }
  }
}
