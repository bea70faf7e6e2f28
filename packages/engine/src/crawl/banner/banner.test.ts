/** @module-tag slow */
import { provesAbsence } from '@clearway/contract/monitor/page/proof/model.ts'
import { expect, test } from 'vitest'
import { bannerFiles } from '../../../../../fixtures/banner/file.ts'
import { bannerComponent } from './analyze-banner.ts'
import {
  describeOutcome,
  html,
  listRules,
  type Route,
  type TestScan,
  tryScan,
  useTestPool,
  useTestSite,
} from '../../../test/harness.ts'

// Banners of the real packages, and of managers by their public markup. Each page has one finding of its own.

const pool = useTestPool()

/** Cookies that each page was requested with. */
const requestedCookies = new Map<string, string>()
const faultyImage = '<img src="data:,">'
const buildPage = (path: string, banner: string) =>
  html(
    `Page ${path}`,
    `${faultyImage}<p>${'Boats leave twice a day. '.repeat(20)}</p><p><a href="${path}/two">Two</a></p>${banner}`,
  )

const consent = (value: string) => `document.cookie = 'choice=${value};path=/'`
/** Behavior of the imitations: a button stores its name as the choice, and removes the banner. */
const closes = (value: string) => `onclick="${consent(value)};document.getElementById('wall').remove()"`
const buildWall = (content: string) => `<div id="wall" style="position:fixed;inset:auto 0 0 0;background:#fff">${content}</div>`
const refusing = closes('refused')
const accepting = closes('accepted')
/** A dialog in the words of a language, without the markup of any manager. */
const buildDialog = (text: string, accept: string, refuse: string) =>
  `<div id="wall" role="dialog" aria-label="${text}" style="position:fixed;inset:20%;background:#fff"><p>${text}</p><button ${accepting}>${accept}</button> <a href="#" ${refusing}>${refuse}</a></div>`
const buildShadow = (mode: string, content: string) =>
  `<div id="host"></div><script>{ const root = host.attachShadow({ mode: '${mode}' })
    root.innerHTML = ${JSON.stringify(content)}
    for (const button of root.querySelectorAll('button')) button.onclick = () => { document.cookie = 'choice=' + button.name + ';path=/'; host.remove() } }</script>`

