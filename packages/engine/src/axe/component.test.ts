import { expect, test } from 'vitest'
import { html, tryScan, type Route, useTestSite, useTestPool } from '../../test/harness.ts'
import type { Finding } from '../outcome.ts'

const pool = useTestPool()
const site = useTestSite(() => routes)
const faultyImage = '<img src="data:,">'
const headerHtml = `<header id="top"><nav><x-logo></x-logo>${faultyImage}</nav></header>
  <script>document.querySelector('x-logo').attachShadow({mode:'open'}).innerHTML = '${faultyImage}'</script>`
const routes: Record<string, Route> = {
  '/template': html('Template', headerHtml),
  '/': html('Home', `${headerHtml}<iframe title="f" class="teaser" srcdoc='${faultyImage}'></iframe>`),
  '/plain': html('Plain', faultyImage),
}

test('an element belongs to the common component that contains it, also in shadow roots and frames', async () => {
  const { pages, order } = await tryScan(pool, site, {
    urls: ['/', '/plain'],
    plan: {
      commonComponents: {
        templateUrls: [`${site.origin}/template`],
        components: [
          { name: 'Header', selectors: ['#top', 'not[[valid'] },
          { name: 'Teaser', selectors: ['//iframe[@class="teaser"]'] },
        ],
      },
    },
  })
  const getImageComponents = (path: string) => {
    const outcome = pages[path]
    if (outcome?.kind !== 'completed') throw new Error(`${path} ${JSON.stringify(outcome)}`)
    const imageFindings = outcome.findings.filter(({ rule }: Finding) => rule === 'image-alt')
    return {
      images: imageFindings
        .map(({ component }) => component ?? null)
        .sort((first, second) => String(first).localeCompare(String(second))),
      on: outcome.components,
    }
  }
  expect(getImageComponents('/')).toEqual({ images: ['Header', 'Header', 'Teaser'], on: ['Header', 'Teaser'] })
  expect(getImageComponents('/template')).toEqual({ images: ['Header', 'Header'], on: ['Header'] })
  expect(getImageComponents('/plain')).toEqual({ images: [null], on: [] })
  // Templates are visited in every run, even if no page links to them.
  expect(order).toContain('/template')
})

test('the same fault on pages of one template has one pattern, without any component', async () => {
  const { pages } = await tryScan(pool, site, { urls: ['/', '/template'] })
  const elementPatterns = ['/', '/template'].map((path) => {
    const outcome = pages[path]
    return outcome?.kind === 'completed'
      ? outcome.findings.filter(({ rule }) => rule === 'image-alt').map(({ elementPattern }) => elementPattern)
      : []
  })
  expect(elementPatterns[1]!.length).toBe(2)
  for (const pattern of elementPatterns[1]!) expect(elementPatterns[0]).toContain(pattern)
})
