/** @module-tag slow */
import { runTrials } from '@clearway/fixtures/identity/trial.ts'
import { elementKeySource } from './element-key.ts'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KnownIssue } from '@clearway/contract/monitor/issue/match-candidate/model.ts'
import { matchIssues } from '@clearway/contract/monitor/issue/match/model.ts'

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: process.env.TEST_BROWSER!, args: ['--no-sandbox'] })
  page = await browser.newPage()
  await page.route('http://identity.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Identity</title>' }),
  )
})
afterAll(() => browser.close())

it('gives no decision to another element when components change', async () => {
  const reports: string[] = []
  const seeds = Array.from({ length: 100 }, (_, index) => 500 + index * 7)
  const all = (await runTrials(page, seeds, matchIssues, (text) => reports.push(text))).get('all')!
  expect(all.issues).toBeGreaterThan(3000)
  expect(reports.filter((text) => text.startsWith('moved'))).toEqual([])
  expect(all.lost, reports.join('\n')).toBeLessThanOrEqual(0.01 * all.issues)
  expect(all.mistaken, reports.join('\n')).toBeLessThanOrEqual(0.01 * all.issues)
})

type Marked = { truth: string; elementKey: string; html: string; identity: string; rule: string; ordinal: number }
/** Renders markup and reads the elements with a true identity, which no part of the product sees. */
async function readPage(body: string): Promise<Marked[]> {
  await page.goto('http://identity.test/')
  await page.evaluate(`globalThis.readElementKey = (${elementKeySource})()`)
  return page.evaluate((markup) => {
    document.body.innerHTML = markup
    const elements = [...document.querySelectorAll('[data-truth]')]
    const truths = elements.map((element) => element.getAttribute('data-truth')!)
    for (const element of elements) element.removeAttribute('data-truth')
    return elements.map((element, index) => {
      const truth = truths[index]!
      const { key } = (globalThis as unknown as { readElementKey: (one: Element) => { key: string } }).readElementKey(element)
      return { truth, elementKey: key, html: element.outerHTML, identity: key.split('\t')[0]!, rule: 'r', ordinal: 0 }
    })
  }, body)
}
/** Maps each element to the one it was, with a question mark if decisions are asked again. `ignored` are true identities. */
async function follow(before: string, after: string, ignored: string[]): Promise<Record<string, string | null>> {
  const [known, found] = [await readPage(before), await readPage(after)]
  const matches = matchIssues(
    known.map((one): KnownIssue => ({ ...one, id: one.truth, ignored: ignored.includes(one.truth), present: true })),
    found,
  )
  return Object.fromEntries(
    found.map(({ truth }, index) => [truth, matches[index] ? `${matches[index].id}${matches[index].sure ? '' : '?'}` : null]),
  )
}
const same = (...truths: string[]) => Object.fromEntries(truths.map((truth) => [truth, truth]))

describe('generated ids', () => {
  const forms: Record<string, (n: number) => string> = {
    'React 18': (n) => `:r${n}:`,
    'React 19.0': (n) => `«r${n}»`,
    'React 19.1': (n) => `_r_${n}_`,
    Vuetify: (n) => `input-${n}`,
    Angular: (n) => `mat-input-${n}`,
    Svelte: (n) => `component-${n}`,
    Vue: (n) => `v-${n}`,
    Downshift: (n) => `downshift-${n}-input`,
    Mantine: (n) => `mantine-${'qzkfhx'.slice(n % 5)}${n}wplmr`,
    'a prefix in front of it': (n) => `form-:r${(n + 9).toString(36)}:-field`,
    'letters only': (n) => `:${'rarbrcrdrerfrgrhri'.slice(2 * n, 2 * n + 2)}:`,
  }
  const labels = ['Street', 'City', 'Country', 'Telephone']
  const buildForm = (id: (n: number) => string, names: readonly string[]) =>
    `<form>${names.map((name, n) => `<div><label for="${id(n)}" id="${id(n)}-label">${name}</label><input id="${id(n)}" name="${id(n)}" aria-labelledby="${id(n)}-label" aria-controls="${id(n)}-list" data-truth="${name}"><a href="#${id(n)}" data-truth="${name} link"></a></div>`).join('')}</form>`
  const truths = labels.flatMap((name) => [name, `${name} link`])

  it.each(Object.entries(forms))('that shift by one move no decision: %s', async (_name, id) => {
    const after = await follow(buildForm(id, labels), buildForm(id, ['Title', ...labels]), ['City', 'City link'])
    expect(after).toEqual({ ...same(...truths), Title: null, 'Title link': null })
  })

  it('are told from words that begin like them', async () => {
    const words = [
      'results',
      'region',
      'rating',
      'root',
      'gender',
      'general',
      'autocomplete',
      'temporary',
      'react-list',
      'rc-menu',
    ]
    const keys = await readPage(words.map((word) => `<p id="${word}" data-truth="${word}">x</p>`).join(''))
    expect(keys.map(({ elementKey }) => elementKey.split('|')[0])).toEqual(words.map((word) => `#${word}`))
  })
})

