import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Reads the text of each sheet of a PDF file. */
async function readSheets(file: Uint8Array): Promise<string[]> {
  const pdfium = await PDFiumLibrary.init()
  const document = await pdfium.loadDocument(file)
  try {
    return [...document.pages()].map((sheet) => sheet.getText())
  } finally {
    document.destroy()
    pdfium.destroy()
  }
}

/** Prints the screen on A4 paper. Asserts that the first sheet contains the text, and that each sheet has its number. */
export async function expectPrintedSheets(page: Page, firstSheet: string | RegExp): Promise<void> {
  const sheets = await readSheets(await page.pdf({ format: 'A4', preferCSSPageSize: true }))
  expect(sheets[0]).toMatch(firstSheet)
  for (const [index, sheetText] of sheets.entries()) expect(sheetText).toContain(`${index + 1} / ${sheets.length}`)
}
