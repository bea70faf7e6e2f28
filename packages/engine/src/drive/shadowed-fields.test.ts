/** @module-tag slow */
import { expect, it } from 'vitest'
import { describeOutcome, html, tryScan, useTestPool, useTestSite } from '../../test/harness.ts'

// A form has its fields under their names instead of the properties of these names, for axe and for our own scripts.

const pool = useTestPool()
const text = '<p>Boats leave twice a day from the harbor behind the lighthouse.</p>'.repeat(5)
/** Forms with a field for every property of forms, if the suffix is empty. */
const buildForms = (suffix: string) => `<form role="navigation" aria-label="Boats">
  <img src="/boat.png"><img src="/img_1234.jpg" alt="img_1234.jpg" width="20" height="20">
  <p style="color:#ccc;background:#fff">A faint line about boats, piers and the lighthouse behind the harbor</p>
  <label>Name <input id="boat"></label> <input id="bare"> <a href="/next">Next page</a>
  <button id="menu" type="button" aria-expanded="false" onclick="panel.hidden = false">Menu</button>
  <div id="panel" hidden><p style="color:#ccc;background:#fff">Opened</p><input id="opened"></div>
  <div id="mouse" onclick="this.textContent = 'Pressed'" style="cursor:pointer">Press this</div>
  <p style="width:900px">A long line in a box that is wider than a narrow window, so that it reaches out of it on phones</p>
  </form>
  <form tabindex="0" aria-label="Piers" style="width:200px;height:40px;overflow:auto;outline:none">${text}</form><script>
  for (const form of [...document.forms])
    for (let owner = HTMLFormElement.prototype; owner !== Object.prototype; owner = Object.getPrototypeOf(owner))
      for (const name of Object.getOwnPropertyNames(owner))
        Node.prototype.appendChild.call(form, Object.assign(document.createElement('input'), { type: 'hidden', name: name + '${suffix}' }))
  </script>`
const site = useTestSite(() => ({
  '/fields': html('Fields', buildForms('-field')),
  '/shadowed': html('Fields', buildForms('')),
}))

it('fields named like properties change no result', async () => {
  const { pages } = await tryScan(pool, site, {
    urls: ['/fields', '/shadowed'],
    plan: { depth: 0, concurrency: 1 },
    advanced: { driven: 'every' },
  })
  const summarize = (path: string) => {
    const page = pages[path]
    if (page?.kind !== 'completed') throw new Error(describeOutcome(page))
    return {
      findings: page.findings.map(({ rule, engine, severity, target, html: code, states, elementKey }) => ({
        rule: `${engine} ${rule} ${severity}`,
        target,
        code: code.replaceAll(/-field/g, '').slice(0, 40),
        states,
        // The trait of the exact markup has the names.
        elementKey: elementKey.replace(/\.x\w+$/, ''),
      })),
      stops: page.driven?.walk?.stops.map(({ text, kind, faults }) => ({ text, kind, faults })),
      notices: page.notices,
      isPartial: page.driven?.isPartial,
      textLength: page.evidence?.textLength,
    }
  }
  const expected = summarize('/fields')
  const rules = new Set(expected.findings.map(({ rule }) => rule.split(' ')[1]))
  expect([...rules]).toEqual(
    expect.arrayContaining(['image-alt', 'label', 'color-contrast', 'drive-image-file-name', 'drive-reflow', 'drive-mouse-only']),
  )
  expect(expected.notices).toEqual([])
  expect(summarize('/shadowed')).toEqual(expected)
}, 120_000)
