import type { Frame, Page } from 'playwright-core'
import { sleep, withTimeout } from '../browser/deadline.ts'
import type { Tab } from '../browser/tab.ts'
import { arriveAtUrl } from '../crawl/visit/arrive.ts'
import { maxSettleMs } from '../crawl/settle/limits.ts'
import { waitUntilIdle } from '../crawl/settle/settle.ts'
import type { Guard } from '../guard/guard.ts'
import type { PlannedForm } from '@clearway/contract/monitor/session/model.ts'
import { markFormInPage, type FormPart, type FormView } from './form-in-page.ts'

/** `canRetry`: the sign-in page did not load; another attempt may succeed, and cannot lock the account. */
export type FormEnd = { kind: 'done' } | { kind: 'failed'; detail: string; canRetry: boolean }

const maxNavigationMs = 30_000
const maxSteps = 8
const callMs = 5000
const maxFrames = 20
/** Time for a form that a script builds late, and for a page that is blank until then: a busy machine takes long. */
const lateFormMs = 5000
const blankPageMs = 20_000

type FoundForm = { frame: Frame; view: FormView }
type MissingForm = Pick<FormView, 'fields' | 'isBlank'>
const listFields = (form: FoundForm | MissingForm): string[] => ('frame' in form ? form.view.fields : form.fields)

async function readForm(frame: Frame): Promise<FormView | null> {
  const result = await withTimeout(
    callMs,
    frame.evaluate(markFormInPage).catch(() => null),
  )
  return result.done ? result.value : null
}

/** Finds the frame with the sign-in form: one with a password first. `fields` are those of all frames. */
async function findForm(page: Page): Promise<FoundForm | MissingForm> {
  const forms: FoundForm[] = []
  for (const frame of page.frames().slice(0, maxFrames)) {
    const view = await readForm(frame)
    if (view) forms.push({ frame, view })
  }
  const findWith = (part: FormPart) => forms.find(({ view }) => view.parts.includes(part))
  return (
    findWith('password') ??
    findWith('user') ??
    findWith('code') ??
    findWith('stay') ??
    findWith('open') ?? {
      fields: forms.flatMap(({ view }) => view.fields),
      isBlank: forms.every(({ view }) => view.isBlank),
    }
  )
}

async function awaitForm(page: Page): Promise<FoundForm | MissingForm> {
  const startedAt = performance.now()
  for (;;) {
    const form = await findForm(page)
    const isForm = 'frame' in form && !form.view.parts.includes('open')
    const maxWaitMs = !('frame' in form) && form.isBlank ? blankPageMs : lateFormMs
    if (isForm || performance.now() - startedAt > maxWaitMs) return form
    await sleep(300)
  }
}

const locatePart = (frame: Frame, part: FormPart) => frame.locator(`[data-clearway-part="${part}"]`).first()

/** Submits the form of a field with the Enter key, which needs no button; fields outside of a form by the button next to them. */
async function submitFrom({ frame, view }: FoundForm, part: FormPart): Promise<void> {
  if (view.parts.includes('submit')) return locatePart(frame, 'submit').click({ timeout: callMs, noWaitAfter: true })
  await locatePart(frame, part).press('Enter', { timeout: callMs, noWaitAfter: true })
}

type FormProgress = { hasOpenedForm: boolean; hasTypedUser: boolean; hasTypedPassword: boolean; codeCount: number }
/** A second code rules out that the first one expired on its way, or was used before. */
const maxCodes = 2

/** Types a code into its field, or each character into a field of its own. */
async function typeCode({ frame }: FoundForm, code: string): Promise<void> {
  const fields = frame.locator('[data-clearway-part="code"]')
  const fieldCount = await fields.count()
  if (fieldCount <= 1) return fields.first().fill(code, { timeout: callMs })
  for (const [index, character] of Array.from(code).slice(0, fieldCount).entries())
    await fields.nth(index).fill(character, { timeout: callMs })
}

/** A form to sign in by; `getCode` returns a one-time code, and is null without a secret of them. */
export type FormSecrets = { form: PlannedForm; getCode: (() => Promise<string>) | null }

/** Returns true if the way to the form is the next step: it is taken once, before anything is typed. */
const shouldOpen = ({ parts }: FormView, { hasOpenedForm, hasTypedUser, hasTypedPassword }: FormProgress): boolean =>
  parts.includes('open') && !hasOpenedForm && !hasTypedUser && !hasTypedPassword

/** Returns true for a form with a step to take. */
const hasStep = (form: FoundForm | MissingForm, progress: FormProgress): form is FoundForm =>
  'frame' in form && (form.view.parts.some((part) => part !== 'open') || shouldOpen(form.view, progress))

