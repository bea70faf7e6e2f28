import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { Page } from 'playwright-core'

/** Prints the screen on A4 paper, and returns the text of each sheet. */
export async function printSheets(page: Page): Promise<string[]> {
  const printed = await page.pdf({ format: 'A4', preferCSSPageSize: true })
  const pdfium = await PDFiumLibrary.init()
  const document = await pdfium.loadDocument(printed)
  try {
    return [...document.pages()].map((sheet) => sheet.getText())
  } finally {
    document.destroy()
    pdfium.destroy()
  }
}
