import type { PdfFile } from '../object/document.ts'
import { kidsWithin, type Element } from '../model/structure.ts'
import type { Facts, Hit } from './hit.ts'

type Cell = { element: Element; row: number; column: number; rows: number; columns: number }
type Fault = { test: '7.2-15' | '7.2-41' | '7.2-42' | '7.2-43'; element: Element }
type Grid = { cells: Cell[]; rows: number; columns: number; fault: Fault | null }

const mostSpan = 1000
const mostSlots = 1_000_000

const isCell = ({ standardType }: Element): boolean => standardType === 'TH' || standardType === 'TD'

/** The cells of each row. A row without any is none. */
function rowsOf(table: Element): Element[][] {
  const rows: Element[] = []
  for (const kid of kidsWithin(table)) {
    if (kid.standardType === 'TR') rows.push(kid)
    if (['THead', 'TBody', 'TFoot'].includes(kid.standardType ?? ''))
      for (const inner of kidsWithin(kid)) if (inner.standardType === 'TR') rows.push(inner)
  }
  return rows.map((row) => kidsWithin(row).filter(isCell)).filter((cells) => cells.length > 0)
}

function spanOf(element: Element, key: 'ColSpan' | 'RowSpan'): number {
  const value = element.attributes.get(key)
  return typeof value === 'number' && value >= 1 ? Math.min(mostSpan, Math.floor(value)) : 1
}

/** How many rows the cells of the first column take. */
function heightOf(rows: readonly (readonly Element[])[]): number {
  let height = 0
  while (height < rows.length) height += spanOf(rows[height]![0]!, 'RowSpan')
  return height
}

/**
 * Lays the cells out as their spans say, in as many columns as the first row has and as many rows as the first column, up to the
 * first one that does not fit; null when the table is too large to be laid out.
 */
function layOut(table: Element): Grid | null {
  const rows = rowsOf(table)
  const columns = (rows[0] ?? []).reduce((sum, cell) => sum + spanOf(cell, 'ColSpan'), 0)
  const height = heightOf(rows)
  if (columns * height > mostSlots) return null
  const taken: Set<number>[] = Array.from({ length: height }, () => new Set())
  // Spans of the first column that pass the last row make the column too long, not all others too short.
  const fault: Fault | null = height > rows.length ? { test: '7.2-41', element: table } : null
  const grid: Grid = { cells: [], rows: rows.length, columns, fault }
  for (const [row, cells] of rows.entries()) {
    let column = 0
    for (const element of cells) {
      while (taken[row]!.has(column)) column += 1
      const cell = {
        element,
        row,
        column,
        rows: spanOf(element, 'RowSpan'),
        columns: spanOf(element, 'ColSpan'),
      }
      grid.cells.push(cell)
      grid.fault ??= place(cell, taken, columns, table)
      column += cell.columns
    }
  }
  if (taken.some(({ size }) => size < columns)) grid.fault ??= { test: '7.2-43', element: table }
  return grid
}

/** Takes the slots of a cell; what keeps it from them. */
function place(cell: Cell, taken: Set<number>[], columns: number, table: Element): Fault | null {
  if (cell.column + cell.columns > columns) return { test: '7.2-42', element: table }
  for (let row = cell.row; row < cell.row + cell.rows; row++)
    for (let column = cell.column; column < cell.column + cell.columns; column++) {
      const slots = taken[row]
      if (!slots) return { test: '7.2-41', element: table }
      if (slots.has(column)) return { test: '7.2-15', element: cell.element }
      slots.add(column)
    }
  return null
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
  if (heads.every(({ element }) => scopeOf(file, element) !== null)) return null
  for (const cell of grid.cells) {
    const { element } = cell
    if (element.standardType !== 'TD' || isEmpty(element)) continue
    const named = file.array(element.attributes.get('Headers')).map((id) => file.string(id) ?? '')
    const unknown = named.filter((id) => !ids.has(id))
    if (named.length > unknown.length || hasScopedHeader(file, heads, cell)) continue
    if (unknown.length > 0) return { test: '7.5-2', element, text: unknown.join(' ') }
    return { test: '7.5-1', element }
  }
  return null
}

/** What is wrong with the tables: cells that overlap, rows of different lengths, cells without their headers. */
export function* checkTables(facts: Facts): Generator<Hit> {
  for (const table of facts.structure?.elements ?? []) {
    if (table.standardType !== 'Table') continue
    const grid = layOut(table)
    if (!grid) continue
    const hit = grid.fault ?? headerHit(facts, grid)
    if (hit) yield hit
    if (grid.rows > 1 && grid.columns > 1 && !grid.cells.some(({ element }) => element.standardType === 'TH'))
      yield { test: 'table-without-headers', element: table }
  }
}
