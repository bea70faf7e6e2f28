import { expect, test } from 'vitest'
import { html, tryScan, type Route, siteOfFile, poolOfFile } from '../../test/harness.ts'
import type { Finding } from '../outcome.ts'

const pool = poolOfFile()
const site = siteOfFile(() => routes)
const fault = '<img src="data:,">'
const header = `<header id="top"><nav><x-logo></x-logo>${fault}</nav></header>
  <script>document.querySelector('x-logo').attachShadow({mode:'open'}).innerHTML = '${fault}'</script>`
const routes: Record<string, Route> = {
  '/template': html('Template', header),
  '/': html('Home', `${header}<iframe title="f" class="teaser" srcdoc='${fault}'></iframe>`),
  '/plain': html('Plain', fault),
}

test('an element is part of the common component that it is in, also in shadow roots and frames', async () => {
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
  const imagesOf = (path: string) => {
    const outcome = pages[path]
    if (outcome?.kind !== 'completed') throw new Error(`${path} ${JSON.stringify(outcome)}`)
    const images = outcome.findings.filter(({ rule }: Finding) => rule === 'image-alt')
    return {
      images: images
        .map(({ component }) => component ?? null)
        .sort((a, b) => String(a).localeCompare(String(b))),
      on: outcome.components,
    }
  }
  expect(imagesOf('/')).toEqual({ images: ['Header', 'Header', 'Teaser'], on: ['Header', 'Teaser'] })
  expect(imagesOf('/template')).toEqual({ images: ['Header', 'Header'], on: ['Header'] })
  expect(imagesOf('/plain')).toEqual({ images: [null], on: [] })
  // Templates are visited in every run, whether a page leads to them or not.
  expect(order).toContain('/template')
})

test('the same fault on pages of one template has one pattern, without any component', async () => {
  const { pages } = await tryScan(pool, site, { urls: ['/', '/template'] })
  const patterns = ['/', '/template'].map((path) => {
    const outcome = pages[path]
    return outcome?.kind === 'completed'
      ? outcome.findings
          .filter(({ rule }) => rule === 'image-alt')
          .map(({ elementPattern }) => elementPattern)
      : []
  })
  expect(patterns[1]!.length).toBe(2)
  for (const pattern of patterns[1]!) expect(patterns[0]).toContain(pattern)
})
