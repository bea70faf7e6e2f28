import { errors, type FrameLocator, type Locator, type Page } from 'playwright-core'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { ScriptAction, ScriptTarget, Selector } from '@clearway/contract/monitor/script/schema.ts'
import { sleep, withTimeout } from '../browser/deadline.ts'

/** What came of an action; `found` says what was there, in English. */
export type Performed = { ok: true; found: string } | { ok: false; reason: FailureReason; found: string }

/** What an action may take, in milliseconds; a modal that does not come is no fault. */
const longestMs = 30_000
const modalMs = 3000

const engineOf = ({ kind, text }: Selector): string => `${kind === 'xpath' ? 'xpath' : 'css'}=${text}`
const nameOf = ({ frames, element }: ScriptTarget): string =>
  [...frames, element].map(({ text }) => text).join(' >> ')

/** Everything that a target names, in the frame that it leads to. CSS looks through open shadow roots. */
function locate(page: Page, { frames, element }: ScriptTarget): Locator {
  let root: Page | FrameLocator = page
  for (const frame of frames) root = root.frameLocator(engineOf(frame))
  return root.locator(engineOf(element))
}

const firstVisible = (page: Page, target: ScriptTarget): Locator =>
  locate(page, target).filter({ visible: true }).first()

/** What is on the page for a target that could not be used. */
async function describe(page: Page, target: ScriptTarget): Promise<string> {
  const counted = await withTimeout(
    1000,
    locate(page, target)
      .count()
      .catch(() => null),
  )
  const count = counted.done ? counted.value : null
  const name = nameOf(target)
  if (count === null) return `${name}: it cannot be looked for (the selector, or the frame that leads to it)`
  if (count === 0) return `${name}: no element fits`
  return `${name}: ${count} ${count === 1 ? 'element fits, but it is' : 'elements fit, but none is'} usable`
}

/** What each action does. Those with elements wait until the element is there and can be used. */
type Doers = {
  [K in ScriptAction['do']]: (
    page: Page,
    action: Extract<ScriptAction, { do: K }>,
    timeout: number,
  ) => Promise<string>
}

const doers: Omit<Doers, 'analyze' | 'eval'> = {
  async click(page, { target }, timeout) {
    await firstVisible(page, target).click({ timeout })
    return `clicked ${nameOf(target)}`
  },
  async type(page, { text, target }, timeout) {
    const element = locate(page, target).first()
    const tag = await element.evaluate((node) => node.tagName.toLowerCase(), undefined, { timeout })
    // Recordings change a list as they change a field.
    if (tag === 'select') await element.selectOption([{ value: text }, { label: text }], { timeout })
    else await element.fill(text, { timeout })
    return `filled ${nameOf(target)} (${tag})`
  },
  async press(page, { key, target }, timeout) {
    await locate(page, target).first().press(key, { timeout })
    return `pressed a key on ${nameOf(target)}`
  },
  async select(page, { option, target }, timeout) {
    const list = locate(page, target).first()
    await list.selectOption([{ label: option }], { timeout: Math.min(timeout, 5000) }).catch(() =>
      // The visible text is what people name; the value is what some lists have alone.
      list.selectOption([{ value: option }], { timeout: Math.min(timeout, 5000) }),
    )
    return `selected in ${nameOf(target)}`
  },
  async 'wait-for'(page, { target }, timeout) {
    await locate(page, target).first().waitFor({ state: 'attached', timeout })
    return `found ${nameOf(target)}`
  },
  async wait(_page, { ms }, timeout) {
    await sleep(Math.min(ms, timeout))
    return `waited ${ms} ms`
  },
  async dismiss(page, { modal, close }, timeout) {
    const shown = firstVisible(page, modal)
    const came = await shown
      .waitFor({ timeout: Math.min(timeout, modalMs) })
      .then(() => true)
      .catch(() => false)
    if (!came) return `${nameOf(modal)} is not shown`
    await firstVisible(page, close).click({ timeout })
    await shown.waitFor({ state: 'hidden', timeout })
    return `closed ${nameOf(modal)}`
  },
}

const targetOf = (action: ScriptAction): ScriptTarget | null =>
  'target' in action ? action.target : action.do === 'dismiss' ? action.close : null

async function evaluate(page: Page, code: string, ms: number): Promise<Performed> {
  const ran = await withTimeout(
    ms,
    page.evaluate(code).then(
      () => ({ ok: true, found: 'ran' }) as const,
      (error: unknown) =>
        ({
          ok: false,
          reason: 'task-not-processed',
          found: error instanceof Error ? error.message.split('\n')[0]! : String(error),
        }) as const,
    ),
  )
  return ran.done ? ran.value : { ok: false, reason: 'timeout-command', found: 'the code did not end' }
}

/**
 * Does what an action asks for, but for `analyze`. An element that does not come is `script-event-missing`; everything
 * else that an action can fail by is `task-not-processed`. Never rejects for what a page does.
 */
export async function perform(
  page: Page,
  action: Exclude<ScriptAction, { do: 'analyze' }>,
  ms: number,
): Promise<Performed> {
  // A wait is as long as it says, everything else has half a minute.
  const timeout = Math.max(1, action.do === 'wait' ? ms : Math.min(longestMs, ms))
  if (action.do === 'eval') return evaluate(page, action.code, timeout)
  const act = doers[action.do] as (page: Page, action: ScriptAction, timeout: number) => Promise<string>
  try {
    return { ok: true, found: await act(page, action, timeout) }
  } catch (error) {
    const target = targetOf(action)
    const late = error instanceof errors.TimeoutError
    if (late && target)
      return { ok: false, reason: 'script-event-missing', found: await describe(page, target) }
    const said = error instanceof Error ? error.message.split('\n')[0]!.slice(0, 300) : String(error)
    return {
      ok: false,
      reason: 'task-not-processed',
      found: target ? `${await describe(page, target)}; ${said}` : said,
    }
  }
}