/** Performs the next step of a form. Returns false if there is none. */
async function performFormStep(foundForm: FoundForm, { form, getCode }: FormSecrets, progress: FormProgress): Promise<boolean> {
  const { frame, view } = foundForm
  const { parts } = view
  if (parts.includes('password')) {
    if (progress.hasTypedPassword) return false
    if (parts.includes('user')) await locatePart(frame, 'user').fill(form.username, { timeout: callMs })
    await locatePart(frame, 'password').fill(form.password, { timeout: callMs })
    progress.hasTypedPassword = true
    if (parts.includes('code') && getCode) {
      await typeCode(foundForm, await getCode())
      progress.codeCount += 1
    }
    await submitFrom(foundForm, 'password')
    return true
  }
  if (parts.includes('code') && progress.hasTypedPassword) {
    if (!getCode || progress.codeCount >= maxCodes) return false
    await typeCode(foundForm, await getCode())
    progress.codeCount += 1
    // Some forms send themselves with the last digit.
    await submitFrom(foundForm, 'code').catch(() => undefined)
    return true
  }
  if (shouldOpen(view, progress)) {
    progress.hasOpenedForm = true
    // A covered control cannot be pressed; the doubtful form may be the right one.
    await locatePart(frame, 'open')
      .click({ timeout: callMs, noWaitAfter: true })
      .catch(() => undefined)
    return true
  }
  if (parts.includes('user') && !progress.hasTypedUser && !progress.hasTypedPassword) {
    await locatePart(frame, 'user').fill(form.username, { timeout: callMs })
    progress.hasTypedUser = true
    await submitFrom(foundForm, 'user')
    return true
  }
  if (!parts.includes('stay') || !progress.hasTypedPassword) return false
  await locatePart(frame, 'stay').click({ timeout: callMs })
  return true
}

/** Returns why a form needs a person; null if it does not. Behind the password, forms are those of the site. */
function findPersonalStep({ parts, requiredLabels }: FormView, { hasTypedPassword }: FormProgress): string | null {
  if (requiredLabels.length === 0 || hasTypedPassword || !(parts.includes('password') || parts.includes('user'))) return null
  return `also requires ${requiredLabels.map((label) => `“${label}”`).join(', ')}: sign in by a recording or a script`
}

/** Returns why a page for a code cannot be passed; null if it can, or is none. */
function findCodeRefusal({ parts }: FormView, hasCodes: boolean, { hasTypedPassword, codeCount }: FormProgress): string | null {
  if (!hasTypedPassword || parts.includes('password') || !parts.includes('code')) return null
  if (!hasCodes) return 'asks for a one-time code: enter the secret of the authenticator app'
  return codeCount >= maxCodes ? 'refused two one-time codes: check the secret, and the clock of this machine' : null
}

const describePage = async (page: Page): Promise<string> =>
  `${page.url().split('?', 1)[0]} (“${(await page.title().catch(() => '')).slice(0, 100)}”)`

/** Waits until the page after a step is shown and idle. */
async function settleAfterStep(tab: Tab): Promise<void> {
  await sleep(300)
  await waitUntilIdle(tab, { capMs: maxSettleMs.step })
}

/**
 * Signs in by a form: opens its page, recognizes the fields for user name and password, in one step or two, in frames, shadow
 * roots and on other hosts, and submits them once.
 * @param noteSignInPage called before each step
 */
export async function signInByForm(
  { tab, guard }: { tab: Tab; guard: Guard },
  formSecrets: FormSecrets,
  noteSignInPage: () => Promise<void>,
): Promise<FormEnd> {
  const { form, getCode } = formSecrets
  const progress: FormProgress = { hasOpenedForm: false, hasTypedUser: false, hasTypedPassword: false, codeCount: 0 }
  const fail = (detail: string, canRetry = false): FormEnd => ({ kind: 'failed', detail, canRetry })
  const arrival = await arriveAtUrl(tab, guard, form.url, maxNavigationMs)
  if (arrival.kind !== 'document') return fail(`The sign-in page could not be opened: ${arrival.detail}`, true)
  await settleAfterStep(tab)
  try {
    for (let stepCount = 0; stepCount < maxSteps; stepCount++) {
      const formOrFields = progress.hasTypedPassword ? await findForm(tab.page) : await awaitForm(tab.page)
      if (!hasStep(formOrFields, progress)) {
        if (progress.hasTypedPassword) break
        const fields = listFields(formOrFields)
        const fieldsText = fields.length > 0 ? `its fields are: ${fields.join('; ')}` : 'it has no field'
        return fail(`No sign-in form was recognized on ${await describePage(tab.page)}; ${fieldsText}`)
      }
      const { view } = formOrFields
      if (!shouldOpen(view, progress)) {
        await noteSignInPage()
        const refusal = findCodeRefusal(view, getCode !== null, progress) ?? findPersonalStep(view, progress)
        if (refusal) return fail(`${await describePage(tab.page)} ${refusal}`)
      }
      if (!(await performFormStep(formOrFields, formSecrets, progress))) break
      await settleAfterStep(tab)
    }
  } catch (error) {
    const summary = error instanceof Error ? error.message.split('\n', 1)[0]! : String(error)
    return fail(`The form on ${await describePage(tab.page)} could not be filled in: ${summary.slice(0, 200)}`)
  }
  return progress.hasTypedPassword ? { kind: 'done' } : fail(`${await describePage(tab.page)} asks for no password`)
}