const banners: Record<string, string> = {
  klaro: `<script>klaroConfig = { acceptAll: true, storageMethod: 'cookie', privacyPolicy: '/', services: [{ name: 'matomo', purposes: ['analytics'] }] }</script><script src="/klaro.js"></script>`,
  'klaro-modal': `<script>klaroConfig = { mustConsent: true, acceptAll: true, storageMethod: 'cookie', privacyPolicy: '/', services: [{ name: 'matomo', purposes: ['analytics'] }] }</script><script src="/klaro.js"></script>`,
  vanilla: `<link rel="stylesheet" href="/vanilla.css"><script src="/vanilla.js"></script><script>CookieConsent.run({ hideFromBots: false, categories: { necessary: { enabled: true, readOnly: true }, analytics: {} },
    language: { default: 'en', translations: { en: { consentModal: { title: 'We use cookies', description: 'x', acceptAllBtn: 'Accept all', acceptNecessaryBtn: 'Reject all', showPreferencesBtn: 'Manage' },
    preferencesModal: { title: 'Cookies', acceptAllBtn: 'Accept all', acceptNecessaryBtn: 'Reject all', savePreferencesBtn: 'Save', closeIconLabel: 'Close', sections: [] } } } } })</script>`,
  'vanilla-layers': `<link rel="stylesheet" href="/vanilla.css"><script src="/vanilla.js"></script><script>CookieConsent.run({ hideFromBots: false, disablePageInteraction: true, categories: { necessary: { enabled: true, readOnly: true }, analytics: {} },
    language: { default: 'en', translations: { en: { consentModal: { title: 'We use cookies', description: 'x', acceptAllBtn: 'Accept all', showPreferencesBtn: 'Manage' },
    preferencesModal: { title: 'Cookies', acceptAllBtn: 'Accept all', acceptNecessaryBtn: 'Reject all', savePreferencesBtn: 'Save', closeIconLabel: 'Close', sections: [] } } } } })</script>`,
  tarteaucitron: `<script src="/tac/tarteaucitron.js"></script><script>tarteaucitron.init({ privacyUrl: '', orientation: 'bottom', highPrivacy: true, DenyAllCta: true, AcceptAllCta: true });
    (tarteaucitron.job = tarteaucitron.job || []).push('youtube')</script>`,
  'tarteaucitron-without-denial': `<script src="/tac/tarteaucitron.js"></script><script>tarteaucitron.init({ privacyUrl: '', orientation: 'bottom', highPrivacy: true, DenyAllCta: false, AcceptAllCta: true });
    (tarteaucitron.job = tarteaucitron.job || []).push('youtube')</script>`,
  cookieconsent: `<link rel="stylesheet" href="/cookieconsent.css"><script src="/cookieconsent.js"></script><script>cookieconsent.initialise({ type: 'opt-in', palette: { popup: { background: '#000' } } })</script>`,
  onetrust:
    buildWall(`<div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk"><button id="onetrust-pc-btn-handler">Cookie settings</button>
    <button id="onetrust-accept-btn-handler" ${accepting}>Accept All Cookies</button><button id="onetrust-reject-all-handler" ${refusing}>Reject All</button></div></div>`),
  'onetrust-layers':
    buildWall(`<div id="onetrust-consent-sdk"><button id="onetrust-accept-btn-handler" ${accepting}>Accept</button>
    <button id="onetrust-pc-btn-handler" onclick="layer.hidden = false">Let me choose</button><div id="layer" hidden><button class="ot-pc-refuse-all-handler" ${refusing}>Reject all</button></div></div>`),
  cookiebot:
    buildWall(`<div id="CybotCookiebotDialog"><button id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll" ${accepting}>Allow all</button>
    <button id="CybotCookiebotDialogBodyButtonDecline" ${refusing}>Deny</button></div>`),
  usercentrics: `<div id="usercentrics-root"></div><script>{ const host = document.getElementById('usercentrics-root'), root = host.attachShadow({ mode: 'open' })
    root.innerHTML = '<div style="position:fixed;bottom:0"><button data-testid="uc-accept-all-button" name="accepted">Alle akzeptieren</button><button data-testid="uc-deny-all-button" name="refused">Verweigern</button></div>'
    for (const button of root.querySelectorAll('button')) button.onclick = () => { document.cookie = 'choice=' + button.name + ';path=/'; host.remove() } }</script>`,
  quantcast:
    buildWall(`<div class="qc-cmp2-container"><div class="qc-cmp2-summary-buttons"><button mode="secondary" onclick="layer.hidden = false; this.parentNode.hidden = true">MORE OPTIONS</button>
    <button mode="primary" ${accepting}>AGREE</button></div><div id="layer" hidden><div class="qc-cmp2-header-links"><button ${refusing}>REJECT ALL</button><button ${accepting}>ACCEPT ALL</button></div>
    <button mode="primary" ${accepting}>SAVE &amp; EXIT</button></div></div>`),
  'quantcast-save':
    buildWall(`<div class="qc-cmp2-container"><button mode="secondary" onclick="layer.hidden = false; this.remove()">MORE OPTIONS</button>
    <button mode="primary" ${accepting}>AGREE</button><div id="layer" hidden><button role="switch" aria-checked="false">Analytics</button><button ${refusing}>SAVE &amp; EXIT</button></div></div>`),
  didomi: buildWall(
    `<div id="didomi-host"><button id="didomi-notice-agree-button" ${accepting}>Agree</button><span class="didomi-continue-without-agreeing" role="button" tabindex="0" ${refusing}>Continue without agreeing →</span></div>`,
  ),
  cookieyes:
    buildWall(`<div class="cky-consent-container"><button class="cky-btn cky-btn-customize" data-cky-tag="settings-button">Customise</button>
    <button class="cky-btn cky-btn-reject" data-cky-tag="reject-button" ${refusing}>Reject All</button><button class="cky-btn cky-btn-accept" ${accepting}>Accept All</button></div>`),
  'cookie-law-info':
    buildWall(`<div id="cookie-law-info-bar">This website uses cookies. <a role="button" id="cookie_action_close_header" ${accepting}>Accept</a>
    <a role="button" id="cookie_action_close_header_reject" ${refusing}>Reject</a></div>`),
  closed: buildShadow(
    'closed',
    '<div style="position:fixed;bottom:0"><p>Cookies</p><button name="accepted">Accept all</button><button name="refused">Reject all</button></div>',
  ),
  open: buildShadow(
    'open',
    '<div role="dialog" style="position:fixed;bottom:0"><p>Privacy</p><button name="refused">I do not agree</button><button name="accepted">OK</button></div>',
  ),
  frame: `<iframe id="frame" title="Privacy" src="/frame-content" style="position:fixed;inset:0;width:100%;height:100%"></iframe>
    <script>onmessage = ({ data }) => { document.cookie = 'choice=' + data + ';path=/'; frame.remove() }</script>`,
  en: buildDialog('We value your privacy', 'Accept all', 'Continue without accepting'),
  de: buildDialog('Wir verwenden Cookies', 'Alle akzeptieren', 'Nur notwendige Cookies'),
  fr: buildDialog('Votre vie privée', 'Tout accepter', 'Tout refuser'),
  es: buildDialog('Usamos cookies', 'Aceptar todas', 'Rechazar todas las cookies'),
  it: buildDialog('La tua privacy', 'Accetta tutti', 'Rifiuta tutti'),
  ja: buildDialog('クッキーについて', 'すべて許可', 'すべて拒否する'),
  nl: buildDialog('Wij gebruiken cookies', 'Alles accepteren', 'Alles weigeren'),
  pt: buildDialog('Utilizamos cookies', 'Aceitar todos', 'Rejeitar tudo'),
  'two-banners': `<div id="d" role="dialog" aria-modal="true" aria-label="Cookies" style="position:fixed;inset:0;background:#fff"><button id="onetrust-reject-all-handler" onclick="document.cookie='choice=refused;path=/';d.remove()">Refuse</button></div>
    <div role="dialog" aria-modal="true" aria-label="Newsletter" style="position:fixed;inset:20%;background:#fff"><button onclick="this.parentNode.remove()">No thanks</button></div>`,
  'accept-only': buildWall(`We use cookies. <button ${accepting}>Got it!</button>`),
  'without-effect': `<dialog id="d" aria-label="Privacy"><h2>Your privacy</h2><button type="button">Refuse all</button><button type="button">Accept all</button></dialog><script>d.showModal()</script>`,
  'active-switch': buildWall(
    `Cookies <label><input type="checkbox" checked> Analytics</label><button ${accepting}>Accept all</button><button ${closes('saved')}>Save settings</button>`,
  ),
  'order-dialog': `<div id="wall" role="dialog" aria-label="Order" style="position:fixed;inset:20%"><p>New order 17</p><button ${closes('rejected')}>Reject</button><button ${accepting}>Accept</button></div>`,
  // Applications that fill the window, or ask for a decision.
  'app-shell': `<div id="app" style="position:fixed;inset:0;background:#fff"><h1>Requests</h1><p>${'Leave from June to July. '.repeat(20)}</p><button ${closes('rejected')}>Reject</button><button ${closes('saved')}>Save</button><button ${closes('declined')}>Decline</button><button ${accepting}>Accept</button><footer><a href="/privacy">Privacy</a> <a>Cookies</a> <button>Cookie settings</button></footer></div>`,
  'app-approvals': `<div id="app" style="position:fixed;inset:0;background:#fff"><main><h1>Privacy requests</h1><p>Consent of Anna to cookies and tracking</p><button ${closes('rejected')}>Reject all</button><button ${closes('later')}>Not now</button><button ${closes('settings')}>Settings</button><button ${accepting}>Accept all</button></main></div>`,
  'app-without-main': `<div id="consent-app" style="position:fixed;inset:0;background:#fff"><h1>Privacy requests about cookies</h1><p>${'Anna asks for the data that we store about her. '.repeat(20)}</p><button ${closes('rejected')}>Reject</button><button ${closes('later')}>Later</button><button ${accepting}>Accept</button></div>`,
  'app-table': `<div id="app" class="cookie-orders" style="position:sticky;top:0"><table><tr><td>Cookies, 20 boxes</td><td><button ${closes('rejected')}>Decline</button><button ${accepting}>Accept</button></td></tr></table></div>`,
  'app-links': `<div id="app" style="position:sticky;top:0"><p>Cookies</p>${'<a href="/order">Order</a> '.repeat(21)}<button ${closes('rejected')}>Decline</button><button ${accepting}>Accept</button></div>`,
  'app-dialog': `<div role="dialog" aria-label="Order" style="position:fixed;inset:20%;background:#fff"><h2>Order 17</h2><p>Tracking number 4711, consent of the customer: yes</p><button ${closes('rejected')}>Reject</button><button ${accepting}>Approve</button></div>`,
  'app-without-choice': `<div role="dialog" aria-label="Privacy" style="position:fixed;inset:20%;background:#fff"><p>Your consent to cookies</p><button ${closes('saved')}>Save</button><button ${closes('rejected')}>Reject all</button></div>`,
  'busy-after': buildDialog('Cookies', 'Accept all', 'Reject all').replace(
    '</a>',
    '</a><script>addEventListener("click", () => setTimeout(() => { for (;;); }, 50))</script>',
  ),
  widget: `<div id="wall" class="cookie-widget" style="position:fixed;left:0;bottom:0"><button ${closes('opened')}>Cookie settings</button></div>`,
  'own-button': `<div id="wall"><button class="mine" ${closes('closed')}>Enter</button></div>`,
  'cookieconsent-info': `<link rel="stylesheet" href="/cookieconsent.css"><script src="/cookieconsent.js"></script><script>cookieconsent.initialise({ palette: { popup: { background: '#000' } } })</script>`,
}