describe('elements that look alike', () => {
  const icon = '<svg><path d="M1 2h3"/></svg>'
  const buildRows = (names: readonly string[]) =>
    `<table>${names.map((name) => `<tr><td>${name}</td><td><button data-truth="${name}">${icon}</button></td></tr>`).join('')}</table>`
  const names = Array.from({ length: 12 }, (_, n) => `Person ${'ABCDEFGHIJKL'[n]}`)

  it('keep their decision in the row that they are in', async () => {
    const reversed = await follow(buildRows(names), buildRows(names.toReversed()), ['Person C'])
    expect(reversed).toEqual(same(...names))
    const inserted = await follow(buildRows(names), buildRows(['Somebody else', ...names]), ['Person C'])
    expect(inserted).toEqual({ 'Somebody else': null, ...same(...names) })
    const replaced = await follow(buildRows(names), buildRows(names.with(2, 'Somebody else')), ['Person C'])
    expect(replaced['Somebody else']).toBeNull()
  })

  const rows: Record<string, (word: string, n: number) => string> = {
    'a label that every row has': (word, n) =>
      `<div><b>${word}</b><p><label for="q${n}">Quantity</label><input id="q${n}" data-truth="${word}"></p></div>`,
    'a link': (word) => `<div><a href="/people/${word}">${icon}</a><button data-truth="${word}">${icon}</button></div>`,
    'an attribute': (word, n) => `<div data-person="${word}"><button id="b${n}" data-truth="${word}">${icon}</button></div>`,
    'an icon of a font': (word, n) => `<button id="b${n}" data-truth="${word}"><i class="fa fa-${word}"></i></button>`,
    'a component with a name': (word) => `<div id="${word}"><span>Name</span><button data-truth="${word}">${icon}</button></div>`,
    'a text before a field': (word, n) => `${word} <input id="f${n}" name="f${n}" data-truth="${word}"> `,
    options: (word, n) => `<p><select id="s${n}" data-truth="${word}"><option>${word}</option></select></p>`,
  }
  const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta']
  it.each(Object.entries(rows))('are told apart by %s', async (_name, buildRow) => {
    const build = (list: readonly string[]) => `<section>${list.map(buildRow).join('')}</section>`
    expect(await follow(build(words), build(words.toReversed()), ['beta'])).toEqual(same(...words))
    expect(await follow(build(words), build(['other', ...words]), ['beta'])).toEqual({ other: null, ...same(...words) })
    expect(await follow(build(words), build(words.toSpliced(1, 1)), ['beta'])).toEqual(same(...words.toSpliced(1, 1)))
    expect((await follow(build(words), build(words.with(1, 'other')), ['beta'])).other).not.toBe('beta')
  })

  it('are asked about again if nothing tells them apart', async () => {
    const buildTwins = (count: number) => `<ul>${`<li><button data-truth="twin">${icon}</button></li>`.repeat(count)}</ul>`
    const buildNumbered = (count: number) => {
      let n = 0
      return buildTwins(count).replaceAll('data-truth="twin"', () => `data-truth="twin ${++n}" id="button-${n}"`)
    }
    expect((await follow(buildNumbered(4), buildNumbered(5), ['twin 2']))['twin 2']).toBe('twin 2?')
    // An unchanged page leaves no doubt.
    expect((await follow(buildNumbered(4), buildNumbered(4), ['twin 2']))['twin 2']).toBe('twin 2')
    const shifted = await follow(
      buildNumbered(4),
      buildNumbered(4).replaceAll(/button-\d/g, (id) => `${id}0`),
      ['twin 2'],
    )
    expect(shifted['twin 2']).toBe('twin 2?')
  })

  it('keep it when only numbers around them change, and not when numbers tell them apart', async () => {
    const buildList = (items: readonly [string, string, string][]) =>
      `<ul>${items.map(([truth, name, note]) => `<li><b>${name}</b><button data-truth="${truth}">${icon}</button><i>${note}</i></li>`).join('')}</ul>`
    const before = buildList([
      ['a', 'Alice', '3 minutes ago'],
      ['b', 'Bob', '5 minutes ago'],
    ])
    const after = buildList([
      ['b', 'Bob', '9 minutes ago'],
      ['a', 'Alice', '7 minutes ago'],
    ])
    expect(await follow(before, after, ['a'])).toEqual(same('a', 'b'))
    const rooms = buildList([
      ['1', 'Room 101', ''],
      ['2', 'Room 102', ''],
      ['3', 'Room 103', ''],
    ])
    const moreRooms = buildList([
      ['1', 'Room 101', ''],
      ['4', 'Room 104', ''],
      ['3', 'Room 103', ''],
    ])
    expect(await follow(rooms, moreRooms, ['2'])).toMatchObject({ 1: '1', 3: '3' })
    expect((await follow(rooms, moreRooms, ['2']))['4']).not.toBe('2')
  })
})

