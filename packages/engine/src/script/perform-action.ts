import type { FrameLocator, Locator, Page } from 'playwright-core'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { ScriptAction, ScriptTarget, Selector } from '@clearway/contract/monitor/script/schema.ts'
import { sleep, withTimeout } from '../browser/deadline.ts'

/** Result of an action; `found` describes what was found, in English. */
export type ActionResult = { ok: true; found: string } | { ok: false; reason: FailureReason; found: string }

/** Maximum duration of an action in milliseconds. A modal that does not appear is not an error. */
const maxActionMs = 30_000
const modalWaitMs = 3000

const toPlaywrightSelector = ({ kind, text }: Selector): string => `${kind === 'xpath' ? 'xpath' : 'css'}=${text}`
const describeTarget = ({ frames, element }: ScriptTarget): string => [...frames, element].map(({ text }) => text).join(' >> ')

/** Locates all matches of a target in its frame. CSS selectors pierce open shadow roots. */
function locateTarget(page: Page, { frames, element }: ScriptTarget): Locator {
  let frameRoot: Page | FrameLocator = page
  for (const frame of frames) frameRoot = frameRoot.frameLocator(toPlaywrightSelector(frame))
  return frameRoot.locator(toPlaywrightSelector(element))
}

const locateFirstVisible = (page: Page, target: ScriptTarget): Locator =>
  locateTarget(page, target).filter({ visible: true }).first()

const maxNamedOptions = 10

/** Lists the options of a list without the searched one, which may be a secret; null if the target is no list. */
async function describeOptions(page: Page, target: ScriptTarget): Promise<string | null> {
  const readOptions = (node: Element) =>
    node.localName === 'select' ? Array.from((node as HTMLSelectElement).options, ({ label }) => label.slice(0, 100)) : null
  const optionLabels = await locateTarget(page, target)
    .first()
    .evaluate(readOptions, undefined, { timeout: 1000 })
    .catch(() => null)
  if (!Array.isArray(optionLabels)) return null
  const quotedLabels = optionLabels.slice(0, maxNamedOptions).map((label) => `“${label}”`)
  const unnamedCount = optionLabels.length - quotedLabels.length
  const listedLabels = [...quotedLabels, ...(unnamedCount > 0 ? [`${unnamedCount} more`] : [])].join(', ')
  return `${describeTarget(target)}: no such option among ${listedLabels || 'none'}`
}

/** Describes the matches of a target that could not be used for an action. */
async function describeUnusableTarget(page: Page, target: ScriptTarget, action: ScriptAction): Promise<string> {
  const optionsText = action.do === 'select' ? await describeOptions(page, target) : null
  if (optionsText !== null) return optionsText
  const countResult = await withTimeout(
    1000,
    locateTarget(page, target)
      .count()
      .catch(() => null),
  )
  const elementCount = countResult.done ? countResult.value : null
  const targetName = describeTarget(target)
  if (elementCount === null) return `${targetName}: the search failed (its selector, or the frame that contains it)`
  if (elementCount === 0) return `${targetName}: no element fits`
  return `${targetName}: ${elementCount} ${elementCount === 1 ? 'element fits, but it is not' : 'elements fit, but none is'} usable (visible and enabled)`
}

/** Implementation of each action. Actions with elements wait until the element exists and is usable. */
type ActionHandlers = {
  [K in ScriptAction['do']]: (page: Page, action: Extract<ScriptAction, { do: K }>, timeoutMs: number) => Promise<string>
}

const actionHandlers: Omit<ActionHandlers, 'analyze' | 'eval'> = {
  async click(page, { target }, timeoutMs) {
    await locateFirstVisible(page, target).click({ timeout: timeoutMs })
    return `clicked ${describeTarget(target)}`
  },
  async type(page, { text, target }, timeoutMs) {
    const targetElement = locateTarget(page, target).first()
    const tagName = await targetElement.evaluate((node) => node.tagName.toLowerCase(), undefined, { timeout: timeoutMs })
    // Recordings use the same action for lists and fields.
    if (tagName === 'select') await targetElement.selectOption([{ value: text }, { label: text }], { timeout: timeoutMs })
    else await targetElement.fill(text, { timeout: timeoutMs })
    return `filled ${describeTarget(target)} (${tagName})`
  },
  async press(page, { key, target }, timeoutMs) {
    await locateTarget(page, target).first().press(key, { timeout: timeoutMs })
    return `pressed a key on ${describeTarget(target)}`
  },
  async select(page, { option, target }, timeoutMs) {
    const selectElement = locateTarget(page, target).first()
    await selectElement.selectOption([{ label: option }], { timeout: Math.min(timeoutMs, 5000) }).catch(() =>
      // Users name the visible text; some lists have only values.
      selectElement.selectOption([{ value: option }], { timeout: Math.min(timeoutMs, 5000) }),
    )
    return `selected in ${describeTarget(target)}`
  },
  async 'wait-for'(page, { target }, timeoutMs) {
    await locateTarget(page, target).first().waitFor({ state: 'attached', timeout: timeoutMs })
    return `found ${describeTarget(target)}`
  },
  async wait(_page, { ms }, timeoutMs) {
    await sleep(Math.min(ms, timeoutMs))
    return `waited ${ms} ms`
  },
  async dismiss(page, { modal, close }, timeoutMs) {
    const modalElement = locateFirstVisible(page, modal)
    const hasAppeared = await modalElement
      .waitFor({ timeout: Math.min(timeoutMs, modalWaitMs) })
      .then(() => true)
      .catch(() => false)
    if (!hasAppeared) return `${describeTarget(modal)} is not shown`
    await locateFirstVisible(page, close).click({ timeout: timeoutMs })
    await modalElement.waitFor({ state: 'hidden', timeout: timeoutMs })
    return `closed ${describeTarget(modal)}`
  },
}

const getActionTarget = (action: ScriptAction): ScriptTarget | null =>
  'target' in action ? action.target : action.do === 'dismiss' ? action.close : null

async function evaluateCode(page: Page, code: string, timeoutMs: number): Promise<ActionResult> {
  const evaluation = await withTimeout(
    timeoutMs,
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
  return evaluation.done ? evaluation.value : { ok: false, reason: 'timeout-command', found: 'the code did not end' }
}

/**
 * Performs an action other than `analyze`. A missing element is `script-event-missing`; all other failures are
 * `task-not-processed`. Never rejects because of a page's behavior.
 */
export async function performAction(
  page: Page,
  action: Exclude<ScriptAction, { do: 'analyze' }>,
  remainingMs: number,
): Promise<ActionResult> {
  // A wait lasts as long as specified; all other actions have 30 s.
  const timeoutMs = Math.max(1, action.do === 'wait' ? remainingMs : Math.min(maxActionMs, remainingMs))
  if (action.do === 'eval') return evaluateCode(page, action.code, timeoutMs)
  const runAction = actionHandlers[action.do] as (page: Page, action: ScriptAction, timeoutMs: number) => Promise<string>
  try {
    return { ok: true, found: await runAction(page, action, timeoutMs) }
  } catch (error) {
    const actionTarget = getActionTarget(action)
    // By name: the class would load Playwright into workers without runs.
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    if (isTimeout && actionTarget)
      return { ok: false, reason: 'script-event-missing', found: await describeUnusableTarget(page, actionTarget, action) }
    const errorSummary = error instanceof Error ? error.message.split('\n')[0]!.slice(0, 300) : String(error)
    return {
      ok: false,
      reason: 'task-not-processed',
      found: actionTarget ? `${await describeUnusableTarget(page, actionTarget, action)}; ${errorSummary}` : errorSummary,
    }
  }
}
