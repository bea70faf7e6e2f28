/** @module-tag slow */
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFailed, buildFinding, type TestRun, recordRun } from '../../../../test/run.ts'

const api = useTestApi()

type Listed = {
  content: { id: string; selector: string; change: string; status: string; pages: number }[]
  severities: { critical: number }
}
async function listChanges(run: TestRun): Promise<Record<string, string>> {
  const all = ['new', 'still', 'back', 'fixed', 'not-rechecked', 'page-gone'].map((change) => `change=${change}`).join('&')
  const { body } = await api.call('GET', `/issues?scanId=${run.scanId}&runNumber=${run.number}&${all}`)
  return Object.fromEntries(
    (body as Listed).content.map(({ selector, change, status }) => [selector.replace(/\W/g, ''), `${change} ${status}`]),
  )
}
describe('an issue from run to run', () => {
  it('is new, still there, fixed only with proof, and back', async () => {
    const first = await recordRun(api, undefined, {
      p: buildCompleted([buildFinding('a'), buildFinding('b'), buildFinding('ignored')]),
      gone: buildCompleted([buildFinding('g')]),
      busy: buildCompleted([buildFinding('u')]),
      left: buildCompleted([buildFinding('l')]),
    })
    const { scanId } = first
    expect(Object.values(await listChanges(first))).toEqual(Array(6).fill('new open'))
    const list = (await api.call('GET', `/issues?scanId=${scanId}`)).body as Listed
    const ignored = list.content.find(({ selector }) => selector.includes('ignored'))!
    expect(ignored.pages).toBe(4)
    await api.call('PATCH', `/issues/${ignored.id}`, { body: { fieldsToUpdate: { status: 'ignored' } } })
    expect(((await api.call('GET', `/scans/${scanId}/runs/1/overview`)).body as { openIssues: object }).openIssues).toMatchObject(
      { critical: 5 },
    )

    const second = await recordRun(api, scanId, {
      p: buildCompleted([buildFinding('a'), buildFinding('ignored')]),
      gone: buildFailed('http-404'),
      busy: buildFailed('timeout-download'),
    })
    expect(await listChanges(second)).toEqual({
      imga: 'still open',
      imgignored: 'still ignored',
      imgb: 'fixed fixed',
      imgg: 'page-gone open',
      imgu: 'not-rechecked open',
      imgl: 'page-gone open',
    })
    const overview = (await api.call('GET', `/scans/${scanId}/runs/2/overview`)).body
    expect(overview).toMatchObject({
      openIssues: { critical: 1 },
      change: { previousNumber: 1, fixed: 1, new: 0, stillOpen: 1, pagesGone: 3, openIssues: { critical: -4 } },
    })

    const third = await recordRun(api, scanId, {
      p: buildCompleted([buildFinding('a'), buildFinding('b')]),
      busy: buildCompleted(),
    })
    expect(await listChanges(third)).toMatchObject({ imgb: 'back open', imgu: 'fixed fixed', imgignored: 'fixed ignored' })
  })

  it('is not fixed by an incompletely analyzed page or a disabled rule', async () => {
    const first = await recordRun(
      api,
      undefined,
      { p: buildCompleted([buildFinding('a'), buildFinding('bp', { tags: ['experimental'] })]) },
      'Proof',
    )
    const half = { ...buildCompleted(), notices: ['not-fully-loaded'] } as PageOutcome
    expect(await listChanges(await recordRun(api, first.scanId, { p: half }))).toEqual({
      imga: 'not-rechecked open',
      imgbp: 'not-rechecked open',
    })
    expect(await listChanges(await recordRun(api, first.scanId, { p: buildCompleted() }))).toEqual({
      imga: 'fixed fixed',
      imgbp: 'not-rechecked open',
    })
  })

  it('separates changes that only another rule set caused', async () => {
    const rare = (key: string, tags: string[]) => buildFinding(key, { tags })
    const first = await recordRun(
      api,
      undefined,
      { p: buildCompleted([buildFinding('a'), buildFinding('b')], 'same'), q: buildCompleted([], 'before') },
      'Rules',
    )
    const { settings, version } = (await api.call('GET', `/scans/${first.scanId}/settings`)).body as {
      settings: { ruleSet: object }
      version: number
    }
    const ruleSet = { ...settings.ruleSet, standard: 'wcag22aaa', axeVersion: '4.13' }
    await api.call('PUT', `/scans/${first.scanId}`, { body: { settings: { ...settings, ruleSet }, version } })
    await recordRun(api, first.scanId, {
      // The page is identical byte for byte, so only the tool changed.
      p: buildCompleted([buildFinding('a'), buildFinding('new', { html: '<img id>' })], 'same'),
      q: buildCompleted([rare('aaa', ['wcag2aaa']), rare('real', ['wcag2a'])], 'after'),
    })
    const { change } = (await api.call('GET', `/scans/${first.scanId}/runs/2/overview`)).body as { change: object }
    expect(change).toMatchObject({ ruleSetChanged: true, new: 1, fixed: 0, byRuleSet: { new: 2, fixed: 1 } })
    const compared = async (run: number, other: number) =>
      (await api.call('GET', `/scans/${first.scanId}/runs/${run}/compare/${other}`)).body as object
    expect(await compared(2, 1)).toMatchObject({
      ruleSetChanged: true,
      onlyHere: { critical: 3 },
      both: { critical: 1 },
      onlyThere: { critical: 1 },
      byRuleSet: { onlyHere: 2, onlyThere: 1 },
      rules: [{ rule: 'image-alt', onlyHere: 3, onlyThere: 1, byRuleSet: { onlyHere: 2, onlyThere: 1 } }],
    })
    expect(await compared(1, 2)).toMatchObject({ byRuleSet: { onlyHere: 1, onlyThere: 2 } })
  })

  it('is not fixed by another viewport, a failing server or a lost session', async () => {
    const first = await recordRun(
      api,
      undefined,
      { p: buildCompleted([buildFinding('a')]), q: buildCompleted([buildFinding('b')]) },
      'View',
    )
    const state = async (number: number) => listChanges({ ...first, number })
    await recordRun(api, first.scanId, { p: buildFailed('http-error'), q: buildFailed('session-failed'), r: buildCompleted() })
    expect(await state(2)).toEqual({ imga: 'not-rechecked open', imgb: 'not-rechecked open' })
    const { settings, version } = (await api.call('GET', `/scans/${first.scanId}/settings`)).body as {
      settings: { advanced: object }
      version: number
    }
    const advanced = { ...settings.advanced, windowWidth: 400 }
    await api.call('PUT', `/scans/${first.scanId}`, { body: { settings: { ...settings, advanced }, version } })
    await recordRun(api, first.scanId, { p: buildCompleted(), q: buildCompleted([buildFinding('b')]) })
    expect(await state(3)).toEqual({ imga: 'not-rechecked open', imgb: 'still open' })
  })

  it.each([
    ['closeBanners', false],
    ['acceptBanners', true],
    ['bannerSelectors', ['#refuse']],
  ])('is not fixed by another way with banners: %s', async (name, value) => {
    const buildPages = (...keys: string[]) => ({ p: buildCompleted(keys.map((key) => buildFinding(key))) })
    const first = await recordRun(api, undefined, buildPages('a', 'b'), `Banner ${name}`)
    const { settings, version } = (await api.call('GET', `/scans/${first.scanId}/settings`)).body as {
      settings: { advanced: object }
      version: number
    }
    const advanced = { ...settings.advanced, [name]: value }
    await api.call('PUT', `/scans/${first.scanId}`, { body: { settings: { ...settings, advanced }, version } })
    expect(await listChanges(await recordRun(api, first.scanId, buildPages('b')))).toEqual({
      imga: 'not-rechecked open',
      imgb: 'still open',
    })
    expect(await listChanges(await recordRun(api, first.scanId, buildPages()))).toEqual({
      imga: 'not-rechecked open',
      imgb: 'fixed fixed',
    })
  })

  it.each([
    [false, 'fixed fixed'],
    [true, 'not-rechecked open'],
  ])('compares a plan older than the settings of banners, with banners closed now: %s', async (closeBanners, change) => {
    const pages = { p: buildCompleted([buildFinding('a')]) }
    const first = await recordRun(api, undefined, pages, `Older plan ${closeBanners}`)
    await sql`update run_plan set settings = settings #- '{advanced,closeBanners}' #- '{advanced,acceptBanners}'
      #- '{advanced,bannerSelectors}' where run_id = ${first.id}`.execute(api.db)
    const { settings, version } = (await api.call('GET', `/scans/${first.scanId}/settings`)).body as {
      settings: { advanced: object }
      version: number
    }
    const advanced = { ...settings.advanced, closeBanners }
    await api.call('PUT', `/scans/${first.scanId}`, { body: { settings: { ...settings, advanced }, version } })
    expect(await listChanges(await recordRun(api, first.scanId, { p: buildCompleted() }))).toEqual({ imga: change })
  })
})

