import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BrowserPool } from '../browser/pool.ts'
import {
  fate,
  html,
  openTrialPool,
  rulesOf,
  serve,
  tryScan,
  type Route,
  type Trial,
  type TrialSite,
} from './trial.ts'

// More pages that mean harm, or do it without meaning to: each ends in a way that can be told, and none takes others along.

const fault = '<img src="x.png">'
const script = (code: string) => html('Hostile', `${fault}<script>${code}</script>`)
const slow = 'completed or failed timeout-command or failed timeout-download or failed timeout-generic'
const workerLoop = `for(let i=0;i<8;i++)new Worker(URL.createObjectURL(new Blob(['while(1);'])))`

/** Each page with the ends that it may come to. On a busy machine a limit of time may come first. */
const cases: Record<string, { route: Route; fate: string; found?: true }> = {
  '/microtasks': {
    route: script('const f=()=>Promise.resolve().then(f);f()'),
    fate: 'failed timeout-command',
  },
  '/workers': { route: script(workerLoop), fate: slow },
  '/inner-html': {
    route: script(
      'setInterval(()=>{for(let i=0;i<50;i++)document.querySelector("h1").innerHTML="<b>"+i+"</b>"},1)',
    ),
    fate: 'completed',
    found: true,
  },
  '/write': {
    route: script('setInterval(()=>{document.open();document.write("<h1>x</h1>");document.close()},20)'),
    fate: `${slow} or failed client-redirect`,
  },
  '/prompts': { route: script('for(;;)prompt("x")'), fate: 'failed too-many-dialogs' },
  '/unload': {
    route: script('addEventListener("beforeunload",e=>{e.preventDefault();e.returnValue="x"})'),
    fate: 'completed',
    found: true,
  },
  '/asks': {
    route: script(
      'print();Notification.requestPermission();navigator.geolocation.getCurrentPosition(()=>{});navigator.clipboard?.readText().catch(()=>{});document.documentElement.requestFullscreen().catch(()=>{})',
    ),
    fate: 'completed',
    found: true,
  },
  '/many-nodes': {
    route: html('Many', `${fault}${'<i></i>'.repeat(100_000)}`),
    fate: slow,
  },
  '/many-frames': {
    route: html('Frames', `${fault}${'<iframe srcdoc="x" title="f"></iframe>'.repeat(300)}`),
    fate: slow,
  },
  '/self-frame': {
    route: html('Self', `${fault}<iframe src="/self-frame" title="f"></iframe>`),
    fate: 'completed',
    found: true,
  },
  '/console': {
    route: script('setInterval(()=>{for(let i=0;i<500;i++)console.log("x".repeat(100))},1)'),
    fate: slow,
  },
  '/hash-loop': {
    route: script('setInterval(()=>{location.hash=Math.random()},10)'),
    fate: 'completed',
    found: true,
  },
  '/refresh-loop': {
    route: html('Refresh', fault).replace('</head>', '<meta http-equiv="refresh" content="0"></head>'),
    fate: 'failed client-redirect or completed or failed timeout-command',
  },
  '/to-data': { route: script('location.href="data:text/html,<h1>x</h1>"'), fate: 'completed', found: true },
  '/to-file': { route: script('location.href="file:///etc/passwd"'), fate: 'completed', found: true },
  '/frozen': {
    route: script(
      'setTimeout=setInterval=requestAnimationFrame=queueMicrotask=()=>0;performance.now=()=>0;Object.freeze(Array.prototype)',
    ),
    fate: 'completed',
    found: true,
  },
  '/drip': {
    route: (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.write(html('Drip', fault).replace(/<\/main>.*/, ''))
      const timer = setInterval(() => response.write('x '), 100)
      response.on('close', () => clearInterval(timer))
    },
    fate: slow,
  },
  '/no-headers': { route: () => undefined, fate: 'failed timeout-download' },
  '/no-content': { route: (_, response) => response.writeHead(204).end(), fate: 'failed mime-type' },
  '/big-header': {
    route: (_, response) => response.writeHead(200, { 'x-big': 'x'.repeat(300_000) }).end(fault),
    fate: 'failed connection-failed or failed too-large',
  },
  '/rebound': {
    route: (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
    fate: 'excluded other-domain',
  },
  '/after': { route: html('After', fault), fate: 'completed', found: true },
}

let pool: BrowserPool
let site: TrialSite
let trial: Trial
beforeAll(async () => {
  pool = await openTrialPool()
  site = await serve(Object.fromEntries(Object.entries(cases).map(([path, { route }]) => [path, route])))
  trial = await tryScan(pool, site, {
    urls: Object.keys(cases),
    advanced: { pageTimeoutMs: 5000 },
    plan: { depth: 0 },
  })
}, 240_000)
afterAll(async () => {
  await pool.close()
  await site.close()
})

it.each(Object.entries(cases))('%s', (path, { fate: expected, found }) => {
  expect(expected.split(' or ')).toContain(fate(trial.pages[path]))
  if (found) expect(rulesOf(trial.pages[path])).toContain('image-alt')
})