const routes: Record<string, Route> = {
  '/frame-content': html(
    'Privacy',
    `<button onclick="parent.postMessage('accepted', '*')">Accept all</button><button onclick="parent.postMessage('refused', '*')">Refuse all</button>`,
  ),
  ...Object.fromEntries(
    bannerFiles.map(({ path, type, content }): [string, Route] => [
      path,
      (_, response) => void response.writeHead(200, { 'content-type': type }).end(content),
    ]),
  ),
}
for (const [name, banner] of Object.entries(banners))
  for (const path of [`/${name}`, `/${name}/two`])
    routes[path] = (request, response) => {
      requestedCookies.set(path, decodeURIComponent(request.headers.cookie ?? ''))
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(buildPage(`/${name}`, banner))
    }
const site = useTestSite(() => routes)

const scanBanner = (name: string, advanced: object = {}) =>
  tryScan(pool, site, { urls: [`/${name}`], advanced, plan: { concurrency: 1 } })
const getDetail = ({ pages }: TestScan, path: string) => {
  const outcome = pages[path]
  return outcome?.kind === 'completed' ? (outcome.detail ?? '') : describeOutcome(outcome)
}
const getNotices = ({ pages }: TestScan, path: string) => {
  const outcome = pages[path]
  return outcome?.kind === 'completed' ? outcome.notices : [describeOutcome(outcome)]
}
const getState = ({ pages }: TestScan) => Object.entries(pages).find(([path]) => path.endsWith(bannerComponent))?.[1]