it('matches the keys of older versions, which had no traits', async () => {
  const build = (place: string) =>
    `<main><section id="step-2">${place}<input data-truth="a" placeholder="Street"><input data-truth="b" placeholder="City"></section></main>`
  const [before, after] = [await readPage(build('')), await readPage(build('<p>More</p>'))]
  // The previous method took the id for stable; its keys had no traits.
  const toPrevious = (place: number) => ({ identity: `old ${place}`, elementKey: `#step-2>input:${place}|||` })
  const known = before.map((one, index): KnownIssue => ({
    ...one,
    ...toPrevious(index + 1),
    id: one.truth,
    ignored: index === 0,
    present: true,
  }))
  const found = after.map((one, index) => ({ ...one, previous: toPrevious(index + 1) }))
  expect(matchIssues(known, found)).toEqual([
    { id: 'a', by: 'key', sure: true },
    { id: 'b', by: 'key', sure: true },
  ])
})

it('matches the keys of older versions, which had no words in any order', async () => {
  const build = (extra: string) =>
    `<main>${extra}${['a', 'b'].map((name) => `<div><ul><li>Name</li><li>${name}</li></ul><input data-truth="${name}"></div>`).join('')}</main>`
  const [before, after] = [await readPage(build('')), await readPage(build('<p>More</p>'))]
  const known = before.map((one, index): KnownIssue => {
    const elementKey = one.elementKey.replaceAll(/(?<=[\t.])[jkmv]\w+\.?/g, '')
    expect(elementKey).not.toBe(one.elementKey)
    return { ...one, elementKey, id: one.truth, ignored: index === 0, present: true }
  })
  expect(matchIssues(known, after)).toMatchObject([
    { id: 'a', sure: true },
    { id: 'b', sure: true },
  ])
})

