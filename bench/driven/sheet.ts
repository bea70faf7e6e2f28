import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Picture } from '../../packages/engine/src/outcome.ts'

/** A failure to be judged by a person. */
export type JudgedHit = {
  source: string
  page: string
  rule: string
  proof: string
  target: string
  /** Identity of the element, which leaves out generated ids. */
  key: string
  html: string
  picture: Picture | null
}

const hitsPerSheet = 6
const maxPart = { width: 640, height: 400 }
const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The part of a picture around the element, with a frame. */
function drawPicture({ image, mimeType, box }: Picture): string {
  const data = `data:${mimeType};base64,${Buffer.from(image).toString('base64')}`
  const toStart = (start: number, size: number, length: number) => Math.max(0, start - Math.max(40, (length - size) / 2))
  const [x, y] = [toStart(box.x, box.width, maxPart.width), toStart(box.y, box.height, maxPart.height)]
  const isWhole = box.x === 0 && box.y === 0
  const frame = isWhole ? '' : `<rect x="${box.x - 3}" y="${box.y - 3}" width="${box.width + 6}" height="${box.height + 6}"/>`
  const size = `width="${maxPart.width}" height="${maxPart.height}"`
  return `<svg ${size} viewBox="${x} ${y} ${maxPart.width} ${maxPart.height}"><image href="${data}"/>${frame}</svg>`
}

const drawHit = (hit: JudgedHit, number: number) => `<section>
  <h2>${number}. ${escapeText(hit.source)} ${escapeText(hit.page)}</h2>
  <p>${escapeText(hit.proof.slice(0, 300))}</p><code>${escapeText(hit.target)}</code><br><code>${escapeText(hit.html.slice(0, 220))}</code>
  ${hit.picture ? drawPicture(hit.picture) : '<p>No picture</p>'}</section>`

/** Draws hits on numbered sheets in a folder. */
export async function drawSheets(executablePath: string, folder: string, hits: readonly JudgedHit[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: 1340, height: 800 } })
  for (let start = 0; start < hits.length; start += hitsPerSheet) {
    const sections = hits.slice(start, start + hitsPerSheet).map((hit, index) => drawHit(hit, start + index + 1))
    await page.setContent(`<!doctype html><style>
      body { margin: 8px; font: 13px sans-serif; display: grid; grid-template-columns: 1fr 1fr; gap: 12px }
      section { border: 1px solid #888; padding: 4px; overflow: hidden; width: 640px }
      h2 { font-size: 14px; margin: 0; overflow-wrap: anywhere } p { margin: 2px 0 }
      code { font-size: 11px; overflow-wrap: anywhere } svg { display: block; background: #ddd; margin-top: 4px }
      rect { fill: none; stroke: #e0f; stroke-width: 2 }</style>${sections.join('')}`)
    await page.screenshot({ path: join(folder, `${start / hitsPerSheet + 1}.png`), fullPage: true })
  }
  await browser.close()
}