/** Banner, words of the report, what the cookie of the second page must show, and a rule that the banner fails, if any. */
test.each<[name: string, detail: RegExp, cookie: RegExp, rule: string | null]>([
  ['klaro', /Banner of Klaro: clicked “I decline” \(refuses\)$/, /"matomo":false/, 'region'],
  ['klaro-modal', /Banner of Klaro: clicked “I decline” \(refuses\)$/, /"matomo":false/, 'region'],
  ['vanilla', /Banner of vanilla-cookieconsent: clicked “Reject all” \(refuses\)$/, /"categories":\["necessary"\]/, null],
  [
    'vanilla-layers',
    /clicked “Manage” \(opens the settings\)\n.*clicked “Reject all” \(refuses\)$/,
    /"categories":\["necessary"\]/,
    null,
  ],
  ['tarteaucitron', /Banner of tarteaucitron: clicked “.*Deny all.*” \(refuses\)$/, /youtube=false/, null],
  ['tarteaucitron-without-denial', /\(opens the settings\)\n.*clicked “.*Deny all.*” \(refuses\)/, /youtube=false/, null],
  [
    'cookieconsent',
    /Banner of Cookie Consent: clicked “Decline” \(refuses\)$/,
    /cookieconsent_status=deny/,
    'label-content-name-mismatch',
  ],
])('refuses %s, and tests the banner once and the content', async (name, detail, cookie, rule) => {
  const testScan = await scanBanner(name)
  expect(getDetail(testScan, `/${name}`)).toMatch(detail)
  expect(getNotices(testScan, `/${name}`)).toEqual([])
  expect(requestedCookies.get(`/${name}/two`)).toMatch(cookie)
  expect(getDetail(testScan, `/${name}/two`)).toBe('')
  expect(listRules(testScan.pages[`/${name}`])).toContain('image-alt')
  const banner = getState(testScan)
  expect(describeOutcome(banner)).toBe('completed')
  expect(listRules(banner)).toEqual(rule === null ? [] : expect.arrayContaining([rule]))
  if (banner?.kind === 'completed') expect(banner.findings.every(({ component }) => component === bannerComponent)).toBe(true)
})

