import { appendFileSync, realpathSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { driveScript } from '../../packages/engine/src/drive/in-page.ts'
import { findOtherLanguage } from '../../packages/engine/src/drive/language/detect.ts'
import { serveFolder } from '../engine/serve-folder.ts'
import { pickUrls } from './pick-urls.ts'

/**
 * Lists pages that may fail rules with few hits, for `judge.ts --list`: it only loads each page and reads it. Writes FILE.RULE for
 * each rule.
 *
 *   node scripts/node24.mjs bench/driven/find-candidates.ts --source /srv/manual --output /tmp/candidates
 */
const { values } = parseArgs({
  options: {
    source: { type: 'string', multiple: true, default: [] },
    pages: { type: 'string', default: '60' },
    output: { type: 'string', default: 'candidates' },
    browser: { type: 'string', default: process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium-headless-shell' },
  },
})

/** Counts, per rule, what the rule would test or report. Runs in the page. */
const readCandidates = `(() => {
  const { kit, page, press } = clearwayDrive;
  const generic = kit.listElements('div[tabindex="0"], span[tabindex="0"], a:not([href])[tabindex="0"], li[tabindex="0"]', 500).filter((one) => kit.isVisible(one) && !kit.readAttribute(one, 'role'));
  const barred = kit.listElements('*', 4000).filter((one) => /fixed|sticky/.test(getComputedStyle(one).position) && kit.isVisible(one));
  const bars = barred.filter((one) => { const { minX, maxX } = kit.getEdges(one); return maxX - minX > innerWidth / 2; });
  return {
    'mouse-only': press.listMouseTargets().length,
    'stop-without-role': generic.filter((one) => kit.readText(one, 5) !== '').length,
    'focus-obscured': document.documentElement.scrollHeight > innerHeight * 1.5 ? bars.length : 0,
    'image-file-name': page.findFileNameHits().filter(({ verdict }) => verdict === 'fail').length,
    dark: page.hasDarkScheme() ? 1 : 0,
    opened: press.listOpeners().length,
    editors: kit.listElements('.CodeMirror, .ace_editor, .monaco-editor, [contenteditable="true"], textarea', 50).length,
    'on-focus': kit.listElements('[onfocus]', 50).length,
    orientation: [...document.styleSheets].some((sheet) => { try { return [...sheet.cssRules].some((rule) => /orientation/.test(rule.conditionText ?? '') && /rotate/.test(rule.cssText)) } catch { return false } }) ? 1 : 0,
    language: page.readLanguage(),
  };
})()`

const browser = await chromium.launch({ executablePath: values.browser, args: ['--no-sandbox'] })
let pageCount = 0
const written = new Set<string>()
for (const source of values.source) {
  const folder = realpathSync(source)
  const site = await serveFolder(folder)
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  tab.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}))
  for (const url of pickUrls(site, [''], Number(values.pages))) {
    pageCount += 1
    try {
      await tab.goto(url, { waitUntil: 'load', timeout: 5000 })
      const { language, ...counts } = (await tab.evaluate(`${driveScript}; ${readCandidates}`)) as {
        language: { declared: string; text: string }
      } & Record<string, number>
      const other = findOtherLanguage(language.declared, language.text)
      const all = { ...counts, 'page-language': other?.isCertain ? 1 : 0 }
      for (const [rule, count] of Object.entries(all)) {
        if (count === 0) continue
        const file = `${values.output}.${rule}`
        if (!written.has(rule)) writeFileSync(file, '')
        written.add(rule)
        appendFileSync(
          file,
          `${folder}\t${url.slice(site.url.length)}\t${count}${rule === 'page-language' ? ` ${other!.language} ${language.declared}` : ''}\n`,
        )
      }
    } catch {
      // A page that does not load has nothing to test.
    }
  }
  await tab.close().catch(() => {})
  site.close()
}
await browser.close()
console.log(`${values.source.length} sources, ${pageCount} pages`)
