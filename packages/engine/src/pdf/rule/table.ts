import type { PdfFile } from '../object/document.ts'
import { type StructureElement } from '../model/structure.ts'
import { flattenKids } from '../model/structure-query.ts'
import type { PdfFacts, Hit } from './hit.ts'

type TableCell = { element: StructureElement; row: number; column: number; rows: number; columns: number }
type TableFault = { test: '7.2-15' | '7.2-41' | '7.2-42' | '7.2-43'; element: StructureElement }
type TableGrid = { cells: TableCell[]; rows: number; columns: number; fault: TableFault | null }

const maxSpan = 1000
const maxSlots = 1_000_000

const isCell = ({ standardType }: StructureElement): boolean => standardType === 'TH' || standardType === 'TD'

/** Returns the cells of each row. Rows without cells are skipped. */
function listRows(table: StructureElement): StructureElement[][] {
  const rowElements: StructureElement[] = []
  for (const kidElement of flattenKids(table)) {
    if (kidElement.standardType === 'TR') rowElements.push(kidElement)
    if (['THead', 'TBody', 'TFoot'].includes(kidElement.standardType ?? ''))
      for (const innerElement of flattenKids(kidElement)) if (innerElement.standardType === 'TR') rowElements.push(innerElement)
  }
  return rowElements.map((rowElement) => flattenKids(rowElement).filter(isCell)).filter((rowCells) => rowCells.length > 0)
}

function getSpan(element: StructureElement, key: 'ColSpan' | 'RowSpan'): number {
  const spanValue = element.attributes.get(key)
  return typeof spanValue === 'number' && spanValue >= 1 ? Math.min(maxSpan, Math.floor(spanValue)) : 1
}

/** Returns the total row span of the first column. */
function computeHeight(rows: readonly (readonly StructureElement[])[]): number {
  let totalHeight = 0
  while (totalHeight < rows.length) totalHeight += getSpan(rows[totalHeight]![0]!, 'RowSpan')
  return totalHeight
}

/**
 * Lays out the cells by their spans, with the columns of the first row and the rows of the first column, up to the
 * first cell that does not fit; null if the table is too large.
 */
function layOutTable(table: StructureElement): TableGrid | null {
  const tableRows = listRows(table)
  const columnCount = (tableRows[0] ?? []).reduce((columnSum, cell) => columnSum + getSpan(cell, 'ColSpan'), 0)
  const tableHeight = computeHeight(tableRows)
  if (columnCount * tableHeight > maxSlots) return null
  const takenSlots: Set<number>[] = Array.from({ length: tableHeight }, () => new Set())
  // Spans of the first column beyond the last row make the column too long, not all others too short.
  const heightFault: TableFault | null = tableHeight > tableRows.length ? { test: '7.2-41', element: table } : null
  const tableGrid: TableGrid = { cells: [], rows: tableRows.length, columns: columnCount, fault: heightFault }
  for (const [rowIndex, rowCells] of tableRows.entries()) {
    let columnIndex = 0
    for (const cellElement of rowCells) {
      while (takenSlots[rowIndex]!.has(columnIndex)) columnIndex += 1
      const newCell = {
        element: cellElement,
        row: rowIndex,
        column: columnIndex,
        rows: getSpan(cellElement, 'RowSpan'),
        columns: getSpan(cellElement, 'ColSpan'),
      }
      tableGrid.cells.push(newCell)
      tableGrid.fault ??= placeCell(newCell, takenSlots, columnCount, table)
      columnIndex += newCell.columns
    }
  }
  if (takenSlots.some(({ size }) => size < columnCount)) tableGrid.fault ??= { test: '7.2-43', element: table }
  return tableGrid
}

/** Occupies the slots of a cell; returns the fault if it does not fit. */
function placeCell(cell: TableCell, takenSlots: Set<number>[], columnCount: number, table: StructureElement): TableFault | null {
  if (cell.column + cell.columns > columnCount) return { test: '7.2-42', element: table }
  for (let slotRow = cell.row; slotRow < cell.row + cell.rows; slotRow++)
    for (let slotColumn = cell.column; slotColumn < cell.column + cell.columns; slotColumn++) {
      const rowSlots = takenSlots[slotRow]
      if (!rowSlots) return { test: '7.2-41', element: table }
      if (rowSlots.has(slotColumn)) return { test: '7.2-15', element: cell.element }
      rowSlots.add(slotColumn)
    }
  return null
}

const areOverlapping = (start: number, size: number, otherStart: number, otherSize: number): boolean =>
  start < otherStart + otherSize && otherStart < start + size

const getScope = (file: PdfFile, element: StructureElement): string | null => file.name(element.attributes.get('Scope'))

function hasScopedHeader(file: PdfFile, headers: readonly TableCell[], cell: TableCell): boolean {
  return headers.some((headerCell) => {
    const headerScope = getScope(file, headerCell.element)
    const isSameColumn = areOverlapping(headerCell.column, headerCell.columns, cell.column, cell.columns)
    const isSameRow = areOverlapping(headerCell.row, headerCell.rows, cell.row, cell.rows)
    return (
      ((headerScope === 'Column' || headerScope === 'Both') && isSameColumn) ||
      ((headerScope === 'Row' || headerScope === 'Both') && isSameRow)
    )
  })
}

const isEmptyElement = (element: StructureElement): boolean =>
  element.kids.length === 0 && element.contents.length === 0 && element.objects.length === 0

/**
 * Returns a hit for the first cell without clear headers, by `Headers` or by the scopes of the headers in its row and
 * column. A table in which every header has a scope is always valid; one with uneven rows has no columns to check.
 */
function findHeaderHit({ file }: PdfFacts, grid: TableGrid): Hit | null {
  const headerCells = grid.cells.filter(({ element }) => element.standardType === 'TH')
  const elementIds = new Set(grid.cells.map(({ element }) => element.id).filter((id) => id !== null))
  if (headerCells.every(({ element }) => getScope(file, element) !== null)) return null
  for (const cell of grid.cells) {
    const { element } = cell
    if (element.standardType !== 'TD' || isEmptyElement(element)) continue
    const headerIds = file.array(element.attributes.get('Headers')).map((id) => file.string(id) ?? '')
    const unknownIds = headerIds.filter((id) => !elementIds.has(id))
    if (headerIds.length > unknownIds.length || hasScopedHeader(file, headerCells, cell)) continue
    if (unknownIds.length > 0) return { test: '7.5-2', element, text: unknownIds.join(' ') }
    return { test: '7.5-1', element }
  }
  return null
}

/** Checks tables: overlapping cells, rows of different lengths, cells without headers. */
export function* checkTables(facts: PdfFacts): Generator<Hit> {
  for (const tableElement of facts.structure?.elements ?? []) {
    if (tableElement.standardType !== 'Table') continue
    const tableGrid = layOutTable(tableElement)
    if (!tableGrid) continue
    const tableHit = tableGrid.fault ?? findHeaderHit(facts, tableGrid)
    if (tableHit) yield tableHit
    if (tableGrid.rows > 1 && tableGrid.columns > 1 && !tableGrid.cells.some(({ element }) => element.standardType === 'TH'))
      yield { test: 'table-without-headers', element: tableElement }
  }
}