describe('edits of what is around an element', () => {
  const long = 'word '.repeat(60)

  it('leave an element in a wrapper, of which the wrapper is flagged now', async () => {
    const content = `<h1>Projects</h1><p>Home</p><p>All of our projects</p><ul><li>One</li><li>Two</li></ul>`
    const after = await follow(
      `<section data-truth="head">${content}</section>`,
      `<div class="w" data-truth="head"><div><section>${content}</section></div></div>`,
      [],
    )
    expect(after).toEqual({ head: 'head?' })
  })

  it('leave an element whose markup is too long for axe-core with one letter more', async () => {
    const build = (variant: string) =>
      `<ul><li>Other</li><li data-truth="item"><a data-variant="${variant}" href="#">More</a></li></ul>`
    const [known, found] = [await readPage(build('control')), await readPage(build('b-17'))]
    const cut = known.map((one): KnownIssue => ({ ...one, html: '<li>', id: one.truth, ignored: false, present: true }))
    expect(matchIssues(cut, found)).toMatchObject([{ id: 'item' }])
  })

  it('leave elements in place when only texts further away change', async () => {
    const build = (title: string) =>
      `<section><h2>${title}</h2>${[1, 2, 3].map((number) => `<div><p><button data-truth="${number}">${number}</button></p></div>`).join('')}</section>`
    const after = await follow(build('Sizes'), build(`Größen ${long}`), [])
    expect(Object.entries(after).map(([truth, match]) => match?.replace('?', '') === truth)).toEqual([true, true, true])
  })

  it.each([
    ['2 November 2026', '02.11.2026'],
    ['November 2, 2026 at 3:04 PM', '2. November 2026 um 15:04 Uhr'],
    ['2026-11-02', 'lundi 2 novembre 2026 à 15:04'],
  ])('see the same date in %s and %s', async (before, after) => {
    const build = (date: string) => `<article><h2>News</h2><p data-truth="date">${date}</p><p>${long}</p></article>`
    expect(await follow(build(before), build(after), [])).toEqual(same('date'))
  })

  it('do not make another text the same one', async () => {
    const build = (text: string) => `<article><h2>News</h2><p data-truth="${text}">${text}</p><p>${long}</p></article>`
    expect(Object.values(await follow(build('May opens'), build('Lights are out today'), ['May opens']))).not.toContain(
      'May opens',
    )
  })

  it('tell rows apart that differ in numbers alone, and own texts in another order', async () => {
    const buildRows = (...rooms: string[]) =>
      rooms.map((room) => `<div><p><span>Room</span> <b>${room}</b></p><input data-truth="${room}"></div>`).join('')
    expect(await follow(buildRows('12', '13', '14'), buildRows('13', '14', '15'), ['12'])).toEqual({
      ...same('13', '14'),
      15: null,
    })
    const buildRoute = (from: string, to: string) => `<a href="#" data-truth="${from}"><b>${from}</b> to <b>${to}</b></a>`
    expect(await follow(buildRoute('Bonn', 'Rome'), buildRoute('Rome', 'Bonn'), ['Bonn'])).toEqual({ Rome: 'Bonn?' })
  })

  it('leave menus in a group of the same names, whose items are in the reverse order', async () => {
    const actions = [
      '<li><a href="#">Copy</a></li>',
      '<li><a href="#">Move</a></li>',
      '<li class="divider"></li>',
      '<li>Delete</li>',
    ]
    const buildMenu = (label: string, truth: string, items: readonly string[]) =>
      `<div><button>${label}</button><ul data-truth="${truth}">${items.join('')}</ul></div>`
    const buildPanel = (title: string, ...menus: string[]) => `<div><h2>${title}</h2><div>${menus.join('')}</div></div>`
    const build = (items: readonly string[]) =>
      buildPanel('Buttons', buildMenu('Default', 'a', items), buildMenu('Primary', 'b', items), buildMenu('Other', 'c', items)) +
      buildPanel('Split', buildMenu('Danger', 'd', items), buildMenu('Danger', 'e', items), buildMenu('Danger', 'f', items))
    expect(Object.values(await follow(build(actions), build(actions.toReversed()), []))).not.toContain(null)
  })
})