const refused = 'choice=refused'
/** Banner, words of the report, notices, and the cookie afterwards. */
const imitations: [name: string, detail: RegExp, cookie: string, notices?: string[]][] = [
  ['onetrust', /^Banner of OneTrust: clicked “Reject All” \(refuses\)$/, refused],
  ['onetrust-layers', /clicked “Let me choose” \(opens the settings\)\n.*clicked “Reject all” \(refuses\)$/, refused],
  ['cookiebot', /^Banner of Cookiebot: clicked “Deny” \(refuses\)$/, refused],
  ['usercentrics', /^Banner of Usercentrics: clicked “Verweigern” \(refuses\)$/, refused],
  ['quantcast', /clicked “MORE OPTIONS” \(opens the settings\)\n.*clicked “REJECT ALL” \(refuses\)$/, refused],
  ['quantcast-save', /clicked “MORE OPTIONS” .*\n.*clicked “SAVE & EXIT” \(saves without consent\)$/, refused],
  ['didomi', /^Banner of Didomi: clicked “Continue without agreeing →” \(refuses\)$/, refused],
  ['cookieyes', /^Banner of CookieYes: clicked “Reject All” \(refuses\)$/, refused],
  ['cookie-law-info', /^Banner of GDPR Cookie Consent: clicked “Reject” \(refuses\)$/, refused],
  ['closed', /^Banner: clicked “Reject all” \(refuses\)$/, refused],
  ['open', /^Banner: clicked “I do not agree” \(refuses\)$/, refused],
  ['frame', /^Banner: clicked “Refuse all” \(refuses\)$/, refused],
  ['en', /clicked “Continue without accepting” \(refuses\)$/, refused],
  ['de', /clicked “Nur notwendige Cookies” \(refuses\)$/, refused],
  ['fr', /clicked “Tout refuser” \(refuses\)$/, refused],
  ['es', /clicked “Rechazar todas las cookies” \(refuses\)$/, refused],
  ['it', /clicked “Rifiuta tutti” \(refuses\)$/, refused],
  ['ja', /clicked “すべて拒否する” \(refuses\)$/, refused],
  ['nl', /clicked “Alles weigeren” \(refuses\)$/, refused],
  ['pt', /clicked “Rejeitar tudo” \(refuses\)$/, refused],
  ['two-banners', /clicked “Refuse” \(refuses\)\n.*clicked “No thanks” \(dismisses\)$/, refused],
  ['accept-only', /^Banner: still open, .*; “Got it!” would accept$/, '', ['banner-not-closed']],
  ['cookieconsent-info', /^Banner of Cookie Consent: still open, .*; “Got it!” would accept$/, '', ['banner-not-closed']],
  // Its modal dialog covers the page.
  [
    'without-effect',
    /^Banner: clicked “Refuse all” \(refuses\), without any effect\n.*still open/,
    '',
    ['banner-not-closed', 'content-out-of-reach'],
  ],
  ['active-switch', /^Banner: still open/, '', ['banner-not-closed']],
  ['order-dialog', /^$/, ''],
  ['widget', /^$/, ''],
]
test.each(imitations)('%s: refuses, or says that it could not', async (name, detail, cookie, notices = []) => {
  const testScan = await scanBanner(name)
  expect(getDetail(testScan, `/${name}`)).toMatch(detail)
  expect(getNotices(testScan, `/${name}`)).toEqual(notices)
  expect(requestedCookies.get(`/${name}/two`)).toBe(cookie)
})

