import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { Script, ScriptPage, ScriptStep } from '@clearway/contract/monitor/script/schema.ts'
import { withTimeout } from '../browser/deadline.ts'
import type { Guard } from '../guard/guard.ts'
import type { Tab } from '../browser/tab.ts'
import { callInTab } from '../browser/world.ts'
import { arrive } from '../crawl/visit/arrive.ts'
import { settleCap } from '../crawl/settle/time.ts'
import { settle } from '../crawl/settle/settle.ts'
import { hideSecrets, showAgain } from './hide-in-page.ts'
import { perform, type Performed } from './perform.ts'
import type { Secrets } from './secret.ts'

/** What came of one step. Texts name variables, never their values. */
export type StepResult = {
  page: string
  /** From 1; 0 is the page's URL. Global steps have numbers of their own. */
  number: number
  global: boolean
  line: number
  text: string
  ok: boolean
  /** What was there, or what was wrong. English. */
  found: string
  durationMs: number
  /** JPEG of the page after the step, where it was asked for, or where the step failed. */
  screenshot: Uint8Array | null
}

export type ScriptEnd =
  { kind: 'done' } | { kind: 'failed'; reason: FailureReason; detail: string; screenshot: Uint8Array | null }

export type RunOptions = {
  tab: Tab
  guard: Guard
  secrets: Secrets
  referrer: string | null
  /** Milliseconds for the whole script. */
  timeoutMs: number
  allowEval: boolean
  /** A picture after every step, not just of a failure. */
  pictures: boolean
  /** Analyses what the tab shows; null when it could, else why not. */
  analyze: (state: { page: string; title: string | null; number: number }) => Promise<Failure | null>
  onStep?: (step: StepResult) => void
}

export type Failure = { reason: FailureReason; found: string }

const navigationMs = 30_000
const pictureMs = 5000

/** A picture of what the tab shows; null when the page gives none in time. */
async function picture(tab: Tab): Promise<Uint8Array | null> {
  const taken = await withTimeout(
    pictureMs,
    tab.cdp.send('Page.captureScreenshot', { format: 'jpeg', quality: 60 }).catch(() => null),
  )
  return taken.done && taken.value ? Buffer.from(taken.value.data, 'base64') : null
}

/** The same without what was typed; null also when that cannot be hidden. */
async function pictureWithout(tab: Tab, values: readonly string[]): Promise<Uint8Array | null> {
  const hide = `(${hideSecrets.toString()})(${JSON.stringify(values)})`
  const hidden = await callInTab(tab, hide, pictureMs)
  const taken = hidden.kind === 'value' ? await picture(tab) : null
  await callInTab(tab, `(${showAgain.toString()})()`, pictureMs)
  return taken
}

/** One walk through a script. */
type Walk = RunOptions & { end: number; states: number }

async function open(walk: Walk, text: string): Promise<Performed> {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    return { ok: false, reason: 'invalid-task', found: `${walk.secrets.redact(text)} is no URL` }
  const ms = Math.min(navigationMs, walk.end - performance.now())
  const arrival = await arrive(walk.tab, walk.guard, url.href, ms, walk.referrer)
  if (arrival.kind !== 'document')
    return {
      ok: false,
      reason: arrival.kind === 'failed' ? arrival.reason : 'mime-type',
      found: arrival.detail,
    }
  await settle(walk.tab, { capMs: settleCap.step })
  return { ok: true, found: `HTTP ${arrival.status}, ${arrival.url}` }
}

async function act(walk: Walk, page: ScriptPage, step: ScriptStep): Promise<Performed> {
  if (performance.now() > walk.end)
    return {
      ok: false,
      reason: 'task-not-processed',
      found: `the script took longer than ${walk.timeoutMs} ms`,
    }
  const action = walk.secrets.fill(step.action)
  if (action.do === 'eval' && !walk.allowEval)
    return { ok: false, reason: 'invalid-task', found: 'this server does not allow eval in scripts' }
  if (action.do === 'analyze') return analyzeNow(walk, page, action.title)
  const performed = await perform(walk.tab.page, action, walk.end - performance.now())
  // A click may lead to another page, a key may send a form: the next step finds it at rest.
  if (performed.ok && action.do !== 'wait') await settle(walk.tab, { capMs: settleCap.step })
  return performed
}

async function analyzeNow(walk: Walk, page: ScriptPage, title: string | null): Promise<Performed> {
  walk.states += 1
  const failure = await walk.analyze({ page: page.name, title, number: walk.states })
  return failure ? { ok: false, ...failure } : { ok: true, found: 'analysed' }
}

/** Does one step and reports it; answers how the script ends when it cannot go on. */
async function take(
  walk: Walk,
  page: ScriptPage,
  step: Pick<StepResult, 'number' | 'global' | 'line' | 'text'>,
  work: () => Promise<Performed>,
): Promise<ScriptEnd | null> {
  const began = performance.now()
  const done = await work()
  const { values } = walk.secrets
  const shoot = () => (values.length > 0 ? pictureWithout(walk.tab, values) : picture(walk.tab))
  const screenshot = walk.pictures || !done.ok ? await shoot() : null
  const found = walk.secrets.redact(done.found)
  walk.onStep?.({
    page: page.name,
    ...step,
    text: walk.secrets.redact(step.text),
    ok: done.ok,
    found,
    durationMs: Math.round(performance.now() - began),
    screenshot,
  })
  if (done.ok) return null
  const where = `${page.name}, ${step.global ? 'global step' : 'step'} ${step.number} (line ${step.line}), ${walk.secrets.redact(step.text)}`
  return { kind: 'failed', reason: done.reason, detail: `${where}: ${found}`, screenshot }
}

async function walkPage(walk: Walk, script: Script, page: ScriptPage): Promise<ScriptEnd | null> {
  const opening = { number: 0, global: false, line: page.line, text: `open ${page.url}` }
  const unopened = await take(walk, page, opening, () => open(walk, walk.secrets.fillUrl(page.url)))
  if (unopened) return unopened
  const steps = [
    ...script.globalSteps.map((step) => ({ step, global: true })),
    ...page.steps.map((step) => ({ step, global: false })),
  ]
  for (const { step, global } of steps) {
    const { number, line, text } = step
    const end = await take(walk, page, { number, global, line, text }, () => act(walk, page, step))
    if (end) return end
  }
  // A page without actions is loaded and analysed.
  if (steps.length > 0) return null
  const whole = { number: 1, global: false, line: page.line, text: 'analyze' }
  return take(walk, page, whole, () => analyzeNow(walk, page, null))
}

/** Walks a script in a tab from its first page to its last. Never rejects for what pages do. */
export async function runScript(script: Script, options: RunOptions): Promise<ScriptEnd> {
  const missing = options.secrets.missing(script.variables)
  if (missing.length > 0) {
    const detail = `No value for ${missing.map((name) => `<${name}>`).join(', ')}`
    return { kind: 'failed', reason: 'invalid-task', detail, screenshot: null }
  }
  const walk: Walk = { ...options, end: performance.now() + options.timeoutMs, states: 0 }
  for (const page of script.pages) {
    const end = await walkPage(walk, script, page)
    if (end) return end
  }
  return { kind: 'done' }
}