describe('an issue of a banner', () => {
  /** Records a run that meets a banner. */
  async function recordBanner(name: string): Promise<TestRun> {
    const banner = {
      url: 'https://example.org/p#consent-dialog',
      key: 'banner',
      label: 'Banner',
      outcome: buildCompleted([buildFinding('banner')]),
      foundOn: 'banner:https://example.org/p',
    }
    const outcome: PageOutcome = { kind: 'excluded', reason: 'not-a-page', detail: '', durationMs: 1 }
    const pages = { p: buildCompleted(), q: buildCompleted(), left: buildCompleted([buildFinding('left')]) }
    return recordRun(api, undefined, pages, name, { scripts: { 'script:open': { outcome, states: [banner] } } })
  }
  const whole = { p: buildCompleted(), q: buildCompleted() }
  const setAdvanced = async (scanId: string, advancedPatch: object) => {
    const { settings, version } = (await api.call('GET', `/scans/${scanId}/settings`)).body as {
      settings: { advanced: object }
      version: number
    }
    const body = { settings: { ...settings, advanced: { ...settings.advanced, ...advancedPatch } }, version }
    expect((await api.call('PUT', `/scans/${scanId}`, { body })).status).toBe(200)
  }

  it('is gone after two whole runs in a row that looked for the banner', async () => {
    const { scanId } = await recordBanner('Banner removed')
    expect(await listChanges(await recordRun(api, scanId, whole))).toEqual({
      imgbanner: 'not-rechecked open',
      imgleft: 'page-gone open',
    })
    expect(await listChanges(await recordRun(api, scanId, whole))).toEqual({ imgbanner: 'page-gone open' })
  })

  it('is not gone after runs that tested no page of its site wholly', async () => {
    const { scanId } = await recordBanner('Banner not looked for')
    const half = { ...buildCompleted(), notices: ['not-fully-loaded'] } as PageOutcome
    for (let run = 0; run < 3; run += 1)
      expect(await listChanges(await recordRun(api, scanId, { p: half, q: half }))).toMatchObject({
        imgbanner: 'not-rechecked open',
      })
  })

  it('is not gone after a partial run and a whole one', async () => {
    const { scanId } = await recordBanner('Banner after a partial run')
    const end = { kind: 'problem', problem: 'run-timeout', detail: '' } as const
    await recordRun(api, scanId, whole, undefined, { end })
    expect(await listChanges(await recordRun(api, scanId, whole))).toMatchObject({ imgbanner: 'not-rechecked open' })
    expect(await listChanges(await recordRun(api, scanId, whole))).toMatchObject({ imgbanner: 'page-gone open' })
  })

  it('is not gone after runs that closed no banners', async () => {
    const { scanId } = await recordBanner('Banners as they are')
    await setAdvanced(scanId, { closeBanners: false })
    for (let run = 0; run < 3; run += 1)
      expect(await listChanges(await recordRun(api, scanId, whole))).toMatchObject({ imgbanner: 'not-rechecked open' })
  })
})