test.each(Object.keys(banners).filter((name) => name.startsWith('app-')))('%s: clicks nothing', async (name) => {
  const testScan = await scanBanner(name)
  expect([getDetail(testScan, `/${name}`), getDetail(testScan, `/${name}/two`)]).toEqual(['', ''])
  expect(requestedCookies.get(`/${name}/two`)).toBe('')
})

test('records no banner of a page that fails after its click', async () => {
  const { pages } = await scanBanner('busy-after', { pageTimeoutMs: 6000 })
  expect(Object.fromEntries(Object.entries(pages).map(([path, outcome]) => [path, describeOutcome(outcome)]))).toEqual({
    '/busy-after': 'failed timeout-command',
  })
})

test('accepts only if the setting says so', async () => {
  const testScan = await scanBanner('accept-only', { acceptBanners: true })
  expect(getDetail(testScan, '/accept-only')).toBe('Banner: clicked “Got it!” (accepts)')
  expect(requestedCookies.get('/accept-only/two')).toBe('choice=accepted')
  expect(getDetail(await scanBanner('fr', { acceptBanners: true }), '/fr')).toMatch(/“Tout refuser” \(refuses\)$/)
})

test('clicks nothing and tests the page as it is without the setting', async () => {
  const testScan = await scanBanner('en', { closeBanners: false })
  expect(requestedCookies.get('/en/two')).toBe('')
  expect(getDetail(testScan, '/en')).toBe('')
  expect(getState(testScan)).toBe(undefined)
})

test('clicks buttons of the scan, also in frames, and names those that match nothing', async () => {
  const ownScan = await scanBanner('own-button', { bannerSelectors: ['.mine'] })
  expect(getDetail(ownScan, '/own-button')).toBe('Banner: clicked “Enter” (named by the scan)')
  expect([getNotices(ownScan, '/own-button'), getNotices(ownScan, '/own-button/two')]).toEqual([[], []])
  const frameScan = await scanBanner('frame', { closeBanners: false, bannerSelectors: ['button:last-child'] })
  expect(requestedCookies.get('/frame/two')).toBe(refused)
  expect(getNotices(frameScan, '/frame')).toEqual([])
  const missingScan = await scanBanner('en', { closeBanners: false, bannerSelectors: ['#gone'] })
  expect(getNotices(missingScan, '/en')).toEqual(['banner-button-not-found'])
  expect(getDetail(missingScan, '/en')).toBe('No visible button matches #gone')
  // A stale selector hides no content.
  expect(provesAbsence(['banner-button-not-found'], 'main > img')).toBe(true)
})
